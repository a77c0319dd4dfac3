package peak_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// short is a deficit as it is printed.
type short struct {
	Text string
	Room peak.Room
}

// twoTasks run at the same time: a requests 1 cpu and 2Gi, b 2 cpu.
func twoTasks(t *testing.T) peak.Demand {
	return of(t, &affinity.Run{Tasks: []affinity.Task{task("a", list("cpu", "1", "memory", "2Gi")), task("b", list("cpu", "2"))}}, peak.Options{})
}

func TestNodes(t *testing.T) {
	pods := func(lists ...corev1.ResourceList) []corev1.ResourceList { return lists }
	tests := []struct {
		name string
		node peak.Candidate
		room peak.Room
		want []short
	}{
		{"just enough", peak.Candidate{Allocatable: list("cpu", "3", "memory", "2Gi", "pods", "2")}, peak.Holds, nil},
		{"just enough is left", peak.Candidate{Allocatable: list("cpu", "4", "memory", "3Gi", "pods", "4"), Pods: pods(list("cpu", "1", "memory", "0.5Gi"), list("memory", "512Mi"))}, peak.Holds, nil},
		{"a little less", peak.Candidate{Allocatable: list("cpu", "2999m", "memory", "2Gi", "pods", "2")}, peak.Waits, []short{
			{"Insufficient cpu: 3 wanted at once by a, b, 2999m free", peak.Waits},
		}},
		{"enough for each alone", peak.Candidate{Allocatable: list("cpu", "2", "memory", "2Gi", "pods", "1")}, peak.Waits, []short{
			{"Insufficient cpu: 3 wanted at once by a, b, 2 free", peak.Waits}, {"Too many pods: 2 wanted at once by a, b, 1 free", peak.Waits},
		}},
		{"no room for the largest task", peak.Candidate{Allocatable: list("cpu", "1999m", "memory", "2Gi", "pods", "1")}, peak.Never, []short{
			{"Insufficient cpu: 3 wanted at once by a, b, 1999m free", peak.Never}, {"Too many pods: 2 wanted at once by a, b, 1 free", peak.Waits},
		}},
		{"no pods left", peak.Candidate{Allocatable: list("cpu", "9", "memory", "9Gi", "pods", "1"), Pods: pods(nil)}, peak.Never, []short{
			{"Too many pods: 2 wanted at once by a, b, 0 free", peak.Never},
		}},
		{"no allocatable resources", peak.Candidate{}, peak.Never, []short{
			{"Insufficient cpu: 3 wanted at once by a, b, 0 free", peak.Never}, {"Insufficient memory: 2Gi wanted at once by a, 0 free", peak.Never}, {"Too many pods: 2 wanted at once by a, b, 0 free", peak.Never},
		}},
		{"more requested than there is", peak.Candidate{Allocatable: list("cpu", "3", "memory", "1Gi", "pods", "9"), Pods: pods(list("memory", "1.5Gi", "example.com/gpu", "1"))}, peak.Never, []short{
			{"Insufficient memory: 2Gi wanted at once by a, -512Mi free", peak.Never},
		}},
		{"a pod is one pod", peak.Candidate{Allocatable: list("cpu", "3", "memory", "2Gi", "pods", "3"), Pods: pods(list("pods", "5"))}, peak.Holds, nil},
		{"negative requests do not count", peak.Candidate{Allocatable: list("cpu", "2", "memory", "2Gi", "pods", "3"), Pods: pods(list("cpu", "-1", "pods", "-5"))}, peak.Waits, []short{
			{"Insufficient cpu: 3 wanted at once by a, b, 2 free", peak.Waits},
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.node.Name = "n"
			got := peak.Nodes(twoTasks(t), []*peak.Candidate{&test.node})
			if len(got) != 1 || got[0].Node != "n" || got[0].Room != test.room {
				t.Fatalf("%+v, want %v", got, test.room)
			}
			var deficits []short
			for _, s := range got[0].Deficits {
				deficits = append(deficits, short{s.Error(), s.Room})
			}
			if diff := cmp.Diff(test.want, deficits); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNodesAreSorted(t *testing.T) {
	var got []string
	for _, v := range peak.Nodes(nil, []*peak.Candidate{{Name: "c"}, nil, {Name: "a"}, {Name: "b"}}) {
		got = append(got, v.Node)
		if v.Room != peak.Holds || v.Deficits != nil {
			t.Errorf("a run without demand: %+v", v)
		}
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	demand := twoTasks(t)
	demand[0], demand[2] = demand[2], demand[0]
	deficits := peak.Nodes(demand, []*peak.Candidate{{}})[0].Deficits
	if deficits[0].Resource != "cpu" || deficits[1].Resource != "memory" || deficits[2].Resource != "pods" {
		t.Errorf("deficits %v", deficits)
	}
	if got := peak.Nodes(demand, nil); len(got) != 0 {
		t.Errorf("of no nodes: %v", got)
	}
}

func TestWith(t *testing.T) {
	demand := twoTasks(t)
	got := demand.With(list("cpu", "50m", "memory", "100Mi"), nil, list("example.com/gpu", "1", "cpu", "-1", "storage", "0"))
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
	deficit := peak.Nodes(got, []*peak.Candidate{{}})[0].Deficits[1]
	if text := deficit.Error(); text != "Insufficient example.com/gpu: 1 wanted at once, 0 free" {
		t.Errorf("a deficit that no task makes: %s", text)
	}
}

func TestErrorOfDeficits(t *testing.T) {
	if err := (peak.Deficits{}).Err(); err != nil {
		t.Errorf("no deficits: %v", err)
	}
	deficits := peak.Nodes(twoTasks(t), []*peak.Candidate{{Allocatable: list("cpu", "2.5", "memory", "2Gi", "pods", "1")}})[0].Deficits
	const cpu, pods = "Insufficient cpu: 3 wanted at once by a, b, 2500m free", "Too many pods: 2 wanted at once by a, b, 1 free"
	if got := deficits[:1].Err(); got == nil || got.Error() != cpu {
		t.Errorf("one: %v, want %s", got, cpu)
	}
	got := deficits.Err()
	if want := "[" + cpu + ", " + pods + "]"; got == nil || got.Error() != want {
		t.Errorf("two: %v, want %s", got, want)
	}
	var all utilerrors.Aggregate
	if !errors.As(got, &all) || len(all.Errors()) != 2 {
		t.Fatalf("%#v is no Aggregate of two", got)
	}
	first, ok := all.Errors()[0].(*peak.Deficit)
	if !ok {
		t.Fatalf("no Deficit in %#v", got)
	}
	if diff := cmp.Diff(&deficits[0], first); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	first.Tasks[0] = "changed"
	if deficits[0].Tasks[0] != "a" {
		t.Error("the error shares memory with the deficits")
	}
}

// The scheduler's message for a pod that requests as much as a run does at its peak.
func TestDeficitsAreShortages(t *testing.T) {
	demand := peak.Demand{{Resource: "cpu", Amount: resource.MustParse("2500001u"), Largest: resource.MustParse("1")}}
	for _, test := range []struct {
		name string
		node peak.Candidate
		want noderesources.Shortage
	}{
		{"other pods could leave", peak.Candidate{Allocatable: list("cpu", "4"), Pods: []corev1.ResourceList{list("cpu", "1"), list("cpu", "1500m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 2500, Capacity: 4000}},
		{"other pods could leave a node that is exactly large enough", peak.Candidate{Allocatable: list("cpu", "2500001u"), Pods: []corev1.ResourceList{list("cpu", "1m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 1, Capacity: 2501}},
		{"unresolvable", peak.Candidate{Allocatable: list("cpu", "2500m"), Pods: []corev1.ResourceList{list("cpu", "1m")}},
			noderesources.Shortage{Resource: "cpu", Requested: 2501, Used: 1, Capacity: 2500, Unresolvable: true}},
	} {
		got := peak.Nodes(demand, []*peak.Candidate{&test.node})[0].Deficits
		if len(got) != 1 {
			t.Fatalf("%s: %v", test.name, got)
		}
		if diff := cmp.Diff(test.want, got[0].Shortage); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		var shortage *noderesources.Shortage
		if !errors.As(got.Err(), &shortage) || *shortage != test.want {
			t.Errorf("%s: no Shortage in %v", test.name, got.Err())
		}
	}
}
