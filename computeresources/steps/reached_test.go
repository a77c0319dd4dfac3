package steps_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// The generators of the property tests reach each way to set an amount, and each conflict.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		note := func(function string, changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
			for _, c := range changes {
				verb := ": sets a "
				if c.From != nil {
					verb = ": replaces a "
				}
				reached = append(reached, function+verb+c.List.String())
			}
			for _, c := range conflicts {
				reached = append(reached, function+": "+string(c.Cause))
			}
		}
		changes, conflicts := steps.Fill(spec, item, isStep, opts)
		note("Fill", changes, conflicts)
		if len(changes) > 1 && len(steppers(spec, isStep)) > 1 {
			reached = append(reached, "Fill: divides among steps")
		}
		changes, conflicts = steps.Fit(spec, item, isStep, opts)
		note("Fit", changes, conflicts)
		changes, conflicts = steps.TaskLevel(spec, run, isStep, opts)
		note("TaskLevel", changes, conflicts)
		namespace := namespaceOf([]*corev1.LimitRange{rangeOf("a", item)}, admit.Options{})
		plan := steps.PodLevel(spec, run, isStep, namespace, opts)
		note("PodLevel", plan.Changes, plan.Conflicts)
		if plan.PodLevel.Decision.Admitted() {
			reached = append(reached, "PodLevel: admitted")
		}
		if plan.Divided.Decision.Admitted() {
			reached = append(reached, "PodLevel: admitted if divided")
		}
		run.StepNames, run.SidecarNames = []string{"0", "1"}, []string{"0"}
		for _, e := range steps.ValidateTaskRun(run, field.NewPath("spec")) {
			reached = append(reached, "ValidateTaskRun: "+string(e.Type))
		}
		peak := peakRequests(spec, isStep, computeresources.Options{})
		for name, counted := range peak.Counted {
			used := peak.Used[name]
			switch counted.Cmp(used) {
			case 0:
				reached = append(reached, "peak: what is counted")
			case 1:
				reached = append(reached, "peak: less than what is counted")
			}
		}
		limits := peakLimits(spec, isStep, computeresources.Options{})
		for name := range limits.Counted {
			if _, bound := limits.Used[name]; bound {
				reached = append(reached, "peak: bound")
			} else {
				reached = append(reached, "peak: unbounded")
			}
		}
		return reached
	},
		"Fill: sets a request", "Fill: replaces a request", "Fill: divides among steps", "Fill: min is above max", "Fill: max is below zero",
		"Fill: no request and limit within the bounds meet the ratio", "Fill: the limit is below min", "Fill: the limit requires a request above max", "Fill: no request suits every limit that the container may get",
		"Fit: sets a request", "Fit: sets a limit", "Fit: replaces a request", "Fit: replaces a limit", "Fit: min is above max", "Fit: max is below zero",
		"Fit: no request and limit within the bounds meet the ratio",
		"TaskLevel: sets a request", "TaskLevel: sets a limit", "TaskLevel: replaces a request", "TaskLevel: replaces a limit", "TaskLevel: the request is above the limit",
		"PodLevel: sets a request", "PodLevel: sets a limit", "PodLevel: replaces a request", "PodLevel: replaces a limit", "PodLevel: the request is above the limit",
		"ValidateTaskRun: FieldValueDuplicate", "ValidateTaskRun: FieldValueForbidden", "ValidateTaskRun: FieldValueInvalid", "ValidateTaskRun: FieldValueNotFound", "ValidateTaskRun: FieldValueRequired",
		"peak: what is counted", "peak: less than what is counted", "peak: bound", "peak: unbounded",
	)
}

// steppers returns the indices of the containers that are steps.
func steppers(spec *corev1.PodSpec, isStep steps.Predicate) (are []int) {
	for ref, c := range computeresources.Containers(spec) {
		if ref.Kind == computeresources.App && isStep != nil && isStep(ref, c) {
			are = append(are, ref.Index)
		}
	}
	return are
}
