package pool_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestSharedAnnotations(t *testing.T) {
	draw := func(t *rapid.T) (pool.ResourcePoolClaim, []*pool.ResourcePoolClaim) {
		list := claims().Draw(t, "claims")
		claim := *waiting("a", "claim", 0)
		if rapid.Bool().Draw(t, "released") {
			released(&claim)
		}
		return claim, list
	}
	testkit.Applies(t, draw, func(claim *pool.ResourcePoolClaim, _ []*pool.ResourcePoolClaim) any {
		pool.ApplyReleasePolicy(claim, pool.AdmissionOptions{API: pool.Documented})
		return nil
	})
}
