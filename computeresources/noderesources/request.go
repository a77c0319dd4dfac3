package noderesources

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// The requests that scores assume for a container that sets none.
//
// Source: k8s.io/kubernetes/pkg/scheduler/util (DefaultMilliCPURequest, DefaultMemoryRequest).
const (
	defaultMilliCPU = 100
	defaultMemory   = 200 << 20 // bytes
)

// Request has the requests of one pod as integers, its limits, and its requests as scores count
// them. It is opaque: Amounts returns them. It is immutable, so copies share memory. The zero value requests nothing,
// and scores assume no defaults for it.
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

// amount is the request of a pod for one resource.
type amount struct{ request, limit int64 }

type scalar struct {
	name corev1.ResourceName
	amount
	isExtended bool
}

// PodRequest returns the request of a pod that is placed on a node: the integers of
// computeresources.PodRequests and PodLimits. A nil pod returns the zero Request. The phase is
// ignored: remove a pod that has ended (computeresources.HasEnded) from its node. A manifest lacks the requests that
// follow from limits: call computeresources.ApplyRequestDefaults first.
//
// Scores count 100m of cpu and 200Mi of memory for each container that does not request cpu or
// memory. For a pod with pod-level requests, they do so only for a resource that neither the pod
// nor any container requests.
//
// Cost: that of computeresources.PodTotals of both lists. An ordinary running pod does not allocate; it
// does for scalar resources, for a container that requests no cpu or memory, and for amounts that need
// arbitrary precision.
//
// Source: PodInfo.CalculateResource of k8s.io/kubernetes/pkg/scheduler/framework.
func PodRequest(pod *corev1.Pod, opts computeresources.Options) Request {
	if pod == nil {
		return Request{}
	}
	requests := computeresources.PodTotals(pod, computeresources.Requests, opts)
	limits := computeresources.PodTotals(pod, computeresources.Limits, opts)
	r := requestOf(&requests, &limits)
	if !isComplete(&requests) {
		defaults := scoreDefaults()
		if pod.Spec.Resources != nil && !opts.IgnorePodLevel && release.Rules(opts.Kubernetes).CountsPodLevel() &&
			resourcename.AnyPodLevel(pod.Spec.Resources.Requests) {
			for name := range computeresources.PodRequests(pod, opts) {
				delete(defaults, name)
			}
		}
		maps.Copy(defaults, opts.MissingRequests)
		opts.MissingRequests = defaults
		assumed := computeresources.PodTotals(pod, computeresources.Requests, opts)
		r.setNonZero(&assumed)
	}
	return r
}

// SpecRequest returns the request of a pod that is not scheduled yet: the integers of
// computeresources.SpecRequests and SpecLimits. A nil spec returns the zero Request. For a manifest, call
// computeresources.ApplyRequestDefaults first.
//
// Scores count 100m of cpu and 200Mi of memory for each container that does not request cpu
// or memory; a pod-level request replaces both. Cost: that of PodRequest.
//
// Source: PreFilter and PreScore of k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func SpecRequest(spec *corev1.PodSpec, opts computeresources.Options) Request {
	if spec == nil {
		return Request{}
	}
	requests := computeresources.SpecTotals(spec, computeresources.Requests, opts)
	limits := computeresources.SpecTotals(spec, computeresources.Limits, opts)
	r := requestOf(&requests, &limits)
	if !isComplete(&requests) {
		defaults := scoreDefaults()
		maps.Copy(defaults, opts.MissingRequests)
		opts.MissingRequests = defaults
		assumed := computeresources.SpecTotals(spec, computeresources.Requests, opts)
		r.setNonZero(&assumed)
	}
	return r
}

// RequestOf returns the request of a pod with these amounts, or of what takes the place of one, such as a pod set of
// Kueue or a task of Volcano. They are rounded as resourcelist.Integer does. A Request counts as one pod: pods in the
// list are ignored, and so are names that the scheduler does not count. It has no limits, so that it adds nothing to
// Ledger.Limited. Scores assume no defaults for it: without an amount of cpu, it counts with none, where SpecRequest
// counts 100m for a container. To have them count, add them to the list.
func RequestOf(list corev1.ResourceList) Request {
	amounts := resourcelist.Integers(list)
	maps.DeleteFunc(amounts, func(_ corev1.ResourceName, n int64) bool { return n == 0 })
	requests := computeresources.Totals{
		MilliCPU: amounts[corev1.ResourceCPU], Memory: amounts[corev1.ResourceMemory],
		EphemeralStorage: amounts[corev1.ResourceEphemeralStorage], ScalarResources: amounts,
	}
	return requestOf(&requests, &computeresources.Totals{})
}

// requestOf returns the request with these totals, for which scores assume no defaults.
func requestOf(requests, limits *computeresources.Totals) Request {
	r := Request{native: [natives]amount{
		cpu:     {requests.MilliCPU, limits.MilliCPU},
		memory:  {requests.Memory, limits.Memory},
		storage: {requests.EphemeralStorage, limits.EphemeralStorage},
	}}
	r.setNonZero(requests)
	add := func(name corev1.ResourceName, a amount) {
		isExtended := resourcelist.IsExtended(name)
		if isExtended || isScalar(name) {
			r.scalars = append(r.scalars, scalar{name, a, isExtended})
		}
	}
	for name, request := range requests.ScalarResources {
		add(name, amount{request, limits.ScalarResources[name]})
	}
	for name, limit := range limits.ScalarResources {
		if _, ok := requests.ScalarResources[name]; !ok {
			add(name, amount{0, limit})
		}
	}
	slices.SortFunc(r.scalars, func(a, b scalar) int { return strings.Compare(string(a.name), string(b.name)) })
	return r
}

// Amounts returns the requests or limits that are not zero and that the scheduler counts, in the units
// of resourcelist.Integer. It is empty if list is not one of the constants, and never nil.
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
	for _, s := range r.scalars {
		add(s.name, s.of(list))
	}
	return amounts
}

// NonZero returns the request of a resource as LeastAllocated, MostAllocated and
// RequestedToCapacityRatio count it: of cpu and memory, with the defaults for containers that
// set none; of others, the request.
func (r Request) NonZero(name corev1.ResourceName) int64 {
	p := resourceColumnOf(name)
	if p.isNative && p.native < scored {
		return r.nonZero[p.native]
	}
	return r.requestAt(&p)
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

func (r *Request) setNonZero(t *computeresources.Totals) {
	r.nonZero = [scored]int64{cpu: t.MilliCPU, memory: t.Memory}
}

// isComplete reports whether no container is without a request for cpu or memory, so that
// scores assume nothing.
func isComplete(requests *computeresources.Totals) bool {
	return requests.CPUAllSet && requests.MemoryAllSet
}

// scoreDefaults returns the defaults for scores, as requests of a container. It is inlined, so
// that a caller need not allocate them.
func scoreDefaults() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(defaultMilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(defaultMemory, resource.DecimalSI),
	}
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
