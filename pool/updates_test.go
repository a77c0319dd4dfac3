package pool_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
)

// allStates are all values of the enumeration.
var allStates = []pool.State{pool.Holding, pool.PoolExhausted, pool.QueueExhausted, pool.Released, pool.Invalid}

// stored draws a pool with two claims or more, and a second pool.
func stored() *rapid.Generator[state] {
	return rapid.Custom(func(t *rapid.T) state {
		s := recorded(8).Filter(func(s state) bool { return len(s.claims) > 1 }).Draw(t, "state")
		if rapid.IntRange(0, 3).Draw(t, "matching") > 0 {
			s.pool.Spec.Selectors = []metav1.LabelSelector{everything()}
		}
		s.pool.Spec.Config.DeleteBoundResources = rapid.Bool().Draw(t, "delete")
		s.pool.Status.Allocation.Claimed = testkit.PoolAmounts(6).Draw(t, "claimed")
		return s
	})
}

// checkUpdates compares what a claim and a pool may be changed to, and what the changes lead to, with the
// definitions. It returns what the changes reached.
func checkUpdates(t *rapid.T) (reached []string) {
	s, o := stored().Draw(t, "stored"), apis().Draw(t, "options")
	is := func(what, got, want string) {
		testkit.Equal(t, got, want, what)
		reached = append(reached, what+": "+strings.Split(got, "[")[0])
	}
	api := versionOf(o)
	expectAllocation := func(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) {
		testkit.Equal(t, pooltest.Allocate(p, claims, o).Diff(pool.Allocate(p, claims, o)), "")
	}

	i := rapid.IntRange(0, len(s.claims)-1).Draw(t, "which")
	old := s.claims[i]
	c, change := pooltest.UpdateClaim(t, old)
	admission := pool.AdmissionOptions{Documented: o.Documented, InUse: rapid.SampledFrom([]*bool{nil, testkit.On(), testkit.Off()}).Draw(t, "in use")}
	is(change, fieldsOf(pool.ValidateClaim(old, c, admission)), strings.Join(pooltest.RefusedClaim(old, c, admission), " "))
	immutable := pooltest.Immutable(old, admission)
	reached = append(reached, fmt.Sprint(api, ", immutable ", immutable))
	if refused := len(pool.ValidateClaimDeletion(old, admission)) > 0; refused != immutable {
		t.Fatalf("deletion refused: %v, want %v", refused, immutable)
	}
	kept := c.DeepCopy()
	pool.ApplyReleasePolicy(kept, admission)
	if kept.Released() != (c.Released() && pooltest.Immutable(c, admission)) {
		t.Fatalf("the release annotation is kept: %v", kept.Released())
	}

	claims := slices.Clone(s.claims)
	claims[i] = c
	expectAllocation(s.pool, claims)

	p, change := pooltest.UpdatePool(t, s.pool)
	is("pool, "+change, fieldsOf(pool.ValidatePool(s.pool, p)), strings.Join(pooltest.RefusedPool(s.pool, p), " "))
	expectAllocation(p, claims)
	namespaces := pooltest.Namespaces().Draw(t, "namespaces")
	var selected []string
	for _, ns := range namespaces {
		if pooltest.Selects(p, ns) {
			selected = append(selected, ns.Name)
		}
	}
	slices.Sort(selected)
	if got := pool.Namespaces(p, namespaces); !slices.Equal(got, slices.Compact(selected)) {
		t.Fatalf("selected %v, want %v", got, selected)
	}
	other := newPool("another", testkit.PoolAmounts(9).Draw(t, "hard of another"))
	other.Spec.Selectors = []metav1.LabelSelector{everything()}
	if rapid.IntRange(0, 3).Draw(t, "unassigned") == 0 {
		c = c.DeepCopy()
		c.Spec.Pool = ""
	}
	reached = append(reached, "assigned: "+assigned(t, c, namespaces[0], []*pool.ResourcePool{other, p}))

	goes := pooltest.DeletePool(p, claims, o)
	deleted, orphans := pool.DeletePool(p, claims, o)
	for _, name := range deleted {
		if !goes[name] {
			t.Fatalf("%v is deleted with the pool", name)
		}
	}
	if len(deleted)+len(orphans) != len(goes) || slices.ContainsFunc(orphans, func(c *pool.ResourcePoolClaim) bool { return goes[c.Key()] }) {
		t.Fatalf("deleted %v and kept %d of %v", deleted, len(orphans), goes)
	}
	return append(reached, "a pool is deleted with "+map[bool]string{true: "claims", false: "no claim"}[len(deleted) > 0])
}

// fieldsOf returns the fields of errors that forbid an update.
func fieldsOf(errs field.ErrorList) string {
	var fields []string
	for _, err := range errs {
		if err.Type == field.ErrorTypeForbidden {
			fields = append(fields, err.Field)
		}
	}
	return strings.Join(fields, " ")
}

// assigned returns the name of the pool that Assign returns, or what the error says.
func assigned(t *rapid.T, c *pool.ResourcePoolClaim, ns *corev1.Namespace, pools []*pool.ResourcePool) string {
	want := pooltest.Assign(c, ns, pools)
	got, err := pool.Assign(c, ns, pools)
	if err != nil && !strings.Contains(err.Error(), want) || err == nil && got != want {
		t.Fatalf("%q, %v; want %s", got, err, want)
	}
	return want
}

func TestUpdatesEqualSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { checkUpdates(t) })
}

// Updates of each kind are drawn, in each API, and each answer to them.
func TestDrawsReachEveryUpdate(t *testing.T) {
	rules := []string{
		"current, immutable true", "current, immutable false", "documented, immutable true", "documented, immutable false",
		"amounts: spec.claim", "one amount: spec.claim", "a resource less: spec.claim", "pool: spec.pool",
		"assigned: sampler", "assigned: another", "assigned: resourcepool not available", "assigned: is not available in pool", "assigned: not found",
		"assigned: no pool reference was defined", "a pool is deleted with claims", "a pool is deleted with no claim", "pool, amounts: spec.quota.hard",
	}
	for _, change := range pooltest.ClaimChanges {
		rules = append(rules, change+": ")
	}
	for _, change := range pooltest.PoolChanges {
		rules = append(rules, "pool, "+change+": ")
	}
	testkit.Reached(t, 400, checkUpdates, rules...)
}

// versionOf names the Capsule that options select.
func versionOf(o pool.Options) string {
	if o.Documented {
		return "documented"
	}
	return "current"
}
