package main

import (
	"fmt"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/quota"
)

// podLevel is what becomes of a run whose task-level requirements are written in spec.resources of
// the pod as well, beside what becomes of it without.
type podLevel struct {
	requests, limits  corev1.ResourceList // of spec.resources
	divided, podLevel steps.Effect
	failures          [2]quota.Failures // of both, by the quotas
}

// raise returns nil if there is nothing to be written at the pod level.
func (n *namespace) raise(run *taskRun, inits []string) *podLevel {
	plan := steps.PodLevel(run.spec(inits), run.says(), steps.TektonStep, n.policy, steps.Options{})
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
	for i, effect := range [...]steps.Effect{plan.Divided, plan.PodLevel} {
		if effect.Admission.Admitted() {
			r := result{admission: effect.Admission}
			_, p.failures[i] = quota.Admit(quota.Pod(r.pod(run.objectName), time.Time{}, quota.PodOptions{}), n.quotas, quota.AdmitOptions{})
		}
	}
	return p
}

// writePodLevel says what spec.resources would gain.
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
	switch before, after := p.admitted(0, p.divided), p.admitted(1, p.podLevel); {
	case after && !before:
		b.WriteString("    - admitted, which it is not without\n")
	case before && !after:
		b.WriteString("    - rejected, which it is not without\n")
	case !after:
		b.WriteString("    - rejected all the same\n")
	}
}

func (p *podLevel) admitted(i int, e steps.Effect) bool {
	return e.Admission.Admitted() && len(p.failures[i]) == 0
}
