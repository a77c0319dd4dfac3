package golden

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/kubemath/kubemath/internal/measure"
)

// The time and memory that a program may use for an input of about a megabyte.
const (
	maxTime   = 10 * time.Second
	maxMemory = 512 << 20
)

// Bounded runs a program, and fails the test if it takes too long, twice, or too much memory, or if
// its exit code is not a documented one.
func Bounded(t testing.TB, name string, program Program, stdin string, args ...string) Result {
	t.Helper()
	defer debug.SetGCPercent(debug.SetGCPercent(100)) // that of a program
	var got Result
	for attempt := range 2 {
		runtime.GC()
		before, stop, peak := heap(), make(chan struct{}), make(chan uint64)
		go watch(stop, peak)
		begin := time.Now()
		got = Run(program, stdin, args...)
		took := time.Since(begin)
		close(stop)
		if most := max(<-peak, before) - before; most > maxMemory && !measure.Race {
			t.Errorf("%s: takes %d MiB", name, most>>20)
		}
		if took <= maxTime || measure.Race {
			break
		}
		if attempt > 0 {
			t.Errorf("%s: takes %v", name, took)
		}
	}
	if got.Code < 0 || got.Code > 2 {
		t.Errorf("%s: exit code %d", name, got.Code)
	}
	return got
}

// watch sends the most memory that objects have taken.
func watch(stop <-chan struct{}, peak chan<- uint64) {
	most := heap()
	for {
		select {
		case <-stop:
			peak <- max(most, heap())
			return
		case <-time.After(2 * time.Millisecond):
			most = max(most, heap())
		}
	}
}

// heap returns the size of live objects and of those not yet freed.
func heap() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
