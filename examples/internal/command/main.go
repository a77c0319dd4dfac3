package command

import (
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"sync"
)

// Interrupted is the exit code after Ctrl-C, as in shells.
const Interrupted = 130

// Main runs a program, and exits with its exit code. Ctrl-C ends it, unless it has begun to write its
// output: then it finishes, so that the output is complete, and a second Ctrl-C ends it.
func Main(program Program) {
	interrupts, done := make(chan os.Signal, 2), make(chan int, 1)
	signal.Notify(interrupts, os.Interrupt)
	out := &gate{File: os.Stdout}
	go func() { done <- program(os.Args[1:], os.Stdin, out, os.Stderr) }()
	select {
	case code := <-done:
		os.Exit(code)
	case <-interrupts:
	}
	if out.close() {
		select {
		case code := <-done:
			os.Exit(code)
		case <-interrupts:
		}
	}
	fmt.Fprintln(os.Stderr) // behind ^C
	os.Exit(Interrupted)
}

// gate is a file that can be closed until something has been written.
type gate struct {
	*os.File
	mutex  sync.Mutex
	begun  bool
	closed bool
}

func (g *gate) Write(text []byte) (int, error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if g.closed {
		return 0, os.ErrClosed
	}
	g.begun = true
	return g.File.Write(text)
}

// WriteString is Write.
func (g *gate) WriteString(text string) (int, error) { return g.Write([]byte(text)) }

// close blocks all further writes, unless something has been written already, which it reports.
func (g *gate) close() (begun bool) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.closed = !g.begun
	return g.begun
}

// LimitMemory runs garbage collection earlier than by default, because nearly all memory that decoding allocates is
// soon unused.
func LimitMemory() {
	debug.SetGCPercent(50)
	debug.SetMemoryLimit(softLimit)
}

// softLimit is the memory in bytes above which garbage collection takes more time.
const softLimit = 480 << 20
