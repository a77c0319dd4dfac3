package steps

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// Environment is what the cluster and the namespace of a run add to its resources. The zero value adds nothing.
type Environment struct {
	// ContainerDefaults is default-container-resource-requirements: see the function of that name.
	ContainerDefaults map[string]corev1.ResourceRequirements

	// Namespace has the LimitRanges and ResourceQuotas of the namespace. A nil Namespace has none.
	Namespace *admit.Namespace

	// Tekton is the installation, which adds containers: see TektonContainers.
	Tekton Tekton

	// PodName is the name of the pod, for messages: see affinity.PodName. It may be empty.
	PodName string
}

// PodPlan is a pod of Tekton with its resources, and where each amount comes from.
type PodPlan struct {
	// Changes are what Tekton changes in the containers of the task, and in those that it adds, before it creates the
	// pod, in its order: the amounts of the run, those of its configuration, and its part of LimitRanges. They are
	// changes of the pod that TektonContainers returns.
	Changes []computeresources.Change `json:"changes,omitempty"`
	// Conflicts are why amounts of the run or of LimitRanges cannot be set: see TaskLevel and Fill.
	Conflicts computeresources.Problems[*limitrange.Conflict] `json:"conflicts,omitempty"`
	// Effect is how the pod is admitted and counted, with these changes.
	Effect Effect `json:"effect,omitzero"`
	// Amounts are all amounts of the containers and of the pod: From is what the task sets, To what is
	// stored, or would be if the pod were admitted, and Source the last one that changed it (see
	// WholePod). They are in the order of the package; the pod is last.
	Amounts []computeresources.Change `json:"amounts,omitempty"`
	// Rejected is the message of the first rejection: that of Tekton's webhook, or else that of the API server, whose
	// answer is Effect.Decision.Err. It is empty if the pod is created.
	Rejected string `json:"rejected,omitempty"`
}

// WholePod returns the resources of the pod that Tekton creates for a run, by all that sets or changes
// them, in the order of Tekton:
//
//  1. spec has the containers of the task, with the amounts that they set themselves, and TektonContainers adds
//     those of Tekton;
//  2. runs are applied one after another, as TaskLevel does. Tekton has one; the last is the most
//     specific: of a Pipeline and of a PipelineRun, it is that of the PipelineRun;
//  3. the configuration of the cluster, as ContainerDefaults does;
//  4. the defaults of LimitRanges, as Fill does with their aggregate;
//  5. admission by the API server, with its own defaults, LimitRanges and quotas.
//
// With TektonOptions, the pod is that of Tekton, except where its answer depends on the order of a map or of a list
// without an order; with Options{}, parts add up to the whole. A part of the task may then be one unit more than
// Tekton's, and above a maximum that Tekton's is not above. SingleRange is set if there is one LimitRange that is
// not nil. Steps are the containers of TektonStep. If the pod is rejected because of its defaults, see AdmittedPod.
//
// The Source of an amount is one of
//
//   - zero, whose String is "pod": the task sets it;
//   - Tekton: the release that sets it for a container that it adds;
//   - Task: the step template, with its field;
//   - TaskRun, or the Source of the run: an override or the task-level requirements, with the field;
//   - ConfigMap: the configuration, with the key;
//   - LimitRange: the one that has the default or the minimum. Tekton or the LimitRanger sets it;
//   - API server: it follows from other amounts, such as a request from a limit.
//
// Rejected is decided in the order of Tekton: the webhook rejects what ValidateTaskRun returns for any of
// runs, whose paths begin with spec. The plan is complete nevertheless. With several LimitRanges, the answer
// of the API server may differ from request to request: see admit.Namespace.Possible.
//
// A nil spec is treated as a pod without containers.
//
// Source: createPod of Tekton's pkg/reconciler/taskrun, and Build of its pkg/pod.
func WholePod(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) PodPlan {
	var p PodPlan
	spec = TektonContainers(spec, runs, in.Tekton)
	before := p.send(spec, runs, in, opts)
	defaults := p.fill(before, in, opts)
	p.Effect = effectOf(before, defaults, in)
	p.finish(spec, runs, defaults)
	return p
}

// finish sets what follows from the defaults of a pod, and from their effect.
func (p *PodPlan) finish(spec *corev1.PodSpec, runs []TaskRun, defaults []computeresources.Change) {
	p.Changes = append(p.Changes, defaults...)
	p.Amounts = amountsOf(spec, p)
	p.Rejected = rejectionOf(runs, p.Effect.Decision)
}

// send appends the changes that are made before LimitRanges are looked at, and returns the pod with them.
func (p *PodPlan) send(spec *corev1.PodSpec, runs []TaskRun, in Environment, opts Options) *corev1.PodSpec {
	sent := changed(spec, nil)
	apply := func(changes []computeresources.Change) {
		p.Changes = append(p.Changes, changes...)
		sent = changed(sent, changes)
	}
	apply(in.Tekton.ownAmounts(sent))
	for i := range runs {
		changes, conflicts := runs[i].requirements(sent, opts)
		p.Conflicts = append(p.Conflicts, conflicts...)
		apply(runs[i].attributed(sent, changes, opts))
	}
	apply(ContainerDefaults(sent, in.ContainerDefaults))
	return sent
}

// fill returns the changes of a pod because of LimitRanges.
func (p *PodPlan) fill(sent *corev1.PodSpec, in Environment, opts Options) []computeresources.Change {
	ranges := in.Namespace.LimitRanges()
	aggregate := limitrange.AggregateOf(ranges)
	opts.SingleRange = len(ranges) == 1
	changes, conflicts := Fill(sent, aggregate.Item(corev1.LimitTypeContainer), TektonStep, opts)
	p.Conflicts = append(p.Conflicts, conflicts...)
	for i := range changes {
		changes[i].Source = defaultSource(aggregate, &changes[i])
	}
	return changes
}

// rejectionOf returns the message of the first rejection of a run or of its pod.
func rejectionOf(runs []TaskRun, d admit.Decision) string {
	for _, run := range runs {
		if errs := ValidateTaskRun(run, field.NewPath("spec")); len(errs) > 0 {
			return errs[0].Error()
		}
	}
	if err := d.Err(); err != nil {
		return err.Error()
	}
	return ""
}
