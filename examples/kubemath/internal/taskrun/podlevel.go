package taskrun

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
)

// podLevel compares the results for a run with and without its task-level requirements in
// spec.resources of the pod.
type podLevel struct {
	requests, limits  corev1.ResourceList // of spec.resources
	divided, podLevel steps.Effect
	before, after     bool // admitted with them
}

// raise returns nil if there are no pod-level resources.
func (n *namespace) raise(run *taskRun, inits []string) *podLevel {
	plan := steps.PodLevel(run.spec(inits), run.says(), steps.TektonStep, n.compiled, division.Options{})
	p := &podLevel{divided: plan.Divided, podLevel: plan.PodLevel}
	pod := &corev1.PodSpec{}
	for _, c := range plan.Changes {
		if c.Ref.Kind == computeresources.Pod {
			mustApply(pod, []computeresources.Change{c})
		}
	}
	if pod.Resources == nil {
		return nil
	}
	p.requests, p.limits = pod.Resources.Requests, pod.Resources.Limits
	p.before, p.after = plan.Divided.Decision.Admitted(), plan.PodLevel.Decision.Admitted()
	return p
}

// writePodLevel writes the effect of spec.resources.
func writePodLevel(b *strings.Builder, p *podLevel) {
	if p == nil {
		return
	}
	fmt.Fprintf(b, "  with spec.resources: %s\n", printable(inWords(p.requests, p.limits)))
	for _, name := range namesOf(p.podLevel.Limits) {
		before, after := p.divided.Limits[name], p.podLevel.Limits[name]
		if before.Cmp(after) != 0 {
			fmt.Fprintf(b, "    - a limit of %s %s is charged instead of %s\n", printable(string(name)), canonical(after), canonical(before))
		}
	}
	switch {
	case p.after && !p.before:
		b.WriteString("    - admitted, but rejected without it\n")
	case p.before && !p.after:
		b.WriteString("    - rejected, but admitted without it\n")
	case !p.after:
		b.WriteString("    - rejected, as without it\n")
	}
}
