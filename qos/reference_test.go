package qos_test

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowClass is the definition of the classes, in fractions.
func slowClass(spec *corev1.PodSpec) corev1.PodQOSClass {
	var parts []corev1.ResourceRequirements
	for _, c := range append(append([]corev1.Container{}, spec.Containers...), spec.InitContainers...) {
		parts = append(parts, c.Resources)
	}
	if spec.Resources != nil {
		parts = []corev1.ResourceRequirements{*spec.Resources}
	}
	nothing, guaranteed := true, len(parts) > 0
	for _, name := range []corev1.ResourceName{"cpu", "memory"} {
		requests, limits := new(big.Rat), new(big.Rat)
		for _, part := range parts {
			request, limit := positive(part.Requests, name), positive(part.Limits, name)
			if request.Sign() > 0 || limit.Sign() > 0 {
				nothing = false
			}
			if limit.Sign() == 0 {
				guaranteed = false
			}
			requests.Add(requests, request)
			limits.Add(limits, limit)
		}
		if requests.Cmp(limits) != 0 {
			guaranteed = false
		}
	}
	switch {
	case nothing:
		return corev1.PodQOSBestEffort
	case guaranteed:
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// positive returns an amount of a list, and zero for amounts that are not positive.
func positive(list corev1.ResourceList, name corev1.ResourceName) *big.Rat {
	q, ok := list[name]
	if !ok || q.Sign() <= 0 {
		return new(big.Rat)
	}
	return testkit.Exact(q)
}

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
