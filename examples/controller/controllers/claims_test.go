package controllers

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kubemath/kubemath/pool"
)

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
	w.create(newPool("r", "moon", "1"))
	w.wantBound("other", "nowhere", "r")
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
