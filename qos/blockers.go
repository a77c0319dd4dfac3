package qos

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// blocking is a container, or the pod itself, whose request and limit for a
// resource keep the pod from being Guaranteed.
type blocking struct {
	ref            computeresources.Ref
	name           corev1.ResourceName
	request, limit *resource.Quantity // nil if they are not set
}

// blockers yields what keeps the pod from being Guaranteed, container by container,
// cpu before memory.
func blockers(spec *corev1.PodSpec, rules release.Rules) iter.Seq[blocking] {
	return func(yield func(blocking) bool) {
		balanced := map[corev1.ResourceName]bool{
			corev1.ResourceCPU:    podwalk.Balanced(spec, corev1.ResourceCPU, rules),
			corev1.ResourceMemory: podwalk.Balanced(spec, corev1.ResourceMemory, rules),
		}
		for ref, r := range deciding(spec, rules) {
			for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				o := blocking{ref: ref, name: name, request: quantity.Find(r.Requests, name), limit: quantity.Find(r.Limits, name)}
				if o.blocks() && !balanced[name] && !yield(o) {
					return
				}
			}
		}
	}
}

// deciding yields the parts of a pod spec that decide on the class: the pod
// itself if spec.resources decides, and its containers otherwise.
func deciding(
	spec *corev1.PodSpec, rules release.Rules,
) iter.Seq2[computeresources.Ref, *corev1.ResourceRequirements] {
	return func(yield func(computeresources.Ref, *corev1.ResourceRequirements) bool) {
		if podwalk.PodLevelDecides(spec, rules) {
			yield(computeresources.Ref{Kind: computeresources.Pod}, spec.Resources)
			return
		}
		for ref, c := range computeresources.Containers(spec) {
			if !yield(ref, &c.Resources) {
				return
			}
		}
	}
}

// blocks reports whether a limit or a request is missing, or they are not equal.
func (b *blocking) blocks() bool {
	return !positive(b.limit) || !positive(b.request) || b.request.Cmp(*b.limit) != 0
}

func positive(q *resource.Quantity) bool { return q != nil && q.Sign() > 0 }
