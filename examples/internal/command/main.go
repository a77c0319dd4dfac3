package command

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
)

// Interrupted is the exit code after Ctrl-C, as in shells.
const Interrupted = 130

// Main runs a program, and exits with its exit code. Ctrl-C ends it.
func Main(program Program) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		<-interrupts
		fmt.Fprintln(os.Stderr) // behind ^C
		os.Exit(Interrupted)
	}()
	os.Exit(program(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// LimitMemory runs garbage collection earlier than by default, because nearly all memory that decoding allocates is
// soon unused.
func LimitMemory() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(softLimit)
}

// LimitGarbage runs it earlier still, once the input is read: from here on, little becomes unused.
func LimitGarbage() { debug.SetGCPercent(20) }

// softLimit is the memory in bytes above which garbage collection takes more time.
const softLimit = 480 << 20
