package measure_test

import (
	"strings"
	"testing"
	"time"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestRunScale(t *testing.T) {
	prepared := 0
	sleep := func(d time.Duration) func() { return func() { time.Sleep(d) } }
	results := measure.RunScale([]measure.Scale{
		{Subject: "short", Yardstick: "long", AtMost: 1, Prepare: func() (func(), func(), time.Duration) {
			prepared++
			return sleep(0), sleep(20 * time.Millisecond), 0
		}},
		{Subject: "long", Yardstick: "a millisecond", AtMost: 1, Prepare: func() (func(), func(), time.Duration) {
			prepared++
			return sleep(20 * time.Millisecond), nil, time.Millisecond
		}},
	}, 3)
	if prepared != 2 {
		t.Errorf("prepared %d times, want once for each of 2 lines", prepared)
	}
	short, long := results[0], results[1]
	if short.Took <= 0 || short.Beside <= short.Took || short.Ratio != short.Took/short.Beside || !short.Met() {
		t.Errorf("short beside long: %+v", short)
	}
	if long.Beside != 1e6 || long.Took <= 1e6 || long.Ratio != long.Took/long.Beside || long.Met() {
		t.Errorf("long beside a millisecond: %+v", long)
	}
	if short.Subject != "short" || short.Yardstick != "long" || short.AtMost != 1 {
		t.Errorf("%+v", short)
	}
}

func TestPrintScale(t *testing.T) {
	results := []measure.ScaleResult{
		{Subject: "quick", Yardstick: "them", Took: 100, Beside: 1e9, Ratio: 1e-7, AtMost: .005},
		{Subject: "at the limit", Yardstick: "them", Took: 6, Beside: 2, Ratio: 3, AtMost: 3},
		{Subject: "slow", Yardstick: "them", Took: 7e6, Beside: 2e6, Ratio: 3.5, AtMost: 3},
	}
	var b strings.Builder
	met, err := measure.PrintScale(&b, results)
	if err != nil || met {
		t.Errorf("PrintScale = %v, %v: a line misses its target", met, err)
	}
	want := "" +
		"      at scale    takes   beside   ratio  at most     met  yardstick\n" +
		"         quick   100 ns   1.00 s  1e-07×   0.005×     yes  them\n" +
		"  at the limit     6 ns     2 ns      3×       3×     yes  them\n" +
		"          slow  7.00 ms  2.00 ms    3.5×       3×  missed  them\n"
	if b.String() != want {
		t.Errorf("printed\n%s, want\n%s", b.String(), want)
	}
	if met, _ := measure.PrintScale(&b, results[:2]); !met {
		t.Error("the first lines meet their targets")
	}
}
