package controllers

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota"
)

// waiting are the namespaces whose quotas have to rise when there is room in their pool. It is not
// safe for concurrent use, and is not stored: a new process looks at all quotas.
type waiting struct {
	rises map[string]sets.Set[string]     // by pool
	seen  map[types.NamespacedName]string // the versions of quotas, by namespace and pool
}

// set notes whether the quota of a pool in a namespace has to rise.
func (w *waiting) set(poolName, namespace string, waits bool) {
	if w.rises == nil {
		w.rises = map[string]sets.Set[string]{}
	}
	if !waits {
		if w.rises[poolName].Delete(namespace).Len() == 0 {
			delete(w.rises, poolName)
		}
		return
	}
	if w.rises[poolName] == nil {
		w.rises[poolName] = sets.New[string]()
	}
	w.rises[poolName].Insert(namespace)
}

// wake returns the namespaces that wait for a pool, if its quota in a namespace (nil if there is none)
// is not the version that was seen last.
func (w *waiting) wake(name types.NamespacedName, have *corev1.ResourceQuota) []string {
	version, before := "", w.seen[name]
	if have != nil {
		version = have.ResourceVersion
	}
	switch {
	case version == before:
		return nil
	case version == "":
		delete(w.seen, name)
	case w.seen == nil:
		w.seen = map[types.NamespacedName]string{name: version}
	default:
		w.seen[name] = version
	}
	return sets.List(w.rises[name.Name])
}

// inOrder returns what of the limits of a wanted quota may be written now, and whether the rest waits:
// the quotas of a pool never allow more than the pool, so some fall before others rise.
//
// The cache may not have the last writes of this process, or of the one that was the leader before.
// So nothing rises before the API server was asked.
func (r *ResourceQuotaReconciler) inOrder(ctx context.Context, p *pool.ResourcePool, have, want *corev1.ResourceQuota) (corev1.ResourceList, bool, error) {
	var hard corev1.ResourceList
	for _, reader := range []client.Reader{r.Client, r.Reader} {
		others, err := otherQuotas(ctx, reader, p.Name, want.Namespace)
		if err != nil {
			return nil, false, err
		}
		var waits bool
		if hard, waits = share(p, others, have, want); waits {
			return hard, true, nil
		}
		if have != nil {
			if falls, _ := resourcelist.LessThanOrEqual(hard, filled(p, have.Spec.Hard)); falls {
				break
			}
		}
	}
	return hard, false, nil
}

// otherQuotas returns the quotas of a pool in all namespaces but one.
func otherQuotas(ctx context.Context, c client.Reader, poolName, namespace string) (others []*corev1.ResourceQuota, err error) {
	var list corev1.ResourceQuotaList
	if err := c.List(ctx, &list, client.MatchingLabels{pool.PoolLabel: poolName}, asCached); err != nil {
		return nil, err
	}
	for _, q := range computeresources.Pointers(list.Items) {
		if q.Namespace != namespace && ownerOf(q) == poolName {
			others = append(others, q)
		}
	}
	return others, nil
}

// share returns what of the limits of a wanted quota has room beside the others, and whether the rest
// waits. A quota that is not there yet and has to wait is that of a namespace without claims.
func share(p *pool.ResourcePool, others []*corev1.ResourceQuota, have, want *corev1.ResourceQuota) (corev1.ResourceList, bool) {
	present := make([]*corev1.ResourceQuota, 0, len(others)+1)
	for _, q := range others {
		present = append(present, withHard(q, filled(p, q.Spec.Hard)))
	}
	least := pool.Quota(p, want.Namespace, nil).Spec.Hard
	now := withHard(want, filled(p, least))
	if have != nil {
		now, least = withHard(have, filled(p, have.Spec.Hard)), have.Spec.Hard
	}
	// Every namespace has the defaults on top.
	defaults := resourcelist.Multiply(p.Spec.Defaults, int64(len(others)+1))
	total := resourcelist.Mask(resourcelist.Add(p.Spec.Quota.Hard, defaults), resourcelist.ResourceNames(p.Spec.Quota.Hard))
	writes, waits := quota.WriteOrder(total, append(present, now), []*corev1.ResourceQuota{want})
	if len(waits) == 0 {
		return want.Spec.Hard, false
	}
	if len(writes) == 0 {
		return least, true
	}
	lowered := corev1.ResourceList{} // A resource that was not limited is not limited to nothing on the way.
	for name, q := range writes[0].Spec.Hard {
		if _, limited := least[name]; limited {
			lowered[name] = q
		}
	}
	return lowered, true
}

// filled returns limits with a zero for each resource of the pool that they do not have: they take
// nothing of it.
func filled(p *pool.ResourcePool, hard corev1.ResourceList) corev1.ResourceList {
	all := hard.DeepCopy()
	if all == nil {
		all = corev1.ResourceList{}
	}
	for name, q := range p.Spec.Quota.Hard {
		if _, limited := all[name]; !limited {
			none := q.DeepCopy()
			none.Set(0)
			all[name] = none
		}
	}
	return all
}

func withHard(q *corev1.ResourceQuota, hard corev1.ResourceList) *corev1.ResourceQuota {
	other := &corev1.ResourceQuota{Status: q.Status}
	other.Namespace, other.Name, other.Spec.Hard = q.Namespace, q.Name, hard
	return other
}
