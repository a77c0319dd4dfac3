package computeresources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// resizePolicy looks at the resize policy of a container in a pod with this restart policy. It does
// not allocate for a container without one.
//
// Source: validateResizePolicy and validateInitContainers of
// k8s.io/kubernetes/pkg/apis/core/validation.
func (v *validator) resizePolicy(ref Ref, c *corev1.Container, ofPod corev1.RestartPolicy) {
	if len(c.ResizePolicy) == 0 {
		return
	}
	list, seen := field.NewPath("resizePolicy"), map[corev1.ResourceName]bool{}
	for i, entry := range c.ResizePolicy {
		name, policy := entry.ResourceName, entry.RestartPolicy
		if seen[name] {
			v.addPolicy(ref, name, field.Duplicate(list.Index(i), name))
		}
		seen[name] = true
		switch {
		case name == "":
			v.addPolicy(ref, name, field.Required(list, ""))
		case !isCompute(name):
			v.addPolicy(ref, name, field.NotSupported(list, name, []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}))
		}
		switch policy {
		case corev1.NotRequired, corev1.RestartContainer:
		case "":
			v.addPolicy(ref, name, field.Required(list, ""))
		default:
			v.addPolicy(ref, name, field.NotSupported(list, policy, []corev1.ResourceResizeRestartPolicy{corev1.NotRequired, corev1.RestartContainer}))
		}
		if ofPod == corev1.RestartPolicyNever && policy != corev1.NotRequired {
			v.addPolicy(ref, name, field.Invalid(list, policy, "must be 'NotRequired' when pod `restartPolicy` is 'Never'"))
		}
	}
	if !restartsInit(ref, c) || v.oldRestartsInit() {
		return
	}
	for i, entry := range c.ResizePolicy {
		if restartsContainer(entry) {
			v.addPolicy(ref, entry.ResourceName, field.Invalid(list.Index(i).Child("restartPolicy"), entry.RestartPolicy, "must not be set to 'RestartContainer' for non-sidecar initContainers"))
		}
	}
}

func (v *validator) addPolicy(ref Ref, name corev1.ResourceName, err *field.Error) {
	v.add(InvalidResource{Ref: ref, Resource: name, Cause: InvalidResizePolicy, Detail: err.Detail, Entry: err})
}

// restartsContainer reports whether a resize of the resource restarts the container.
func restartsContainer(policy corev1.ContainerResizePolicy) bool {
	return policy == corev1.ContainerResizePolicy{ResourceName: policy.ResourceName, RestartPolicy: corev1.RestartContainer}
}

// restartsInit reports whether a container is an init container that runs to completion and that a
// resize would restart.
func restartsInit(ref Ref, c *corev1.Container) bool {
	switch ref.Kind {
	case Init:
		return slices.ContainsFunc(c.ResizePolicy, restartsContainer)
	case App, Sidecar, Pod:
	}
	return false
}

// oldRestartsInit reports whether the stored spec has such an init container.
func (v *validator) oldRestartsInit() bool {
	for ref, c := range Containers(v.old) {
		if restartsInit(ref, c) {
			return true
		}
	}
	return false
}
