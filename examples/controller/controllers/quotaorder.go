package controllers

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/uuid"
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

// inOrder returns what of the limits of a wanted quota may be written now, the version of the quota to write it to, and
// whether the rest waits: the quotas of a pool never allow more than the pool, so some fall before others rise.
//
// The cache may not have the last writes of this process, or of the one that was the leader before. So nothing rises
// before the API server was asked, and a new quota allows nothing at first but what the pool gives without a claim.
func (r *ResourceQuotaReconciler) inOrder(ctx context.Context, p *pool.ResourcePool, have, want *corev1.ResourceQuota) (*corev1.ResourceQuota, corev1.ResourceList, bool, error) {
	quotas, err := quotasOf(ctx, r.Client, p.Name)
	if err != nil {
		return nil, nil, false, err
	}
	hard, waits := share(p, quotas, have, want)
	if waits || !rises(p, have, hard) {
		return have, hard, waits, nil
	}
	quotas, err = r.marked(ctx, p.Name)
	if err != nil {
		return nil, nil, false, err
	}
	have = quotaIn(quotas, want.Namespace)
	if have == nil {
		return nil, pool.Quota(p, want.Namespace, nil).Spec.Hard, false, nil
	}
	hard, waits = share(p, quotas, have, want)
	return have, hard, waits, nil
}

// rises reports whether limits are higher than those of a quota, which are those without a claim if it is nil.
func rises(p *pool.ResourcePool, have *corev1.ResourceQuota, hard corev1.ResourceList) bool {
	least := pool.Quota(p, "", nil).Spec.Hard
	if have != nil {
		least = have.Spec.Hard
	}
	falls, _ := resourcelist.LessThanOrEqual(hard, filled(p, least))
	return !falls
}

// markAnnotation says which process has last looked at a quota before it let one of the pool rise.
const markAnnotation = "kubemath.example/writer"

// marked returns the quotas of a pool as the API server has them at one moment, all with the mark of this process. So
// none has changed since if it still has the version that is returned; and a raise that another process has decided on before
// this moment, such as a leader that was paused, conflicts.
func (r *ResourceQuotaReconciler) marked(ctx context.Context, poolName string) ([]*corev1.ResourceQuota, error) {
	if r.mark == "" {
		r.mark = string(uuid.NewUUID())
	}
	for {
		quotas, err := quotasOf(ctx, r.Reader, poolName)
		if err != nil {
			return nil, err
		}
		all := true
		for _, q := range quotas {
			if q.Annotations[markAnnotation] == r.mark {
				continue
			}
			all = false
			own := q.DeepCopy()
			metav1.SetMetaDataAnnotation(&own.ObjectMeta, markAnnotation, r.mark)
			if err := r.Client.Update(ctx, own); err != nil {
				return nil, err
			}
		}
		if all {
			return quotas, nil
		}
	}
}

// written takes a new mark if it is not known whether a write of a quota has arrived: it may arrive later.
func (r *ResourceQuotaReconciler) written(err error) error {
	if err != nil && !apierrors.IsConflict(err) && !apierrors.IsNotFound(err) && !apierrors.IsTooManyRequests(err) {
		r.mark = ""
	}
	return err
}

// quotasOf returns the quotas of a pool.
func quotasOf(ctx context.Context, c client.Reader, poolName string) (quotas []*corev1.ResourceQuota, err error) {
	var list corev1.ResourceQuotaList
	if err := c.List(ctx, &list, client.MatchingLabels{pool.PoolLabel: poolName}, asCached); err != nil {
		return nil, err
	}
	for _, q := range computeresources.Pointers(list.Items) {
		if ownerOf(q) == poolName {
			quotas = append(quotas, q)
		}
	}
	return quotas, nil
}

// quotaIn returns the quota of a namespace, or nil if there is none.
func quotaIn(quotas []*corev1.ResourceQuota, namespace string) *corev1.ResourceQuota {
	i := slices.IndexFunc(quotas, func(q *corev1.ResourceQuota) bool { return q.Namespace == namespace })
	if i < 0 {
		return nil
	}
	return quotas[i]
}

// share returns what of the limits of a wanted quota has room beside the other quotas of its pool, and whether the rest
// waits. A quota that is not there yet is that of a namespace without claims.
func share(p *pool.ResourcePool, quotas []*corev1.ResourceQuota, have, want *corev1.ResourceQuota) (corev1.ResourceList, bool) {
	present := make([]*corev1.ResourceQuota, 0, len(quotas)+1)
	for _, q := range quotas {
		if q.Namespace != want.Namespace {
			present = append(present, withHard(q, filled(p, q.Spec.Hard)))
		}
	}
	least := pool.Quota(p, want.Namespace, nil).Spec.Hard
	now := withHard(want, filled(p, least))
	if have != nil {
		now, least = withHard(have, filled(p, have.Spec.Hard)), have.Spec.Hard
	}
	// Every namespace has the defaults on top.
	defaults := resourcelist.Multiply(p.Spec.Defaults, int64(len(present)+1))
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
