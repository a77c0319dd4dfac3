package contention_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

func amount(most int64) *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		return big.NewRat(rapid.Int64Range(0, most).Draw(t, "numerator"), rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 1000}).Draw(t, "denominator"))
	})
}

// tree draws groups on a few levels: bounded, unbounded and idle ones.
func tree(levels int) *rapid.Generator[group] {
	return rapid.Custom(func(t *rapid.T) group {
		g := group{Weight: rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, 262144)).Draw(t, "weight")}
		if rapid.Bool().Draw(t, "bounded") {
			g.Most = amount(20).Draw(t, "most")
		}
		if levels > 0 && rapid.IntRange(0, 3).Draw(t, "leaf") > 0 {
			g.Children = rapid.SliceOfN(tree(levels-1), 0, 5).Draw(t, "children")
		}
		return g
	})
}

func TestDivideEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, capacity := tree(3).Draw(t, "tree"), amount(60).Draw(t, "capacity")
		testkit.Contract(t, func() any { return contention.Divide(capacity, root) }, capacity, root)
		share := contention.Divide(capacity, root)
		testkit.NoDiff(t, share, slowDivide(capacity, root), compareRats)
	})
}
