package qos

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Class returns the quality-of-service class that the API server gives to a pod with
// this spec. It looks at cpu and memory only, and at amounts above zero only:
//
//   - BestEffort: nothing is requested or limited.
//   - Guaranteed: every container, init containers included, has a limit for both,
//     and for each the requests of all containers add up to the limits.
//   - Burstable: anything else.
//
// If spec.resources is set, even to nothing, it decides alone. The spec is taken as
// it is: requests that follow from limits have to be filled in before
// (computeresources.ApplyRequestDefaults). A nil spec is BestEffort.
//
// Cost: at most four look-ups per container, fewer if the class shows early; no
// allocation. Only where some containers request less than their limit, and others
// more, which no cluster admits, are sums needed, in arbitrary precision.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec) corev1.PodQOSClass {
	if spec == nil {
		return corev1.PodQOSBestEffort
	}
	c := classifier{allLimited: true}
	if spec.Resources != nil {
		c.count(spec.Resources)
		return c.class(spec)
	}
	for i := range spec.Containers {
		if c.count(&spec.Containers[i].Resources); c.burstable() {
			return corev1.PodQOSBurstable
		}
	}
	for i := range spec.InitContainers {
		if c.count(&spec.InitContainers[i].Resources); c.burstable() {
			return corev1.PodQOSBurstable
		}
	}
	return c.class(spec)
}

// PodClass returns the class of a pod: the one in its status, which the API server
// sets at creation and which stays for the life of the pod, and Class of its spec if
// the status has none. A nil pod is BestEffort.
//
// Source: GetPodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func PodClass(pod *corev1.Pod) corev1.PodQOSClass {
	switch {
	case pod == nil:
		return corev1.PodQOSBestEffort
	case pod.Status.QOSClass != "":
		return pod.Status.QOSClass
	default:
		return Class(&pod.Spec)
	}
}

// classifier is what is known of the class after some containers.
type classifier struct {
	any         bool // something is requested or limited
	allLimited  bool // all have limits for both resources
	cpu, memory balance
}

// balance tells whether some containers request less of a resource than their limit,
// and others more. If neither, their sums are equal; if only one of the two, they
// are not.
type balance struct{ less, more bool }

// burstable reports whether the pod is Burstable whatever the containers to come state.
func (c *classifier) burstable() bool { return c.any && !c.allLimited }

func (c *classifier) count(r *corev1.ResourceRequirements) {
	cpu := r.Requests[corev1.ResourceCPU]
	limit := r.Limits[corev1.ResourceCPU]
	c.cpu.weigh(c, &cpu, &limit)
	memory := r.Requests[corev1.ResourceMemory]
	limit = r.Limits[corev1.ResourceMemory]
	c.memory.weigh(c, &memory, &limit)
}

// weigh takes the request and the limit of a container in.
func (b *balance) weigh(c *classifier, request, limit *resource.Quantity) {
	requested, limited := request.Sign() > 0, limit.Sign() > 0
	c.any = c.any || requested || limited
	switch {
	case !limited:
		c.allLimited = false
	case !requested:
		b.less = true
	default:
		order := request.Cmp(*limit)
		b.less = b.less || order < 0
		b.more = b.more || order > 0
	}
}

func (c *classifier) class(spec *corev1.PodSpec) corev1.PodQOSClass {
	switch {
	case !c.any:
		return corev1.PodQOSBestEffort
	case c.allLimited && c.cpu.even(spec, corev1.ResourceCPU) && c.memory.even(spec, corev1.ResourceMemory):
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

// even reports whether the requests of the pod add up to its limits.
func (b balance) even(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	if b.less && b.more {
		return balanced(spec, name)
	}
	return !b.less && !b.more
}
