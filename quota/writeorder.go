package quota

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// WriteOrder orders updates of the ResourceQuotas that share one total. Applied in this order, the quotas never
// allow more than the total of a resource that all of them limit, even if a write fails or the writer stops
// between two updates. Writes have the spec to write; a quota occurs twice if some of its limits fall and others
// rise. Waiting are the quotas that cannot rise yet: call WriteOrder again when a status changes.
//
// What a quota allows of a resource is the largest of its limit, the limit in its status, and the usage in its
// status: the API server admits objects by the limit in the status, which the quota controller updates later.
// Limits that fall, and those of resources that were not limited, come first. Then quotas rise in the order of
// namespaces and names, each if all of its resources have room in the total; otherwise none of its limits rises.
// A quota missing from present counts as zero. Limits on resources outside total, and limits that are removed, are
// not checked; a removed one is removed when its quota rises. Quotas that are present but not wanted count with
// what they allow, and are not deleted.
//
// If the present quotas allow more than the total already, none of their sums rises. Nil quotas are ignored, and of
// several with the same namespace and name the last one counts. The results own their memory and have only a
// namespace, a name and spec.hard; both are nil if there is nothing to write.
//
// Two writers may write the quotas of one total, for example when a paused leader continues after another one took
// over. Then each has a mark of its own, such as an annotation: it writes the mark to all of the quotas, lists them
// from the API server, and writes limits only if all of them have its mark, on condition that they still have the
// listed versions. It creates quotas with limits of zero, and takes a new mark if it does not know whether a write
// has arrived.
//
// Cost: O(n log n) for n quotas, and linear in the resources that each of them names.
func WriteOrder(
	total corev1.ResourceList, present, wanted []*corev1.ResourceQuota,
) (writes, waiting []*corev1.ResourceQuota) {
	now := map[types.NamespacedName]*corev1.ResourceQuota{}
	sums := corev1.ResourceList{}
	for _, q := range present {
		if q != nil {
			now[nameOf(q)] = q
		}
	}
	for _, q := range now {
		maps.Copy(sums, replaced(sums, nil, allowed(q.Spec.Hard, q)))
	}
	var raises []*corev1.ResourceQuota
	for _, q := range byName(wanted) {
		old := now[nameOf(q)]
		if old == nil {
			old = &corev1.ResourceQuota{}
			raises = append(raises, q)
			now[nameOf(q)] = old
			continue
		}
		lower := lowered(old.Spec.Hard, q.Spec.Hard)
		if !resourcelist.Equals(lower, old.Spec.Hard) {
			writes = append(writes, written(q, lower))
			maps.Copy(sums, replaced(sums, allowed(old.Spec.Hard, old), allowed(lower, old)))
		}
		if !resourcelist.Equals(lower, q.Spec.Hard) {
			raises = append(raises, q)
		}
		now[nameOf(q)] = &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: lower}, Status: old.Status}
	}
	for _, q := range raises {
		old := now[nameOf(q)]
		before, after := allowed(old.Spec.Hard, old), allowed(q.Spec.Hard, old)
		next := replaced(sums, before, after)
		if !fitsTotal(next, before, after, total) {
			waiting = append(waiting, written(q, q.Spec.Hard))
			continue
		}
		writes = append(writes, written(q, q.Spec.Hard))
		maps.Copy(sums, next)
	}
	return writes, waiting
}

func nameOf(q *corev1.ResourceQuota) types.NamespacedName {
	return types.NamespacedName{Namespace: q.Namespace, Name: q.Name}
}

// byName returns the quotas by namespace and name, the last of equal ones.
func byName(quotas []*corev1.ResourceQuota) (sorted []*corev1.ResourceQuota) {
	last := map[types.NamespacedName]*corev1.ResourceQuota{}
	for _, q := range quotas {
		if q != nil {
			last[nameOf(q)] = q
		}
	}
	for _, q := range last {
		sorted = append(sorted, q)
	}
	slices.SortFunc(sorted, func(a, b *corev1.ResourceQuota) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return sorted
}

// allowed returns what a quota with these limits allows: the limits, those of its status, or what is used.
func allowed(hard corev1.ResourceList, q *corev1.ResourceQuota) corev1.ResourceList {
	return resourcelist.Max(hard, q.Status.Hard, q.Status.Used)
}

// lowered returns limits that rise nowhere: of each resource that is limited now, the lesser one, and all others that
// are wanted.
func lowered(now, wanted corev1.ResourceList) corev1.ResourceList {
	lower := corev1.ResourceList{}
	for name, q := range now {
		lower[name] = q.DeepCopy()
		if other, ok := wanted[name]; ok && other.Cmp(q) < 0 {
			lower[name] = other.DeepCopy()
		}
	}
	for name, q := range wanted {
		if _, limited := now[name]; !limited {
			lower[name] = q.DeepCopy()
		}
	}
	return lower
}

// replaced returns the sums of resources that a quota allows, once it allows others than before.
func replaced(sums, before, after corev1.ResourceList) corev1.ResourceList {
	own := corev1.ResourceList{}
	for _, list := range []corev1.ResourceList{before, after} {
		for name := range list {
			own[name] = sums[name]
		}
	}
	return resourcelist.Add(resourcelist.Subtract(own, before), after)
}

// fitsTotal reports whether no sum that rises exceeds the total.
func fitsTotal(sums, before, after, total corev1.ResourceList) bool {
	for name, rises := range after {
		sum := sums[name]
		most, isLimited := total[name]
		if isLimited && rises.Cmp(before[name]) > 0 && sum.Cmp(most) > 0 {
			return false
		}
	}
	return true
}

func written(q *corev1.ResourceQuota, hard corev1.ResourceList) *corev1.ResourceQuota {
	own := &corev1.ResourceQuota{}
	own.Namespace, own.Name = q.Namespace, q.Name
	own.Spec.Hard = hard.DeepCopy()
	return own
}
