package command

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var to bytes.Buffer
	p := &Progress{ended: make(chan struct{})}
	for range 3 {
		p.Count()
	}
	p.group.Go(func() { p.show(&to, time.Millisecond, time.Millisecond) })
	time.Sleep(100 * time.Millisecond)
	p.Stop()
	if text := to.String(); !strings.HasPrefix(text, eraseLine+"kubemath: 3 objects read") || !strings.HasSuffix(text, eraseLine) {
		t.Errorf("%q", text)
	}
	to.Reset()
	p = startProgress(&to, 0, 0)
	p.Stop()
	if to.Len() > 0 {
		t.Errorf("what is no terminal gets %q", to.String())
	}
	p = &Progress{ended: make(chan struct{})}
	p.group.Go(func() { p.show(&to, time.Hour, time.Millisecond) })
	p.Stop()
	if to.Len() > 0 {
		t.Errorf("too early: %q", to.String())
	}
}
