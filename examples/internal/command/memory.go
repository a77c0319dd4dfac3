package command

import "runtime/debug"

// LimitMemory runs garbage collection earlier than by default, because nearly all memory that decoding allocates is
// soon unused.
func LimitMemory() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(softLimit)
}

// softLimit is the memory in bytes above which garbage collection takes more time.
const softLimit = 480 << 20
