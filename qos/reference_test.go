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
