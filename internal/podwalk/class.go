package podwalk

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Class returns the quality-of-service class of a pod spec. Only amounts of cpu and memory other than
// zero count, of all containers, or of spec.resources if that decides (PodLevelDecides):
//
//   - BestEffort: no request or limit is set.
//   - Guaranteed: every container has a limit for both, and requests it.
//   - Burstable: anything else.
//
// Unless rules.ClassifiesEachContainer, only amounts above zero count, and the requests of all containers of a
// Guaranteed pod add up to the limits, which differs in pods that no API server stores.
//
// A nil spec is BestEffort. Cost: at most four lookups for each container, and none after the class shows.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec, rules release.Rules) corev1.PodQOSClass {
	c := classifier{eachContainer: rules.ClassifiesEachContainer()}
	if PodLevelDecides(spec, rules) {
		c.add(spec.Resources)
	} else {
		cs := Of(spec)
		for i := range cs.Len() {
			_, container := cs.At(cs.AppsFirst(i))
			c.add(&container.Resources)
			if c.isBurstable() {
				return corev1.PodQOSBurstable // regardless of the other containers
			}
		}
	}
	limited := !c.unlimited
	return classOf(c.any, limited, limited && c.cpu.even(spec, corev1.ResourceCPU, rules) &&
		c.memory.even(spec, corev1.ResourceMemory, rules))
}

// PodLevelDecides reports whether spec.resources decides on the class of a pod, and not its containers.
func PodLevelDecides(spec *corev1.PodSpec, rules release.Rules) bool {
	return spec != nil && spec.Resources != nil && rules.CountsPodLevel() &&
		(!rules.ClassIgnoresEmptyPodLevel() || resourcename.SetsPodLevel(spec))
}

// classifier is the state of the classification after some containers.
type classifier struct {
	eachContainer bool // release.Rules.ClassifiesEachContainer
	any           bool // something is requested or limited
	unlimited     bool // a container lacks one of the limits
	cpu, memory   balance
}

// balance tells whether some containers request less of a resource than their limit, and
// others more. If neither, their sums are equal; if only one of the two, they are not.
type balance struct{ less, more bool }

// isBurstable reports whether the pod is Burstable, whatever comes after.
func (c *classifier) isBurstable() bool {
	return c.any && (c.unlimited || c.eachContainer && (c.cpu != balance{} || c.memory != balance{}))
}

// add adds the resources of a container, of which it only looks at cpu if that decides.
func (c *classifier) add(r *corev1.ResourceRequirements) {
	request, limit := r.Requests[corev1.ResourceCPU], r.Limits[corev1.ResourceCPU]
	c.weigh(&c.cpu, &request, &limit)
	if c.isBurstable() {
		return
	}
	request, limit = r.Requests[corev1.ResourceMemory], r.Limits[corev1.ResourceMemory]
	c.weigh(&c.memory, &request, &limit)
}

func (c *classifier) weigh(b *balance, request, limit *resource.Quantity) {
	requested, limited := c.counts(request), c.counts(limit)
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

// counts reports whether an amount counts.
func (c *classifier) counts(amount *resource.Quantity) bool {
	return amount.Sign() > 0 || c.eachContainer && amount.Sign() < 0
}

// classOf returns the class of a pod: any, if something is requested or limited; limited, if
// every container has both limits; even, if the requests of all containers add up to their
// limits, or each does, for both resources.
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
func (b balance) even(spec *corev1.PodSpec, name corev1.ResourceName, rules release.Rules) bool {
	if b.less && b.more {
		return Balanced(spec, name, rules)
	}
	return !b.less && !b.more
}

// Balanced reports whether a resource does not keep a pod from being Guaranteed although single containers request
// more or less than their limits: if every container has a limit, and the requests of all containers add up to the
// limits. If spec.resources decides on the class, only that counts. Nothing is balanced if
// rules.ClassifiesEachContainer.
func Balanced(spec *corev1.PodSpec, name corev1.ResourceName, rules release.Rules) bool {
	if rules.ClassifiesEachContainer() {
		return false
	}
	var requests, limits resource.Quantity
	add := func(r *corev1.ResourceRequirements) (limited bool) {
		request, limit := r.Requests[name], r.Limits[name]
		quantity.Add(&limits, limit)
		if request.Sign() > 0 {
			quantity.Add(&requests, request)
		}
		return limit.Sign() > 0
	}
	if PodLevelDecides(spec, rules) {
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
