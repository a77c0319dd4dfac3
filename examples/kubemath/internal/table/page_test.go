package table

import (
	"strings"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

func TestWidth(t *testing.T) {
	for text, want := range map[string]int{"": 0, "web": 3, "é": 1, "e\u0301": 1, "注文": 4, "한": 2, "ｗ": 2, "🚀": 2, "a\u200db": 2} {
		if got := width(text); got != want {
			t.Errorf("%q: %d columns, want %d", text, got, want)
		}
	}
}

// Lines keep to the columns of the terminal.
func TestColumns(t *testing.T) {
	sums := report.Sums{Unbounded: nil}
	r := &report.Report{NodeMemory: "16Gi", Workloads: []report.Workload{{
		Object: report.Object{Kind: "Pod", Name: "web", Scale: "1 pod"}, Pod: sums, Pods: 1,
		QoS: report.QoS{Class: "Burstable", Reason: strings.Repeat("word ", 60)},
	}}}
	for _, columns := range []int{80, 100, 132} {
		var b strings.Builder
		if err := Write(&b, r, columns); err != nil {
			t.Fatal(err)
		}
		longest := 0
		for line := range strings.Lines(b.String()) {
			longest = max(longest, width(strings.TrimSuffix(line, "\n")))
		}
		if longest > columns || longest < columns-10 {
			t.Errorf("%d columns: the longest line has %d", columns, longest)
		}
	}
}
