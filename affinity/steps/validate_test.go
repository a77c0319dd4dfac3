package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/affinity/steps"
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
			[]string{"spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources"}},
		{"a PipelineRun with both kinds of requirements", steps.TaskRun{ComputeResources: &one, StepOverrides: []steps.Override{override("foo")}}, names, nil, ofPipeline,
			[]string{"spec.taskRunSpecs[3].stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.taskRunSpecs[3].computeResources, spec.taskRunSpecs[3].stepSpecs.resources"}},
		{"overrides conflict if they have requests or limits", steps.TaskRun{
			ComputeResources: &corev1.ResourceRequirements{Limits: cpu("1")},
			StepOverrides:    []steps.Override{{Name: "foo"}, {Name: "bar", Resources: requirements(nil, cpu("1"))}, override("baz")},
		}, nil, nil, nil, []string{
			"spec.stepSpecs[1].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources",
			"spec.stepSpecs[2].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources",
		}},
		{"empty task-level requirements with overrides", steps.TaskRun{ComputeResources: &corev1.ResourceRequirements{Limits: corev1.ResourceList{}}, StepOverrides: []steps.Override{override("foo")}}, nil, nil, nil,
			[]string{"spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources"}},
		{"an override of claims", steps.TaskRun{
			ComputeResources: &one,
			StepOverrides:    []steps.Override{{Name: "foo", Resources: corev1.ResourceRequirements{Claims: []corev1.ResourceClaim{{Name: "gpu"}}}}},
		}, nil, nil, nil,
			[]string{"spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources"}},
		{"one name in upper and lower case", steps.TaskRun{StepOverrides: []steps.Override{override("a"), override("A")}}, []string{"a", "A"}, nil, nil,
			[]string{`spec.stepSpecs[1].name: Duplicate value: "A"`}},

		{"overrides without a name", steps.TaskRun{StepOverrides: []steps.Override{override(""), override("")}, SidecarOverrides: []steps.Override{override("")}}, names, names, nil, []string{
			"spec.stepSpecs[0].name: Required value",
			"spec.stepSpecs[1].name: Required value",
			"spec.sidecarSpecs[0].name: Required value",
		}},
		{"duplicate name", steps.TaskRun{StepOverrides: []steps.Override{override("foo"), override("bar"), override("foo")}, SidecarOverrides: []steps.Override{override("x"), override("x")}}, nil, nil, nil, []string{
			`spec.stepSpecs[2].name: Duplicate value: "foo"`,
			`spec.sidecarSpecs[1].name: Duplicate value: "x"`,
		}},
		{"unknown names", steps.TaskRun{StepOverrides: []steps.Override{override("foo"), override("x")}, SidecarOverrides: []steps.Override{override("foo")}}, names, []string{}, nil, []string{
			`spec.stepSpecs[1].name: Not found: "x"`,
			`spec.sidecarSpecs[0].name: Not found: "foo"`,
		}},
		{"steps and sidecars have separate names", steps.TaskRun{StepOverrides: []steps.Override{override("a")}, SidecarOverrides: []steps.Override{override("b")}}, []string{"b"}, []string{"a"}, nil, []string{
			`spec.stepSpecs[0].name: Not found: "a"`,
			`spec.sidecarSpecs[0].name: Not found: "b"`,
		}},

		{"negative amount", steps.TaskRun{
			ComputeResources: &corev1.ResourceRequirements{Requests: testkit.List("memory", "-1.5Gi", "cpu", "-1m", "pods", "0"), Limits: cpu("-2")},
			StepOverrides:    []steps.Override{{Name: "foo", Resources: requirements(cpu("-1"), nil)}},
			SidecarOverrides: []steps.Override{{Name: "foo", Resources: requirements(nil, cpu("-1n"))}},
		}, names, names, nil, []string{
			`spec.computeResources.limits[cpu]: Invalid value: "-2": must be greater than or equal to 0`,
			`spec.computeResources.requests[cpu]: Invalid value: "-1m": must be greater than or equal to 0`,
			`spec.computeResources.requests[memory]: Invalid value: "-1536Mi": must be greater than or equal to 0`,
			`spec.stepSpecs[0].computeResources.requests[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
			`spec.stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: spec.computeResources, spec.stepSpecs.resources`,
			`spec.sidecarSpecs[0].computeResources.limits[cpu]: Invalid value: "-1n": must be greater than or equal to 0`,
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path := test.path
			if path == nil {
				path = field.NewPath("spec")
			}
			run := test.run
			run.StepNames, run.SidecarNames = test.steps, test.sidecars
			found := steps.ValidateTaskRun(run, path)
			testkit.NoDiff(t, testkit.Strings(found), test.want)
		})
	}
}

// A nil path gives relative ones.
func TestRelativePaths(t *testing.T) {
	one := requirements(cpu("1"), nil)
	run := steps.TaskRun{
		ComputeResources: &one,
		StepOverrides:    []steps.Override{{Name: "a", Resources: one}, {}},
		SidecarOverrides: []steps.Override{{Name: "b", Resources: requirements(nil, cpu("-1"))}},
	}
	testkit.NoDiff(t, testkit.Strings(steps.ValidateTaskRun(run, nil)), []string{
		"stepSpecs[0].computeResources: Forbidden: expected exactly one, got both: computeResources, stepSpecs.resources",
		"stepSpecs[1].name: Required value",
		`sidecarSpecs[0].computeResources.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0`,
	})
}
