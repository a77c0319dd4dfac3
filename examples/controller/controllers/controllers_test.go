package controllers

import (
	"context"
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/pool"
)

func teamSelector(team string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{"team": team}}
}

// sun is a cluster with a pool of 3 pods for two namespaces, and a third that it is not for.
func sun(t *testing.T, objects ...client.Object) *world {
	w := newWorld(t, append(objects, newPool("p", "sun", "3"),
		newNamespace("a", "sun"), newNamespace("b", "sun"), newNamespace("other", "moon"))...)
	w.settle()
	return w
}

func TestClaimsAreBound(t *testing.T) {
	w := sun(t)
	w.wantQuota("a", "0")
	w.wantQuota("other", "")
	w.create(newClaim("a", "first", "p", "2"))
	w.create(newClaim("b", "large", "p", "2"))
	w.create(newClaim("b", "small", "p", "1"))
	w.wantBound("a", "first", "p")
	w.wantClaim("b", "large", "p", "PoolExhausted", "requested: pods=2, available: pods=0")
	w.wantBound("b", "small", "p")
	w.wantQuota("a", "2")
	w.wantQuota("b", "1")

	p := &pool.ResourcePool{}
	w.must(w.Get(t.Context(), types.NamespacedName{Name: "p"}, p))
	s := p.Status
	available, asked := s.Allocation.Available["pods"], s.Exhaustions["pods"].Requesting
	if s.ClaimCount != 2 || s.NamespaceCount != 2 || available.Value() != 0 || len(s.Claims["b"]) != 1 || asked.Value() != 2 {
		t.Errorf("%+v", s)
	}
}

func TestRefusedClaims(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "lost", "q", "1"))
	w.create(newClaim("other", "outside", "p", "1"))
	w.create(newClaim("other", "nowhere", "", "1"))
	wrong := newClaim("a", "wrong", "p", "1")
	wrong.Spec.Claim = corev1.ResourceList{"services": resource.MustParse("1")}
	w.create(wrong)
	w.wantClaim("a", "lost", "", "Failed", `ResourcePool.capsule.clastix.io "q" not found`)
	w.wantClaim("other", "outside", "", "Failed", "resourcepool not available")
	w.wantClaim("other", "nowhere", "", "Unassigned", "no pool reference was defined")
	w.wantClaim("a", "wrong", "", "Failed", "resource services is not available in pool p")

	// When there is such a pool, the claim is looked at again.
	w.create(newPool("q", "sun", "1"))
	w.wantBound("a", "lost", "q")
}

func TestAssignment(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "any", "", "1"))
	w.wantBound("a", "any", "p")
	if named := w.claim("a", "any").Spec.Pool; named != "p" {
		t.Errorf("the claim names %q", named)
	}
}

// A release makes room for claims that wait, and then for the claim itself.
func TestRelease(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	release := func(name string) {
		claim := w.claim("a", name)
		claim.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		w.must(w.Update(t.Context(), claim))
		w.settle()
		if w.claim("a", name).Released() {
			t.Errorf("%s still asks to be released", name)
		}
	}
	release("has")
	w.wantBound("b", "waits", "p")
	w.wantClaim("a", "has", "p", "PoolExhausted", "requested: pods=3, available: pods=1")
	w.wantQuota("a", "0")
	w.wantQuota("b", "2")

	w.create(newClaim("a", "alone", "p", "1"))
	release("alone")
	w.wantBound("a", "alone", "p")
	w.wantQuota("a", "1")
}

func TestDeletedClaim(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	w.must(w.Delete(t.Context(), w.claim("a", "has")))
	w.add(w.claims, types.NamespacedName{Namespace: "a", Name: "has"})
	w.settle()
	w.wantBound("b", "waits", "p")
	w.wantQuota("a", "0")
}

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

// change gives a pool another spec.
func (w *world) change(name string, to func(*pool.ResourcePool)) {
	w.Helper()
	p := &pool.ResourcePool{}
	w.must(w.Get(w.Context(), types.NamespacedName{Name: name}, p))
	to(p)
	p.Generation++
	w.must(w.Update(w.Context(), p))
	w.poolChanged(name)
	w.settle()
}

func TestChangedClaim(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "c", "p", "4"))
	c := w.claim("a", "c")
	c.Generation, c.Spec.Claim["pods"] = 2, resource.MustParse("1")
	w.must(w.Update(t.Context(), c))
	w.settle()
	w.wantBound("a", "c", "p")

	// A webhook that was asleep has let a bound claim change.
	c = w.claim("a", "c")
	c.Generation, c.Spec.Claim["pods"] = 3, resource.MustParse("2")
	w.must(w.Update(t.Context(), c))
	_, err := w.claims.Reconcile(t.Context(), reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "c"}})
	if !errors.Is(err, reconcile.TerminalError(nil)) {
		t.Errorf("%v", err)
	}
	w.wantQuota("a", "1")
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

func withVersion(w *world, namespace *corev1.Namespace) *corev1.Namespace {
	w.Helper()
	stored := &corev1.Namespace{}
	w.must(w.Get(w.Context(), client.ObjectKeyFromObject(namespace), stored))
	namespace.ResourceVersion = stored.ResourceVersion
	return namespace
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
}

// After a restart, what is bound stays so, and nothing is written that is written already.
func TestRestart(t *testing.T) {
	w := sun(t)
	w.create(newClaim("b", "z-has", "p", "3"))
	w.create(newClaim("a", "a-waits", "p", "3"))
	before := w.claim("b", "z-has").ResourceVersion
	w.restart()
	w.settle()
	w.wantBound("b", "z-has", "p")
	w.wantClaim("a", "a-waits", "p", "PoolExhausted", "requested: pods=3, available: pods=0")
	w.wantQuota("b", "3")
	if after := w.claim("b", "z-has").ResourceVersion; after != before {
		t.Errorf("version %s became %s", before, after)
	}
}

// A quota that somebody changes or deletes comes back, and one of another owner is let be.
func TestQuotaIsKept(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	quota := &corev1.ResourceQuota{}
	w.must(w.Get(t.Context(), types.NamespacedName{Namespace: "a", Name: "capsule-pool-p"}, quota))
	quota.Spec.Hard["pods"] = resource.MustParse("100")
	w.must(w.Update(t.Context(), quota))
	w.settle()
	w.wantQuota("a", "3")

	quota.OwnerReferences, quota.ResourceVersion = nil, ""
	w.must(w.Update(t.Context(), quota))
	request := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "a", Name: "p"}}
	if _, err := w.quotas.Reconcile(t.Context(), request); !errors.Is(err, reconcile.TerminalError(nil)) {
		t.Errorf("%v", err)
	}
	w.wantQuota("a", "100")
	if requests := poolOf(t.Context(), quota); requests != nil {
		t.Errorf("%v", requests)
	}
}

// On old news, nothing is decided.
func TestStaleRelease(t *testing.T) {
	w := sun(t)
	w.create(newClaim("a", "has", "p", "3"))
	w.create(newClaim("b", "waits", "p", "2"))
	old := w.claim("a", "has")
	old.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	newer := w.claim("a", "has")
	newer.Labels = map[string]string{"newer": "yes"}
	w.must(w.Update(t.Context(), newer))
	pools, err := listPools(t.Context(), w)
	w.must(err)
	if err := w.claims.reconcile(t.Context(), old, newNamespace("a", "sun"), pools); !apierrors.IsConflict(err) {
		t.Errorf("%v", err)
	}
	w.settle()
	w.wantBound("a", "has", "p")
}

func TestRetry(t *testing.T) {
	for _, err := range []error{nil, errors.New("other"), apierrors.NewConflict(schema.GroupResource{}, "p", nil)} {
		result, got := retry(reconcile.Func(func(context.Context, reconcile.Request) (reconcile.Result, error) { return reconcile.Result{}, err })).Reconcile(t.Context(), reconcile.Request{})
		conflict := apierrors.IsConflict(err)
		if (result.RequeueAfter > 0) != conflict || !conflict && got != err || conflict && got != nil {
			t.Errorf("%v: %v, %v", err, result, got)
		}
	}
}
