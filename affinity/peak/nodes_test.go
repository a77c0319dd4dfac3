package peak_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
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
		ledger := noderesources.New(n.Allocatable)
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

func TestNodes(t *testing.T) {
	pods := func(lists ...corev1.ResourceList) []corev1.ResourceList { return lists }
	tests := []struct {
		name string
		node candidate
		room peak.Room
		want []string
	}{
		{"just enough", candidate{Allocatable: list("cpu", "3", "memory", "2Gi", "pods", "2")}, peak.Holds, nil},
		{"just enough is left", candidate{Allocatable: list("cpu", "4", "memory", "3Gi", "pods", "4"), Pods: pods(list("cpu", "1", "memory", "0.5Gi"), list("memory", "512Mi"))}, peak.Holds, nil},
		{"a little less", candidate{Allocatable: list("cpu", "2999m", "memory", "2Gi", "pods", "2")}, peak.Waits, []string{
			"Insufficient cpu: 3000 requested, 0 of 2999 used",
		}},
		{"enough for each alone", candidate{Allocatable: list("cpu", "2", "memory", "2Gi", "pods", "1")}, peak.Waits, []string{
			"Insufficient cpu: 3000 requested, 0 of 2000 used", "Too many pods: 2 requested, 0 of 1 used",
		}},
		{"no room for the largest task", candidate{Allocatable: list("cpu", "1999m", "memory", "2Gi", "pods", "1")}, peak.Never, []string{
			"Insufficient cpu: 3000 requested, 0 of 1999 used", "Too many pods: 2 requested, 0 of 1 used",
		}},
		{"no pods left", candidate{Allocatable: list("cpu", "9", "memory", "9Gi", "pods", "1"), Pods: pods(nil)}, peak.Never, []string{
			"Too many pods: 2 requested, 1 of 1 used",
		}},
		{"no allocatable resources", candidate{}, peak.Never, []string{
			"Insufficient cpu: 3000 requested, 0 of 0 used", "Insufficient memory: 2147483648 requested, 0 of 0 used", "Too many pods: 2 requested, 0 of 0 used",
		}},
		{"more requested than there is", candidate{Allocatable: list("cpu", "3", "memory", "1Gi", "pods", "9"), Pods: pods(list("memory", "1.5Gi", "example.com/gpu", "1"))}, peak.Never, []string{
			"Insufficient memory: 2147483648 requested, 1610612736 of 1073741824 used",
		}},
		{"no task alone is short of the last one", candidate{Allocatable: list("cpu", "1", "memory", "2Gi", "pods", "1")}, peak.Never, []string{
			"Insufficient cpu: 3000 requested, 0 of 1000 used", "Too many pods: 2 requested, 0 of 1 used",
		}},
		{"as many pods as there may be", candidate{Allocatable: list("cpu", "3", "memory", "2Gi", "pods", "3"), Pods: pods(nil)}, peak.Holds, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.node.Name = "n"
			got := peak.Nodes(twoTasks(t), ledgersOf(&test.node))
			if len(got) != 1 || got[0].Node != "n" || got[0].Room != test.room {
				t.Fatalf("%+v, want %v", got, test.room)
			}
			if diff := cmp.Diff(test.want, inWords(got[0].Shortages)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNodesAreSorted(t *testing.T) {
	var got []string
	ledgers := ledgersOf(&candidate{Name: "c"}, &candidate{Name: "a"}, &candidate{Name: "b"})
	ledgers["none"] = nil
	for _, v := range peak.Nodes(nil, ledgers) {
		got = append(got, v.Node)
		if v.Room != peak.Holds || v.Shortages != nil {
			t.Errorf("a run without demand: %+v", v)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	demand := twoTasks(t)
	demand[0], demand[2] = demand[2], demand[0]
	shortages := verdictOn(demand, &candidate{}).Shortages
	if shortages[0].Resource != "cpu" || shortages[1].Resource != "memory" || shortages[2].Resource != "pods" {
		t.Errorf("shortages %v", shortages)
	}
	if got := peak.Nodes(demand, nil); len(got) != 0 {
		t.Errorf("of no nodes: %v", got)
	}
}

func TestWith(t *testing.T) {
	demand := twoTasks(t)
	got := demand.With(list("cpu", "50m", "memory", "100Mi", "pods", "7"), nil, list("example.com/gpu", "1", "cpu", "-1", "storage", "0"))
	want := []most{
		{"cpu", "3050m", []string{"a", "b"}, "2050m"},
		{"example.com/gpu", "1", nil, "1"},
		{"memory", "2148Mi", []string{"a"}, "2148Mi"},
		{"pods", "5", []string{"a", "b"}, "4"},
	}
	if diff := cmp.Diff(want, printed(got)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if diff := cmp.Diff(printed(demand), printed(demand.With())); diff != "" {
		t.Errorf("with nothing (-want +got):\n%s", diff)
	}
	if text := inWords(verdictOn(got, &candidate{}).Shortages)[1]; text != "Insufficient example.com/gpu: 1 requested, 0 of 0 used" {
		t.Errorf("a shortage that no task causes: %s", text)
	}
}

// A ledger does not count what the scheduler does not count.
func TestNodesWithoutAResource(t *testing.T) {
	demand := peak.Demand{{Resource: "storage", Amount: resource.MustParse("1"), Largest: resource.MustParse("1")}}
	if got := verdictOn(demand, &candidate{Allocatable: list("storage", "2")}); got.Room != peak.Never || !got.Shortages.Unresolvable() {
		t.Errorf("%+v", got)
	}
}

// The scheduler's message for a pod that requests as much as a run does at its peak.
func TestShortagesOfARun(t *testing.T) {
	demand := peak.Demand{{Resource: "cpu", Amount: resource.MustParse("2500001u"), Largest: resource.MustParse("1")}}
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
		if diff := cmp.Diff(noderesources.Shortages{test.want}, verdictOn(demand, &test.node).Shortages); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
