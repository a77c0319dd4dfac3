package noderesources

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// DefaultMilliCPU and DefaultMemory are the requests that scores assume of a container that
// does not set one: milli-units of cpu, and bytes.
//
// Source: k8s.io/kubernetes/pkg/scheduler/util (DefaultMilliCPURequest, DefaultMemoryRequest).
const (
	DefaultMilliCPU = 100
	DefaultMemory   = 200 << 20
)

// Request is what one pod asks for, as integers: its requests, its limits, and its requests as
// scores count them. It does not change, so that copies may share memory. The zero value asks
// for nothing, and scores assume nothing of it.
type Request struct {
	native  [natives]amount
	nonZero [scored]int64 // of cpu and memory
	scalars []scalar      // sorted by name; never written to
}

// The resources that the scheduler holds in fields of their own.
const (
	cpu = iota
	memory
	storage
	natives

	scored = memory + 1 // the resources with defaults for scores
)

// amount is what a pod asks for of one resource.
type amount struct{ request, limit int64 }

type scalar struct {
	name corev1.ResourceName
	amount
	isExtended bool
}

// RequestOf returns what a pod asks for that is placed on a node: the integers of
// computeresources.PodRequests and PodLimits. A nil pod is the zero Request. Whether the pod
// has ended is not looked at: an ended pod has to be removed from its node.
//
// Scores count DefaultMilliCPU and DefaultMemory for each container that does not request cpu
// or memory. Of a pod with pod-level requests, they do so only for a resource that neither the
// pod nor any container requests.
//
// Cost: that of computeresources.PodRequestTotals and PodLimitTotals. It allocates for scalar
// resources, for pods with a container that requests no cpu or memory, and for amounts that
// need arbitrary precision.
//
// Source: PodInfo.CalculateResource of k8s.io/kubernetes/pkg/scheduler/framework.
func RequestOf(pod *corev1.Pod, opts computeresources.Options) Request {
	if pod == nil {
		return Request{}
	}
	requests := computeresources.PodRequestTotals(pod, opts)
	r := newRequest(requests, computeresources.PodLimitTotals(pod, opts))
	if !isComplete(requests) {
		opts.MissingRequests = withDefaults(opts.MissingRequests, func(name corev1.ResourceName) bool {
			if !setsPodLevel(pod, opts) {
				return true
			}
			_, requested := computeresources.PodRequests(pod, opts)[name]
			return !requested
		})
		r.setNonZero(computeresources.PodRequestTotals(pod, opts))
	}
	return r
}

// RequestOfSpec returns what a pod asks for that is still to be placed: the integers of
// computeresources.SpecRequests and SpecLimits. A nil spec is the zero Request.
//
// Scores count DefaultMilliCPU and DefaultMemory for each container that does not request cpu
// or memory; a pod-level request replaces both. Cost and allocations are those of RequestOf.
//
// Source: PreFilter and PreScore of k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func RequestOfSpec(spec *corev1.PodSpec, opts computeresources.Options) Request {
	if spec == nil {
		return Request{}
	}
	requests := computeresources.SpecRequestTotals(spec, opts)
	r := newRequest(requests, computeresources.SpecLimitTotals(spec, opts))
	if !isComplete(requests) {
		opts.MissingRequests = withDefaults(opts.MissingRequests, func(corev1.ResourceName) bool { return true })
		r.setNonZero(computeresources.SpecRequestTotals(spec, opts))
	}
	return r
}

// Amount returns the request or limit of a resource, in the units of resourcelist.Integer: 0 if
// the pod does not set it, if the scheduler does not count the resource, or if list is none of
// the constants.
func (r Request) Amount(list computeresources.List, name corev1.ResourceName) int64 {
	if i, isNative := nativeOf(name); isNative {
		return r.native[i].of(list)
	}
	for i := range r.scalars {
		if r.scalars[i].name == name {
			return r.scalars[i].of(list)
		}
	}
	return 0
}

// Amounts returns the requests or limits that are not zero, as a list. It is never nil.
func (r Request) Amounts(list computeresources.List) corev1.ResourceList {
	amounts := corev1.ResourceList{}
	add := func(name corev1.ResourceName, n int64) {
		if n != 0 {
			amounts[name] = resourcelist.Quantity(name, n)
		}
	}
	for i := range r.native {
		add(nameOf(i), r.native[i].of(list))
	}
	for i := range r.scalars {
		add(r.scalars[i].name, r.scalars[i].of(list))
	}
	return amounts
}

// NonZero returns the request of a resource as LeastAllocated, MostAllocated and
// RequestedToCapacityRatio count it: of cpu and memory, with the defaults for containers that
// set none; of others, the request.
func (r Request) NonZero(name corev1.ResourceName) int64 {
	if i, isNative := nativeOf(name); isNative && i < scored {
		return r.nonZero[i]
	}
	return r.Amount(computeresources.Requests, name)
}

func (a amount) of(list computeresources.List) int64 {
	switch list {
	case computeresources.Requests:
		return a.request
	case computeresources.Limits:
		return a.limit
	}
	return 0
}

func newRequest(requests, limits computeresources.Totals) Request {
	r := Request{
		native: [natives]amount{
			cpu:     {requests.MilliCPU, limits.MilliCPU},
			memory:  {requests.Memory, limits.Memory},
			storage: {requests.EphemeralStorage, limits.EphemeralStorage},
		},
		scalars: scalarsOf(requests.ScalarResources, limits.ScalarResources),
	}
	r.setNonZero(requests)
	return r
}

func (r *Request) setNonZero(requests computeresources.Totals) {
	r.nonZero = [scored]int64{cpu: requests.MilliCPU, memory: requests.Memory}
}

// scalarsOf returns the scalar resources in either map, sorted.
func scalarsOf(requests, limits map[corev1.ResourceName]int64) []scalar {
	if len(requests) == 0 && len(limits) == 0 {
		return nil
	}
	scalars := make([]scalar, 0, max(len(requests), len(limits)))
	add := func(name corev1.ResourceName, a amount) {
		if isScalar(name) {
			scalars = append(scalars, scalar{name, a, resourcelist.IsExtended(name)})
		}
	}
	for name, n := range requests {
		add(name, amount{n, limits[name]})
	}
	for name, n := range limits {
		if _, done := requests[name]; !done {
			add(name, amount{limit: n})
		}
	}
	slices.SortFunc(scalars, func(a, b scalar) int { return strings.Compare(string(a.name), string(b.name)) })
	return scalars
}

// isComplete reports whether no container is without a request for cpu or memory, so that
// scores assume nothing.
func isComplete(requests computeresources.Totals) bool {
	return requests.Complete.CPU && requests.Complete.Memory
}

// withDefaults returns a copy of missing with the defaults for scores of those resources that
// it does not name and that are to be assumed.
func withDefaults(missing corev1.ResourceList, assume func(corev1.ResourceName) bool) corev1.ResourceList {
	list := corev1.ResourceList{}
	if assume(corev1.ResourceCPU) {
		list[corev1.ResourceCPU] = *resource.NewMilliQuantity(DefaultMilliCPU, resource.DecimalSI)
	}
	if assume(corev1.ResourceMemory) {
		list[corev1.ResourceMemory] = *resource.NewQuantity(DefaultMemory, resource.DecimalSI)
	}
	maps.Copy(list, missing)
	return list
}

// setsPodLevel reports whether a pod-level request of the pod counts.
func setsPodLevel(pod *corev1.Pod, opts computeresources.Options) bool {
	if opts.IgnorePodLevel || pod.Spec.Resources == nil {
		return false
	}
	for name := range pod.Spec.Resources.Requests {
		if resourcelist.IsPodLevel(name) {
			return true
		}
	}
	return false
}

// isScalar reports whether the scheduler counts a resource beyond those with fields of their
// own and pods.
//
// Source: IsScalarResourceName of k8s.io/kubernetes/pkg/scheduler/util.
func isScalar(name corev1.ResourceName) bool {
	return resourcelist.IsHugePages(name) ||
		strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix) ||
		strings.HasPrefix(string(name), corev1.ResourceAttachableVolumesPrefix) ||
		resourcelist.IsExtended(name)
}

// nativeOf returns the index of a resource in arrays of natives.
func nativeOf(name corev1.ResourceName) (i int, isNative bool) {
	switch name {
	case corev1.ResourceCPU:
		return cpu, true
	case corev1.ResourceMemory:
		return memory, true
	case corev1.ResourceEphemeralStorage:
		return storage, true
	}
	return 0, false
}

// nameOf is the inverse of nativeOf.
func nameOf(i int) corev1.ResourceName {
	switch i {
	case cpu:
		return corev1.ResourceCPU
	case memory:
		return corev1.ResourceMemory
	}
	return corev1.ResourceEphemeralStorage
}
