package report

import (
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/podreport/sharing"
	"github.com/kubemath/kubemath/examples/internal/quantity"
)

// Amounts are quantities by resource.
type Amounts corev1.ResourceList

// MarshalJSON writes them in canonical form, at any magnitude.
func (a Amounts) MarshalJSON() ([]byte, error) {
	texts := map[corev1.ResourceName]string{}
	for name := range a {
		texts[name] = a.Text(name)
	}
	return json.Marshal(texts)
}

// Text returns an amount in canonical form, and "" if there is none.
func (a Amounts) Text(name corev1.ResourceName) string {
	if q, has := a[name]; has {
		return quantity.Canonical(q)
	}
	return ""
}

// Short returns an amount for people, possibly rounded, and "" if there is none.
func (a Amounts) Short(name corev1.ResourceName) string {
	if q, has := a[name]; has {
		return quantity.Short(q)
	}
	return ""
}

// Rounded reports whether Short rounds an amount.
func (a Amounts) Rounded() bool {
	for name := range a {
		if a.Short(name) != a.Text(name) {
			return true
		}
	}
	return false
}

// Names returns the resources of amounts: cpu, memory, pods, and then the others by name.
func (a Amounts) Names() []corev1.ResourceName {
	known := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourcePods}
	names := slices.DeleteFunc(slices.Clone(known), func(name corev1.ResourceName) bool { return a.Text(name) == "" })
	return append(names, resourcelist.Difference(slices.Collect(maps.Keys(a)), known)...)
}

// Sums are the amounts of one pod, or of many.
type Sums struct {
	// Requests is what the scheduler reserves.
	Requests Amounts `json:"requests"`
	// Limits is the sum of limits, which quotas count.
	Limits Amounts `json:"limits"`
	// BindingLimits are the limits that the pods cannot exceed.
	BindingLimits Amounts `json:"bindingLimits"`
	// Unbounded are the resources among cpu, memory and ephemeral-storage without a binding limit,
	// if any; ephemeral-storage only if it is set at all.
	Unbounded []corev1.ResourceName `json:"unbounded,omitempty"`
}

// sumsOf returns the sums of a pod. A manifest has no status; the status of a live pod counts during
// a resize.
func (c *cluster) sumsOf(pod *corev1.Pod) Sums {
	opts := c.sums()
	s := Sums{
		Requests:      Amounts(computeresources.PodRequests(pod, opts)),
		Limits:        Amounts(computeresources.PodLimits(pod, opts)),
		BindingLimits: Amounts(computeresources.BindingLimits(&pod.Spec, opts)),
	}
	s.Unbounded = s.unbounded()
	return s
}

// share has the sums share lists with others.
func (s *Sums) share(lists *sharing.Lists) {
	for _, list := range []*Amounts{&s.Requests, &s.Limits, &s.BindingLimits} {
		*list = Amounts(lists.Of(corev1.ResourceList(*list)))
	}
}

// unboundable are the resources that a pod without a limit may use freely.
var unboundable = []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage}

func (s *Sums) unbounded() []corev1.ResourceName {
	return slices.DeleteFunc(slices.Clone(unboundable), func(name corev1.ResourceName) bool {
		return s.BindingLimits.Text(name) != "" || name == corev1.ResourceEphemeralStorage && s.Requests.Text(name)+s.Limits.Text(name) == ""
	})
}

// add adds the sums of n pods, and nothing at all if n is zero.
func (s *Sums) add(pod *Sums, n int64) {
	plus := func(sum, list Amounts) Amounts {
		return Amounts(resourcelist.Add(corev1.ResourceList(sum), resourcelist.Multiply(corev1.ResourceList(list), n)))
	}
	if n > 0 {
		s.Requests, s.Limits = plus(s.Requests, pod.Requests), plus(s.Limits, pod.Limits)
		s.BindingLimits = plus(s.BindingLimits, pod.BindingLimits)
	}
}

func (s *Sums) equal(other *Sums) bool {
	return equal(s.Requests, other.Requests) && equal(s.Limits, other.Limits) && equal(s.BindingLimits, other.BindingLimits)
}

// All returns the sums of all pods of the workload.
func (w *Workload) All() Sums { return w.sumOf(w.Pods) }

// sumOf returns the sums of so many pods: those that exist first.
func (w *Workload) sumOf(n int64) (all Sums) {
	for i := range w.Others {
		all.add(&w.Others[i].Pod, w.Others[i].Pods)
		n -= w.Others[i].Pods
	}
	all.add(&w.Pod, n)
	return all
}

// Totals are the amounts of all pods together. Workloads that would be rejected are not
// included.
type Totals struct {
	Workloads int `json:"workloads"`          // those with admitted pods, and those that want none
	Partly    int `json:"partly,omitempty"`   // those of them with rejected pods, if any
	Rejected  int `json:"rejected,omitempty"` // those with rejected pods only, if any
	// Pods is how many are admitted.
	Pods int64 `json:"pods"`
	// PodsByClass counts the pods of each class; all three classes are present.
	PodsByClass map[corev1.PodQOSClass]int64 `json:"podsByClass"`
	// PerNode is set if the pods include those of DaemonSets, which are counted for a single
	// node.
	PerNode bool `json:"perNode"`
	Sums
	// AtMin and AtMax are the totals with as many replicas as HorizontalPodAutoscalers run at least
	// and at most, if there are any. Quotas and nodes may not have room for them.
	AtMin *Scaled `json:"atMin,omitempty"`
	AtMax *Scaled `json:"atMax,omitempty"`
}

// Scaled is what pods request together.
type Scaled struct {
	Pods int64 `json:"pods"`
	Sums
}

// admitted returns the workloads with admitted pods, and those that want none.
func (r *Report) admitted() (list []*Workload) {
	for i := range r.Workloads {
		if w := &r.Workloads[i]; w.Rejection == nil || w.Admitted > 0 {
			list = append(list, w)
		}
	}
	return list
}

// total adds up the pods of all workloads.
func (r *Report) total() Totals {
	admitted := r.admitted()
	t := Totals{
		Workloads:   len(admitted),
		Rejected:    len(r.Workloads) - len(admitted),
		PodsByClass: map[corev1.PodQOSClass]int64{corev1.PodQOSGuaranteed: 0, corev1.PodQOSBurstable: 0, corev1.PodQOSBestEffort: 0},
	}
	scaled := false
	for _, w := range admitted {
		if w.Rejection != nil {
			t.Partly++
		}
		t.Pods += w.Admitted
		same := w.Admitted
		for i := range w.Others {
			t.PodsByClass[w.Others[i].Class] += w.Others[i].Pods
			same -= w.Others[i].Pods
		}
		t.PodsByClass[w.QoS.Class] += same
		t.PerNode = t.PerNode || w.perNode
		scaled = scaled || w.Autoscaler != nil
	}
	t.Sums = together(admitted, func(w *Workload) (int64, bool) { return w.Admitted, true })
	if scaled {
		t.AtMin = scaledTo(admitted, func(a *Autoscaler) int64 { return a.Min })
		t.AtMax = scaledTo(admitted, func(a *Autoscaler) int64 { return a.Max })
	}
	return t
}

// scaledTo adds up workloads with as many replicas as their autoscalers say.
func scaledTo(list []*Workload, replicas func(*Autoscaler) int64) *Scaled {
	s := &Scaled{}
	pods := func(w *Workload) (n int64, others bool) {
		if w.Autoscaler == nil {
			return w.Admitted, true
		}
		return replicas(w.Autoscaler), false
	}
	for _, w := range list {
		n, _ := pods(w)
		s.Pods += n
	}
	s.Sums = together(list, pods)
	return s
}

// together adds up the given number of pods of each workload: with existing pods that differ, or all
// equal.
func together(list []*Workload, pods func(*Workload) (n int64, others bool)) (sum Sums) {
	bounded := map[corev1.ResourceName]bool{}
	for _, name := range unboundable {
		bounded[name] = true
	}
	some := false
	add := func(pod *Sums, n int64) {
		sum.add(pod, n)
		for _, name := range unboundable {
			bounded[name] = bounded[name] && (n == 0 || pod.BindingLimits.Text(name) != "")
		}
		some = some || n > 0
	}
	for _, w := range list {
		n, others := pods(w)
		for i := 0; others && i < len(w.Others); i++ {
			add(&w.Others[i].Pod, w.Others[i].Pods)
			n -= w.Others[i].Pods
		}
		add(&w.Pod, n)
	}
	if !some {
		return sum // no amount to limit
	}
	for _, name := range unboundable {
		if !bounded[name] {
			delete(sum.BindingLimits, name) // it does not limit all pods
		}
	}
	sum.Unbounded = sum.unbounded()
	return sum
}
