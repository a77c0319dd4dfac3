package webhooks

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/limitrange"
)

// written returns a pod as its author wrote it, as far as that can be known: without the amounts
// that the LimitRanger lists in its annotation, such as "LimitRanger plugin set: cpu, memory
// request for container app; cpu limit for init container setup".
func written(pod *corev1.Pod) *corev1.Pod {
	own := pod.DeepCopy()
	notes, _ := strings.CutPrefix(pod.Annotations[limitrange.AnnotationKey], "LimitRanger plugin set: ")
	for note := range strings.SplitSeq(notes, "; ") {
		what, whose, _ := strings.Cut(note, " for ")
		if name, is := strings.CutPrefix(whose, "container "); is {
			remove(what, own.Spec.Containers, name)
		} else if name, is := strings.CutPrefix(whose, "init container "); is {
			remove(what, own.Spec.InitContainers, name)
		}
	}
	return own
}

// remove takes the amounts that a note names, like "cpu, memory request", from a container.
func remove(what string, containers []corev1.Container, name string) {
	i := slices.IndexFunc(containers, func(c corev1.Container) bool { return c.Name == name })
	if i < 0 {
		return
	}
	list := containers[i].Resources.Limits
	resources, are := strings.CutSuffix(what, " limit")
	if !are {
		list = containers[i].Resources.Requests
		resources = strings.TrimSuffix(what, " request")
	}
	for resource := range strings.SplitSeq(resources, ", ") {
		delete(list, corev1.ResourceName(resource))
	}
}
