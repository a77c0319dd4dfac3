package pool_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// By the current API, a pool takes the claims with it that wait for it, as it owns them, and by the
// documented one it does not.
func TestDeletePoolWithWaitingClaims(t *testing.T) {
	p := samplerOf("pods", "1")
	waits, unassigned, has := waiting("a", "waits", 1, "pods", "2"), waiting("a", "unassigned", 2, "pods", "2"), waiting("a", "has", 0, "pods", "1")
	unassigned.Status.Pool.Name = "former"
	first := []*pool.ResourcePoolClaim{waits, has}
	pool.Allocate(p, first, pool.Options{}).Apply(p, first, nil, has.CreationTimestamp.Time, pool.Options{})
	for _, test := range []struct {
		documented bool
		holding    bool
		deleted    []types.NamespacedName
		kept       int
	}{
		{false, false, []types.NamespacedName{waits.Key()}, 2},
		{false, true, []types.NamespacedName{has.Key(), waits.Key()}, 1},
		{true, false, nil, 3},
		{true, true, []types.NamespacedName{has.Key()}, 2},
	} {
		p.Spec.Config.DeleteBoundResources = test.holding
		deleted, kept := pool.DeletePool(p, []*pool.ResourcePoolClaim{unassigned, waits, has}, pool.Options{Documented: test.documented})
		if diff := cmp.Diff(test.deleted, deleted); diff != "" || len(kept) != test.kept {
			t.Errorf("documented %v, deleteBoundResources=%v: %d kept, want %d; deleted (-want +got):\n%s", test.documented, test.holding, len(kept), test.kept, diff)
		}
	}
}

// Use counts the held amounts, and not an edited spec.
func TestNeededByTheRecord(t *testing.T) {
	p, c := samplerOf("pods", "10"), waiting("a", "c", 0, "pods", "5")
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, c.CreationTimestamp.Time, pool.Options{})
	c.Spec.Claim = testkit.List("services", "1")
	if needed := pool.Needed("a", testkit.List("pods", "1"), p, claims); !slices.Equal(needed, []types.NamespacedName{c.Key()}) {
		t.Errorf("%v", needed)
	}
}

// The oldest claims that the usage needs are in use; Capsule prefers those that cover most of it.
// See docs/decisions/pool.md#oldest-claims-are-in-use.
func TestDivergenceNeededIsNotGreedy(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{holding("a", "old", 0, "pods", "2"), holding("a", "middle", 1, "pods", "2"), holding("a", "young", 2, "pods", "4")}
	want := []types.NamespacedName{claims[0].Key(), claims[1].Key()}
	testkit.NoDiff(t, pool.Needed("a", testkit.List("pods", "4"), samplerOf("pods", "10"), claims), want)
}
