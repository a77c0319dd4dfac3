package steps

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// halvings is how often a default is halved before it is given up.
const halvings = 10

// AdmittedPod returns the plan of WholePod, with smaller defaults if the API server rejects the pod with those of
// step 4. Each default request is halved, up to ten times, until LimitRanges and quotas admit the pod, and then given
// up. The limits of LimitRanges are kept if that is possible. Amounts of steps 1 to 3 are not changed. The Source of
// a default that is changed, and of what LimitRanges and quotas demand with it, is "LimitRanges and quotas".
//
// With Options{}, the pod is admitted if it is with any amounts that steps 1 to 3 do not set. With options that set
// what Tekton sets, or that leave containers or resources alone, no default is changed: Unchecked, StepsOnly, Only.
//
// Cost: WholePod, and if the pod is rejected, up to 24 times solver.Contradicted for each resource, and solver.Apply.
func AdmittedPod(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) PodPlan {
	whole := WholePod(spec, runs, in, opts)
	if whole.Effect.Decision.Admitted() || opts.Unchecked || opts.StepsOnly || opts.Only != nil {
		return whole
	}
	var p PodPlan
	spec = TektonContainers(spec, runs, in.Tekton)
	before := p.send(spec, runs, in, opts)
	p.Conflicts = whole.Conflicts
	wanted := &whole.Effect.Decision.Object.(*corev1.Pod).Spec
	for _, limits := range [...][]computeresources.Change{limitDefaults(whole.Effect.Decision), nil} {
		lower, err := halved(changed(before, limits), wanted, in.Namespace.LimitRanges(), in.Namespace)
		if err != nil {
			continue
		}
		defaults := slices.Concat(limits, lower)
		p.Effect = effectOf(before, defaults, in)
		if p.Effect.Decision.Admitted() {
			p.finish(spec, runs, defaults)
			return p
		}
	}
	return whole
}

// limitDefaults returns the limits that the LimitRanges of a namespace set for containers.
func limitDefaults(d admit.Decision) (limits []computeresources.Change) {
	for _, c := range d.Changes {
		if c.List == computeresources.Limits && c.Ref.Kind != computeresources.Pod {
			limits = append(limits, c)
		}
	}
	return cloned(limits)
}

// halved returns the changes of the solver with the largest requests that it has a solution for: those of wanted that
// spec does not set, halved for each resource that takes part in a conflict. The error is that of the solver without
// any of them.
func halved(
	spec, wanted *corev1.PodSpec, ranges []*corev1.LimitRange, ns *admit.Namespace,
) ([]computeresources.Change, error) {
	in := solver.Input{LimitRanges: ranges, Quotas: ns.Quotas(), Kubernetes: ns.Kubernetes()}
	for times := map[corev1.ResourceName]int{}; ; {
		in.Floors = floors(spec, wanted, times)
		contradicted, err := solver.Contradicted(spec, in)
		if err != nil {
			return nil, err
		}
		isLast := false
		for _, name := range contradicted {
			times[name]++
			isLast = isLast || times[name] > halvings+1
		}
		if len(contradicted) > 0 && !isLast {
			continue
		}
		changes, err := solver.Apply(spec.DeepCopy(), in)
		for i := range changes {
			changes[i].Source = computeresources.Source{Kind: "LimitRanges and quotas"}
		}
		return changes, err
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
			requests[name] = equalparts.Of(name, q, 1<<times[name], division.Options{Truncated: true}).At(0)
		}
		if len(requests) > 0 {
			all = append(all, solver.Floor{Ref: ref, Requests: requests, Source: computeresources.Source{Kind: "default"}})
		}
	}
	return all
}
