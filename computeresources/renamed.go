package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// counted returns a spec without init containers that do not count, and a spec and a status with what the pod
// sets under the names of the options as cpu and memory.
func (o *Options) counted(spec *corev1.PodSpec, status *corev1.PodStatus) (*corev1.PodSpec, *corev1.PodStatus) {
	if o.IgnoreInitContainers {
		spec = podwalk.SpecWithoutInit(spec)
	}
	names := podwalk.Names{CPU: o.CPUName, Memory: o.MemoryName}
	if names == (podwalk.Names{}) {
		return spec, status
	}
	return names.Spec(spec), names.Status(status)
}
