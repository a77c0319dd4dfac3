package computeresources

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// amounts are the requests, or the limits, of a pod: the greatest of what the views
// of its containers give, replaced by what is stated for the pod as a whole, plus
// overhead.
type amounts struct {
	limits bool
	view   [3]view
	views  int // how many of view count
	// podLevel are the lists for the pod as a whole. The greatest counts.
	podLevel [3]corev1.ResourceList
	overhead corev1.ResourceList
}

// view is one way to see what the containers of a pod ask for in all: by the lists
// of the containers, or by a total that the status of the pod gives.
type view struct {
	containers
	isTotal bool
	total   corev1.ResourceList
	claimed corev1.ResourceList // comes on top
}

func requestsOf(spec *corev1.PodSpec, opts Options) (a amounts) {
	status := opts.Status
	infeasible := status != nil && resizeInfeasible(status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && anyPodLevel(own.Requests) {
		a.podLevel[0] = own.Requests
		if status != nil && !opts.IgnorePodLevelStatus && status.Resources != nil {
			a.podLevel[1], a.podLevel[2] = status.Resources.Requests, status.AllocatedResources
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return a
	}
	if !infeasible {
		a.see(containersOf(spec, source{}, opts.MissingRequests), opts.ClaimedFromNode)
	}
	if status == nil {
		return a
	}
	// The totals of a pod's status include claims already; so do requests that
	// are in effect, since they are read back from cgroups.
	if !opts.IgnorePodLevelStatus && status.AllocatedResources != nil && status.Resources != nil && status.Resources.Requests != nil {
		a.seeTotal(status.Resources.Requests)
		a.seeTotal(status.AllocatedResources)
		return a
	}
	from := source{status: status, infeasible: infeasible}
	actuated := from
	actuated.actuated = true
	a.see(containersOf(spec, actuated, opts.MissingRequests), nil)
	a.see(containersOf(spec, from, opts.MissingRequests), opts.ClaimedFromNode)
	return a
}

func limitsOf(spec *corev1.PodSpec, opts Options) (a amounts) {
	a.limits = true
	status := opts.Status
	infeasible := status != nil && resizeInfeasible(status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && (anyPodLevel(own.Requests) || anyPodLevel(own.Limits)) {
		a.podLevel[0] = own.Limits
		if status != nil && !opts.IgnorePodLevelStatus && status.Resources != nil {
			a.podLevel[1] = status.Resources.Limits
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return a
	}
	if !infeasible {
		a.see(containersOf(spec, source{limits: true}, nil), opts.ClaimedFromNode)
	}
	if status == nil {
		return a
	}
	// Limits in effect include claims already.
	if !opts.IgnorePodLevelStatus && status.Resources != nil && status.Resources.Limits != nil {
		a.seeTotal(status.Resources.Limits)
		return a
	}
	a.see(containersOf(spec, source{limits: true, status: status, actuated: true, infeasible: infeasible}, nil), nil)
	return a
}

func (a *amounts) see(c containers, claimed corev1.ResourceList) {
	a.view[a.views] = view{containers: c, claimed: claimed}
	a.views++
}

func (a *amounts) seeTotal(total corev1.ResourceList) {
	a.view[a.views] = view{isTotal: true, total: total}
	a.views++
}

// into fills dst with the amounts of all resources that have one.
func (a *amounts) into(dst corev1.ResourceList) {
	a.set(dst, corev1.ResourceCPU)
	a.set(dst, corev1.ResourceMemory)
	a.set(dst, corev1.ResourceEphemeralStorage)
	a.setAll(dst, a.overhead)
	for _, list := range a.podLevel {
		a.setAll(dst, list)
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		a.setAll(dst, v.total)
		a.setAll(dst, v.claimed)
		a.setAll(dst, v.missing)
		if v.unread > 0 {
			for i := range v.spec.Containers {
				a.setAll(dst, v.source.list(&v.spec.Containers[i]))
			}
			for i := range v.spec.InitContainers {
				a.setAll(dst, v.source.list(&v.spec.InitContainers[i]))
			}
		}
	}
}

func (a *amounts) setAll(dst, names corev1.ResourceList) {
	for name := range names {
		if _, done := dst[name]; !done {
			a.set(dst, name)
		}
	}
}

func (a *amounts) set(dst corev1.ResourceList, name corev1.ResourceName) {
	if total, found := a.of(name); found {
		dst[name] = total
	}
}

// of returns the amount of one resource, and whether there is one. The quantity is
// its own.
func (a *amounts) of(name corev1.ResourceName) (total resource.Quantity, found bool) {
	for i := range a.view[:a.views] {
		if q, ok := a.view[i].of(name); ok && (!found || q.Cmp(total) > 0) {
			total, found = q, true
		}
	}
	if q, ok := a.forPod(name); ok {
		total, found = q, true
	}
	if q, ok := a.overhead[name]; ok && (!a.limits || found && !total.IsZero()) {
		total.Add(q)
		found = true
	}
	return total, found
}

func (v *view) of(name corev1.ResourceName) (total resource.Quantity, found bool) {
	if v.isTotal {
		q, ok := v.total[name]
		return q.DeepCopy(), ok
	}
	total, found = v.effective(name)
	if q, ok := v.claimed[name]; ok && (found || !v.source.limits || isHugePages(name)) {
		total.Add(q)
		found = true
	}
	return total, found
}

// forPod returns what is stated for the pod as a whole.
func (a *amounts) forPod(name corev1.ResourceName) (total resource.Quantity, found bool) {
	if !PodLevel(name) {
		return total, false
	}
	for _, list := range a.podLevel {
		if q, ok := list[name]; ok && (!found || q.Cmp(total) > 0) {
			total, found = q.DeepCopy(), true
		}
	}
	return total, found
}

// complete reports whether no container is without a resource: each states more
// than zero, or the pod does as a whole.
func (a *amounts) complete(name corev1.ResourceName) bool {
	if q, ok := a.forPod(name); ok && q.Sign() > 0 {
		return true
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		q := v.total[name]
		if v.isTotal && q.Sign() <= 0 || !v.isTotal && !v.containers.complete(name) {
			return false
		}
	}
	return a.views > 0
}
