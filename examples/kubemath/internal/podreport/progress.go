package podreport

import (
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/kubemath/kubemath/examples/internal/terminal"
)

const (
	progressAfter = 2 * time.Second
	progressEvery = 200 * time.Millisecond
)

// progress shows on a terminal how many objects have been read, in one line that it overwrites.
type progress struct {
	objects atomic.Int64
	ended   chan struct{}
	group   sync.WaitGroup
}

// startProgress starts it after a delay, if the output is a terminal.
func startProgress(to io.Writer, after, every time.Duration) *progress {
	p := &progress{ended: make(chan struct{})}
	if file, isFile := to.(terminal.Descriptor); isFile && terminal.Columns(file) > 0 {
		p.group.Go(func() { p.show(to, after, every) })
	}
	return p
}

const eraseLine = "\r\x1b[K"

func (p *progress) show(to io.Writer, after, every time.Duration) {
	for wait := after; ; wait = every {
		select {
		case <-p.ended:
			if wait == every {
				io.WriteString(to, eraseLine)
			}
			return
		case <-time.After(wait):
			fmt.Fprintf(to, "%skubemath: %d objects read", eraseLine, p.objects.Load())
		}
	}
}

// count counts an object.
func (p *progress) count() { p.objects.Add(1) }

// stop ends it, and erases the line.
func (p *progress) stop() {
	close(p.ended)
	p.group.Wait()
}
