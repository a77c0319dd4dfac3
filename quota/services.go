package quota

import corev1 "k8s.io/api/core/v1"

const countServices corev1.ResourceName = "count/services"

func isServiceResource(name corev1.ResourceName) bool {
	switch name {
	case countServices, corev1.ResourceServices, corev1.ResourceServicesLoadBalancers, corev1.ResourceServicesNodePorts:
		return true
	}
	return false
}

func serviceUsageInto(dst corev1.ResourceList, service *corev1.Service) {
	var loadBalancers int64
	if service.Spec.Type == corev1.ServiceTypeLoadBalancer {
		loadBalancers = 1
	}
	dst[countServices] = units(1)
	dst[corev1.ResourceServices] = units(1)
	dst[corev1.ResourceServicesLoadBalancers] = units(loadBalancers)
	dst[corev1.ResourceServicesNodePorts] = units(nodePorts(&service.Spec))
}

// nodePorts returns how many ports of the nodes a service takes, or will be given. A load
// balancer that wants none to be allocated takes those that it names itself.
func nodePorts(spec *corev1.ServiceSpec) (n int64) {
	switch spec.Type {
	case corev1.ServiceTypeNodePort:
		return int64(len(spec.Ports))
	case corev1.ServiceTypeLoadBalancer:
		if spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts {
			return int64(len(spec.Ports))
		}
		for _, port := range spec.Ports {
			if port.NodePort != 0 {
				n++
			}
		}
	}
	return n
}
