package steps

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// PodLevelPlan sets the requirements of a task at the pod level, and shows what that gains.
type PodLevelPlan struct {
	// Changes are those of the containers, and then those of spec.resources, whose Ref is the pod.
	Changes []computeresources.Change `json:"changes,omitempty"`
	// Conflicts are the resources that cannot be set at the pod level, because the steps together request more than
	// one of them is limited to.
	Conflicts computeresources.Problems[*limitrange.Conflict] `json:"conflicts,omitempty"`
	// Divided is the effect of the changes of the containers, and PodLevel the effect of all Changes.
	Divided  Effect `json:"divided,omitzero"`
	PodLevel Effect `json:"podLevel,omitzero"`
	// Saves reports whether quotas count less of a limit at the pod level, or the pod is admitted only there.
	Saves bool `json:"saves,omitempty"`
}

// Effect is how a pod is admitted and counted in a namespace.
type Effect struct {
	// Decision is the answer of the API server to a request that creates the pod.
	Decision admit.Decision `json:"decision,omitzero"`
	// Requests and Limits are what quotas count of the pod that is stored. They are never nil.
	Requests corev1.ResourceList `json:"requests,omitempty"`
	Limits   corev1.ResourceList `json:"limits,omitempty"`
}

// PodLevel returns the changes that set task-level requirements at the pod level, in spec.resources
// (KEP-2837), after changes of the containers: those of TaskLevel, or of a PodPlan. A quota on limits counts the
// limits of all steps, although only one runs at a time. If there is a pod-level limit, the quota counts that instead:
// the limit of the task plus those of the sidecars. Of several runs, the last one with requirements counts.
//
// For each resource that the task requests or limits, and that can be set at the pod level (cpu,
// memory, hugepages), the pod-level request is the sum of the containers' requests, and the
// pod-level limit is what they can use at the same time (PeakLimits). There is no pod-level limit
// if one of the containers has none. Both are computed from the containers as they are stored, with
// the defaults of the namespace's LimitRanges; a nil namespace has none. The server derives amounts of
// other resources from the containers (computeresources.ApplyPodLevelDefaults); the server of 1.36 and older does so
// before LimitRanges raise those, and without cpu and memory that only these set. There, such requests are set as well.
// Overhead is not included. Steps keep their requests and limits. A resource
// that is set in spec.resources is not changed. Without task-level requirements, or without steps,
// nothing is added to changes.
//
// The requests that quotas count do not change, and the limits are the same or smaller. A pod that
// is admitted by LimitRanges for containers without the pod-level changes is admitted with them,
// too. A LimitRange of type Pod uses the pod-level limit, which may be below its minimum. The QoS
// class of a pod with pod-level resources depends on these only.
//
// The cluster has to have PodLevelResources. A namespace that was compiled without it shows
// one that has not: there, both effects are the same.
func PodLevel(
	spec *corev1.PodSpec, changes []computeresources.Change, runs []TaskRun, isStep Predicate, ns *admit.Namespace,
) PodLevelPlan {
	p := PodLevelPlan{Changes: cloned(changes), Divided: effectOf(spec, changes, Environment{Namespace: ns})}
	if task := lastTask(runs); task != nil && count(spec, isStep) > 0 {
		p.raise(spec, *task, isStep, ns.Kubernetes())
	}
	p.PodLevel = effectOf(spec, p.Changes, Environment{Namespace: ns})
	p.Saves = p.PodLevel.Decision.Admitted() && !p.Divided.Decision.Admitted() ||
		less(p.PodLevel.Limits, p.Divided.Limits) // requests are the same
	return p
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

// less reports whether an amount of a is below that of b.
func less(a, b corev1.ResourceList) bool {
	return slices.ContainsFunc(quantity.Names(a), func(name corev1.ResourceName) bool {
		return above(quantity.Find(b, name), quantity.Find(a, name))
	})
}

// raise appends the changes of spec.resources.
func (p *PodLevelPlan) raise(
	spec *corev1.PodSpec, task corev1.ResourceRequirements, isStep Predicate, kubernetes computeresources.Kubernetes,
) {
	ofContainers := computeresources.Options{Kubernetes: kubernetes, IgnorePodLevel: true, ExcludeOverhead: true}
	// The containers as they are stored, but with amounts in the formats of the task.
	stored := changed(spec, p.Changes)
	(&podwalk.Writer{Spec: stored}).RoundUp()
	stored = changed(stored, p.Divided.Decision.Changes)
	requests := computeresources.SpecRequests(stored, ofContainers)
	limits := PeakLimits(stored, isStep, ofContainers)
	pod, divided := computeresources.Ref{Kind: computeresources.Pod}, p.Changes
	set := func(name corev1.ResourceName, request, limit *resource.Quantity) {
		p.Changes = diff(p.Changes, pod, computeresources.Requests, name, nil, request)
		p.Changes = diff(p.Changes, pod, computeresources.Limits, name, nil, limit)
	}
	var raised []corev1.ResourceName
	for _, name := range quantity.Names(task.Requests, task.Limits) {
		if !resourcelist.IsPodLevel(name) || isInSpecResources(spec, name) {
			continue
		}
		request, limit := positive(requests, name), positive(limits, name)
		if above(request, limit) {
			conflict := conflictOf(limitrange.RequestAboveLimit, value(limitrange.Request, request),
				value(limitrange.Limit, limit))
			p.Conflicts = append(p.Conflicts, at(conflict, pod, name))
			continue
		}
		set(name, request, limit)
		raised = append(raised, name)
	}
	if len(p.Changes) == len(divided) || release.Rules(kubernetes).DefaultsPodLevelBeforeStoring() {
		return
	}
	// Once some pod-level amount is set, this server derives the others from the containers, before
	// LimitRanges give these more; and hugepages by themselves are invalid.
	sent, withPod := changed(spec, divided), changed(spec, p.Changes)
	computeresources.ApplyRequestDefaults(sent, kubernetes)
	computeresources.ApplyRequestDefaults(withPod, kubernetes)
	derived := computeresources.SpecRequests(sent, ofContainers)
	for name, q := range withPod.Resources.Requests {
		if resourcelist.IsHugePages(name) { // of which the server does not see limits without requests
			derived[name] = q
		}
	}
	ofHugePages := slices.ContainsFunc(raised, resourcelist.IsHugePages)
	for _, name := range quantity.Names(requests) {
		stored := positive(requests, name)
		before, isDerived := derived[name]
		differs := isDerived && stored != nil && stored.Cmp(before) != 0
		switch {
		case !resourcelist.IsPodLevel(name), slices.Contains(raised, name), isInSpecResources(spec, name):
		case resourcelist.IsHugePages(name):
			if differs { // a valid container has a limit that equals its request
				set(name, stored, stored)
			}
		case differs, ofHugePages && !isDerived:
			set(name, stored, nil)
		}
	}
}

// isInSpecResources reports whether spec.resources names a resource.
func isInSpecResources(spec *corev1.PodSpec, name corev1.ResourceName) bool {
	if spec.Resources == nil {
		return false
	}
	return quantity.Find(spec.Resources.Requests, name) != nil || quantity.Find(spec.Resources.Limits, name) != nil
}

// effectOf returns the effect of changes on a pod: how it is admitted, and its sums.
func effectOf(spec *corev1.PodSpec, changes []computeresources.Change, in Environment) Effect {
	ns, pod := in.Namespace, &corev1.Pod{Spec: *changed(spec, changes)}
	pod.Name = in.PodName
	e := Effect{Decision: ns.Create(pod, admit.Attributes{})}
	stored := &e.Decision.Object.(*corev1.Pod).Spec
	opts := computeresources.Options{Kubernetes: ns.Kubernetes()}
	e.Requests = computeresources.SpecRequests(stored, opts)
	e.Limits = computeresources.SpecLimits(stored, opts)
	return e
}

// changed returns a copy of a spec with changes that were made of it.
func changed(spec *corev1.PodSpec, changes []computeresources.Change) *corev1.PodSpec {
	own := spec.DeepCopy()
	if own == nil {
		own = &corev1.PodSpec{}
	}
	_ = computeresources.ApplyChanges(own, changes) // each names a part of the pod
	return own
}
