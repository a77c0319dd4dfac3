package pool_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// Any API but the documented one is the current one, in every function.
func TestOtherAPIsAreTheCurrentOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := recorded(8).Draw(t, "state")
		answers := func(api pool.API) []any {
			o, admission := pool.Options{API: api}, pool.AdmissionOptions{API: api}
			p, claims := s.pool.DeepCopy(), []*pool.ResourcePoolClaim(nil)
			for _, c := range s.claims {
				claims = append(claims, c.DeepCopy())
			}
			deleted, kept := pool.DeletePool(p, claims, o)
			answers := []any{deleted, kept}
			for _, c := range claims {
				_, resized, err := pool.Resize(c.Key(), testkit.List("pods", "2"), p, claims, o)
				answers = append(answers, resized, fmt.Sprint(err), pool.Evict(c.Key(), testkit.List("pods", "2"), p, claims, o),
					pool.Release(c, o), fmt.Sprint(pool.ValidateClaim(claims[0], c, admission), pool.ValidateClaimDeletion(c, admission)))
			}
			pool.Allocate(p, claims, o).Apply(p, claims, []string{"a"}, midnight(), o)
			for _, c := range claims {
				pool.ApplyAssignment(c, p, midnight(), o)
				pool.ApplyReleasePolicy(c, admission)
			}
			return append(answers, p, claims)
		}
		if diff := cmp.Diff(answers(pool.Current), answers("v1beta3")); diff != "" {
			t.Errorf("(-current +other):\n%s", diff)
		}
	})
}
