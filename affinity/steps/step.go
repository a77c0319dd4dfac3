package steps

import (
	"iter"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// The prefixes of the names of containers that Tekton creates for the steps and sidecars of
// a task.
const (
	TektonStepPrefix    = "step-"
	TektonSidecarPrefix = "sidecar-"
)

// Predicate reports whether a container of a pod is a step, which means that only one of them runs
// at a time. It must not change the container. With a nil Predicate, no container is a step.
type Predicate func(ref computeresources.Ref, c *corev1.Container) bool

// TektonStep reports whether a container is a step of a Tekton task: an app container
// whose name begins with "step-". It is a Predicate.
func TektonStep(ref computeresources.Ref, c *corev1.Container) bool {
	return isApp(ref) && c != nil && strings.HasPrefix(c.Name, TektonStepPrefix)
}

// isApp reports whether a container is an entry of spec.containers. Tekton makes steps of no
// others.
func isApp(ref computeresources.Ref) bool {
	switch ref.Kind {
	case computeresources.App:
		return true
	case computeresources.Init, computeresources.Sidecar, computeresources.Pod:
		return false
	}
	return false
}

// noStep is the index of containers that are not steps.
const noStep = -1

// stepPosition is the position of a container in its pod and among the steps.
type stepPosition struct {
	ref  computeresources.Ref
	step int // index among the steps, or noStep
}

// containers yields the containers of spec with their positions, in the order of
// computeresources.Containers.
func containers(spec *corev1.PodSpec, isStep Predicate) iter.Seq2[stepPosition, *corev1.Container] {
	return func(yield func(stepPosition, *corev1.Container) bool) {
		steps := 0
		for ref, c := range computeresources.Containers(spec) {
			p := stepPosition{ref, noStep}
			if isStep != nil && isStep(ref, c) {
				p.step = steps
				steps++
			}
			if !yield(p, c) {
				return
			}
		}
	}
}

// count returns the number of steps.
func count(spec *corev1.PodSpec, isStep Predicate) int {
	n := 0
	for p := range containers(spec, isStep) {
		n = max(n, p.step+1)
	}
	return n
}
