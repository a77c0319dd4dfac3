package command

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

// Progress shows on a terminal how many objects have been read, in one line that it overwrites.
type Progress struct {
	objects atomic.Int64
	ended   chan struct{}
	group   sync.WaitGroup
}

// Progress starts it after a delay, if the standard error is a terminal.
func (c *Common) Progress() *Progress {
	to := c.flags.Output()
	if o, isOutput := to.(*output); isOutput { // which would escape what controls the terminal
		to = o.to
	}
	return startProgress(to, progressAfter, progressEvery)
}

func startProgress(to io.Writer, after, every time.Duration) *Progress {
	p := &Progress{ended: make(chan struct{})}
	if file, isFile := to.(terminal.Descriptor); isFile && terminal.Columns(file) > 0 {
		p.group.Go(func() { p.show(to, after, every) })
	}
	return p
}

const eraseLine = "\r\x1b[K"

func (p *Progress) show(to io.Writer, after, every time.Duration) {
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

// Count counts an object.
func (p *Progress) Count() { p.objects.Add(1) }

// Stop ends it, and erases the line.
func (p *Progress) Stop() {
	close(p.ended)
	p.group.Wait()
}
