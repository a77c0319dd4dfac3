package steps

import (
	"errors"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// halvings is how often a default is halved before it is given up.
const halvings = 10

// lowered returns the changes with which a pod is admitted although its defaults are not: each default is halved until the
// LimitRanges and quotas of the namespace admit the pod, and the limits of LimitRanges are kept if that is possible. What is set before
// LimitRanges is not changed. It returns nil if there are none.
func lowered(before *corev1.PodSpec, rejected admit.Decision, in Environment, ns *admit.Namespace) []computeresources.Change {
	var limits []computeresources.Change
	for _, c := range rejected.Changes {
		if c.List == computeresources.Limits && c.Ref.Kind != computeresources.Pod {
			c.From, c.To = quantity.Clone(c.From), quantity.Clone(c.To)
			limits = append(limits, c)
		}
	}
	wanted := &rejected.Object.(*corev1.Pod).Spec
	for _, kept := range [...][]computeresources.Change{limits, nil} {
		changes, err := halved(changed(before, kept), wanted, in)
		if changes = append(kept, changes...); err == nil && effectOf(before, changes, ns).Decision.Admitted() {
			return changes
		}
	}
	return nil
}

// halved returns the changes of the solver for the largest requests that it has a solution with: those that are wanted, halved
// for each resource for which it has none. The error is that of the solver without any of them.
func halved(spec, wanted *corev1.PodSpec, in Environment) ([]computeresources.Change, error) {
	times := map[corev1.ResourceName]int{}
	for {
		input := solver.Input{LimitRanges: stored(in.LimitRanges), Quotas: in.ResourceQuotas, Floors: floors(spec, wanted, times), Gates: in.Admission.Gates}
		changes, err := solver.Apply(spec.DeepCopy(), input)
		if err == nil {
			for i := range changes {
				changes[i].Source = computeresources.Source{Kind: "LimitRanges and quotas"}
			}
			return changes, nil
		}
		var conflict *solver.ConflictError
		if !errors.As(err, &conflict) {
			return nil, err
		}
		for _, c := range conflict.Conflicts {
			if times[c.Resource]++; times[c.Resource] > halvings+1 {
				return nil, err
			}
		}
	}
}

// floors returns the requests that are wanted, halved so many times, of containers that do not set them.
func floors(spec, wanted *corev1.PodSpec, times map[corev1.ResourceName]int) (all []solver.Floor) {
	set := map[computeresources.Ref]*corev1.Container{}
	for ref, c := range computeresources.Containers(spec) {
		set[ref] = c
	}
	for ref, c := range computeresources.Containers(wanted) {
		requests := corev1.ResourceList{}
		for name, q := range c.Resources.Requests {
			if quantity.Find(set[ref].Resources.Requests, name) != nil || q.Sign() <= 0 || times[name] > halvings {
				continue
			}
			requests[name] = equalparts.Of(name, q, 1<<times[name], equalparts.Options{Truncated: true}).At(0)
		}
		if len(requests) > 0 {
			all = append(all, solver.Floor{Ref: ref, Requests: requests, Source: computeresources.Source{Kind: "default"}})
		}
	}
	return all
}
