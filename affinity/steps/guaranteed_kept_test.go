package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What the task level requests of other resources is kept by the steps, although the plan has no task level.
func TestGuaranteedKeepsOtherResourcesOfTheTask(t *testing.T) {
	task := requirements(testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "2Gi"), testkit.List("ephemeral-storage", "4Gi"))
	run := steps.TaskRun{StepPrefix: "step-", SidecarPrefix: "sidecar-", ComputeResources: &task}
	g, err := guaranteed(pod(step("step-a", "", ""), step("step-b", "", "")), []steps.TaskRun{run}, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{
		"step a: cpu=500m,ephemeral-storage=1Gi,memory=512Mi / cpu=500m,ephemeral-storage=4Gi,memory=512Mi",
		"step b: cpu=500m,ephemeral-storage=1Gi,memory=512Mi / cpu=500m,ephemeral-storage=4Gi,memory=512Mi",
	})
	for _, c := range g.Pod.Effect.Decision.Object.(*corev1.Pod).Spec.Containers {
		testkit.NoDiff(t, c.Resources.Requests, testkit.List("cpu", "500m", "memory", "512Mi", "ephemeral-storage", "1Gi"), c.Name)
		testkit.NoDiff(t, c.Resources.Limits, testkit.List("cpu", "500m", "memory", "512Mi", "ephemeral-storage", "4Gi"), c.Name)
	}
}

// A limit alone is kept as well, with the request that follows from it.
func TestGuaranteedKeepsOtherLimitsOfTheTask(t *testing.T) {
	task := requirements(cpu("1"), testkit.List("ephemeral-storage", "4Gi"))
	run := steps.TaskRun{StepPrefix: "step-", ComputeResources: &task}
	g, err := guaranteed(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{"step a: cpu=1,ephemeral-storage=4Gi,memory=12Mi / cpu=1,ephemeral-storage=4Gi,memory=12Mi"})
}

// A request alone stays one: the class of a pod does not depend on storage.
func TestGuaranteedKeepsOtherRequestsOfTheTask(t *testing.T) {
	task := requirements(testkit.List("cpu", "1", "ephemeral-storage", "2Gi"), nil)
	run := steps.TaskRun{StepPrefix: "step-", ComputeResources: &task}
	g, err := guaranteed(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{"step a: cpu=1,ephemeral-storage=2Gi,memory=12Mi / cpu=1,memory=12Mi"})
}

// Tekton rejects task-level requirements beside overrides; the plan has overrides alone.
func TestGuaranteedReplacesTheRun(t *testing.T) {
	task := requirements(cpu("1"), nil)
	run := steps.TaskRun{StepPrefix: "step-", ComputeResources: &task, StepOverrides: []steps.Override{{Name: "a", Resources: requirements(cpu("2"), nil)}}}
	g, err := guaranteed(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.Equal(t, g.Pod.Rejected, "")
	testkit.NoDiff(t, settings(g), []string{"step a: cpu=1,memory=12Mi / cpu=1,memory=12Mi"})
}

// Of two overrides of a step, which Tekton rejects, the last one counts.
func TestGuaranteedWithTwoOverrides(t *testing.T) {
	run := steps.TaskRun{StepPrefix: "step-", StepOverrides: []steps.Override{{Name: "a", Resources: requirements(cpu("1"), nil)}, {Name: "a", Resources: requirements(cpu("2"), nil)}}}
	g, err := guaranteed(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{"step a: cpu=1 / ", "step a: cpu=2,memory=12Mi / cpu=2,memory=12Mi"})
	testkit.Equal(t, g.Pod.Effect.Decision.Object.(*corev1.Pod).Status.QOSClass, corev1.PodQOSGuaranteed)
	testkit.Equal(t, g.Pod.Rejected != "", true)
}

// The plan does not share lists with the run and the environment, nor does it append to them.
func TestGuaranteedSharesNothing(t *testing.T) {
	run := steps.TaskRun{StepPrefix: "step-", StepNames: []string{"a"}, SidecarNames: []string{"x"}}
	ranges := make([]*corev1.LimitRange, 1, 2)
	ranges[0] = rangeOf("range", bounded(cpu("1"), nil, nil, nil, nil))
	g, err := guaranteed(pod(step("step-a", "", "")), []steps.TaskRun{run}, environment{LimitRanges: ranges}, steps.Options{})
	testkit.OK(t, err)
	g.Run.StepNames[0], g.Run.SidecarNames[0] = "", ""
	testkit.NoDiff(t, run.StepNames, []string{"a"})
	testkit.NoDiff(t, run.SidecarNames, []string{"x"})
	if ranges[:2][1] != nil {
		t.Error("a LimitRange was appended to those of the caller")
	}
}

// A default is halved, not divided by three: 1 becomes 250m if 340m are left for it.
func TestDefaultsAreHalved(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(cpu("1"), nil, nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.cpu", "340m"))}}
	p := admittedPod(pod(step("step-a", "", "")), nil, in, steps.Options{})
	testkit.NoDiff(t, p.Effect.Decision.Object.(*corev1.Pod).Spec.Containers[0].Resources.Requests, cpu("250m"))
}

// After ten times, a default is given up: nothing less than 1Mi is left of 1Gi.
func TestDefaultsAreGivenUp(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("memory", "1Gi"), nil, nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.memory", "512Ki"))}}
	p := admittedPod(pod(step("step-a", "", "")), nil, in, steps.Options{})
	testkit.Equal(t, p.Rejected, "")
	testkit.NoDiff(t, p.Effect.Decision.Object.(*corev1.Pod).Spec.Containers[0].Resources.Requests, testkit.List("memory", "0"))
}

// The tenth half is still a request.
func TestDefaultsAreHalvedTenTimes(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("memory", "1Gi"), nil, nil, nil, nil))}, ResourceQuotas: []*corev1.ResourceQuota{quotaOf(testkit.List("requests.memory", "1Mi"))}}
	p := admittedPod(pod(step("step-a", "", "")), nil, in, steps.Options{})
	testkit.NoDiff(t, p.Effect.Decision.Object.(*corev1.Pod).Spec.Containers[0].Resources.Requests, testkit.List("memory", "1Mi"))
}

// A small limit of a step that requests zero does not make the memory of another smaller.
func TestGuaranteedMemoryBesideASmallLimit(t *testing.T) {
	g, err := guaranteed(pod(stepOf("memory", "step-a", "0", "5Mi"), step("step-b", "", "")), nil, environment{}, steps.Options{})
	testkit.OK(t, err)
	testkit.NoDiff(t, settings(g), []string{"step a: cpu=1m,memory=5Mi / cpu=1m,memory=5Mi", "step b: cpu=1m,memory=12Mi / cpu=1m,memory=12Mi"})
}

// The pod of the plan divides other defaults as the options say: Tekton loses one of 3 bytes.
func TestGuaranteedWithOptions(t *testing.T) {
	in := environment{LimitRanges: []*corev1.LimitRange{rangeOf("range", bounded(testkit.List("ephemeral-storage", "3"), nil, nil, nil, nil))}}
	for _, test := range []struct {
		opts steps.Options
		want string
	}{{steps.TektonOptions(), "2"}, {steps.Options{}, "3"}} {
		g, err := guaranteed(pod(step("step-a", "", ""), step("step-b", "", "")), nil, in, test.opts)
		testkit.OK(t, err)
		testkit.Equal(t, g.Pod.Effect.Requests.StorageEphemeral().String(), test.want)
	}
}
