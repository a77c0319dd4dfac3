package allocator_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// The record of a pool may use another notation for the amounts of a claim than the claim itself.
func TestRecordIsWrittenDifferently(t *testing.T) {
	for _, documented := range []bool{false, true} {
		options := pool.Options{Documented: documented}
		p := newPool("sampler", testkit.List("pods", "2"))
		c := newClaim("a", "edited", 0, testkit.List("pods", "2e0"))
		pool.Allocate(p, []*pool.ResourcePoolClaim{c}, options).Apply(p, []*pool.ResourcePoolClaim{c}, []string{"a"}, midnight, options)
		c.Spec.Claim = testkit.List("pods", "2")
		l := allocator.New(p, []*pool.ResourcePoolClaim{c}, options)
		p.Spec.Quota.Hard = testkit.List("pods", "1")
		l.SetPool(p)
		l.Release(name("edited"))
		d, _ := l.Decision(name("edited"))
		if want := "requested: pods=2, available: pods=1"; d.State != pool.PoolExhausted || d.Message() != want {
			t.Errorf("documented %v: %s, %s; want %s", documented, d.State, d.Message(), want)
		}
	}
}

// An edited holding claim may hold other amounts than it requests. If its request is rewritten in
// another notation later, its decision shows that notation once it is released.
func TestEditedClaimIsWrittenDifferently(t *testing.T) {
	options := pool.Options{Documented: true}
	p := newPool("sampler", testkit.List("pods", "2"))
	c := newClaim("a", "edited", 0, testkit.List("pods", "2"))
	pool.Allocate(p, []*pool.ResourcePoolClaim{c}, options).Apply(p, []*pool.ResourcePoolClaim{c}, []string{"a"}, midnight, options)
	c.Spec.Claim = testkit.List("pods", "3e0")
	l := allocator.New(p, []*pool.ResourcePoolClaim{c}, options)
	c.Spec.Claim = testkit.List("pods", "3")
	if granted, err := l.Set(c); err != nil || granted != nil {
		t.Fatalf("%v are holding, %v", granted, err)
	}
	if diff := cmp.Diff(testkit.List("pods", "0"), l.Available()); diff != "" {
		t.Fatalf("available (-want +got):\n%s", diff)
	}
	l.Release(name("edited"))
	d, _ := l.Decision(name("edited"))
	if want := "requested: pods=3, available: pods=2"; d.State != pool.PoolExhausted || d.Message() != want {
		t.Errorf("%s, %s; want %s", d.State, d.Message(), want)
	}
}

// If the request of a holding claim is rewritten in another notation, its decision shows that once it is released.
func TestHoldingClaimIsWrittenDifferently(t *testing.T) {
	for _, documented := range []bool{false, true} {
		options := pool.Options{Documented: documented}
		p := newPool("sampler", testkit.List("pods", "2"))
		c := newClaim("a", "has", 0, testkit.List("pods", "2e0"))
		pool.Allocate(p, []*pool.ResourcePoolClaim{c}, options).Apply(p, []*pool.ResourcePoolClaim{c}, []string{"a"}, midnight, options)
		l := allocator.New(p, []*pool.ResourcePoolClaim{c}, options)
		c.Spec.Claim = testkit.List("pods", "2")
		if granted, err := l.Set(c); err != nil || granted != nil {
			t.Fatalf("%v are holding, %v", granted, err)
		}
		p.Spec.Quota.Hard = testkit.List("pods", "1")
		l.SetPool(p)
		l.Release(name("has"))
		d, _ := l.Decision(name("has"))
		testkit.Equal(t, d.Message(), "requested: pods=2, available: pods=1", "documented", documented)
	}
}
