package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Class returns the quality-of-service class of a pod spec. Only amounts of cpu and memory above
// zero count, of all containers, or of spec.resources if that is set:
//
//   - BestEffort: no request or limit is set.
//   - Guaranteed: every container has a limit for both, and the requests of all containers
//     add up to the limits, for each of both.
//   - Burstable: anything else.
//
// A nil spec is BestEffort. Cost: at most four lookups for each container, fewer if the class shows
// early.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec) corev1.PodQOSClass {
	if spec == nil {
		return corev1.PodQOSBestEffort
	}
	var c classifier
	if spec.Resources != nil {
		c.add(spec.Resources)
	} else {
		cs := Of(spec)
		for i := range cs.Len() {
			_, container := cs.At(cs.AppsFirst(i))
			c.add(&container.Resources)
			if c.any && c.unlimited {
				return corev1.PodQOSBurstable // regardless of the other containers
			}
		}
	}
	limited := !c.unlimited
	return classOf(c.any, limited, limited && c.cpu.even(spec, corev1.ResourceCPU) &&
		c.memory.even(spec, corev1.ResourceMemory))
}

// classifier is the state of the classification after some containers.
type classifier struct {
	any         bool // something is requested or limited
	unlimited   bool // a container lacks one of the limits
	cpu, memory balance
}

// balance tells whether some containers request less of a resource than their limit, and
// others more. If neither, their sums are equal; if only one of the two, they are not.
type balance struct{ less, more bool }

func (c *classifier) add(r *corev1.ResourceRequirements) {
	request, limit := r.Requests[corev1.ResourceCPU], r.Limits[corev1.ResourceCPU]
	c.weigh(&c.cpu, &request, &limit)
	request, limit = r.Requests[corev1.ResourceMemory], r.Limits[corev1.ResourceMemory]
	c.weigh(&c.memory, &request, &limit)
}

func (c *classifier) weigh(b *balance, request, limit *resource.Quantity) {
	requested, limited := request.Sign() > 0, limit.Sign() > 0
	c.any = c.any || requested || limited
	switch {
	case !limited:
		c.unlimited = true
	case !requested:
		b.less = true
	default:
		order := request.Cmp(*limit)
		b.less = b.less || order < 0
		b.more = b.more || order > 0
	}
}

// classOf returns the class of a pod: any, if something is requested or limited; limited, if
// every container has both limits; even, if the requests of all containers add up to their
// limits, for both resources.
func classOf(any, limited, even bool) corev1.PodQOSClass {
	switch {
	case !any:
		return corev1.PodQOSBestEffort
	case limited && even:
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// even reports whether the requests of the pod add up to its limits.
func (b balance) even(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	if b.less && b.more {
		return Balanced(spec, name)
	}
	return !b.less && !b.more
}

// Balanced reports whether every container has a limit for a resource, and the requests of all
// containers add up to the limits, even if those of single ones differ. If spec.resources is set,
// only that counts, as for the class.
func Balanced(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	var requests, limits resource.Quantity
	add := func(r *corev1.ResourceRequirements) (limited bool) {
		request, limit := r.Requests[name], r.Limits[name]
		quantity.Add(&limits, limit)
		if request.Sign() > 0 {
			quantity.Add(&requests, request)
		}
		return limit.Sign() > 0
	}
	if spec != nil && spec.Resources != nil {
		return add(spec.Resources) && requests.Cmp(limits) == 0
	}
	cs := Of(spec)
	for i := range cs.Len() {
		if _, c := cs.At(i); !add(&c.Resources) {
			return false
		}
	}
	return requests.Cmp(limits) == 0
}
