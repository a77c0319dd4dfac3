package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// areRenamed reports whether the pod sets its cpu or memory under another name.
func (o *Options) areRenamed() bool { return o.CPUName != "" || o.MemoryName != "" }

// renamedPod returns the pod with its amounts under cpu and memory, and the options for it. The
// result is only read.
func (o *Options) renamedPod(pod *corev1.Pod) (*corev1.Pod, *Options) {
	names, own := o.withoutNames()
	return names.Pod(pod), own
}

// renamedSpec is renamedPod for a pod spec.
func (o *Options) renamedSpec(spec *corev1.PodSpec) (*corev1.PodSpec, *Options) {
	names, own := o.withoutNames()
	return names.Spec(spec), own
}

// withoutNames returns the names of the options, and the options without them.
func (o *Options) withoutNames() (podwalk.Names, *Options) {
	own := *o
	own.CPUName, own.MemoryName = "", ""
	return podwalk.Names{CPU: o.CPUName, Memory: o.MemoryName}, &own
}
