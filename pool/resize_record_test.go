package pool_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// held returns a claim that a pool of the current API records.
func held(p *pool.ResourcePool, namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(namespace, name, second, pairs...)
	c.UID = types.UID("uid-" + name)
	pool.ApplyDecision(c, p, pool.Decision{Claim: c.Key(), State: pool.Holding}, c.CreationTimestamp.Time, pool.Options{})
	if p.Status.Claims == nil {
		p.Status.Claims = map[string][]pool.RecordedClaim{}
	}
	p.Status.Claims[namespace] = append(p.Status.Claims[namespace], pool.RecordedClaim{Name: name, UID: c.UID, Claims: c.Spec.Claim.DeepCopy()})
	return c
}

// pods returns what a pool records for each of its claims.
func pods(p *pool.ResourcePool) (amounts []string) {
	for _, b := range p.Status.Claims["a"] {
		amounts = append(amounts, string(b.UID)+" "+b.Claims.Pods().String())
	}
	return amounts
}

// A resize is recorded for the claim itself: not for one of its name that was deleted, and also
// where the record has no UID.
func TestResizeIsRecordedForTheClaim(t *testing.T) {
	p := samplerOf("pods", "10")
	c := held(p, "a", "c", 0, "pods", "1")
	p.Status.Claims["a"] = append(p.Status.Claims["a"], pool.RecordedClaim{Name: "c", UID: "deleted", Claims: testkit.List("pods", "2")})
	to := testkit.List("pods", "3")
	after, _, err := pool.Resize(c.Key(), to, p, []*pool.ResourcePoolClaim{c})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"uid-c 3", "deleted 2"}, pods(after)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	delete(after.Status.Claims["a"][0].Claims, "pods")
	if len(to) != 1 {
		t.Error("the record shares the amounts of the caller")
	}
	p.Status.Claims["a"] = []pool.RecordedClaim{{Name: "c", Claims: testkit.List("pods", "1")}}
	after, _, err = pool.Resize(c.Key(), to, p, []*pool.ResourcePoolClaim{c})
	if diff := cmp.Diff([]string{" 3"}, pods(after)); diff != "" || err != nil {
		t.Errorf("without a UID: %v (-want +got):\n%s", err, diff)
	}
}

// What other claims ask for by an edit does not count until it is allocated.
func TestResizeBesideAnEdit(t *testing.T) {
	p := samplerOf("pods", "10")
	first, second := held(p, "a", "first", 0, "pods", "2"), held(p, "a", "second", 1, "pods", "2")
	first.Spec.Claim = testkit.List("pods", "7")
	if _, _, err := pool.Resize(second.Key(), testkit.List("pods", "6"), p, []*pool.ResourcePoolClaim{first, second}); err != nil {
		t.Error(err)
	}
}

// Only a claim that waits for a resource closes it: one that can never be granted does not.
func TestResizeBehindAnInvalidClaim(t *testing.T) {
	p := samplerOf("pods", "10")
	p.Spec.Config.OrderedQueue = true
	invalid, c := waiting("a", "invalid", 0, "pods", "-1"), held(p, "a", "c", 1, "pods", "1")
	if _, _, err := pool.Resize(c.Key(), testkit.List("pods", "2"), p, []*pool.ResourcePoolClaim{invalid, c}); err != nil {
		t.Error(err)
	}
}

// A claim of another pool may have the name of one of this pool, and come first.
func TestResizeOfASecondClaimOfTheName(t *testing.T) {
	p := samplerOf("pods", "10")
	c := held(p, "a", "c", 1, "pods", "1")
	other := waiting("a", "c", 0, "pods", "1")
	other.Spec.Pool = "other"
	if _, _, err := pool.Resize(c.Key(), testkit.List("pods", "2"), p, []*pool.ResourcePoolClaim{other, c}); err != nil {
		t.Error(err)
	}
}
