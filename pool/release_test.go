package pool_test

import (
	"errors"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestRelease(t *testing.T) {
	c := released(holding("a", "c", 0, "pods", "1"))
	got := pool.Release(c, pool.Options{Documented: true})
	want := waiting("a", "c", 0, "pods", "1")
	want.Annotations = map[string]string{"other": "stays"}
	testkit.NoDiff(t, got, want)
	if !c.Holding() || !c.Released() {
		t.Error("the claim itself has changed")
	}
	if pool.Release(nil, pool.Options{Documented: true}) != nil {
		t.Error("nothing was released, and something came of it")
	}
}

// A claim that has left a pool, because the pool does not select its namespace any more, outlives it. With
// deleteBoundResources, Capsule leaves the pool as an owner of the claim, which Kubernetes then deletes with it.
// See docs/decisions/pool.md#claim-that-left-outlives-the-pool.
func TestDivergenceClaimThatLeftOutlivesThePool(t *testing.T) {
	p := samplerOf("pods", "3")
	p.UID, p.Spec.Config.DeleteBoundResources = "pool", true
	left, stays := waiting("a", "left", 0, "pods", "1"), waiting("b", "stays", 1, "pods", "1")
	claims := []*pool.ResourcePoolClaim{left, stays}
	now := left.CreationTimestamp.Time
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"a", "b"}, now, pool.Options{})
	pool.ApplyAssignError(left, errors.New("resourcepool not available"), now, pool.Options{})
	gone, kept := pool.DeletePool(p, claims, pool.Options{})
	if len(gone) != 1 || gone[0] != stays.Key() || len(kept) != 1 || kept[0].Key() != left.Key() {
		t.Errorf("deleted %v, kept %v", gone, kept)
	}
}
