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
// allocation, except for containers whose request differs from the limit in a pod
// that may still be Guaranteed, where quantities need arbitrary precision.
//
// Source: ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos.
func Class(spec *corev1.PodSpec) corev1.PodQOSClass {
	if spec == nil {
		return corev1.PodQOSBestEffort
	}
	c := classifier{mayBeGuaranteed: true}
	if spec.Resources != nil {
		c.count(spec.Resources.Requests, spec.Resources.Limits)
		return c.class()
	}
	for i := range spec.Containers {
		if c.decided() {
			break
		}
		r := &spec.Containers[i].Resources
		c.count(r.Requests, r.Limits)
	}
	for i := range spec.InitContainers {
		if c.decided() {
			break
		}
		r := &spec.InitContainers[i].Resources
		c.count(r.Requests, r.Limits)
	}
	return c.class()
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
	any             bool // something is requested or limited
	mayBeGuaranteed bool // all have had limits for both resources
	// uneven adds up, for containers where they differ, requests and limits: of
	// the pod they may be equal nevertheless.
	cpu, memory uneven
}

type uneven struct {
	requests, limits resource.Quantity
	found            bool
}

// decided reports whether the containers to come cannot change the class.
func (c *classifier) decided() bool { return c.any && !c.mayBeGuaranteed }

func (c *classifier) count(requests, limits corev1.ResourceList) {
	c.countOne(requests, limits, corev1.ResourceCPU, &c.cpu)
	c.countOne(requests, limits, corev1.ResourceMemory, &c.memory)
}

func (c *classifier) countOne(requests, limits corev1.ResourceList, name corev1.ResourceName, sum *uneven) {
	limit := limits[name]
	limited := limit.Sign() > 0
	c.any = c.any || limited
	c.mayBeGuaranteed = c.mayBeGuaranteed && limited
	if c.decided() {
		return
	}
	request := requests[name]
	requested := request.Sign() > 0
	c.any = c.any || requested
	if !c.mayBeGuaranteed || requested && request.Cmp(limit) == 0 {
		return
	}
	sum.found = true
	sum.limits.Add(limit)
	if requested {
		sum.requests.Add(request)
	}
}

func (c *classifier) class() corev1.PodQOSClass {
	switch {
	case !c.any:
		return corev1.PodQOSBestEffort
	case c.mayBeGuaranteed && c.cpu.even() && c.memory.even():
		return corev1.PodQOSGuaranteed
	default:
		return corev1.PodQOSBurstable
	}
}

func (u *uneven) even() bool { return !u.found || u.requests.Cmp(u.limits) == 0 }
