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

func requestFor(poolName string) reconcile.Request {
	return reconcile.Request{NamespacedName: types.NamespacedName{Name: poolName}}
}

func TestResizedPool(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "waits", "p", "4"))
	w.wantClaim("a", "waits", "p", "PoolExhausted", "requested: pods=4, available: pods=3")
	w.change("p", func(p *pool.ResourcePool) { p.Spec.Quota.Hard["pods"] = resource.MustParse("5") })
	w.wantHolding("a", "waits", "p")
	w.wantQuota("a", "4")
	w.change("p", func(p *pool.ResourcePool) { p.Spec.Config.DefaultsZero = false })
	w.wantQuota("b", "0") // Nothing is limited in b.
	w.change("p", func(p *pool.ResourcePool) {
		p.Spec.Quota.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeBestEffort}
	})
	// Another quota replaces it once its deletion is observed.
	w.add(w.quotas, types.NamespacedName{Namespace: "a", Name: "p"})
	w.settle()
	w.wantQuota("a", "4")
}

// If the pool no longer selects a namespace, the namespace and its claims lose the pool.
func TestNamespaceLeaves(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	w.must(w.Update(t.Context(), withVersion(w, newNamespace("a", "moon"))))
	w.namespaceChanged("a")
	w.settle()
	w.wantClaim("a", "has", "", "Failed", "resourcepool not available")
	w.wantQuota("a", "")
	w.wantHolding("b", "waits", "p")

	w.must(w.Update(t.Context(), withVersion(w, newNamespace("a", "sun"))))
	w.namespaceChanged("a")
	w.settle()
	w.wantClaim("a", "has", "p", "PoolExhausted", "requested: pods=3, available: pods=1")
	w.wantQuota("a", "0")
}

// When a pool is deleted, the claims that wait for it are deleted, as in Capsule. Holding claims, in
// use or not, are kept or deleted according to the pool.
func TestDeletedPool(t *testing.T) {
	for _, deletes := range []bool{false, true} {
		w := sun(t)
		w.create(newClaim("a", "has", "p", "3"))
		w.create(newClaim("b", "waits", "p", "2"))
		w.use("a", "2")
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
		if err := w.Get(t.Context(), types.NamespacedName{Namespace: "b", Name: "waits"}, &pool.ResourcePoolClaim{}); !apierrors.IsNotFound(err) {
			t.Errorf("the claim that waits: %v", err)
		}
		if !deletes {
			w.wantClaim("a", "has", "", "Failed", `ResourcePool.capsule.clastix.io "p" not found`)
		} else if err := w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "has"}, &pool.ResourcePoolClaim{}); !apierrors.IsNotFound(err) {
			t.Errorf("the holding claim: %v", err)
		}
	}
}

// Holding claims of a deleted pool are not released before it is decided whether to keep or delete
// them.
func TestPoolGoes(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.must(w.Delete(t.Context(), &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}))
	_, err := w.claims.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "has"}})
	w.must(err)
	w.wantHolding("a", "has", "p")

	// The pool is not removed before its claims have lost it.
	_, err = w.pools.Reconcile(t.Context(), requestFor("p"))
	w.must(err)
	if claim := w.claim("a", "has"); claim.Status.Pool.Name != "" || claim.Holding() {
		t.Errorf("%+v", claim.Status)
	}
}

// A pool is opened with the claims that are assigned to it and either holding, rightly or not, or
// allowed to claim from it.
func TestClaimants(t *testing.T) {
	p := newPool("p", "sun", "1")
	p.Status.Claims = map[string][]pool.RecordedClaim{"other": {{Name: "outside-holding", Namespace: "other", UID: "uid of outside-holding"}}}
	assigned := func(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
		pool.ApplyAssignment(c, p, time.Unix(1e9, 0), pool.Options{})
		return c
	}
	going := assigned(newClaim("a", "going", "p", "1"))
	going.DeletionTimestamp = &metav1.Time{Time: time.Unix(1e9, 0)}
	moved := assigned(newClaim("a", "moved", "p", "1"))
	moved.Spec.Pool = "q"
	got := claimants(p, []*pool.ResourcePoolClaim{
		assigned(newClaim("other", "outside", "p", "1")), assigned(newClaim("other", "outside-holding", "p", "1")),
		going, moved, newClaim("a", "unassigned", "p", "1"), assigned(newClaim("a", "may", "p", "1")),
	}, []*corev1.Namespace{newNamespace("a", "sun"), newNamespace("other", "moon")})
	if len(got) != 2 || got[0].Name != "outside-holding" || got[1].Name != "may" {
		t.Errorf("%v", got)
	}
}
