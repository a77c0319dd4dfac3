package allocator_test

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"
)

func TestDbg(t *testing.T) {
	n := many()
	runtime.LockOSThread()
	for which := range 2 {
		st := threadTime()
		var w weather
		if which == 0 {
			w = halfBound(n, false, fourResources, false)
		} else {
			w = halfBound(n, false, dozen(), true)
		}
		fmt.Fprintln(os.Stderr, "setup", threadTime()-st)
		type rec struct {
			took time.Duration
			b    int
		}
		none, some := map[string][]time.Duration{}, map[string][]time.Duration{}
		for range 3000 {
			for _, k := range w.kind {
				b0, _ := w.live.Counts()
				start := threadTime()
				k.do()
				took := threadTime() - start
				b1, _ := w.live.Counts()
				if b1 == b0 || b1 == b0-1 {
					none[k.name] = append(none[k.name], took)
				} else {
					some[k.name] = append(some[k.name], took)
				}
			}
		}
		for _, k := range w.kind {
			for what, all := range map[string][]time.Duration{"few": none[k.name], "more": some[k.name]} {
				slices.Sort(all)
				if len(all) > 0 {
					fmt.Fprintln(os.Stderr, k.name, what, len(all), "p50", all[len(all)/2], "p90", all[len(all)*9/10], "p99", all[len(all)*99/100], all[len(all)-1])
				}
			}
		}
	}
}
