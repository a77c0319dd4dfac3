package testkit

import (
	"runtime"
	"testing"
)

// Allocated returns how many bytes a call of f allocates: the least of three calls.
func Allocated(f func()) uint64 {
	least := uint64(1 << 62)
	for range 3 {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		least = min(least, after.TotalAlloc-before.TotalAlloc)
	}
	return least
}

// GrowsLinearly checks that calls with four times the input allocate at most five times as many bytes. Call returns
// the call with an input of a size, which it prepares.
func GrowsLinearly(t testing.TB, n int, call func(n int) func()) {
	t.Helper()
	small, large := Allocated(call(n)), Allocated(call(4*n))
	if large > 5*small {
		t.Errorf("an input of %d allocates %d bytes, one of %d %d: %.1f times as many",
			n, small, 4*n, large, float64(large)/float64(max(small, 1)))
	}
}
