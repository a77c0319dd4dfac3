package peak_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestGraph(t *testing.T) {
	g := peak.Graph{Tasks: []peak.GraphTask{
		{Name: "plan"},
		{Name: "shard", RunAfter: []string{"plan"}, Requests: list("cpu", "500m"), FanOut: 3},
		{Name: "approve", RunAfter: []string{"plan"}, Requests: list("cpu", "9"), NoPod: true},
		{Name: "merge", RunAfter: []string{"shard", "approve"}, Requests: list("cpu", "1", "memory", "1Gi")},
	}}
	demand, err := g.Demand()
	if err != nil {
		t.Fatal(err)
	}
	want := []most{
		{"cpu", "1500m", []string{"shard"}, "1"},
		{"memory", "1Gi", []string{"merge"}, "1Gi"},
		{"pods", "3", []string{"shard"}, "1"},
	}
	if diff := cmp.Diff(want, printed(demand)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if demand, err := (peak.Graph{}).Demand(); demand != nil || err != nil {
		t.Errorf("no tasks: %v, %v", demand, err)
	}
}

func TestGraphRejects(t *testing.T) {
	for _, test := range []struct {
		name  string
		tasks []peak.GraphTask
		want  string
	}{
		{"an unknown task", []peak.GraphTask{{Name: "a", RunAfter: []string{"b"}}}, `tasks[0].runAfter[0]: Not found: "b"`},
		{"a negative request", []peak.GraphTask{{Name: "a", Requests: list("cpu", "-1")}}, `tasks[0].requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`},
		{"negative fan-out", []peak.GraphTask{{Name: "a", FanOut: -1}}, `tasks[0].fanOut: Invalid value: -1: must be greater than or equal to 0`},
	} {
		if _, err := (peak.Graph{Tasks: test.tasks}).Demand(); err == nil || err.Error() != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

// asGraph returns a run as a graph: its Finally tasks run after all others.
func asGraph(run *affinity.Run, opts peak.Options) (g peak.Graph) {
	var all []string
	for _, tasks := range [][]affinity.Task{run.Tasks, run.Finally} {
		before := all
		for _, task := range tasks {
			node := peak.GraphTask{Name: task.Name, RunAfter: slices.Concat(task.RunAfter, before), Requests: task.Requests, FanOut: task.FanOut}
			node.NoPod = task.NoPod || opts.Only != nil && !slices.Contains(opts.Only, task.Name)
			if opts.OverlapRetries && task.Retries > 0 {
				node.FanOut = 2 * max(task.FanOut, 1)
			}
			g.Tasks = append(g.Tasks, node)
			all = append(all, task.Name)
		}
	}
	return g
}

// A graph and a run with the same tasks have the same demand.
func TestGraphOfARun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		run := runs(12, testkit.Quantity()).Draw(t, "run")
		opts := options(run).Draw(t, "options")
		demand, err := asGraph(run, opts).Demand()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(of(t, run, opts), demand); diff != "" {
			t.Fatalf("-run +graph:\n%s", diff)
		}
	})
}

func TestLookUps(t *testing.T) {
	run := &affinity.Run{Tasks: []affinity.Task{task("a", list("cpu", "1", "memory", "2Gi")), task("b", list("cpu", "2")), task("c", nil, "a", "b")}}
	demand := of(t, run, peak.Options{})
	if p, ok := demand.Peak("memory"); !ok || p.Amount.String() != "2Gi" {
		t.Errorf("memory: %v %v", p, ok)
	}
	if p, ok := demand.Peak("example.com/gpu"); ok || p.Tasks != nil {
		t.Errorf("what nobody requests: %v", p)
	}
}
