package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Renamed says under which names pods set their cpu and memory. The zero value is cpu and memory
// themselves. Koordinator and Volcano have pods of lower priority set kubernetes.io/batch-cpu and
// kubernetes.io/batch-memory instead, which are extended resources: the API server admits whole
// amounts of them only.
//
// With a name, what the pod sets under it counts as cpu or memory, and results have it there. What
// the pod sets as cpu or memory itself is ignored then, at pod level, too; except in its overhead,
// which is that of a RuntimeClass, where the name is missing.
type Renamed struct {
	// CPU stands for cpu. One of it is a milli-CPU; a fraction is rounded up.
	CPU corev1.ResourceName

	// Memory stands for memory. One of it is a byte.
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
