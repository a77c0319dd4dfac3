package testkit

import "runtime"

// Keep makes the result of a benchmark escape to the heap, as in a caller that keeps it. A
// discarded result may stay on the stack, and then its memory is not measured.
//
//go:noinline
func Keep[T any](v T) {
	if keep {
		kept = v
		runtime.KeepAlive(kept)
	}
}

// The compiler cannot prove that this is never true.
var keep bool

var kept any
