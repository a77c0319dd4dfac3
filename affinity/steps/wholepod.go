package steps

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// Environment is what the cluster and the namespace of a run add to its resources. The zero value adds nothing.
type Environment struct {
	// ContainerDefaults is default-container-resource-requirements: see the function of that name.
	ContainerDefaults map[string]corev1.ResourceRequirements

	// LimitRanges and ResourceQuotas are those of the namespace, as for admit.Compile.
	LimitRanges    []*corev1.LimitRange
	ResourceQuotas []*corev1.ResourceQuota

	// Admission is how the API server admits pods.
	Admission admit.Options
}

// PodPlan is a pod of Tekton with its resources, and where each amount comes from.
type PodPlan struct {
	// Changes are what Tekton changes in the containers of the task before it creates the pod, in its
	// order: the amounts of the run, those of its configuration, and its part of LimitRanges.
	Changes []computeresources.Change
	// Conflicts are why amounts of the run or of LimitRanges cannot be set: see TaskLevel and Fill.
	Conflicts computeresources.Problems[*limitrange.Conflict]
	// Effect is how the pod is admitted and counted, with these changes.
	Effect Effect
	// Amounts are all amounts of the containers and of the pod: From is what the task sets, To what is
	// stored, or would be if the pod were admitted, and Source the last one that changed it (see
	// WholePod). They are in the order of the package; the pod is last.
	Amounts []computeresources.Change
	// Rejected is the first rejection: that of Tekton's webhook, or else the error of the API server. It is
	// nil if the pod is created.
	Rejected error
	// PodLevel is the plan that also sets the requirements of the task at the pod level. It is nil if that
	// does not save anything: quotas count the same, and the pod is not admitted because of it.
	PodLevel *PodLevelPlan
}

// WholePod returns the resources of the pod that Tekton creates for a run, by all that sets or changes
// them, in the order of Tekton:
//
//  1. spec has the containers of the task, and those that Tekton adds, with the amounts that they set
//     themselves;
//  2. runs are applied one after another, as TaskLevel does. Tekton has one; the last is the most
//     specific: of a Pipeline and of a PipelineRun, it is that of the PipelineRun;
//  3. the configuration of the cluster, as ContainerDefaults does;
//  4. the defaults of LimitRanges, as Fill does with their aggregate;
//  5. admission by the API server, with its own defaults, LimitRanges and quotas.
//
// With TektonOptions, the amounts are those of Tekton, except for what the documents list as different; with
// Options{}, parts add up to the whole. A part of the task may then be one unit more than Tekton's, and above a
// maximum that Tekton's is not above. SingleRange is set if there is one LimitRange that is not nil. Steps are the
// containers of TektonStep. If the pod is rejected because of its defaults, see AdmittedPod.
//
// The Source of an amount is one of
//
//   - zero: the task sets it;
//   - Task: the step template, with its field;
//   - TaskRun, or the Source of the run: an override or the task-level requirements, with the field;
//   - ConfigMap: the configuration, with the key;
//   - LimitRange: the one that has the default or the minimum. Tekton or the LimitRanger sets it;
//   - API server: it follows from other amounts, such as a request from a limit.
//
// Rejected is decided in the order of Tekton: the webhook rejects what ValidateTaskRun returns for any of
// runs, whose paths begin with spec. The plan is complete nevertheless. With several LimitRanges, the answer
// of the API server may differ from request to request: see admit.Decision.Possible of the Effect.
//
// The error is that of admit.Compile; then the plan is zero. A nil spec is treated as a pod without
// containers.
//
// Source: createPod of Tekton's pkg/reconciler/taskrun, and Build of its pkg/pod.
func WholePod(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) (PodPlan, error) {
	namespace, err := admit.Compile(in.LimitRanges, in.ResourceQuotas, in.Admission)
	if err != nil {
		return PodPlan{}, err
	}
	var p PodPlan
	before := p.send(spec, runs, in, opts)
	defaults := p.fill(before, in, opts)
	p.Effect = effectOf(before, defaults, namespace)
	p.finish(spec, runs, defaults, namespace)
	return p, nil
}

// finish sets what follows from the defaults of a pod, and from their effect.
func (p *PodPlan) finish(
	spec *corev1.PodSpec, runs []TaskRun, defaults []computeresources.Change, ns *admit.Namespace,
) {
	p.Changes = append(p.Changes, defaults...)
	p.Amounts = amountsOf(spec, p)
	p.Rejected = rejectionOf(runs, p.Effect.Decision)
	if task := lastTask(runs); task != nil {
		p.PodLevel = savings(spec, task, p, ns)
	}
}

// send appends the changes that are made before LimitRanges are looked at, and returns the pod with them.
func (p *PodPlan) send(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) *corev1.PodSpec {
	sent := changed(spec, nil)
	apply := func(changes []computeresources.Change) {
		p.Changes = append(p.Changes, changes...)
		sent = changed(sent, changes)
	}
	for i := range runs {
		changes, conflicts := TaskLevel(sent, runs[i], TektonStep, opts.Division)
		p.Conflicts = append(p.Conflicts, conflicts...)
		apply(runs[i].attributed(sent, changes))
	}
	apply(ContainerDefaults(sent, in.ContainerDefaults))
	return sent
}

// fill returns the changes of a pod because of LimitRanges.
func (p *PodPlan) fill(sent *corev1.PodSpec, in Environment, opts Options) []computeresources.Change {
	ranges := stored(in.LimitRanges)
	aggregate := limitrange.AggregateOf(ranges)
	opts.SingleRange = len(ranges) == 1
	changes, conflicts := Fill(sent, aggregate.Item(corev1.LimitTypeContainer), TektonStep, opts)
	p.Conflicts = append(p.Conflicts, conflicts...)
	for i := range changes {
		changes[i].Source = defaultSource(aggregate, &changes[i])
	}
	return changes
}

// stored returns LimitRanges as the API server stores them, without those that are nil.
func stored(ranges []*corev1.LimitRange) (all []*corev1.LimitRange) {
	for _, lr := range ranges {
		if lr == nil {
			continue
		}
		own := *lr
		own.Spec.Limits = nil
		for _, item := range lr.Spec.Limits {
			own.Spec.Limits = append(own.Spec.Limits, limitrange.WithDefaults(item))
		}
		all = append(all, &own)
	}
	return all
}

// rejectionOf returns the first rejection of a run or of its pod.
func rejectionOf(runs []TaskRun, d admit.Decision) error {
	for _, run := range runs {
		if errs := ValidateTaskRun(run, field.NewPath("spec")); len(errs) > 0 {
			return errs[0]
		}
	}
	return d.Err()
}

// lastTask returns the task-level requirements that count, or nil.
func lastTask(runs []TaskRun) *corev1.ResourceRequirements {
	for _, run := range slices.Backward(runs) {
		if anything(run.ComputeResources) {
			return run.ComputeResources
		}
	}
	return nil
}

// savings returns the plan at the pod level, or nil if it saves nothing.
func savings(spec *corev1.PodSpec, task *corev1.ResourceRequirements, p *PodPlan, ns *admit.Namespace) *PodLevelPlan {
	changes := make([]computeresources.Change, len(p.Changes))
	for i, c := range p.Changes {
		c.From, c.To = quantity.Clone(c.From), quantity.Clone(c.To)
		changes[i] = c
	}
	var conflicts computeresources.Problems[*limitrange.Conflict]
	for _, c := range p.Conflicts {
		conflicts = append(conflicts, at(c, c.Ref, c.Resource))
	}
	plan := raised(spec, changes, conflicts, task, TektonStep, ns)
	admitted := plan.PodLevel.Decision.Admitted() && !plan.Divided.Decision.Admitted()
	if admitted || less(plan.PodLevel.Limits, plan.Divided.Limits) { // requests are the same
		return &plan
	}
	return nil
}

// less reports whether an amount of a is below that of b.
func less(a, b corev1.ResourceList) bool {
	return slices.ContainsFunc(quantity.Names(a), func(name corev1.ResourceName) bool {
		return above(quantity.Find(b, name), quantity.Find(a, name))
	})
}
