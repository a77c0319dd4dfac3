package contention_test

import (
	"math/big"
	"testing"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For any numbers, three groups get the same as in the slow twin.
func FuzzDivide(f *testing.F) {
	f.Add(int64(4), int64(1), int64(100), int64(300), int64(1), int64(3), int64(-1))
	f.Add(int64(12), int64(7), int64(1), int64(1), int64(2), int64(5), int64(0))
	f.Fuzz(func(t *testing.T, capacity, parts, weightA, weightB, weightC, mostA, mostBC int64) {
		if parts == 0 || capacity < 0 || weightA <= 0 || weightB <= 0 || weightC <= 0 || big.NewRat(mostA, parts).Sign() < 0 {
			return
		}
		root := group{Children: groups{
			{Weight: weightA, Most: big.NewRat(mostA, parts)},
			{Weight: weightB, Children: groups{{Weight: weightC}, {Weight: weightA}}},
			{Weight: weightC},
		}}
		if mostBC >= 0 {
			root.Children[1].Most, root.Children[2].Most = big.NewRat(mostBC, 3), big.NewRat(mostBC, 2)
		}
		share := contention.Divide(big.NewRat(capacity, 1), root)
		testkit.NoDiff(t, flat(share), flat(slowDivide(big.NewRat(capacity, 1), root)))
	})
}
