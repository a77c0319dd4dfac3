package pool_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// sizes returns how many claims to measure with; -short leaves out a million.
func sizes() []int {
	if testing.Short() {
		return []int{1_000, 10_000, 100_000}
	}
	return []int{1_000, 10_000, 100_000, 1_000_000}
}

// BenchmarkSort is the baseline of BenchmarkAllocate: it sorts the same claims.
func BenchmarkSort(b *testing.B) {
	for _, n := range sizes() {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			_, claims := testkit.ManyClaims(n, newPool, newClaim)
			b.ReportAllocs()
			for b.Loop() {
				sorted := slices.Clone(claims)
				slices.SortFunc(sorted, func(a, b *pool.ResourcePoolClaim) int { return ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta) })
				testkit.Keep(sorted)
			}
		})
	}
}

// BenchmarkAllocate allocates claims of n/100 namespaces. One claim in ten fits.
func BenchmarkAllocate(b *testing.B) {
	for _, ordered := range []bool{false, true} {
		for _, n := range sizes() {
			b.Run(fmt.Sprintf("ordered=%v/%d", ordered, n), func(b *testing.B) {
				p, claims := testkit.ManyClaims(n, newPool, newClaim)
				p.Spec.Config.OrderedQueue = ordered
				b.ReportAllocs()
				for b.Loop() {
					testkit.Keep(pool.Allocate(p, claims, pool.Options{Documented: true}))
				}
			})
		}
	}
}
