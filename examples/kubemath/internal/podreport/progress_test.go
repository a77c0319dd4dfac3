package podreport

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var to bytes.Buffer
	p := &progress{ended: make(chan struct{})}
	for range 3 {
		p.count()
	}
	p.group.Go(func() { p.show(&to, time.Millisecond, time.Millisecond) })
	time.Sleep(100 * time.Millisecond)
	p.stop()
	if text := to.String(); !strings.HasPrefix(text, eraseLine+"kubemath: 3 objects read") || !strings.HasSuffix(text, eraseLine) {
		t.Errorf("%q", text)
	}
	to.Reset()
	p = startProgress(&to, 0, 0)
	p.stop()
	if to.Len() > 0 {
		t.Errorf("what is no terminal gets %q", to.String())
	}
	p = &progress{ended: make(chan struct{})}
	p.group.Go(func() { p.show(&to, time.Hour, time.Millisecond) })
	p.stop()
	if to.Len() > 0 {
		t.Errorf("too early: %q", to.String())
	}
}
