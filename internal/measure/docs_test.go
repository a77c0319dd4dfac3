package measure_test

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/measure"
)

func TestMarkdown(t *testing.T) {
	var b strings.Builder
	err := measure.Markdown(&b,
		[]measure.Result{
			{Kernel: "fast", Rival: "them", Ours: 100, Theirs: 600, Floor: 50, OverFloor: 2, Ratio: 6, AtLeast: 4, Aim: 8, OurAllocs: 1, TheirAllocs: 7},
			{Kernel: "slow", Rival: "others", Ours: 2, Theirs: 3, Ratio: 1.5, AtLeast: 4, Aim: 6},
			{Kernel: "above", Rival: "them", Above: "a map", Ours: 90, Theirs: 900, Floor: 30, OverFloor: 3, Ratio: 10},
			{Kernel: "unknown", Rival: "them", Ours: 90, Theirs: 900, Floor: 20, OverFloor: 4.5, Ratio: 10},
		},
		[]measure.ScaleResult{{Subject: "many", Yardstick: "few", Took: 7, Beside: 2, Ratio: 3.5, AtMost: 4}})
	want := "" +
		"| kernel | ours | theirs | ratio | floor | ours ÷ floor | allocations | theirs | rival |\n" +
		"|---|--:|--:|--:|--:|--:|--:|--:|---|\n" +
		"| fast | 100 ns | 600 ns | **6.0×** | 50 ns | 2.0 | 1 | 7 | them |\n" +
		"| slow | 2 ns | 3 ns | **1.5×** | – | – | 0 | 0 | others |\n" +
		"| above | 90 ns | 900 ns | **10.0×** | 30 ns | 3.0 | 0 | 0 | them |\n" +
		"| unknown | 90 ns | 900 ns | **10.0×** | 20 ns | 4.5 | 0 | 0 | them |\n" +
		"\nMore than twice their floor, and what the remaining time is spent on:\n\n" +
		"- above, 3.0: a map\n" +
		"- unknown, 4.5: not explained\n" +
		"\n" +
		"| at scale | takes | yardstick | takes | ratio | at most |\n" +
		"|---|--:|---|--:|--:|--:|\n" +
		"| many | 7 ns | few | 2 ns | **3.5×** | 4× |\n"
	if err != nil || b.String() != want {
		t.Errorf("%v, wrote\n%s, want\n%s", err, b.String(), want)
	}
}

// The chart is well-formed, bars are as long as the logarithms of ratios, and every name and ratio
// is there. Slower results have no bar.
func TestChart(t *testing.T) {
	var b strings.Builder
	err := measure.Chart(&b, []measure.Result{
		{Kernel: "a & b", Rival: "<them>", Ours: 1, Theirs: 10, Ratio: 10, AtLeast: 4, Aim: 6},
		{Kernel: "c", Rival: "them", Ours: 1, Theirs: 100, Ratio: 100, AtLeast: 4, Aim: 6},
		{Kernel: "d", Rival: "them", Ours: 2, Theirs: 1, Ratio: .5, AtLeast: 4, Aim: 6},
	})
	if err != nil {
		t.Fatal(err)
	}
	var widths []string
	texts := map[string]bool{}
	decoder := xml.NewDecoder(strings.NewReader(b.String()))
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if e.Name.Local == "rect" && e.Attr[0].Value == "bar" {
				widths = append(widths, e.Attr[3].Value)
			}
		case xml.CharData:
			texts[string(e)] = true
		}
	}
	if diff := cmp.Diff([]string{"235.0", "470.0", "0.0"}, widths); diff != "" {
		t.Errorf("bars (-want +got):\n%s", diff)
	}
	for _, want := range []string{"a & b", "c", "10×", "100×", "0.5×", "1 ns beside 10 ns of <them>", "1×", "2×", "50×"} {
		if !texts[want] {
			t.Errorf("%q is missing in %s", want, fmt.Sprint(texts))
		}
	}
}
