package testkit

import "runtime"

// Keep lets what a benchmark computes get to the heap, as it would in a caller that keeps it. What
// is thrown away instead may never leave the stack, and then nobody measures its memory.
//
//go:noinline
func Keep[T any](v T) {
	if keep {
		kept = v
		runtime.KeepAlive(kept)
	}
}

// The compiler cannot know that this never becomes true.
var keep bool

var kept any
