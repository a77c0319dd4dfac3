package report

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
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
func (a Amounts) Text(name corev1.ResourceName) string { return a.say(name, quantity.Canonical) }

// Short returns an amount for people, possibly rounded, and "" if there is none.
func (a Amounts) Short(name corev1.ResourceName) string { return a.say(name, resourcelist.Short) }

// ShortLike returns an amount for people in the units of that of another list.
func (a Amounts) ShortLike(name corev1.ResourceName, other Amounts) string {
	return a.say(name, func(q resource.Quantity) string { return quantity.ShortLike(q, other[name]) })
}

func (a Amounts) say(name corev1.ResourceName, text func(resource.Quantity) string) string {
	if q, has := a[name]; has {
		return text(q)
	}
	return ""
}

// last is the order of resources from behind; others follow by name.
var last = []corev1.ResourceName{corev1.ResourceEphemeralStorage, corev1.ResourcePods, corev1.ResourceMemory, corev1.ResourceCPU}

// NamesOf returns the resources of amounts: cpu, memory, pods, ephemeral-storage, and then the others by name.
func NamesOf(lists ...Amounts) []corev1.ResourceName {
	all := Amounts{}
	for _, list := range lists {
		maps.Copy(all, list)
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b corev1.ResourceName) int {
		return cmp.Or(cmp.Compare(slices.Index(last, b), slices.Index(last, a)), cmp.Compare(a, b))
	})
}

// Names returns the resources of amounts, in the order of NamesOf.
func (a Amounts) Names() []corev1.ResourceName { return NamesOf(a) }

// Sums are the amounts of one pod, or of many.
type Sums struct {
	// Requests is what the scheduler reserves.
	Requests Amounts `json:"requests"`
	// Limits is the sum of limits, which quotas count.
	Limits Amounts `json:"limits"`
	// Unbounded are the resources among cpu, memory and ephemeral-storage that a pod may use freely, because a container
	// has no limit, if any; ephemeral-storage only if it is set at all.
	Unbounded []corev1.ResourceName `json:"unbounded,omitempty"`
}

// sumsOf returns the sums of a pod. A manifest has no status; the status of a live pod counts during
// a resize.
func (c *cluster) sumsOf(pod *corev1.Pod) Sums {
	opts := c.sums()
	s := Sums{Amounts(computeresources.PodRequests(pod, opts)), Amounts(computeresources.PodLimits(pod, opts)), nil}
	binding := computeresources.BindingLimits(&pod.Spec, opts)
	const storage = corev1.ResourceEphemeralStorage
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory, storage} {
		_, bound := binding[name]
		if !bound && (name != storage || s.Requests.Text(name)+s.Limits.Text(name) != "") {
			s.Unbounded = append(s.Unbounded, name)
		}
	}
	return s
}

// Add adds the sums of n pods, and nothing at all if n is zero.
func (s *Sums) Add(pod *Sums, n int64) {
	if n <= 0 {
		return
	}
	plus := func(sum, list Amounts) Amounts {
		return Amounts(resourcelist.Add(corev1.ResourceList(sum), resourcelist.Multiply(corev1.ResourceList(list), n)))
	}
	s.Requests, s.Limits = plus(s.Requests, pod.Requests), plus(s.Limits, pod.Limits)
	s.Unbounded = slices.Compact(slices.Sorted(slices.Values(slices.Concat(s.Unbounded, pod.Unbounded))))
}

func (s *Sums) equal(other *Sums) bool {
	equal := func(a, b Amounts) bool { return resourcelist.Equals(corev1.ResourceList(a), corev1.ResourceList(b)) }
	return equal(s.Requests, other.Requests) && equal(s.Limits, other.Limits) && slices.Equal(s.Unbounded, other.Unbounded)
}

// variants returns so many pods of a workload: those that exist, and then those that are created now.
func (w *Workload) variants(n int64) []Variant {
	for i := range w.Others {
		n -= w.Others[i].Pods
	}
	return append(slices.Clone(w.Others), Variant{max(n, 0), w.QoS.Class, w.Pod})
}

// Totals are the amounts of the pods of several workloads that exist or are admitted.
type Totals struct {
	Workloads int   `json:"workloads"`          // those with admitted pods, and those that want none
	Rejected  int   `json:"rejected,omitempty"` // those with rejected pods only, if any
	Pods      int64 `json:"pods"`               // of a DaemonSet one, or one on each node
	// PodsByClass counts the pods of each QoS class that has some.
	PodsByClass map[corev1.PodQOSClass]int64 `json:"podsByClass,omitempty"`
	Sums
}

func (t *Totals) add(w *Workload) {
	if w.Rejection != nil && w.Admitted == 0 {
		t.Rejected++
		return
	}
	t.Workloads++
	t.Pods += w.Admitted
	for _, v := range w.variants(w.Admitted) {
		t.Sums.Add(&v.Pod, v.Pods)
		if t.PodsByClass == nil {
			t.PodsByClass = map[corev1.PodQOSClass]int64{}
		}
		if v.Pods > 0 {
			t.PodsByClass[v.Class] += v.Pods
		}
	}
}

// Namespace is a namespace with workloads, LimitRanges or ResourceQuotas, and the contradictions between its
// LimitRanges.
type Namespace struct {
	Name string `json:"name"` // the default one for objects that have none
	Totals
	LimitRanges []string `json:"limitRanges,omitempty"` // by name, if any
	Quotas      []Quota  `json:"quotas,omitempty"`      // by name, if any
	// Conflicts are bounds and defaults that contradict each other, if any.
	Conflicts computeresources.Problems[*limitrange.Conflict] `json:"conflicts,omitempty"`
	// Ambiguities are different defaults for one resource, if any: the API server may apply any of
	// them, and this report applies the first.
	Ambiguities []limitrange.Ambiguity `json:"ambiguities,omitempty"`
}

// Held is what is used of a quota.
type Held struct {
	Name string  `json:"name"`
	Hard Amounts `json:"hard"`
	// Used is the usage in its status, or, without a status, that of the existing objects of the input.
	Used Amounts `json:"used"`
	// Then is the usage after everything in the input that is admitted has been created.
	Then Amounts `json:"then"`
	// AtLeast is set for a quota without a status: more may be used.
	AtLeast bool `json:"atLeast,omitempty"`
}

// Quota is a ResourceQuota, and its usage.
type Quota struct {
	Held
	// Unevaluated are the names in spec.hard that nothing in the input may use, if any.
	Unevaluated []corev1.ResourceName `json:"unevaluated,omitempty"`
	// NeverCounted are those of them that Kubernetes counts for no object, so they limit nothing, if any.
	NeverCounted []corev1.ResourceName `json:"neverCounted,omitempty"`
}

// SharedQuota is a quota that several namespaces share, and its usage.
type SharedQuota struct {
	Kind string `json:"kind"` // ClusterResourceQuota or GlobalResourceQuota
	Held
	// Namespaces are those that share it, by name, if any.
	Namespaces []Sharer `json:"namespaces,omitempty"`
	// Unknown is set if the input does not say which namespaces share it: there are neither Namespaces nor a status.
	Unknown bool `json:"unknown,omitempty"`
}

// Sharer is a namespace that shares a quota.
type Sharer struct {
	Name string `json:"name"`
	// Used is the known usage once every admitted object of the input has been created.
	Used Amounts `json:"used"`
}

func (r *Report) addUp(ranges map[string][]*corev1.LimitRange, states map[string]*creation) {
	of := map[string]*Namespace{}
	open := func(name string) *Namespace {
		if of[name] == nil {
			of[name] = &Namespace{Name: name}
		}
		return of[name]
	}
	for _, w := range r.Workloads {
		r.Totals.add(w)
		open(w.of.Home).add(w)
	}
	for name, list := range ranges {
		n := open(name)
		n.Conflicts, n.Ambiguities = limitrange.Conflicts(list), limitrange.Ambiguities(list, nil)
		for _, lr := range list {
			n.LimitRanges = append(n.LimitRanges, lr.Name)
		}
	}
	for name, c := range states {
		if quotas := c.quotas(); len(quotas) > 0 {
			open(name).Quotas = quotas
		}
	}
	for _, n := range of {
		r.Namespaces = append(r.Namespaces, *n)
	}
	slices.SortFunc(r.Namespaces, func(a, b Namespace) int {
		shares := cmp.Compare(r.Share(&b.Sums), r.Share(&a.Sums))
		return cmp.Or(shares, cmp.Compare(b.Pods, a.Pods), cmp.Compare(a.Name, b.Name))
	})
}

// Share returns the share of all requests of cpu or memory that sums have, whichever is larger.
func (r *Report) Share(s *Sums) float64 {
	both := []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory}
	total := resourcelist.Mask(corev1.ResourceList(r.Totals.Requests), both)
	_, share := resourcelist.DominantShare(corev1.ResourceList(s.Requests), total)
	return share
}

// quotas returns the usage of the quotas: in the beginning, and after the creation.
func (c *creation) quotas() (list []Quota) {
	now := slices.DeleteFunc(c.namespace.Quotas(), inventory.IsShared)
	for i, q := range c.begin {
		list = append(list, Quota{heldOf(q.Name, now[i].Status, q.Status.Used, c.isUnknown(q)), quota.Unevaluated(q, c.counted), quota.Unevaluated(q, nil)})
	}
	return list
}

// heldOf describes a quota with the status that it has in the end.
func heldOf(name string, then corev1.ResourceQuotaStatus, used corev1.ResourceList, atLeast bool) Held {
	names := resourcelist.ResourceNames(then.Hard)
	return Held{Name: name, Hard: Amounts(then.Hard), Used: Amounts(resourcelist.Mask(used, names)),
		Then: Amounts(resourcelist.Mask(then.Used, names)), AtLeast: atLeast}
}
