package trace

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/internal/terminal"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A trace computes the number of the report on its own, step by step.
func TestTracesEndAtTheNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.PodWith(testkit.Ordinary()).Draw(t, "pod")
		pod.Status = corev1.PodStatus{}
		in := manifest.Input{Workloads: []manifest.Workload{{Kind: "Pod", Name: "web", Pods: 1, Pod: pod}}}
		r := report.Of(&in, report.Options{})
		sums := r.Workloads[0].Pod
		for list, amounts := range map[computeresources.List]report.Amounts{computeresources.Requests: sums.Requests, computeresources.Limits: sums.Limits} {
			for name, want := range amounts {
				n := Number{list, name}
				got := lastOf(of(&r.Workloads[0], n).Rows)
				if got == nil {
					t.Fatalf("%v: no amount for one pod", n)
				}
				if a := parse(t, got.Cells[0]); got.Label == "resize in progress" || a.Cmp(want) != 0 {
					t.Errorf("%v: %s %s, want %s", n, got.Label, got.Cells[0], amounts.Text(name))
				}
			}
		}
	})
}

// lastOf returns the last amount of one pod.
func lastOf(rows []*terminal.Row) (last *terminal.Row) {
	heading := ""
	for _, r := range rows {
		if r.Indent == 0 {
			heading = r.Label
		} else if heading == "one pod" && r.Label != "binding limit" {
			last = r
		}
	}
	return last
}

func parse(t *rapid.T, text string) resource.Quantity {
	parsed, err := quantity.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
