package noderesources

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
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
// them. It is immutable, so copies share memory. The zero value requests nothing, and scores assume
// no defaults for it.
type Request struct {
	native  [natives]amount
	nonZero [scored]int64 // of cpu and memory
	single  [1]scalar     // if there is one scalar resource, which need not be allocated then
	several []scalar      // if there are more, sorted by name; never written to
}

// scalars returns the scalar resources, sorted by name. They are not written to.
func (r *Request) scalars() []scalar {
	switch {
	case r.several != nil:
		return r.several
	case r.single[0].name == "":
		return nil
	}
	return r.single[:]
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
// ignored: remove a pod that has ended (computeresources.HasEnded) from its node.
//
// Scores count 100m of cpu and 200Mi of memory for each container that does not request cpu or
// memory. For a pod with pod-level requests, they do so only for a resource that neither the pod
// nor any container requests.
//
// Cost: that of computeresources.PodTotals of both lists. It allocates once for more than one scalar
// resource, for pods with a container that requests no cpu or memory twice (with scalar resources, four
// times), and for amounts that need arbitrary precision.
//
// Source: PodInfo.CalculateResource of k8s.io/kubernetes/pkg/scheduler/framework.
func PodRequest(pod *corev1.Pod, opts computeresources.Options) Request {
	if pod == nil {
		return Request{}
	}
	var r Request
	var few [fewResources]scalar
	scalars, complete := few[:0], requestsOthersToo(&pod.Spec, pod, &opts)
	if complete {
		scalars = r.setListed(computeresources.PodRequestsInto(corev1.ResourceList{}, pod, opts), computeresources.Requests, scalars)
		r.nonZero = [scored]int64{cpu: r.native[cpu].request, memory: r.native[memory].request}
	} else {
		t := computeresources.PodTotals(pod, computeresources.Requests, opts)
		complete = isComplete(&t)
		scalars = r.setTotals(&t, computeresources.Requests, scalars)
		r.setNonZero(&t)
	}
	scalars = r.setListed(computeresources.PodLimitsInto(corev1.ResourceList{}, pod, opts), computeresources.Limits, scalars)
	r.setScalars(scalars)
	if !complete {
		defaults := scoreDefaults()
		if setsPodLevel(pod, opts) {
			for name := range computeresources.PodRequests(pod, opts) {
				delete(defaults, name)
			}
		}
		maps.Copy(defaults, opts.MissingRequests)
		opts.MissingRequests = defaults
		t := computeresources.PodTotals(pod, computeresources.Requests, opts)
		r.setNonZero(&t)
	}
	return r
}

// SpecRequest returns the request of a pod that is not scheduled yet: the integers of
// computeresources.SpecRequests and SpecLimits. A nil spec returns the zero Request.
//
// Scores count 100m of cpu and 200Mi of memory for each container that does not request cpu
// or memory; a pod-level request replaces both. Cost and allocations are those of PodRequest, but for
// limits of scalar resources, for which it allocates twice.
//
// Source: PreFilter and PreScore of k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func SpecRequest(spec *corev1.PodSpec, opts computeresources.Options) Request {
	if spec == nil {
		return Request{}
	}
	var r Request
	var few [fewResources]scalar
	scalars, complete := few[:0], requestsOthersToo(spec, nil, &opts)
	if complete {
		scalars = r.setListed(computeresources.SpecRequestsInto(corev1.ResourceList{}, spec, opts), computeresources.Requests, scalars)
		r.nonZero = [scored]int64{cpu: r.native[cpu].request, memory: r.native[memory].request}
	} else {
		t := computeresources.SpecTotals(spec, computeresources.Requests, opts)
		complete = isComplete(&t)
		scalars = r.setTotals(&t, computeresources.Requests, scalars)
		r.setNonZero(&t)
	}
	t := computeresources.SpecTotals(spec, computeresources.Limits, opts)
	scalars = r.setTotals(&t, computeresources.Limits, scalars)
	r.setScalars(scalars)
	if !complete {
		defaults := scoreDefaults()
		maps.Copy(defaults, opts.MissingRequests)
		opts.MissingRequests = defaults
		t = computeresources.SpecTotals(spec, computeresources.Requests, opts)
		r.setNonZero(&t)
	}
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
	for _, s := range r.scalars() {
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

// setTotals sets the requests or limits of native resources, and adds those of scalar ones to scalars.
func (r *Request) setTotals(t *computeresources.Totals, list computeresources.List, scalars []scalar) []scalar {
	for i, n := range [natives]int64{cpu: t.MilliCPU, memory: t.Memory, storage: t.EphemeralStorage} {
		r.native[i].set(list, n)
	}
	for name, n := range t.ScalarResources {
		scalars = withScalar(scalars, name, list, n)
	}
	return scalars
}

// setListed is setTotals with a list, which its caller need not allocate.
func (r *Request) setListed(amounts corev1.ResourceList, list computeresources.List, scalars []scalar) []scalar {
	for name, q := range amounts {
		n := resourcelist.Integer(name, q)
		if i, isNative := nativeOf(name); isNative {
			r.native[i].set(list, n)
		} else if n != 0 {
			scalars = withScalar(scalars, name, list, n)
		}
	}
	return scalars
}

// set sets the request or the limit.
func (a *amount) set(list computeresources.List, n int64) {
	if list == computeresources.Limits {
		a.limit = n
	} else {
		a.request = n
	}
}

// withScalar returns scalars with an amount of a resource, if the scheduler counts that.
func withScalar(scalars []scalar, name corev1.ResourceName, list computeresources.List, n int64) []scalar {
	i := slices.IndexFunc(scalars, func(s scalar) bool { return s.name == name })
	if i < 0 {
		s, counts := newScalar(name)
		if !counts {
			return scalars
		}
		i, scalars = len(scalars), append(scalars, s)
	}
	scalars[i].set(list, n)
	return scalars
}

// setScalars sets the scalar resources to copies.
func (r *Request) setScalars(scalars []scalar) {
	if len(scalars) <= len(r.single) {
		copy(r.single[:], scalars)
		return
	}
	slices.SortFunc(scalars, func(a, b scalar) int { return strings.Compare(string(a.name), string(b.name)) })
	r.several = slices.Clone(scalars)
}

// requestsOthersToo reports whether all containers of a spec surely request cpu and memory, and some of them other
// resources, too. The statuses of the pod, which is nil for a spec alone, have to show the same. Then the requests
// are read as a list, because the map of Totals would have to be allocated.
func requestsOthersToo(spec *corev1.PodSpec, pod *corev1.Pod, opts *computeresources.Options) bool {
	if spec.Resources != nil || pod != nil && pod.Status.Resources != nil || opts.CPUName != "" || opts.MemoryName != "" {
		return false
	}
	others := false
	for _, containers := range [...][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			others = others || len(containers[i].Resources.Requests) > scored
		}
	}
	if !others {
		return false
	}
	for _, containers := range [...][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range containers {
			if !requestsScored(containers[i].Resources.Requests) {
				return false
			}
		}
	}
	return pod == nil || computeresources.PendingResize(pod) == "" && // what is infeasible does not count
		statusesRequestScored(pod.Status.ContainerStatuses) && statusesRequestScored(pod.Status.InitContainerStatuses)
}

// statusesRequestScored reports whether all lists of requests that statuses have set cpu and memory.
func statusesRequestScored(statuses []corev1.ContainerStatus) bool {
	for i := range statuses {
		s := &statuses[i]
		if s.AllocatedResources != nil && !requestsScored(s.AllocatedResources) ||
			s.Resources != nil && s.Resources.Requests != nil && !requestsScored(s.Resources.Requests) {
			return false
		}
	}
	return true
}

// requestsScored reports whether a list has cpu and memory, so that scores assume none.
func requestsScored(list corev1.ResourceList) bool {
	_, hasCPU := list[corev1.ResourceCPU]
	_, hasMemory := list[corev1.ResourceMemory]
	return hasCPU && hasMemory
}

func (r *Request) setNonZero(t *computeresources.Totals) {
	r.nonZero = [scored]int64{cpu: t.MilliCPU, memory: t.Memory}
}

// newScalar returns a scalar resource, and whether the scheduler counts it.
func newScalar(name corev1.ResourceName) (_ scalar, counts bool) {
	isExtended := resourcelist.IsExtended(name)
	return scalar{name: name, isExtended: isExtended}, isExtended || isScalar(name)
}

// isComplete reports whether no container is without a request for cpu or memory, so that
// scores assume nothing.
func isComplete(requests *computeresources.Totals) bool {
	return requests.AllSet.CPU && requests.AllSet.Memory
}

// scoreDefaults returns the defaults for scores, as requests of a container. It is inlined, so
// that a caller need not allocate them.
func scoreDefaults() corev1.ResourceList {
	return corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(defaultMilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(defaultMemory, resource.DecimalSI),
	}
}

// setsPodLevel reports whether a pod-level request of the pod counts.
func setsPodLevel(pod *corev1.Pod, opts computeresources.Options) bool {
	return !opts.IgnorePodLevel && pod.Spec.Resources != nil && resourcename.AnyPodLevel(pod.Spec.Resources.Requests)
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
