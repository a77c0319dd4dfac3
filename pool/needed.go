package pool

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Needed returns the holding claims of a namespace that its usage of a pool needs, in the order of
// the queue. All other claims can be released: the usage (status.used of the pool's
// ResourceQuota in the namespace) remains within the sum of the needed claims and the defaults.
// Claims are released from the youngest one on while the usage allows it; none of the remaining
// ones can be released. There may be a smaller set of needed claims. If the usage of a
// resource exceeds even the sum of all claims, every claim with that resource is needed.
//
// Claims count with what they hold by the pool's record (Record). Claims of other namespaces,
// claims that hold nothing of the pool, and usage of resources that the pool does not offer are
// ignored. A nil pool has no claims.
//
// Cost: a lookup for each claim and resource, and the order of the claims.
func Needed(
	namespace string, used corev1.ResourceList, p *ResourcePool, claims []*ResourcePoolClaim,
) []types.NamespacedName {
	if p == nil {
		return nil
	}
	record := RecordOf(p)
	var holding []*ResourcePoolClaim
	for _, c := range claims {
		if _, holds := record.Holds(c); holds && c.Namespace == namespace {
			holding = append(holding, c)
		}
	}
	slices.SortFunc(holding, compareTurns)

	// Left is what may still be released: claimed, plus defaults, minus used.
	l := ledger.New(p.Spec.Quota.Hard)
	offered := resourcelist.ResourceNames(p.Spec.Quota.Hard)
	l.SetHard(resourcelist.Mask(p.Spec.Defaults, offered))
	wants := make([][]ledger.Want, len(holding))
	for i, c := range holding {
		holds, _ := record.Holds(c)
		wants[i], _ = l.Read(holds, nil, nil)
		l.Give(wants[i])
	}
	usage, _ := l.Read(resourcelist.Mask(used, offered), nil, nil)
	l.Take(usage)
	missing := func(w ledger.Want) bool { return l.Short(w) && ledger.Find(usage, w.Resource) >= 0 }

	var needed []types.NamespacedName
	for i := len(holding) - 1; i >= 0; i-- {
		if slices.ContainsFunc(wants[i], missing) {
			needed = append(needed, types.NamespacedName{Namespace: namespace, Name: holding[i].Name})
		} else {
			l.Take(wants[i])
		}
	}
	slices.Reverse(needed)
	return needed
}
