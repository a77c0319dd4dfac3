package measure

import (
	"syscall"
	"time"
	"unsafe"
)

// ThreadTime returns the CPU time of the calling thread since some fixed time. Other load does not affect
// it. Callers lock the thread (runtime.LockOSThread).
func ThreadTime() time.Duration {
	const ofThread = 3 // CLOCK_THREAD_CPUTIME_ID
	var at syscall.Timespec
	if _, _, err := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, ofThread, uintptr(unsafe.Pointer(&at)), 0); err != 0 {
		panic(err)
	}
	return time.Duration(at.Nano())
}
