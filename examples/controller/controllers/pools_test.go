package controllers

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/pool"
)

func TestResizedPool(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "waits", "p", "4"))
	w.wantClaim("a", "waits", "p", "PoolExhausted", "requested: pods=4, available: pods=3")
	w.change("p", func(p *pool.ResourcePool) { p.Spec.Quota.Hard["pods"] = resource.MustParse("5") })
	w.wantBound("a", "waits", "p")
	w.wantQuota("a", "4")
	w.change("p", func(p *pool.ResourcePool) { p.Spec.Config.DefaultsZero = false })
	w.wantQuota("b", "0") // Nothing is limited in b.
	w.change("p", func(p *pool.ResourcePool) {
		p.Spec.Quota.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	})
	// Its place is taken by another quota, when its deletion is seen.
	w.add(w.quotas, types.NamespacedName{Namespace: "a", Name: "p"})
	w.settle()
	w.wantQuota("a", "4")
}

// Claims of a namespace that the pool is no longer for lose it, and so does the namespace.
func TestNamespaceLeaves(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	w.must(w.Update(t.Context(), withVersion(w, newNamespace("a", "moon"))))
	w.namespaceChanged("a")
	w.settle()
	w.wantClaim("a", "has", "", "Failed", "resourcepool not available")
	w.wantQuota("a", "")
	w.wantBound("b", "waits", "p")

	w.must(w.Update(t.Context(), withVersion(w, newNamespace("a", "sun"))))
	w.namespaceChanged("a")
	w.settle()
	w.wantClaim("a", "has", "p", "PoolExhausted", "requested: pods=3, available: pods=1")
	w.wantQuota("a", "0")
}

func TestDeletedPool(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		w := sun(t)
		w.create(newClaim("a", "has", "p", "3"))
		w.create(newClaim("b", "waits", "p", "2"))
		w.change("p", func(p *pool.ResourcePool) { p.Spec.Config.DeleteBoundResources = deletes })
		w.must(w.Delete(t.Context(), &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}))
		w.poolChanged("p")
		w.settle()
		if err := w.Get(t.Context(), types.NamespacedName{Name: "p"}, &pool.ResourcePool{}); !apierrors.IsNotFound(err) {
			t.Errorf("the pool: %v", err)
		}
		w.wantQuota("a", "")
		w.poolChanged("p")
		w.settle()
		w.wantClaim("b", "waits", "", "Failed", `ResourcePool.capsule.clastix.io "p" not found`)
		err := w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "has"}, &pool.ResourcePoolClaim{})
		if deletes != apierrors.IsNotFound(err) {
			t.Errorf("the bound claim: %v", err)
		}
	}
}

// Bound claims of a pool that goes are not released before it is decided what becomes of them.
func TestPoolGoes(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.must(w.Delete(t.Context(), &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}))
	_, err := w.claims.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "has"}})
	w.must(err)
	w.wantBound("a", "has", "p")

	// The pool does not go before they have lost it.
	_, err = w.pools.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Name: "p"}})
	w.must(err)
	w.wantClaim("a", "has", "", "", "")
}

// After a restart, what is bound stays so, and nothing is written that is written already.
func TestRestart(t *testing.T) {
	w := sun(t)
	w.create(newClaim("b", "z-has", "p", "3"))
	w.create(newClaim("a", "a-waits", "p", "3"))
	before := w.claim("b", "z-has").ResourceVersion
	w.restart()
	// As long as the pool is not open, its quotas stay.
	_, err := w.quotas.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "b", Name: "p"}})
	w.must(err)
	w.wantQuota("b", "3")
	w.settle()
	w.wantBound("b", "z-has", "p")
	w.wantClaim("a", "a-waits", "p", "PoolExhausted", "requested: pods=3, available: pods=0")
	w.wantQuota("b", "3")
	if after := w.claim("b", "z-has").ResourceVersion; after != before {
		t.Errorf("version %s became %s", before, after)
	}
}

// A pool is opened with what is bound to it, rightly or not, and what may claim from it.
func TestClaimants(t *testing.T) {
	outside := newClaim("other", "outside", "p", "1")
	outsideBound := newClaim("other", "outside-bound", "p", "1")
	outsideBound.Status.Pool.Name, outsideBound.Status.Condition = "p", pool.Decision{State: pool.Bound}.Condition(pool.Options{API: pool.Documented})
	going := newClaim("a", "going", "p", "1")
	going.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9, 0)}
	may := claimants(newPool("p", "sun", "1"),
		[]*pool.ResourcePoolClaim{outside, outsideBound, going, newClaim("a", "may", "p", "1")},
		[]*corev1.Namespace{newNamespace("a", "sun"), newNamespace("other", "moon")})
	if len(may) != 2 || may[0].Name != "outside-bound" || may[1].Name != "may" {
		t.Errorf("%v", may)
	}
}

// A claim that comes while its pool is opened is looked at again, even if the list that the
// pool was opened with is older than the claim.
func TestClaimComesDuringOpening(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "c", "q", "1"))
	p := newPool("q", "sun", "1")
	w.must(w.Create(t.Context(), p))
	_, err := w.claims.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "c"}})
	w.must(err)
	w.must(w.pools.reconcile(t.Context(), p, nil, []*corev1.Namespace{newNamespace("a", "sun")}))
	w.settle()
	w.wantBound("a", "c", "q")
}
