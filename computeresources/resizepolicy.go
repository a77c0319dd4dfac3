package computeresources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// resizePolicy looks at the resize policy of a container in a pod with this restart policy. It does
// not allocate for a container without one.
//
// Source: validateResizePolicy of k8s.io/kubernetes/pkg/apis/core/validation.
func (v *validator) resizePolicy(ref Ref, c *corev1.Container, ofPod corev1.RestartPolicy) {
	if len(c.ResizePolicy) == 0 {
		return
	}
	list, seen := field.NewPath("resizePolicy"), map[corev1.ResourceName]bool{}
	for i, entry := range c.ResizePolicy {
		name, policy := entry.ResourceName, entry.RestartPolicy
		if seen[name] {
			v.addEntry(ref, InvalidResizePolicy, name, field.Duplicate(list.Index(i), name))
		}
		seen[name] = true
		switch {
		case name == "":
			v.addEntry(ref, InvalidResizePolicy, name, field.Required(list, ""))
		case !isCompute(name):
			v.addEntry(ref, InvalidResizePolicy, name,
				field.NotSupported(list, name, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}))
		}
		switch policy {
		case corev1.NotRequired, corev1.RestartContainer:
		case "":
			v.addEntry(ref, InvalidResizePolicy, name, field.Required(list, ""))
		default:
			v.addEntry(ref, InvalidResizePolicy, name, field.NotSupported(list, policy,
				[]corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer}))
		}
		if ofPod == corev1.RestartPolicyNever && policy != corev1.NotRequired {
			v.addEntry(ref, InvalidResizePolicy, name,
				field.Invalid(list, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
}

// initResizePolicy looks at the resize policy of an init container that runs to completion.
//
// Source: validateInitContainers of k8s.io/kubernetes/pkg/apis/core/validation.
func (v *validator) initResizePolicy(ref Ref, c *corev1.Container) {
	for i, entry := range c.ResizePolicy {
		if restartsContainer(entry) {
			at := field.NewPath("resizePolicy").Index(i).Child("restartPolicy")
			v.addEntry(ref, InvalidResizePolicy, entry.ResourceName,
				field.Invalid(at, entry.RestartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers"))
		}
	}
}

// restartsContainer reports whether a resize of the resource restarts the container.
func restartsContainer(policy corev1.ContainerResizePolicy) bool {
	return policy == corev1.ContainerResizePolicy{ResourceName: policy.ResourceName,
		RestartPolicy: corev1.RestartContainer}
}

// oldRestartsInit reports whether the stored spec has an init container that runs to completion and that
// a resize would restart.
func (v *validator) oldRestartsInit() bool {
	cs := podwalk.Of(v.old)
	for i := range cs.Len() {
		if kind, c := cs.At(i); !kind.RunsBesideApps() && slices.ContainsFunc(c.ResizePolicy, restartsContainer) {
			return true
		}
	}
	return false
}
