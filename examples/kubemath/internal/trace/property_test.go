package trace_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/podreport/manifest"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/examples/kubemath/internal/trace"
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
				n := trace.Number{List: list, Resource: name}
				got, found := lastOf(trace.Of(r, n)[0])
				if !found {
					t.Fatalf("%v: no amount for one pod", n)
				}
				if a := parse(t, got.Amount); got.Label == "resize in progress" || a.Cmp(want) != 0 {
					t.Errorf("%v: %s %s, want %s", n, got.Label, got.Amount, amounts.Text(name))
				}
			}
		}
	})
}

// lastOf returns the last amount of one pod.
func lastOf(t trace.Trace) (row trace.Row, found bool) {
	for _, step := range t.Steps {
		for _, r := range step.Rows {
			if step.Heading == "one pod" && r.Label != "binding limit" {
				row, found = r, true
			}
		}
	}
	return row, found
}

func parse(t *rapid.T, text string) resource.Quantity {
	parsed, err := quantity.Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return parsed
}
