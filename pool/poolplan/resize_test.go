package poolplan_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// record returns a pool whose status records the bound claims of a list, and the claims in the
// form of the current API.
func record(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (*pool.ResourcePool, []*pool.ResourcePoolClaim) {
	p = p.DeepCopy()
	p.Status.Claims = map[string][]pool.BoundClaim{}
	var all []*pool.ResourcePoolClaim
	for _, c := range claims {
		if c == nil || c.Released() || !c.ClaimsFrom(p) {
			continue
		}
		d := pool.Decision{Claim: c.Key(), State: pool.PoolExhausted}
		if c.Bound() {
			d.State = pool.Bound
			p.Status.Claims[c.Namespace] = append(p.Status.Claims[c.Namespace], pool.BoundClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim.DeepCopy()})
		}
		c = c.DeepCopy()
		c.Status = pool.ResourcePoolClaimStatus{}
		pool.ApplyDecision(c, p, d, time.Time{}, pool.Options{})
		all = append(all, c)
	}
	return p, all
}

func TestGrowthForResize(t *testing.T) {
	for _, test := range []struct {
		name    string
		ordered bool
		claims  []*pool.ResourcePoolClaim
		to      corev1.ResourceList
		want    corev1.ResourceList
	}{
		{"fits in the remaining amount", false, nil, testkit.List("pods", "10"), nil},
		{"less", false, nil, testkit.List("pods", "1"), nil},
		{"more than there is", false, nil, testkit.List("pods", "12"), testkit.List("pods", "2")},
		{"more of two", false, nil, testkit.List("pods", "12", "services", "6"), testkit.List("pods", "2", "services", "1")},
		{"more of one resource, less of the other", false, nil, testkit.List("pods", "12", "services", "0"), testkit.List("pods", "2")},
		{"earlier claim would take the growth", false, []*pool.ResourcePoolClaim{waiting("earlier", -1, "pods", "7")}, testkit.List("pods", "12"), testkit.List("pods", "9")},
		{"later claim does not take the growth", false, []*pool.ResourcePoolClaim{waiting("later", 9, "pods", "7")}, testkit.List("pods", "12"), testkit.List("pods", "2")},
		{"an earlier claim closes the resource", true, []*pool.ResourcePoolClaim{waiting("earlier", -1, "pods", "8")}, testkit.List("pods", "5"), testkit.List("pods", "3")},
		{"an earlier claim closes another", true, []*pool.ResourcePoolClaim{waiting("earlier", -1, "services", "8")}, testkit.List("pods", "5"), nil},
		{"a negative amount", false, nil, testkit.List("pods", "-1"), nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("pods", "10", "services", "5")
			p.Spec.Config.OrderedQueue = test.ordered
			p, claims := record(p, append(test.claims, bound("has", 0, "pods", "4")))
			got, needed := poolplan.GrowthForResize(claims[len(claims)-1].Key(), test.to, p, claims)
			if len(got) == 0 {
				got = nil
			}
			if diff := cmp.Diff(test.want, got, testkit.AsWritten()); diff != "" || needed != (test.want != nil) {
				t.Errorf("needed %v (-want +got):\n%s", needed, diff)
			}
		})
	}
	if _, needed := poolplan.GrowthForResize(waiting("waits", 0).Key(), testkit.List("pods", "99"), newPool("pods", "1"), []*pool.ResourcePoolClaim{waiting("waits", 0, "pods", "2")}); needed {
		t.Error("a claim that waits cannot be resized")
	}
}

// isEvicted reports whether the next allocation evicts a claim although nothing changes.
func isEvicted(c *pool.ResourcePoolClaim) bool {
	for _, q := range c.Spec.Claim {
		if c.Bound() && q.Sign() < 0 {
			return true
		}
	}
	return false
}

// If the pool grows by the growth, the next allocation resizes the claim.
func TestGrowthForResizeIsEnough(t *testing.T) {
	resized := 0
	rapid.Check(t, func(t *rapid.T) {
		s := states(testkit.PoolAmounts(8)).Draw(t, "state")
		p, claims := record(s.pool, s.claims)
		for _, c := range claims {
			if !c.Bound() || slices.ContainsFunc(claims, isEvicted) {
				continue
			}
			to := testkit.PoolAmounts(8).Draw(t, "to")
			more, needed := poolplan.GrowthForResize(c.Key(), to, p, claims)
			if !needed {
				continue
			}
			larger := p.DeepCopy()
			larger.Spec.Quota.Hard = grown(state{pool: p}, more).pool.Spec.Quota.Hard
			spec := c.Spec.Claim
			c.Spec.Claim = to
			for _, d := range pool.Allocate(larger, claims, pool.Options{}).Decisions {
				if d.Claim == c.Key() && d.State != pool.Bound {
					t.Fatalf("%v is %s: %s", d.Claim, d.State, d.Message())
				}
			}
			c.Spec.Claim = spec
			resized++
		}
	})
	if !testing.Short() && resized == 0 {
		t.Error("nobody ever needed growth")
	}
}

// An overcommitted pool does not have to grow for resources that no claim waits for.
func TestGrowthForAllOvercommitted(t *testing.T) {
	p := newPool("pods", "2", "services", "1")
	over := bound("over", 0, "pods", "5")
	if diff := cmp.Diff(corev1.ResourceList{}, poolplan.GrowthForAll(p, []*pool.ResourcePoolClaim{over})); diff != "" {
		t.Errorf("nobody waits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(testkit.List("services", "1"), poolplan.GrowthForAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "services", "2", "pods", "0")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for something else (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(testkit.List("pods", "4"), poolplan.GrowthForAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "pods", "1")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for pods (-want +got):\n%s", diff)
	}
}
