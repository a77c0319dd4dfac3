package report

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Totals are the amounts of all pods together. Workloads that would be rejected have
// none.
type Totals struct {
	Workloads int   `json:"workloads"`          // those that are not rejected
	Rejected  int   `json:"rejected,omitempty"` // those that are, if any
	Pods      int64 `json:"pods"`
	// PodsByClass counts the pods of each class; all three are there.
	PodsByClass map[corev1.PodQOSClass]int64 `json:"podsByClass"`
	// PerNode says that pods of DaemonSets are among the pods, which are counted
	// for a single node.
	PerNode bool `json:"perNode"`
	Sums
}

// lists are the sums that output shows, in exact arithmetic.
type lists struct {
	requests, limits, binding corev1.ResourceList
}

func listsOf(pod *corev1.Pod) lists {
	// A manifest has no status; that of a live pod counts while it is resized.
	var opts computeresources.Options
	return lists{
		requests: computeresources.PodRequests(pod, opts),
		limits:   computeresources.PodLimits(pod, opts),
		binding:  computeresources.BindingLimits(&pod.Spec, opts),
	}
}

func (l *lists) describe() Sums {
	return Sums{amountsOf(l.requests), amountsOf(l.limits), amountsOf(l.binding), l.unbounded()}
}

// unboundable are the resources that a pod without a limit may use freely.
var unboundable = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}

func (l *lists) unbounded() []corev1.ResourceName {
	return slices.DeleteFunc(slices.Clone(unboundable), func(name corev1.ResourceName) bool {
		_, bound := l.binding[name]
		return bound || name == corev1.ResourceEphemeralStorage && !l.mention(name)
	})
}

// mention reports whether a pod states anything of a resource.
func (l *lists) mention(name corev1.ResourceName) bool {
	_, requested := l.requests[name]
	_, limited := l.limits[name]
	return requested || limited
}

// times returns the sums of n such pods.
func (l *lists) times(n int64) *lists {
	product := emptyLists()
	product.addTimes(l, n)
	return product
}

func emptyLists() *lists {
	return &lists{corev1.ResourceList{}, corev1.ResourceList{}, corev1.ResourceList{}}
}

func (l *lists) addTimes(other *lists, n int64) {
	l.requests = plusTimes(l.requests, other.requests, n)
	l.limits = plusTimes(l.limits, other.limits, n)
	l.binding = plusTimes(l.binding, other.binding, n)
}

// total adds up the pods of all workloads.
func total(workloads []Workload) Totals {
	all := len(workloads)
	workloads = slices.DeleteFunc(slices.Clone(workloads), func(w Workload) bool { return w.Rejection != nil })
	sum := emptyLists()
	t := Totals{
		Workloads: len(workloads),
		Rejected:  all - len(workloads),
		PodsByClass: map[corev1.PodQOSClass]int64{
			corev1.PodQOSGuaranteed: 0, corev1.PodQOSBurstable: 0, corev1.PodQOSBestEffort: 0,
		},
	}
	for i := range workloads {
		w := &workloads[i]
		t.Pods += w.Pods
		t.PodsByClass[w.QoS.Class] += w.Pods
		t.PerNode = t.PerNode || w.Kind == "DaemonSet"
		sum.addTimes(&w.sums, w.Pods)
	}
	unbind(sum.binding, workloads)
	t.Sums = sum.describe()
	if t.Pods == 0 {
		t.Unbounded = nil // nothing is there to be held back
	}
	return t
}

// unbind removes limits that do not hold all of the pods.
func unbind(binding corev1.ResourceList, workloads []Workload) {
	for i := range workloads {
		for _, name := range unboundable {
			if _, bound := workloads[i].sums.binding[name]; !bound && workloads[i].Pods > 0 {
				delete(binding, name)
			}
		}
	}
}

// plusTimes adds n times each amount of list to dst, and nothing at all if n is zero.
func plusTimes(dst, list corev1.ResourceList, n int64) corev1.ResourceList {
	if n == 0 {
		return dst
	}
	return resourcelist.AddInto(dst, dst, resourcelist.Multiply(list, n))
}
