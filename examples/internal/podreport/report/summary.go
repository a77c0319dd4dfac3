package report

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Summary has the sums of what workloads request. Both lists begin with the largest share of all
// requests of cpu or memory, whichever is larger; equal ones are sorted by the largest share of any
// resource, the number of pods, and the name.
type Summary struct {
	// Namespaces are those of workloads, and those with ResourceQuotas. The list may be empty.
	Namespaces []NamespaceSum `json:"namespaces,omitempty"`
	// Owners are the workloads, or their owners if they have one. The list may be empty.
	Owners []OwnerSum `json:"owners,omitempty"`
}

// Held is what pods request.
type Held struct {
	Workloads int `json:"workloads"`
	Rejected  int `json:"rejected,omitempty"` // those without an admitted pod, if any
	// Pods is how many are admitted, or exist. The amounts are the sums over all of them.
	Pods     int64   `json:"pods"`
	Requests Amounts `json:"requests"`
	Limits   Amounts `json:"limits"`
}

// NamespaceSum is what the pods of a namespace request.
type NamespaceSum struct {
	Name string `json:"name"`
	Held
	Quotas []QuotaSum `json:"quotas,omitempty"` // by name, if any
}

// OwnerSum is what the pods of an owner request.
type OwnerSum struct {
	Identity
	Held

	Of []int `json:"-"` // which workloads, by their index in the report
}

// Identity names an object.
type Identity struct {
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"` // the default one if the object has none
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

// more compares shares of a total: the larger one comes first.
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

// summarize adds up a report that is otherwise complete. Home is the namespace of objects without
// one, and quotas are those of each namespace.
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

// owner returns the owner of the pods of a workload in a namespace.
func (w *Workload) owner(namespace string) Identity {
	if w.Owner != nil {
		return Identity{w.Owner.Kind, namespace, w.Owner.Name}
	}
	return Identity{w.Kind, namespace, w.Name}
}
