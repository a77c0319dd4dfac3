package computeresources

import (
	"math/bits"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/resourcelist"
)

// smallTotals returns the totals of the requests, or limits, of the containers of a pod,
// if all amounts are small: the fast path of most pods.
func smallTotals(spec *corev1.PodSpec, limits bool) (t Totals, ok bool) {
	var s smallSums
	if !s.read(spec, limits) {
		return t, false
	}
	containers := len(spec.Containers) + len(spec.InitContainers)
	return Totals{
		MilliCPU: s.cpu.total, Memory: s.memory.total, EphemeralStorage: s.storage.total,
		Complete: Complete{
			CPU:              s.cpu.positive == containers,
			Memory:           s.memory.positive == containers,
			EphemeralStorage: s.storage.positive == containers,
		},
	}, true
}

// smallInto fills dst, which is empty, with the requests or limits of the containers of a
// pod, if all amounts are small and above zero, of no other resources than the three
// below, and of one format for each. If not, it leaves dst empty.
func smallInto(dst corev1.ResourceList, spec *corev1.PodSpec, limits bool) bool {
	var s smallSums
	if !s.read(spec, limits) || s.cpu.positive+s.memory.positive+s.storage.positive < s.cpu.entries ||
		s.cpu.mixed() || s.memory.mixed() || s.storage.mixed() {
		return false
	}
	if s.cpu.positive > 0 {
		dst[corev1.ResourceCPU] = *resource.NewMilliQuantity(s.cpu.total, s.cpu.format)
	}
	if s.memory.positive > 0 {
		dst[corev1.ResourceMemory] = *resource.NewQuantity(s.memory.total, s.memory.format)
	}
	if s.storage.positive > 0 {
		dst[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(s.storage.total, s.storage.format)
	}
	return true
}

// smallSums are the effective amounts of the resources that nearly every pod states.
type smallSums struct{ cpu, memory, storage smallSum }

// read reports whether all amounts are small.
func (s *smallSums) read(spec *corev1.PodSpec, limits bool) bool {
	if len(spec.Containers)+len(spec.InitContainers) > resourcelist.MaxSmallSum {
		return false
	}
	if !s.cpu.read(spec, limits, corev1.ResourceCPU, resource.Milli) || !s.memory.read(spec, limits, corev1.ResourceMemory, 0) {
		return false
	}
	nothingLeft := s.cpu.positive+s.memory.positive == s.cpu.entries
	return nothingLeft || s.storage.read(spec, limits, corev1.ResourceEphemeralStorage, 0)
}

// smallSum is the effective amount of one resource in whole units.
type smallSum struct {
	total    int64
	positive int             // how many containers state more than zero
	entries  int             // what the containers state in all, of any resource
	format   resource.Format // of the last amount above zero
	formats  uint32          // of all of them: bit n for a format of n letters
}

// add notes an amount above zero. Formats are told apart by their length: that of each
// of the three is different, and so is that of none.
func (s *smallSum) add(format resource.Format) {
	s.positive++
	s.format = format
	s.formats |= 1 << (len(format) & 31)
}

// mixed reports whether the amounts have more than one format.
func (s *smallSum) mixed() bool { return bits.OnesCount32(s.formats) > 1 }

// read is the formula of containers.effective in whole units of 10^scale. It reports
// whether all amounts are small.
func (s *smallSum) read(spec *corev1.PodSpec, limits bool, name corev1.ResourceName, scale resource.Scale) bool {
	var sum resourcelist.Effective
	for i := range spec.Containers {
		list := listOf(&spec.Containers[i], limits)
		s.entries += len(list)
		q := list[name]
		amount, small := resourcelist.Small(&q, scale)
		if !small {
			return false
		}
		if amount > 0 {
			s.add(q.Format)
			sum.App(amount)
		}
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		list := listOf(c, limits)
		s.entries += len(list)
		q := list[name]
		amount, small := resourcelist.Small(&q, scale)
		if !small {
			return false
		}
		if amount == 0 {
			continue
		}
		s.add(q.Format)
		if initKind(c) == Sidecar {
			sum.Sidecar(amount)
		} else {
			sum.Init(amount)
		}
	}
	s.total = sum.Total()
	return true
}
