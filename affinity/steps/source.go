package steps

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// attributed sets the Source of the changes that TaskLevel makes to spec for a run.
func (r *TaskRun) attributed(
	spec *corev1.PodSpec, changes []computeresources.Change, opts Options,
) []computeresources.Change {
	byTask := count(spec, TektonStep) > 0 && r.dividesTask(opts)
	for p, c := range containers(spec, TektonStep) {
		for i := range changes {
			change := &changes[i]
			switch {
			case change.Ref != p.ref:
			case p.step == noStep:
				change.Source = r.overrideSource(sidecarField, r.SidecarPrefix, r.SidecarOverrides, c.Name, change)
			case byTask:
				change.Source = r.taskSource(change)
			default:
				change.Source = r.overrideSource(stepField, r.StepPrefix, r.StepOverrides, c.Name, change)
			}
		}
	}
	return changes
}

// taskSource returns the source of an amount that the task-level requirements set or remove. A request
// may be the part of a limit.
func (r *TaskRun) taskSource(change *computeresources.Change) computeresources.Source {
	source := cmp.Or(r.Source, computeresources.Source{Kind: "TaskRun"})
	list := change.List
	if _, ok := list.Of(r.ComputeResources)[change.Resource]; !ok && change.To != nil {
		list = computeresources.Limits
	}
	source.Field = amountPath(field.NewPath("spec", "computeResources"), list, change.Resource)
	return source
}

// overrideSource returns the source of an amount of a container that is not divided: the last override that
// has it, or else the step template.
func (r *TaskRun) overrideSource(
	fieldName, prefix string, overrides []Override, container string, change *computeresources.Change,
) computeresources.Source {
	for i, o := range slices.Backward(overrides) {
		if _, ok := change.List.Of(&o.Resources)[change.Resource]; ok && prefix+o.Name == container {
			source := cmp.Or(r.Source, computeresources.Source{Kind: "TaskRun"})
			source.Field = amountPath(field.NewPath("spec", fieldName).Index(i).Child(resourceField), change.List,
				change.Resource)
			return source
		}
	}
	path := field.NewPath("spec", "stepTemplate", resourceField)
	return computeresources.Source{Kind: "Task", Field: amountPath(path, change.List, change.Resource)}
}

// amountPath returns the path of an amount below that of its requirements.
func amountPath(requirements *field.Path, list computeresources.List, name corev1.ResourceName) string {
	return requirements.Child(list.String() + "s").Key(string(name)).String()
}

// defaultSource returns the LimitRange that a request of Fill comes from: the one that has the minimum if
// that is requested, or else the one that has the default.
func defaultSource(aggregate limitrange.Aggregate, change *computeresources.Change) computeresources.Source {
	least, bounded := aggregate.Value(corev1.LimitTypeContainer, change.Resource, limitrange.Min)
	if bounded && change.To.Cmp(least.Amount) == 0 {
		return least.Source
	}
	request, _ := aggregate.Value(corev1.LimitTypeContainer, change.Resource, limitrange.DefaultRequest)
	return request.Source
}

// amountsOf returns all amounts of a pod that is made of spec, with the source of each.
func amountsOf(spec *corev1.PodSpec, p *PodPlan) (amounts []computeresources.Change) {
	type slot struct {
		ref  computeresources.Ref
		list computeresources.List
		name corev1.ResourceName
	}
	sources := map[slot]computeresources.Source{}
	for _, c := range p.Changes {
		sources[slot{c.Ref, c.List, c.Resource}] = c.Source
	}
	for _, c := range p.Effect.Decision.Changes {
		sources[slot{c.Ref, c.List, c.Resource}] = cmp.Or(c.Source, computeresources.Source{Kind: "API server"})
	}
	add := func(ref computeresources.Ref, was, is *corev1.ResourceRequirements) {
		for _, name := range quantity.Names(was.Requests, was.Limits, is.Requests, is.Limits) {
			for _, list := range [...]computeresources.List{computeresources.Requests, computeresources.Limits} {
				from, to := quantity.Find(list.Of(was), name), quantity.Find(list.Of(is), name)
				if from == nil && to == nil {
					continue
				}
				amounts = append(amounts, computeresources.Change{Ref: ref, List: list, Resource: name,
					From: from, To: quantity.Clone(to), Source: sources[slot{ref, list, name}]})
			}
		}
	}
	own := changed(spec, nil) // so that From is nobody else's
	is := &p.Effect.Decision.Object.(*corev1.Pod).Spec
	stored := map[computeresources.Ref]*corev1.Container{}
	for ref, c := range computeresources.Containers(is) {
		stored[ref] = c
	}
	for ref, c := range computeresources.Containers(own) {
		add(ref, &c.Resources, &stored[ref].Resources)
	}
	none := &corev1.ResourceRequirements{}
	add(computeresources.Ref{Kind: computeresources.Pod}, cmp.Or(own.Resources, none), cmp.Or(is.Resources, none))
	return amounts
}
