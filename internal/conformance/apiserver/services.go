package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// createService draws a service of any type.
func (n *namespace) createService() {
	service := &corev1.Service{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Service"}, ObjectMeta: n.next("service")}
	service.Spec = serviceSpec(n.t)
	found, _ := n.judge(n.create("services", n.path(coreGroup, "services"), service), func(in *admit.Namespace) admit.Decision {
		return in.Create(service, admit.Attributes{})
	})
	if found != nil {
		n.services = append(n.services, found.(*corev1.Service))
	}
}

func serviceSpec(t *rapid.T) (spec corev1.ServiceSpec) {
	spec.Type = rapid.SampledFrom([]corev1.ServiceType{
		corev1.ServiceTypeClusterIP, "", corev1.ServiceTypeNodePort, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeLoadBalancer, corev1.ServiceTypeExternalName,
	}).Draw(t, "type")
	if spec.Type == corev1.ServiceTypeExternalName {
		spec.ExternalName = "example.com"
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "ports") {
		spec.Ports = append(spec.Ports, corev1.ServicePort{Name: fmt.Sprintf("p-%d", i), Port: int32(80 + i)})
	}
	if spec.Type == corev1.ServiceTypeLoadBalancer && rapid.Bool().Draw(t, "without node ports") {
		spec.AllocateLoadBalancerNodePorts = pointer(false)
	}
	return spec
}

// changeService gives a service another number of ports, or makes it a load balancer.
func (n *namespace) changeService() {
	i := rapid.IntRange(0, len(n.services)-1).Draw(n.t, "service")
	old := n.services[i]
	service := old.DeepCopy()
	if service.Spec.Type == corev1.ServiceTypeExternalName {
		return
	}
	if rapid.Bool().Draw(n.t, "load balancer") {
		service.Spec.Type = corev1.ServiceTypeLoadBalancer
	}
	service.Spec.Ports = append(service.Spec.Ports, corev1.ServicePort{Name: fmt.Sprintf("q-%d", len(service.Spec.Ports)), Port: int32(8080 + len(service.Spec.Ports))})
	found, _ := n.judge(n.update("services changed", n.path(coreGroup, "services", service.Name), service), func(in *admit.Namespace) admit.Decision {
		return in.Update(old, service, admit.Attributes{})
	})
	if found != nil {
		n.services[i] = found.(*corev1.Service)
	}
}

// createConfigMap creates an object that is only counted.
func (n *namespace) createConfigMap() {
	m := &corev1.ConfigMap{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "ConfigMap"}, ObjectMeta: n.next("map")}
	found, _ := n.judge(n.create("config maps", n.path(coreGroup, "configmaps"), m), func(in *admit.Namespace) admit.Decision {
		return in.Create(m, admit.Attributes{})
	})
	if found != nil {
		n.counted = append(n.counted, found)
	}
}

// clear releases node ports, of which the server has few.
func (n *namespace) clear() {
	for _, service := range n.services {
		n.must(n.client.Delete(n.ctx, n.path(coreGroup, "services", service.Name)))
	}
}
