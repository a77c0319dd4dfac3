package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestValidateTaskRun(t *testing.T) {
	one := requirements(cpu("1"), nil)
	override := func(name string) steps.Override { return steps.Override{Name: name, Resources: one} }
	names := []string{"foo", "bar"}
	ofPipeline := field.NewPath("spec", "taskRunSpecs").Index(3)
	tests := []struct {
		name            string
		run             steps.TaskRun
		steps, sidecars []string
		path            *field.Path
		want            []string
	}{
		{"nothing", steps.TaskRun{}, nil, nil, nil, nil},
		{"task-level requirements", steps.TaskRun{ComputeResources: &one}, names, nil, nil, nil},
		{"overrides", steps.TaskRun{StepOverrides: []steps.Override{override("foo"), override("bar")}, SidecarOverrides: []steps.Override{override("foo")}}, names, names, nil, nil},
		{"sidecar overrides with task-level requirements", steps.TaskRun{ComputeResources: &one, SidecarOverrides: []steps.Override{override("foo")}}, nil, nil, nil, nil},
		{"step overrides with task-level requirements", steps.TaskRun{ComputeResources: &one, StepOverrides: []steps.Override{override("foo")}}, names, nil, nil,
			[]string{"spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources"}},
		{"a PipelineRun with both kinds of requirements", steps.TaskRun{ComputeResources: &one, StepOverrides: []steps.Override{override("foo")}}, names, nil, ofPipeline,
			[]string{"spec.taskRunSpecs[3].stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.taskRunSpecs[3].computeResources, spec.taskRunSpecs[3].stepOverrides.resources"}},
		{"overrides conflict if they have requests or limits", steps.TaskRun{
			ComputeResources: &corev1.ResourceRequirements{Limits: cpu("1")},
			StepOverrides:    []steps.Override{{Name: "foo"}, {Name: "bar", Resources: requirements(nil, cpu("1"))}, override("baz")},
		}, nil, nil, nil, []string{
			"spec.stepOverrides[1].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources",
			"spec.stepOverrides[2].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources",
		}},
		{"empty task-level requirements with overrides", steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Limits: corev1.ResourceList{}}, StepOverrides: []steps.Override{override("foo")}}, nil, nil, nil,
			[]string{"spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources"}},
		{"an override of claims", steps.TaskRun{
			ComputeResources: &one,
			StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}}}},
		}, nil, nil, nil,
			[]string{"spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources"}},
		{"one name in upper and lower case", steps.TaskRun{StepOverrides: []steps.Override{override("a"), override("A")}}, []string{"a", "A"}, nil, nil,
			[]string{`spec.stepOverrides[1].name: Duplicate value: "A"`}},

		{"overrides without a name", steps.TaskRun{StepOverrides: []steps.Override{override(""), override("")}, SidecarOverrides: []steps.Override{override("")}}, names, names, nil, []string{
			"spec.stepOverrides[0].name: Required value",
			"spec.stepOverrides[1].name: Required value",
			"spec.sidecarOverrides[0].name: Required value",
		}},
		{"duplicate name", steps.TaskRun{StepOverrides: []steps.Override{override("foo"), override("bar"), override("foo")}, SidecarOverrides: []steps.Override{override("x"), override("x")}}, nil, nil, nil, []string{
			`spec.stepOverrides[2].name: Duplicate value: "foo"`,
			`spec.sidecarOverrides[1].name: Duplicate value: "x"`,
		}},
		{"unknown names", steps.TaskRun{StepOverrides: []steps.Override{override("foo"), override("x")}, SidecarOverrides: []steps.Override{override("foo")}}, names, []string{}, nil, []string{
			`spec.stepOverrides[1].name: Not found: "x"`,
			`spec.sidecarOverrides[0].name: Not found: "foo"`,
		}},
		{"steps and sidecars have separate names", steps.TaskRun{StepOverrides: []steps.Override{override("a")}, SidecarOverrides: []steps.Override{override("b")}}, []string{"b"}, []string{"a"}, nil, []string{
			`spec.stepOverrides[0].name: Not found: "a"`,
			`spec.sidecarOverrides[0].name: Not found: "b"`,
		}},

		{"negative amount", steps.TaskRun{
			ComputeResources: &corev1.ResourceRequirements{Requests: testkit.List("memory", "-1.5Gi", "cpu", "-1m", "pods", "0"), Limits: cpu("-2")},
			StepOverrides:    []steps.Override{{Name: "foo", Resources: requirements(cpu("-1"), nil)}},
			SidecarOverrides: []steps.Override{{Name: "foo", Resources: requirements(nil, cpu("-1n"))}},
		}, names, names, nil, []string{
			`spec.computeResources.limits[cpu]: Invalid value: "-2": must be greater than or equal to 0`,
			`spec.computeResources.requests[cpu]: Invalid value: "-1m": must be greater than or equal to 0`,
			`spec.computeResources.requests[memory]: Invalid value: "-1536Mi": must be greater than or equal to 0`,
			`spec.stepOverrides[0].resources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.stepOverrides[0].resources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepOverrides.resources`,
			`spec.sidecarOverrides[0].resources.limits[cpu]: Invalid value: "-1n": must be greater than or equal to 0`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == nil {
				path = field.NewPath("spec")
			}
			run := test.run
			run.APIVersion, run.StepNames, run.SidecarNames = "tekton.dev/v1beta1", test.steps, test.sidecars
			found := steps.ValidateTaskRun(run, path)
			testkit.NoDiff(t, testkit.Strings(found), test.want)
		})
	}
}

// A v1 object has no stepOverrides: the paths are those of its own fields.
func TestFieldsOfVersions(t *testing.T) {
	one := requirements(cpu("1"), nil)
	run := steps.TaskRun{
		ComputeResources: &one,
		StepOverrides:    []steps.Override{{Name: "a", Resources: one}, {}},
		SidecarOverrides: []steps.Override{{Name: "b", Resources: requirements(nil, cpu("-1"))}},
	}
	for _, test := range []struct {
		name    string
		version string
		path    *field.Path
		want    []string
	}{
		{"v1", "tekton.dev/v1", field.NewPath("spec"), []string{
			"spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources",
			"spec.stepSpecs[1].name: Required value",
			`spec.sidecarSpecs[0].computeResources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{"v1, relative", "", nil, []string{
			"stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: computeResources, stepSpecs.resources",
			"stepSpecs[1].name: Required value",
			`sidecarSpecs[0].computeResources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
		}},
		{"v1beta1, relative", "tekton.dev/v1beta1", nil, []string{
			"stepOverrides[0].resources: Forbidden: expected exactly one, got both: computeResources, stepOverrides.resources",
			"stepOverrides[1].name: Required value",
			`sidecarOverrides[0].resources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var got []string
			run := run
			run.APIVersion = test.version
			for _, e := range steps.ValidateTaskRun(run, test.path) {
				got = append(got, e.Error())
			}
			testkit.NoDiff(t, got, test.want)
		})
	}
}
