package qos_test

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowRequest is the request of a pod: what runs together, or more for an init container beside the sidecars before
// it; instead, that of the pod level; and overhead.
func slowRequest(spec *corev1.PodSpec, name corev1.ResourceName) *big.Rat {
	exact := func(list corev1.ResourceList) *big.Rat { return testkit.Exact(list[name]) }
	var peak *big.Rat // nil if no container sets the resource: zero is more than an amount below it
	raise := func(to *big.Rat) {
		if peak == nil || peak.Cmp(to) < 0 {
			peak = to
		}
	}
	sidecars, anySidecar := new(big.Rat), false
	for _, c := range spec.InitContainers {
		_, set := c.Resources.Requests[name]
		use := new(big.Rat).Add(sidecars, exact(c.Resources.Requests))
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			sidecars, anySidecar = use, anySidecar || set
		}
		if set || anySidecar {
			raise(use)
		}
	}
	together, any := sidecars, anySidecar
	for _, c := range spec.Containers {
		_, set := c.Resources.Requests[name]
		together, any = new(big.Rat).Add(together, exact(c.Resources.Requests)), any || set
	}
	if any {
		raise(together)
	}
	if peak == nil {
		peak = new(big.Rat)
	}
	if own := spec.Resources; own != nil && name != "ephemeral-storage" {
		if _, set := own.Requests[name]; set {
			peak = exact(own.Requests)
		}
	}
	return new(big.Rat).Add(peak, exact(spec.Overhead))
}
