package taskgraph_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/taskgraph"
	"github.com/kubemath/kubemath/internal/testkit"
)

// tasks returns tasks with paths.
func tasks(name string, all ...taskgraph.Task) []taskgraph.Task {
	for i := range all {
		all[i].Path = field.NewPath(name).Index(i)
	}
	return all
}

func TestValidate(t *testing.T) {
	task := func(name string, after ...string) taskgraph.Task { return taskgraph.Task{Name: name, RunAfter: after} }
	for _, test := range []struct {
		name        string
		tasks, last []taskgraph.Task
		want        []string
	}{
		{"in any order", []taskgraph.Task{task("c", "b", "a"), task("b", "a"), task("a")}, []taskgraph.Task{task("d")}, nil},
		{"names", []taskgraph.Task{task(""), task("a"), task("a")}, []taskgraph.Task{task("a")}, []string{
			"tasks[0].name: Required value", `tasks[2].name: Duplicate value: "a"`, `finally[0].name: Duplicate value: "a"`,
		}},
		{"an order of the last tasks", []taskgraph.Task{task("a", "b")}, []taskgraph.Task{task("b", "a")}, []string{
			`tasks[0].runAfter[0]: Not found: "b"`, "finally[0].runAfter: Forbidden: these tasks run after all others, and all at once",
		}},
		{"numbers", []taskgraph.Task{{Name: "a", Retries: -1, FanOut: -1, Requests: testkit.List("cpu", "-1")}}, nil, []string{
			"tasks[0].retries: Invalid value: -1: must be greater than or equal to 0",
			"tasks[0].fanOut: Invalid value: -1: must be greater than or equal to 0",
			`tasks[0].requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{"the first of the shortest cycles", []taskgraph.Task{task("a", "d", "c"), task("d", "b"), task("b", "a"), task("c", "b")}, nil, []string{
			`tasks[0].runAfter: Invalid value: "a -> c -> b -> a": the tasks run after each other`,
		}},
	} {
		var got []string
		for _, e := range taskgraph.Validate(tasks("tasks", test.tasks...), tasks("finally", test.last...)) {
			got = append(got, e.Error())
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
