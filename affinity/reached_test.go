package affinity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests reach each behavior, and each reason why a run is refused.
func TestDrawsReachEveryRule(t *testing.T) {
	var members []string
	for _, b := range behaviors {
		members = append(members, "planned: "+flagOf(b))
	}
	for _, cause := range causes {
		members = append(members, "stranded: "+string(cause))
	}
	testkit.Reached(t, 600, func(t *rapid.T) (reached []string) {
		at := sites().Draw(t, "site")
		for _, s := range affinity.Stranded([]*corev1.Pod{at.pod}, at.nodes, at.opts) {
			reached = append(reached, "stranded: "+string(s.Cause))
		}
		drawn, opts := pairs().Draw(t, "runs"), options().Draw(t, "options")
		run, other := drawn[0], drawn[1]
		for _, e := range affinity.Validate(run, opts) {
			reached = append(reached, "invalid: "+string(e.Type))
		}
		plan, err := affinity.PlanFor(run, opts)
		if err != nil {
			return reached
		}
		reached = append(reached, "planned: "+flagOf(opts.Behavior))
		for what, there := range map[string]bool{
			"StatefulSets": len(plan.StatefulSets) > 0, "claims": len(plan.Claims) > 0, "provisioned claims": len(plan.Provisioned) > 0,
			"StatefulSets to delete": len(plan.DeleteStatefulSets) > 0, "claims to delete": len(plan.DeleteClaims) > 0, "bindings": len(plan.Workspaces) > 0,
		} {
			if there {
				reached = append(reached, "planned: "+what)
			}
		}
		for _, placement := range plan.Tasks {
			switch {
			case placement.Refused != nil:
				reached = append(reached, "a task is refused")
			case placement.Assistant != "":
				reached = append(reached, "a task is placed")
			default:
				reached = append(reached, "a task runs anywhere")
			}
		}
		second, err := affinity.PlanFor(other, opts)
		if err == nil {
			for _, c := range affinity.FindCollisions([]*affinity.Plan{plan, second}) {
				reached = append(reached, "collision: "+c.Kind)
			}
		}
		left := cleanup(run, opts)
		if len(left.StatefulSets) > 0 {
			reached = append(reached, "StatefulSets are left over")
		}
		if len(left.Claims) > 0 {
			reached = append(reached, "claims are left over")
		}
		return reached
	}, append(members,
		"invalid: FieldValueRequired", "invalid: FieldValueForbidden", "a task is refused", "a task is placed", "a task runs anywhere",
		"planned: StatefulSets", "planned: StatefulSets to delete", "planned: bindings", "planned: claims", "planned: claims to delete", "planned: provisioned claims",
		"collision: PersistentVolumeClaim", "StatefulSets are left over", "claims are left over",
	)...)
}
