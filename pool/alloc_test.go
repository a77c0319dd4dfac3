package pool_test

import (
	"runtime"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// An allocation allocates once for every thousand shortages, and a little for each namespace,
// but nothing for each claim.
func TestAllocateAllocs(t *testing.T) {
	p, claims := testkit.ManyClaims(10_000, newPool, newClaim)
	for _, ordered := range []bool{false, true} {
		p.Spec.Config.OrderedQueue = ordered
		if got := testing.AllocsPerRun(3, func() { pool.Allocate(p, claims, pool.Options{Documented: true}) }); got > 1500 {
			t.Errorf("ordered %v: %v allocations for 10000 claims in 100 namespaces", ordered, got)
		}
	}
}

// A queue of a few claims costs a few kilobytes, also if one of them waits.
func TestAllocateBytes(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.cpu", "4", "requests.memory", "8Gi"))
	fits := newClaim("a", "fits", 0, testkit.List("requests.cpu", "3"))
	waits := newClaim("a", "waits", 1, testkit.List("requests.cpu", "2", "requests.memory", "9Gi"))
	for _, test := range []struct {
		name   string
		claims []*pool.ResourcePoolClaim
		most   uint64
	}{
		{"no claim waits", []*pool.ResourcePoolClaim{fits}, 6 << 10},
		{"one of two claims waits", []*pool.ResourcePoolClaim{fits, waits}, 8 << 10},
	} {
		if got := bytesOf(func() { pool.Allocate(p, test.claims, pool.Options{Documented: true}) }); got > test.most {
			t.Errorf("%s: %d bytes, want at most %d", test.name, got, test.most)
		}
	}
}

// bytesOf returns how many bytes a call allocates, on average.
func bytesOf(call func()) uint64 {
	const runs = 100
	var before, after runtime.MemStats
	call()
	runtime.ReadMemStats(&before)
	for range runs {
		call()
	}
	runtime.ReadMemStats(&after)
	return (after.TotalAlloc - before.TotalAlloc) / runs
}
