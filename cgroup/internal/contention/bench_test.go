package contention_test

import (
	"math/big"
	"testing"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A node with 110 pods of three containers, half of them bounded.
func BenchmarkDivide(b *testing.B) {
	var root group
	for i := range 110 {
		pod := group{Weight: int64(i + 1)}
		for j := range 3 {
			c := group{Weight: int64(j + 1)}
			if (i+j)%2 == 0 {
				c.Most = big.NewRat(int64(100*i), 1)
			}
			pod.Children = append(pod.Children, c)
		}
		root.Children = append(root.Children, pod)
	}
	capacity := big.NewRat(64000, 1)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(contention.Divide(capacity, root))
	}
}
