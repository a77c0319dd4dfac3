package measure_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/measure"
)

var sink []byte

func TestRun(t *testing.T) {
	calls := map[string]int{}
	work := func(name string) func() {
		return func() { calls[name]++ }
	}
	allocate := func() { sink = make([]byte, 1<<10) }
	results := measure.Run([]measure.Row{
		{Kernel: "k", Rival: "r", Ours: work("ours"), Theirs: allocate, Floor: work("floor"), AtLeast: 1, Aim: 2},
		{Kernel: "without a floor", Ours: work("ours"), Theirs: work("theirs")},
	}, 3)
	r := results[0]
	if r.Ours <= 0 || r.Theirs <= 0 || r.Floor <= 0 || r.Ratio != r.Theirs/r.Ours || r.OverFloor != r.Ours/r.Floor {
		t.Errorf("floor %v, ours %v, theirs %v, ratio %v, over the floor %v", r.Floor, r.Ours, r.Theirs, r.Ratio, r.OverFloor)
	}
	if r.OurAllocs != 0 || r.TheirAllocs != 1 {
		t.Errorf("allocations %v and %v, want 0 and 1", r.OurAllocs, r.TheirAllocs)
	}
	if r := results[1]; r.Kernel != "without a floor" || r.Floor != 0 || r.OverFloor != 0 {
		t.Errorf("second row: %+v", r)
	}
	for _, name := range []string{"ours", "floor", "theirs"} {
		if calls[name] == 0 {
			t.Errorf("%s was never called", name)
		}
	}
}

func TestMet(t *testing.T) {
	targets := measure.Result{AtLeast: 4, Aim: 6, FloorWithin: 1.5, OurAllocsAtMost: 2, OverFloor: 1.2, OurAllocs: 2}
	with := func(change func(*measure.Result)) measure.Result {
		r := targets
		change(&r)
		return r
	}
	tests := []struct {
		want   string
		result measure.Result
	}{
		{"missed", with(func(r *measure.Result) { r.Ratio = 3.9 })},
		{"at least", with(func(r *measure.Result) { r.Ratio = 4 })},
		{"at least", with(func(r *measure.Result) { r.Ratio = 5.9 })},
		{"aim", with(func(r *measure.Result) { r.Ratio = 6 })},
		{"missed", with(func(r *measure.Result) { r.Ratio, r.OurAllocs = 7, 3 })},
		{"missed", with(func(r *measure.Result) { r.Ratio, r.OverFloor = 7, 1.6 })},
		{"aim", with(func(r *measure.Result) { r.Ratio, r.OverFloor, r.FloorWithin = 7, 1.6, 0 })},
		{"aim", with(func(r *measure.Result) { r.Ratio, r.Floor, r.OverFloor, r.FloorWithin = 3, 50, 2, 0 })},
		{"missed", with(func(r *measure.Result) { r.Ratio, r.Floor, r.OverFloor, r.FloorWithin = 3, 50, 2.1, 0 })},
		{"missed", with(func(r *measure.Result) { r.Ratio, r.Floor, r.OverFloor = 3, 50, 1.6 })},
	}
	for _, test := range tests {
		if got := test.result.Met(); got != test.want {
			t.Errorf("%+v: %q, want %q", test.result, got, test.want)
		}
	}
}

func TestPrint(t *testing.T) {
	results := []measure.Result{
		{Kernel: "fast", Rival: "them", Ours: 100, Theirs: 600, Floor: 50, Ratio: 6, OverFloor: 2, AtLeast: 4, Aim: 6, OurAllocsAtMost: 2, TheirAllocs: 7},
		{Kernel: "slow", Rival: "them", Ours: 20000, Theirs: 3e6, Ratio: 1.5, AtLeast: 4, Aim: 6},
	}
	var b strings.Builder
	met, err := measure.Print(&b, results)
	if err != nil || met {
		t.Errorf("Print = %v, %v: a row misses its target", met, err)
	}
	want := "" +
		"  kernel     ours   theirs  ratio  at least  aim  floor  ours/floor  allocs  theirs     met  rival\n" +
		"    fast   100 ns   600 ns   6.0×        4×   6×  50 ns        2.00  0 (≤2)       7     aim  them\n" +
		"    slow  20.0 µs  3.00 ms   1.5×        4×   6×      -           -  0 (≤0)       0  missed  them\n"
	if b.String() != want {
		t.Errorf("printed\n%q, want\n%q", b.String(), want)
	}
	if met, _ := measure.Print(&b, results[:1]); !met {
		t.Error("the first row alone meets its target")
	}
}
