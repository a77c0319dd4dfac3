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
	// podLevel are the lists for the pod as a whole, of which the greatest counts.
	podLevel [3]corev1.ResourceList
	byPod    bool // podLevel counts
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

func (a *amounts) readRequests(spec *corev1.PodSpec, opts *Options) {
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && anyPodLevel(own.Requests) {
		a.byPod = true
		a.podLevel[0] = own.Requests
		if status := opts.podLevelStatus(); status != nil {
			a.podLevel[1], a.podLevel[2] = status.Resources.Requests, status.AllocatedResources
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return
	}
	if !infeasible {
		a.see(spec, source{}, opts.MissingRequests, opts.ClaimedFromNode)
	}
	if opts.Status == nil {
		return
	}
	// The totals of a pod's status include claims already, and so do requests that
	// are in effect, since they are read back from cgroups.
	if status := opts.podLevelStatus(); status != nil && status.AllocatedResources != nil && status.Resources.Requests != nil {
		a.seeTotal(status.Resources.Requests)
		a.seeTotal(status.AllocatedResources)
		return
	}
	allocated := source{status: opts.Status, infeasible: infeasible}
	actuated := allocated
	actuated.actuated = true
	a.see(spec, actuated, opts.MissingRequests, nil)
	a.see(spec, allocated, opts.MissingRequests, opts.ClaimedFromNode)
}

func (a *amounts) readLimits(spec *corev1.PodSpec, opts *Options) {
	a.limits = true
	infeasible := opts.Status != nil && resizeInfeasible(opts.Status)
	if !opts.ExcludeOverhead {
		a.overhead = spec.Overhead
	}
	if own := spec.Resources; own != nil && !opts.IgnorePodLevel && (anyPodLevel(own.Requests) || anyPodLevel(own.Limits)) {
		a.byPod = true
		a.podLevel[0] = own.Limits
		if status := opts.podLevelStatus(); status != nil {
			a.podLevel[1] = status.Resources.Limits
			if infeasible {
				a.podLevel[0] = nil
			}
		}
	}
	if opts.IgnoreContainers {
		return
	}
	if !infeasible {
		a.see(spec, source{limits: true}, nil, opts.ClaimedFromNode)
	}
	if opts.Status == nil {
		return
	}
	// Limits in effect include claims already.
	if status := opts.podLevelStatus(); status != nil && status.Resources.Limits != nil {
		a.seeTotal(status.Resources.Limits)
		return
	}
	a.see(spec, source{limits: true, status: opts.Status, actuated: true, infeasible: infeasible}, nil, nil)
}

// see adds a view of the containers of a pod.
func (a *amounts) see(spec *corev1.PodSpec, from source, missing, claimed corev1.ResourceList) {
	v := &a.view[a.views]
	v.spec, v.source, v.missing, v.claimed = spec, from, missing, claimed
	v.count()
	a.views++
}

func (a *amounts) seeTotal(total corev1.ResourceList) {
	v := &a.view[a.views]
	v.isTotal, v.total = true, total
	a.views++
}

// into fills dst with the amounts of all resources that have one.
func (a *amounts) into(dst corev1.ResourceList) {
	a.set(dst, corev1.ResourceCPU)
	a.set(dst, corev1.ResourceMemory)
	a.set(dst, corev1.ResourceEphemeralStorage)
	a.setAll(dst, a.overhead)
	if a.byPod {
		for _, list := range a.podLevel {
			a.setAll(dst, list)
		}
	}
	for i := range a.view[:a.views] {
		v := &a.view[i]
		a.setAll(dst, v.total)
		a.setAll(dst, v.claimed)
		a.setAll(dst, v.missing)
		if v.unread > 0 {
			for _, c := range Containers(v.spec) {
				a.setAll(dst, v.source.list(c))
			}
		}
	}
}

func (a *amounts) setAll(dst, names corev1.ResourceList) {
	if len(names) == 0 {
		return
	}
	for name := range names {
		if _, done := dst[name]; !done {
			a.set(dst, name)
		}
	}
}

func (a *amounts) set(dst corev1.ResourceList, name corev1.ResourceName) {
	var total resource.Quantity
	if a.of(name, &total) {
		dst[name] = total
	}
}

// of sets total, which is zero before, to the amount of one resource, and reports
// whether there is one.
func (a *amounts) of(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if a.views > 0 {
		found = a.view[0].of(name, total)
	}
	for i := 1; i < a.views; i++ {
		var other resource.Quantity
		if a.view[i].of(name, &other) && (!found || other.Cmp(*total) > 0) {
			*total, found = other, true
		}
	}
	if a.byPod && a.forPod(name, total) {
		found = true
	}
	if len(a.overhead) > 0 {
		if q, ok := a.overhead[name]; ok && (!a.limits || found && !total.IsZero()) {
			total.Add(q)
			found = true
		}
	}
	return found
}

func (v *view) of(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if v.isTotal {
		q, ok := v.total[name]
		*total = q.DeepCopy()
		return ok
	}
	found = v.effective(name, total)
	if len(v.claimed) > 0 {
		if q, ok := v.claimed[name]; ok && (found || !v.source.limits || isHugePages(name)) {
			total.Add(q)
			found = true
		}
	}
	return found
}

// forPod sets total to what is stated for the pod as a whole, if anything is.
func (a *amounts) forPod(name corev1.ResourceName, total *resource.Quantity) (found bool) {
	if !PodLevel(name) {
		return false
	}
	for _, list := range a.podLevel {
		if q, ok := list[name]; ok && (!found || q.Cmp(*total) > 0) {
			*total, found = q.DeepCopy(), true
		}
	}
	return found
}

// complete reports whether no container is without a resource: each states more
// than zero, or the pod does as a whole.
func (a *amounts) complete(name corev1.ResourceName) bool {
	var own resource.Quantity
	if a.forPod(name, &own) && own.Sign() > 0 {
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
