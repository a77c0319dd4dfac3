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
		MilliCPU: s.cpu.Total(), Memory: s.memory.Total(), EphemeralStorage: s.storage.Total(),
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
	if !s.read(spec, limits) || s.cpu.positive+s.memory.positive+s.storage.positive < s.entries ||
		s.cpu.mixed() || s.memory.mixed() || s.storage.mixed() {
		return false
	}
	if s.cpu.positive > 0 {
		dst[corev1.ResourceCPU] = *resource.NewMilliQuantity(s.cpu.Total(), s.cpu.format)
	}
	if s.memory.positive > 0 {
		dst[corev1.ResourceMemory] = *resource.NewQuantity(s.memory.Total(), s.memory.format)
	}
	if s.storage.positive > 0 {
		dst[corev1.ResourceEphemeralStorage] = *resource.NewQuantity(s.storage.Total(), s.storage.format)
	}
	return true
}

// smallSums are the effective amounts of the resources that nearly every pod states.
type smallSums struct {
	cpu, memory, storage smallSum
	entries              int // what the containers state in all, of any resource
}

// read is the formula of containers.effective in integers. It reports whether all amounts
// are small.
func (s *smallSums) read(spec *corev1.PodSpec, limits bool) bool {
	if len(spec.Containers)+len(spec.InitContainers) > resourcelist.MaxSmallSum {
		return false
	}
	for i := range spec.Containers {
		stated, small := s.readList(listOf(&spec.Containers[i], limits))
		if !small {
			return false
		}
		s.cpu.App(stated.cpu)
		s.memory.App(stated.memory)
		s.storage.App(stated.storage)
	}
	for i := range spec.InitContainers {
		c := &spec.InitContainers[i]
		stated, small := s.readList(listOf(c, limits))
		if !small {
			return false
		}
		if initKind(c) == Sidecar {
			s.cpu.Sidecar(stated.cpu)
			s.memory.Sidecar(stated.memory)
			s.storage.Sidecar(stated.storage)
		} else {
			s.cpu.Init(stated.cpu)
			s.memory.Init(stated.memory)
			s.storage.Init(stated.storage)
		}
	}
	return true
}

// smallAmounts are what one container states: thousandths of a CPU, and bytes.
type smallAmounts struct{ cpu, memory, storage int64 }

// readList returns what one container states, notes it, and reports whether it is small.
func (s *smallSums) readList(list corev1.ResourceList) (stated smallAmounts, small bool) {
	s.entries += len(list)
	unread := len(list)
	q := list[corev1.ResourceCPU]
	if stated.cpu, small = resourcelist.SmallMilli(&q); !small {
		return stated, false
	}
	if stated.cpu > 0 {
		s.cpu.note(q.Format)
		unread--
	}
	q = list[corev1.ResourceMemory]
	if stated.memory, small = resourcelist.SmallWhole(&q); !small {
		return stated, false
	}
	if stated.memory > 0 {
		s.memory.note(q.Format)
		unread--
	}
	if unread == 0 {
		return stated, true
	}
	q = list[corev1.ResourceEphemeralStorage]
	if stated.storage, small = resourcelist.SmallWhole(&q); !small {
		return stated, false
	}
	if stated.storage > 0 {
		s.storage.note(q.Format)
	}
	return stated, true
}

// smallSum is the effective amount of one resource.
type smallSum struct {
	resourcelist.Effective
	positive int             // how many containers state more than zero
	format   resource.Format // of the last amount above zero
	formats  uint32          // of all of them: bit n for a format of n letters
}

// note counts an amount above zero. Formats are told apart by their length: that of each
// of the three is different, and so is that of none.
func (s *smallSum) note(format resource.Format) {
	s.positive++
	s.format = format
	s.formats |= 1 << (len(format) & 31)
}

// mixed reports whether the amounts have more than one format.
func (s *smallSum) mixed() bool { return bits.OnesCount32(s.formats) > 1 }
