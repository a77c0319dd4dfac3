package measure_test

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	err := measure.Markdown(&b,
		[]measure.Result{
			{Kernel: "fast", Rival: "them", Ours: 100, Theirs: 600, Floor: 50, OverFloor: 2, Ratio: 6, AtLeast: 4, Aim: 8, OurAllocs: 1, TheirAllocs: 7},
			{Kernel: "slow", Rival: "others", Ours: 2, Theirs: 3, Ratio: 1.5, AtLeast: 4, Aim: 6},
			{Kernel: "above", Rival: "them", Above: "a map", Ours: 90, Theirs: 900, Floor: 30, OverFloor: 3, Ratio: 10},
			{Kernel: "like it", Rival: "them", Above: "a map", Ours: 80, Theirs: 800, Floor: 20, OverFloor: 4, Ratio: 10},
			{Kernel: "unknown", Rival: "them", Ours: 90, Theirs: 900, Floor: 20, OverFloor: 4.5, Ratio: 10},
		},
		[]measure.ScaleResult{{Subject: "of 10 pods", Yardstick: "one", Took: 9, Beside: 9, Ratio: 1, AtMost: 2},
			{Subject: "of 200 pods", Yardstick: "one", Took: 90, Beside: 9, Ratio: 10, AtMost: 20}, {Subject: "many", Yardstick: "few", Took: 7, Beside: 2, Ratio: 3.5, AtMost: 4}})
	want := "" +
		"| kernel | ours | theirs | ratio | floor | ours ÷ floor | allocations | theirs | rival |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|---|\n" +
		"| fast | 100 ns | 600 ns | **6.0×** | 50 ns | 2.0 | 1 | 7 | them |\n" +
		"| slow | 2 ns | 3 ns | **1.5×** | – | – | 0 | 0 | others |\n" +
		"| above | 90 ns | 900 ns | **10.0×** | 30 ns | 3.0 | 0 | 0 | them |\n" +
		"| like it | 80 ns | 800 ns | **10.0×** | 20 ns | 4.0 | 0 | 0 | them |\n" +
		"| unknown | 90 ns | 900 ns | **10.0×** | 20 ns | 4.5 | 0 | 0 | them |\n" +
		"\nMore than twice their floor, and what the remaining time is spent on:\n\n" +
		"- above; like it: a map\n" +
		"- unknown: not explained\n" +
		"\n" +
		"| at scale | takes | yardstick | takes | ratio | at most |\n" +
		"|---|--:|---|--:|--:|--:|\n" +
		"| of 200 pods | 90 ns | one | 9 ns | **10×** | 20× |\n" +
		"| many | 7 ns | few | 2 ns | **3.5×** | 4× |\n"
	if err != nil || b.String() != want {
		t.Errorf("%v, wrote\n%s, want\n%s", err, b.String(), want)
	}
}
