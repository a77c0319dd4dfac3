package podwalk

import corev1 "k8s.io/api/core/v1"

// SpecWithoutInit returns a pod spec without its init containers that run to completion. It is the spec
// itself if it has none, and otherwise a shallow copy, which shares everything else with the spec and must only
// be read. The result for nil is nil.
func SpecWithoutInit(spec *corev1.PodSpec) *corev1.PodSpec {
	if spec == nil {
		return nil
	}
	var sidecars []corev1.Container
	for i := range spec.InitContainers {
		if c := &spec.InitContainers[i]; initKind(c).RunsBesideApps() {
			sidecars = append(sidecars, *c)
		}
	}
	if len(sidecars) == len(spec.InitContainers) {
		return spec
	}
	without := *spec
	without.InitContainers = sidecars
	return &without
}
