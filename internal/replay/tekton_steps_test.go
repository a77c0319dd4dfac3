package replay_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// stepRequests is a pod of steps, sidecars and init containers, and Tekton's result for it in a
// namespace with a LimitRange. The answer omits amounts of zero.
type stepRequests struct {
	Name             string
	LimitRanges      []corev1.LimitRange
	Pod              corev1.PodSpec
	Want, WantLimits map[string]corev1.ResourceList
}

// replayStepRequests compares what every container requests, and is limited to, after
// filling in as Tekton does.
func replayStepRequests(t *testing.T, raw json.RawMessage) bool {
	var c stepRequests
	decode(t, raw, &c)
	if len(c.LimitRanges) != 1 || len(c.LimitRanges[0].Spec.Limits) != 1 {
		t.Errorf("%s: not one LimitRange of one item", c.Name)
		return false
	}
	changes, unmet := steps.Fill(&c.Pod, c.LimitRanges[0].Spec.Limits[0], steps.TektonStep, steps.TektonOptions())
	if len(unmet) > 0 {
		t.Errorf("%s: %v", c.Name, unmet)
	}
	if err := computeresources.ApplyChanges(&c.Pod, changes); err != nil {
		t.Errorf("%s: %v", c.Name, err)
	}
	requests, limits := map[string]corev1.ResourceList{}, map[string]corev1.ResourceList{}
	for _, container := range computeresources.Containers(&c.Pod) {
		requests[container.Name] = withoutZeros(container.Resources.Requests)
		limits[container.Name] = withoutZeros(container.Resources.Limits)
	}
	testkit.NoDiff(t, requests, c.Want, c.Name, "requests")
	testkit.NoDiff(t, limits, c.WantLimits, c.Name, "limits")
	return true
}

// taskLevel are requirements of a task and of its steps, and Tekton's result for them.
type taskLevel struct {
	Name  string
	Task  corev1.ResourceRequirements
	Steps []corev1.ResourceRequirements
	Want  []stepWant
	// Quirk marks cases in which Tekton uses limits as requests only if there is no request at
	// all. The documented result is WantDocumented.
	Quirk          bool
	WantDocumented []stepWant
}

type stepWant struct{ Requests, Limits corev1.ResourceList }

// replayTaskLevel compares the amounts of every step after task-level requirements were divided as in
// Tekton.
func replayTaskLevel(t *testing.T, raw json.RawMessage) bool {
	var c taskLevel
	decode(t, raw, &c)
	spec := &corev1.PodSpec{}
	for i, r := range c.Steps {
		spec.Containers = append(spec.Containers, corev1.Container{Name: fmt.Sprintf("step-%d", i), Resources: r})
	}
	run := steps.TaskRun{ComputeResources: &c.Task}
	changes, _ := steps.TaskLevel(spec, run, steps.TektonStep, steps.TektonOptions().Division)
	if err := computeresources.ApplyChanges(spec, changes); err != nil {
		t.Errorf("%s: %v", c.Name, err)
	}
	var got []stepWant
	for _, container := range spec.Containers {
		got = append(got, stepWant{withoutZeros(container.Resources.Requests), withoutZeros(container.Resources.Limits)})
	}
	want := c.Want
	if c.Quirk {
		want = c.WantDocumented
	}
	for i := range want {
		want[i] = stepWant{withoutZeros(want[i].Requests), withoutZeros(want[i].Limits)}
	}
	testkit.NoDiff(t, got, want, c.Name)
	return true
}

// withoutZeros returns a list, never nil, of the amounts that are not zero.
func withoutZeros(list corev1.ResourceList) corev1.ResourceList {
	rest := corev1.ResourceList{}
	maps.Copy(rest, list)
	maps.DeleteFunc(rest, func(_ corev1.ResourceName, q resource.Quantity) bool { return q.IsZero() })
	return rest
}
