package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// smallTotals returns the totals of the requests, or limits, of the containers of a pod
// in plain integers, if all amounts are small: the fast path of most pods.
func smallTotals(spec *corev1.PodSpec, limits bool) (t Totals, ok bool) {
	containers := len(spec.Containers) + len(spec.InitContainers)
	if containers > resourcelist.MaxSmallSum {
		return t, false
	}
	cpu, ok := effectiveSmall(spec, limits, corev1.ResourceCPU, resource.Milli)
	if !ok {
		return t, false
	}
	memory, ok := effectiveSmall(spec, limits, corev1.ResourceMemory, 0)
	if !ok {
		return t, false
	}
	var storage smallSum
	if cpu.positive+memory.positive < cpu.entries {
		if storage, ok = effectiveSmall(spec, limits, corev1.ResourceEphemeralStorage, 0); !ok {
			return t, false
		}
	}
	return Totals{
		MilliCPU: cpu.total, Memory: memory.total, EphemeralStorage: storage.total,
		Complete: Complete{
			CPU:              cpu.positive == containers,
			Memory:           memory.positive == containers,
			EphemeralStorage: storage.positive == containers,
		},
	}, true
}

// smallSum is the effective amount of one resource in whole units.
type smallSum struct {
	total    int64
	positive int // how many containers state more than zero
	entries  int // what the containers state in all, of any resource
}

// effectiveSmall is the formula of containers.effective in whole units of 10^scale. It is
// not ok if an amount is not small.
func effectiveSmall(spec *corev1.PodSpec, limits bool, name corev1.ResourceName, scale resource.Scale) (s smallSum, ok bool) {
	var sum resourcelist.Effective
	for i := range spec.Containers {
		list := listOf(&spec.Containers[i], limits)
		s.entries += len(list)
		q := list[name]
		amount, exact := resourcelist.Small(&q, scale)
		if !exact {
			return s, false
		}
		if amount > 0 {
			s.positive++
			sum.App(amount)
		}
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		list := listOf(c, limits)
		s.entries += len(list)
		q := list[name]
		amount, exact := resourcelist.Small(&q, scale)
		if !exact {
			return s, false
		}
		if amount == 0 {
			continue
		}
		s.positive++
		if initKind(c) == Sidecar {
			sum.Sidecar(amount)
		} else {
			sum.Init(amount)
		}
	}
	s.total = sum.Total()
	return s, true
}
