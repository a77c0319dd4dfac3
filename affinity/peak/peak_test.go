package peak_test

import (
	"strconv"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

var list = testkit.List

// task is a task that runs after those that are named behind its requests.
func task(name string, requests corev1.ResourceList, after ...string) affinity.Task {
	return affinity.Task{Name: name, Requests: requests, RunAfter: after}
}

func retried(t affinity.Task) affinity.Task {
	t.Retries = 1
	return t
}

// most is a peak as it is printed.
type most struct {
	Resource corev1.ResourceName
	Amount   string
	Tasks    []string
	Largest  string
}

func printed(d peak.Demand) (peaks []most) {
	for _, p := range d.Peaks {
		peaks = append(peaks, most{p.Resource, p.Amount.String(), p.Tasks, p.Largest.String()})
	}
	return peaks
}

func TestOf(t *testing.T) {
	diamond := []affinity.Task{
		task("clone", list("cpu", "100m", "memory", "4Gi")),
		task("unit", list("cpu", "2", "memory", "1Gi"), "clone"),
		task("lint", list("cpu", "500m", "memory", "1.5Gi"), "clone"),
		task("image", list("cpu", "2400m", "memory", "2Gi"), "unit", "lint"),
	}
	tests := []struct {
		name string
		run  affinity.Run
		opts peak.Options
		want []most
	}{
		{"nothing", affinity.Run{}, peak.Options{}, nil},
		{"one task without requests", affinity.Run{Tasks: []affinity.Task{task("a", nil)}}, peak.Options{}, []most{{"pods", "1", []string{"a"}, "1"}}},
		{"at different times", affinity.Run{Tasks: diamond}, peak.Options{}, []most{
			{"cpu", "2500m", []string{"lint", "unit"}, "2400m"},
			{"memory", "4Gi", []string{"clone"}, "4Gi"},
			{"pods", "2", []string{"lint", "unit"}, "1"},
		}},
		{"only some tasks", affinity.Run{Tasks: diamond}, peak.Options{Only: []string{"image", "clone", "unit"}}, []most{
			{"cpu", "2400m", []string{"image"}, "2400m"},
			{"memory", "4Gi", []string{"clone"}, "4Gi"},
			{"pods", "1", []string{"clone"}, "1"},
		}},
		{"only some tasks, without the largest", affinity.Run{Tasks: diamond}, peak.Options{Only: []string{"unit", "lint"}}, []most{
			{"cpu", "2500m", []string{"lint", "unit"}, "2"},
			{"memory", "2560Mi", []string{"lint", "unit"}, "1536Mi"},
			{"pods", "2", []string{"lint", "unit"}, "1"},
		}},
		{"no tasks", affinity.Run{Tasks: diamond}, peak.Options{Only: []string{}}, nil},
		{"a task between the selected ones still orders them", affinity.Run{Tasks: []affinity.Task{task("a", nil), task("b", nil, "a"), task("c", nil, "b")}}, peak.Options{Only: []string{"a", "c"}}, []most{{"pods", "1", []string{"a"}, "1"}}},
		{"retries do not overlap", affinity.Run{Tasks: []affinity.Task{retried(task("a", list("cpu", "1"))), task("b", list("cpu", "1"))}}, peak.Options{}, []most{
			{"cpu", "2", []string{"a", "b"}, "1"}, {"pods", "2", []string{"a", "b"}, "1"},
		}},
		{"overlapping retries", affinity.Run{Tasks: []affinity.Task{retried(task("a", list("cpu", "1.5"))), task("b", list("cpu", "1"), "a")}, Finally: []affinity.Task{retried(task("f", nil))}}, peak.Options{OverlapRetries: true}, []most{
			{"cpu", "3", []string{"a"}, "1500m"}, {"pods", "2", []string{"a"}, "1"},
		}},
		{"at the end", affinity.Run{
			Tasks:   []affinity.Task{task("a", list("cpu", "1")), task("b", list("cpu", "1"))},
			Finally: []affinity.Task{task("z", list("cpu", "1")), task("x", list("memory", "1")), task("y", list("cpu", "1001m"))},
		}, peak.Options{}, []most{
			{"cpu", "2001m", []string{"y", "z"}, "1001m"}, {"memory", "1", []string{"x"}, "1"}, {"pods", "3", []string{"x", "y", "z"}, "1"},
		}},
		{"equal peak in finally is later", affinity.Run{Tasks: []affinity.Task{task("z", list("cpu", "1"))}, Finally: []affinity.Task{task("a", list("cpu", "1000m"))}}, peak.Options{}, []most{
			{"cpu", "1", []string{"z"}, "1"}, {"pods", "1", []string{"z"}, "1"},
		}},
		{"the earliest", affinity.Run{Tasks: []affinity.Task{task("c", list("cpu", "1"), "b"), task("b", list("cpu", "1"), "a"), task("a", list("cpu", "1")), task("x", list("cpu", "1"), "a")}}, peak.Options{}, []most{
			{"cpu", "2", []string{"b", "x"}, "1"}, {"pods", "2", []string{"b", "x"}, "1"},
		}},
		{"zero is not requested", affinity.Run{Tasks: []affinity.Task{task("a", list("cpu", "0", "memory", "1")), task("b", list("cpu", "0"))}}, peak.Options{}, []most{
			{"memory", "1", []string{"a"}, "1"}, {"pods", "2", []string{"a", "b"}, "1"},
		}},
		{"pods are counted, not requested", affinity.Run{Tasks: []affinity.Task{task("a", list("pods", "7"))}}, peak.Options{}, []most{{"pods", "1", []string{"a"}, "1"}}},
		{"any scale", affinity.Run{Tasks: []affinity.Task{task("a", list("cpu", "1n")), task("b", list("cpu", "10E"), "c"), task("c", list("cpu", "9999999999999999999")), task("d", list("cpu", "1.5u"))}}, peak.Options{}, []most{
			{"cpu", "10000000000000000000000001501n", []string{"a", "b", "d"}, "10E"}, {"pods", "3", []string{"a", "c", "d"}, "1"},
		}},
		{"edges twice", affinity.Run{Tasks: []affinity.Task{task("a", nil), task("b", nil, "a", "a")}}, peak.Options{}, []most{{"pods", "1", []string{"a"}, "1"}}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.NoDiff(t, printed(of(t, &test.run, test.opts)), test.want)
		})
	}
}

// Of 129 tasks, two request CPU, one right after the other.
func TestOfManyTasks(t *testing.T) {
	run := affinity.Run{Tasks: []affinity.Task{task("0", list("cpu", "1"))}}
	for i := 1; i < 128; i++ {
		run.Tasks = append(run.Tasks, task(strconv.Itoa(i), nil, "0"))
	}
	run.Tasks[64].Requests = list("cpu", "1")
	run.Tasks = append(run.Tasks, task("128", nil, "1"))
	demand := of(t, &run, peak.Options{})
	testkit.NoDiff(t, printed(demand)[:1], []most{{"cpu", "1", []string{"0"}, "1"}})
}

func TestOfRejects(t *testing.T) {
	for _, test := range []struct {
		name string
		run  *affinity.Run
		opts peak.Options
		want string
	}{
		{"no run", nil, peak.Options{Only: []string{"a"}}, "run: Required value"},
		{"cycle", &affinity.Run{Tasks: []affinity.Task{task("a", nil, "a")}}, peak.Options{}, `tasks[0].runAfter: Invalid value: "a -> a": the tasks run after each other`},
		{"an invalid task", &affinity.Run{Tasks: []affinity.Task{{Name: "a", Retries: -1}}}, peak.Options{}, "tasks[0].retries: Invalid value: -1: must be greater than or equal to 0"},
		{"an invalid task of Finally", &affinity.Run{Finally: []affinity.Task{{Name: "a", FanOut: -1}}}, peak.Options{}, "finally[0].fanOut: Invalid value: -1: must be greater than or equal to 0"},
		{"unknown", &affinity.Run{Tasks: []affinity.Task{task("a", nil)}, Finally: []affinity.Task{task("f", nil)}}, peak.Options{Only: []string{"a", "b", "f"}}, `options.only[1]: Not found: "b"`},
	} {
		demand, err := peak.DemandOf(test.run, test.opts)
		if demand.Peaks != nil || err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, %v, want %s", test.name, demand, err, test.want)
		}
	}
}

// Of equal amounts, Largest has the format of the first task by name.
func TestLargestDoesNotDependOnTheOrderOfTasks(t *testing.T) {
	tasks := []affinity.Task{
		task("d", list("memory", "1Ki")),
		task("c", list("memory", "1024")),
		task("b", list("memory", "1Ki")),
		task("a", list("memory", "1023")),
	}
	rapid.Check(t, func(t *rapid.T) {
		run := &affinity.Run{Tasks: rapid.Permutation(tasks).Draw(t, "tasks")}
		split := rapid.IntRange(0, len(tasks)).Draw(t, "split")
		run.Tasks, run.Finally = run.Tasks[:split], run.Tasks[split:]
		demand, err := peak.DemandOf(run, peak.Options{})
		testkit.OK(t, err)
		if largest := take(&demand, "memory").Largest; largest.String() != "1Ki" {
			t.Fatalf("of all: %s, want that of b", largest.String())
		}
		run.Tasks, run.Finally = rapid.Permutation(tasks[:2]).Draw(t, "two"), nil
		demand, _ = peak.DemandOf(run, peak.Options{})
		if largest := take(&demand, "memory").Largest; largest.String() != "1024" {
			t.Fatalf("of c and d: %s, want that of c", largest.String())
		}
	})
}
