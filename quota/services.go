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
	spec := &service.Spec
	var loadBalancers, nodePorts int64
	if spec.Type == corev1.ServiceTypeLoadBalancer {
		loadBalancers = 1
	}
	allocates := spec.AllocateLoadBalancerNodePorts == nil || *spec.AllocateLoadBalancerNodePorts
	switch {
	case spec.Type == corev1.ServiceTypeNodePort, loadBalancers > 0 && allocates:
		nodePorts = int64(len(spec.Ports))
	case loadBalancers > 0: // it takes the ports of the nodes that it names itself
		for _, port := range spec.Ports {
			if port.NodePort != 0 {
				nodePorts++
			}
		}
	}
	dst[countServices] = units(1)
	dst[corev1.ResourceServices] = units(1)
	dst[corev1.ResourceServicesLoadBalancers] = units(loadBalancers)
	dst[corev1.ResourceServicesNodePorts] = units(nodePorts)
}
