package report

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Summary is what workloads hold, added up. Both lists are sorted by it: first comes what has the
// largest share of all requests of cpu or of memory, whichever is larger; then by that of any
// resource, the number of pods, and the name.
type Summary struct {
	// Namespaces are those of workloads, and those with ResourceQuotas, which may be none.
	Namespaces []NamespaceSum `json:"namespaces,omitempty"`
	// Owners are the workloads, and in place of those that have an owner their owners, if any.
	Owners []OwnerSum `json:"owners,omitempty"`
}

// Held is what pods hold.
type Held struct {
	Workloads int `json:"workloads"`
	Rejected  int `json:"rejected,omitempty"` // those of them of which no pod is admitted, if any
	// Pods is how many are admitted, or exist. The amounts are those of all of them.
	Pods     int64   `json:"pods"`
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
}

// NamespaceSum is what the pods of a namespace hold.
type NamespaceSum struct {
	Name string `json:"name"`
	Held
	Quotas []QuotaSum `json:"quotas,omitempty"` // by name, if any
}

// OwnerSum is what the pods of an owner hold.
type OwnerSum struct {
	Identity
	Held

	Of []int `json:"-"` // which workloads, by their index in the report
}

// Identity says which object it is.
type Identity struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"` // also of one that states none
	Name      string `json:"name"`
}

// hold adds a workload.
func (h *Held) hold(w *Workload) {
	h.Workloads++
	if w.Rejection != nil && w.Admitted == 0 {
		h.Rejected++
	}
	h.Pods += w.Admitted
	all := w.sumOf(w.Admitted)
	h.Requests = Amounts(resourcelist.Add(corev1.ResourceList(h.Requests), corev1.ResourceList(all.Requests)))
	h.Limits = Amounts(resourcelist.Add(corev1.ResourceList(h.Limits), corev1.ResourceList(all.Limits)))
}

// more compares what is held of a total: what holds more comes first.
func (h *Held) more(other *Held, total Amounts) int {
	share := func(h *Held, names ...corev1.ResourceName) float64 {
		of := corev1.ResourceList(total)
		if len(names) > 0 {
			of = resourcelist.Mask(of, names)
		}
		_, fraction := resourcelist.DominantShare(corev1.ResourceList(h.Requests), of)
		return fraction
	}
	return cmp.Or(
		cmp.Compare(share(other, corev1.ResourceCPU, corev1.ResourceMemory), share(h, corev1.ResourceCPU, corev1.ResourceMemory)),
		cmp.Compare(share(other), share(h)),
		cmp.Compare(other.Pods, h.Pods),
	)
}

// summarize adds up what is in a report that is otherwise complete. Home is the namespace of objects
// that state none, and quotas are those of each namespace.
func (r *Report) summarize(home string, quotas map[string][]QuotaSum) (s Summary) {
	namespaces, owners := map[string]*NamespaceSum{}, map[Identity]*OwnerSum{}
	for name, sums := range quotas {
		namespaces[name] = &NamespaceSum{Name: name, Quotas: sums}
	}
	for i := range r.Workloads {
		w := &r.Workloads[i]
		name := cmp.Or(w.Namespace, home)
		if namespaces[name] == nil {
			namespaces[name] = &NamespaceSum{Name: name}
		}
		namespaces[name].hold(w)
		owner := w.owner(name)
		if owners[owner] == nil {
			owners[owner] = &OwnerSum{Identity: owner}
		}
		owners[owner].hold(w)
		owners[owner].Of = append(owners[owner].Of, i)
	}
	for _, n := range namespaces {
		s.Namespaces = append(s.Namespaces, *n)
	}
	slices.SortFunc(s.Namespaces, func(a, b NamespaceSum) int {
		return cmp.Or(a.more(&b.Held, r.Totals.Requests), cmp.Compare(a.Name, b.Name))
	})
	for _, o := range owners {
		s.Owners = append(s.Owners, *o)
	}
	slices.SortFunc(s.Owners, func(a, b OwnerSum) int {
		return cmp.Or(a.more(&b.Held, r.Totals.Requests), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Kind, b.Kind))
	})
	return s
}

// owner returns what the pods of a workload in a namespace are held by.
func (w *Workload) owner(namespace string) Identity {
	if w.Owner != nil {
		return Identity{w.Owner.Kind, namespace, w.Owner.Name}
	}
	return Identity{w.Kind, namespace, w.Name}
}
