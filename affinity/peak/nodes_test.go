package peak_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// candidate is a node, with the requests of each of its pods.
type candidate struct {
	Name        string
	Allocatable corev1.ResourceList
	Pods        []corev1.ResourceList
}

// ledgersOf returns the ledgers of nodes.
func ledgersOf(nodes ...*candidate) map[string]*noderesources.Ledger {
	ledgers := map[string]*noderesources.Ledger{}
	for _, n := range nodes {
		ledger := noderesources.NewLedger(n.Allocatable)
		for _, requests := range n.Pods {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", requests, nil)}}}
			if err := ledger.Add("", noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
				panic(err)
			}
		}
		ledgers[n.Name] = ledger
	}
	return ledgers
}

// verdictOn returns the verdict on a single node.
func verdictOn(demand peak.Demand, node *candidate) peak.Verdict {
	return peak.Nodes(demand, ledgersOf(node))[0]
}

// inWords returns shortages with their amounts.
func inWords(shortages noderesources.Shortages) (all []string) {
	for _, s := range shortages {
		all = append(all, fmt.Sprintf("%s: %d requested, %d of %d used", s.Error(), s.Requested, s.Used, s.Capacity))
	}
	return all
}

// twoTasks run at the same time: a requests 1 cpu and 2Gi, b 2 cpu.
func twoTasks(t *testing.T) peak.Demand {
	return of(t, &affinity.Run{Tasks: []affinity.Task{task("a", list("cpu", "1", "memory", "2Gi")), task("b", list("cpu", "2"))}}, peak.Options{})
}

func TestWith(t *testing.T) {
	demand := twoTasks(t)
	got := demand
	for _, pod := range []corev1.ResourceList{list("cpu", "50m", "memory", "100Mi", "pods", "7"), nil, list("example.com/gpu", "1", "cpu", "-1", "storage", "0")} {
		got = got.With(pod, pod)
	}
	want := []most{
		{"cpu", "3050m", []string{"a", "b"}, "2050m"},
		{"example.com/gpu", "1", nil, "1"},
		{"memory", "2148Mi", []string{"a"}, "2148Mi"},
		{"pods", "5", []string{"a", "b"}, "4"},
	}
	testkit.NoDiff(t, printed(got), want)
	if text := inWords(verdictOn(got, &candidate{}).Shortages)[1]; text != "Insufficient example.com/gpu: 1 requested, 0 of 0 used" {
		t.Errorf("a shortage that no task causes: %s", text)
	}
}

// The scheduler's message for a pod that requests as much as a run does at its peak.
func TestShortagesOfARun(t *testing.T) {
	demand := peak.Demand{Peaks: []peak.Peak{{Resource: "cpu", Amount: resource.MustParse("2500001u"), Largest: resource.MustParse("1")}}}
	for _, test := range []struct {
		name string
		node candidate
		want noderesources.Shortage
	}{
		{"other pods could leave", candidate{Allocatable: list("cpu", "4"), Pods: []corev1.ResourceList{list("cpu", "1"), list("cpu", "1500m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 2500, Capacity: 4000}},
		{"other pods could leave a node that is exactly large enough", candidate{Allocatable: list("cpu", "2500001u"), Pods: []corev1.ResourceList{list("cpu", "1m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 1, Capacity: 2501}},
		{"unresolvable", candidate{Allocatable: list("cpu", "2500m"), Pods: []corev1.ResourceList{list("cpu", "1m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 1, Capacity: 2500, Unresolvable: true}},
	} {
		testkit.NoDiff(t, verdictOn(demand, &test.node).Shortages, noderesources.Shortages{test.want}, test.name)
	}
	exact := peak.Demand{Peaks: []peak.Peak{{Resource: "cpu", Amount: resource.MustParse("2"), Largest: resource.MustParse("1")}}}
	used := &candidate{Allocatable: list("cpu", "2"), Pods: []corev1.ResourceList{list("cpu", "1")}}
	if got := verdictOn(exact, used).Shortages; got[0].Unresolvable {
		t.Error("a node that is exactly large enough is unresolvable")
	}
}
