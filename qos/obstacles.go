package qos

import (
	"iter"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
)

// obstacle is a container, or the pod as a whole, whose request and limit for a
// resource keep the pod from being Guaranteed.
type obstacle struct {
	cause          Blocker
	ref            computeresources.Ref
	name           corev1.ResourceName
	request, limit resource.Quantity // as stated: they share memory with the pod
}

// obstacles yields what keeps the pod from being Guaranteed, container by container,
// cpu before memory.
func obstacles(spec *corev1.PodSpec) iter.Seq[obstacle] {
	return func(yield func(obstacle) bool) {
		balanced := map[corev1.ResourceName]bool{
			corev1.ResourceCPU:    podwalk.Balanced(spec, corev1.ResourceCPU),
			corev1.ResourceMemory: podwalk.Balanced(spec, corev1.ResourceMemory),
		}
		for ref, r := range deciding(spec) {
			for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
				o := obstacle{ref: ref, name: name, request: r.Requests[name], limit: r.Limits[name]}
				o.cause = causeOf(o.request, o.limit)
				if o.cause != Nothing && !balanced[name] && !yield(o) {
					return
				}
			}
		}
	}
}

// deciding yields the parts of a pod spec that decide on the class: the pod as a
// whole if it states resources, and its containers otherwise.
func deciding(spec *corev1.PodSpec) iter.Seq2[computeresources.Ref, *corev1.ResourceRequirements] {
	return func(yield func(computeresources.Ref, *corev1.ResourceRequirements) bool) {
		if spec != nil && spec.Resources != nil {
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

func causeOf(request, limit resource.Quantity) Blocker {
	switch {
	case limit.Sign() <= 0:
		return NoLimit
	case request.Sign() <= 0:
		return NoRequest
	case request.Cmp(limit) != 0:
		return RequestNotLimit
	default:
		return Nothing
	}
}
