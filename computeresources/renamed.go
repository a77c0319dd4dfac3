package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Renamed has the names under which pods set their cpu and memory. The zero value means cpu and
// memory. With Koordinator and Volcano, pods of lower priority set kubernetes.io/batch-cpu and
// kubernetes.io/batch-memory instead. These are extended resources, so the API server only admits
// whole numbers.
//
// If a name is set, amounts under that name count as cpu or memory, in the results as well. Amounts
// that the pod sets as cpu or memory are ignored, at pod level, too. An overhead without the name,
// which comes from a RuntimeClass, still counts.
type Renamed struct {
	// CPU replaces cpu. Its unit is a milli-CPU; fractions are rounded up.
	CPU corev1.ResourceName

	// Memory replaces memory. Its unit is a byte.
	Memory corev1.ResourceName
}

// renamedPod returns the pod with its amounts under cpu and memory, and the options for it. The
// result is only read.
func (o *Options) renamedPod(pod *corev1.Pod) (*corev1.Pod, *Options) {
	own := *o
	own.Renamed = Renamed{}
	return podwalk.Names(o.Renamed).Pod(pod), &own
}

// renamedSpec is renamedPod for a pod spec.
func (o *Options) renamedSpec(spec *corev1.PodSpec) (*corev1.PodSpec, *Options) {
	own := *o
	own.Renamed = Renamed{}
	return podwalk.Names(o.Renamed).Spec(spec), &own
}
