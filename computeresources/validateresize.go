package computeresources

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// ResizeOptions describe how a cluster differs from a default cluster, which is the zero value.
type ResizeOptions struct {
	// Kubernetes selects which pods can be resized. Without PodLevelResources or
	// InPlacePodLevelResourcesVerticalScaling, those with pod-level resources cannot.
	// NodeDeclaredFeatures counts in ValidateResizeOnNode.
	Kubernetes Kubernetes

	// ClaimedFromNode is what the pod's resource claims use of the node's allocatable resources
	// through dynamic resource allocation (KEP-5517). Up to 1.36, a pod with such claims cannot be
	// resized. The list is only read.
	ClaimedFromNode corev1.ResourceList
}

// ValidateResize returns why the API server refuses to resize a pod in place, by an update of the
// subresource resize: old is the stored pod, and updated the pod in the request. The elements are
// in the order of the server: what [Validate] returns for the new amounts, then invalid changes of
// the pod, of its init containers and sidecars, and of its app containers. The result is nil if the
// resize is valid.
//
// CPU and memory of containers, sidecars, init containers and the pod level may be raised and
// lowered, but not removed. The QoS class in the status of old must not change. Containers keep
// their number, order, names, claims and resize policies. Mirror pods and Windows pods cannot be
// resized. All other changes, such as an image or an ephemeral container, are ignored without an
// error, as on the server.
//
// Up to 1.37, pods on a node whose kubelet does not report the resources of containers cannot be
// resized either; up to 1.36, containers with resource claims, and pods with claims for
// node-allocatable resources. In 1.33, the memory limit of a container can only be lowered or added
// if that restarts it.
//
// The server does not refuse resizes of pods that have ended, or memory limits below current usage:
// the kubelet does not set these while the usage is higher. The kubelet also checks whether the node
// has room, and the static policies of its CPU and memory managers. LimitRanges, quotas and the
// admission plugins that check the node (PodResizeValidator: does it run Linux, and is it as large as
// the new requests; NodeDeclaredFeatureValidator) come after this.
//
// The server sets defaults first: call ApplyRequestDefaults on updated. Those of [ApplyPodLevelDefaults] are included;
// since 1.37, a pod that updated has no spec.resources of keeps that of old. A nil pod is treated as a
// pod without containers. The result owns its memory.
//
// Source: podResizeStrategy of k8s.io/kubernetes/pkg/registry/core/pod and ValidatePodResize of
// k8s.io/kubernetes/pkg/apis/core/validation; KEP-1287.
func ValidateResize(old, updated *corev1.Pod, opts ResizeOptions) Problems[*ResizeProblem] {
	if old == nil {
		old = &corev1.Pod{}
	}
	if updated == nil {
		updated = &corev1.Pod{}
	}
	spec, _ := resized(old, updated, opts)
	r := resizing{old: &old.Spec, new: spec, opts: opts}
	if alone := r.alone(old); alone != nil {
		return Problems[*ResizeProblem]{alone}
	}
	rules := release.Rules(opts.Kubernetes)
	r.amounts()
	r.class(old)
	if !rules.ResizesOnAnyNode() && !reportsResources(&old.Status) {
		r.add(ResizeProblem{Cause: ResizeUnsupportedByNode})
	}
	if r.namesPodLevel() {
		if !opts.podLevel() {
			r.add(ResizeProblem{Ref: Ref{Kind: Pod}, Cause: ResizePodLevelDisabled})
			return aggregate.Pointers(r.found)
		}
		r.podLevel()
	}
	if !rules.ResizesWithNodeClaims() && len(opts.ClaimedFromNode) > 0 {
		r.add(ResizeProblem{Cause: ResizeWithNodeClaims})
	}
	if !r.sameContainers() {
		return aggregate.Pointers(r.found)
	}
	r.removals()
	r.mutations()
	if len(r.found) == 0 && !equalResources(r.old.Resources, r.new.Resources) && !r.namesPodLevel() {
		r.add(ResizeProblem{Cause: ResizeOfOtherThanCompute})
	}
	return aggregate.Pointers(r.found)
}

// podLevel reports whether pods with pod-level resources can be resized.
func (o ResizeOptions) podLevel() bool {
	rules := release.Rules(o.Kubernetes)
	return rules.CountsPodLevel() && rules.ResizesPodLevel()
}

// resized returns the spec that the server looks at: that of old, with the resources and resize
// policies of updated. If containers were added, removed or renamed, it is that of updated, where
// they show. The result shares memory with both and is only read. It also returns the pod-level
// defaults that are set in it.
func resized(old, updated *corev1.Pod, opts ResizeOptions) (*corev1.PodSpec, []Change) {
	spec := updated.Spec
	if len(old.Spec.Containers) == len(spec.Containers) && len(old.Spec.InitContainers) == len(spec.InitContainers) {
		spec = old.Spec
		spec.Containers = resizedContainers(old.Spec.Containers, updated.Spec.Containers)
		spec.InitContainers = resizedContainers(old.Spec.InitContainers, updated.Spec.InitContainers)
		if opts.podLevel() {
			spec.Resources = updated.Spec.Resources
		}
	}
	rules := release.Rules(opts.Kubernetes)
	if spec.Resources == nil && rules.DefaultsPodLevelBeforeStoring() {
		spec.Resources = old.Spec.Resources
	}
	defaults := ApplyPodLevelDefaults(&spec, opts.Kubernetes)
	if !rules.CountsPodLevel() && !namesPodLevel(&old.Spec) {
		spec.Resources = nil
	}
	return &spec, defaults
}

func resizedContainers(old, updated []corev1.Container) []corev1.Container {
	merged := slices.Clone(old)
	for i := range merged {
		if merged[i].Name != updated[i].Name {
			return updated
		}
		merged[i].Resources, merged[i].ResizePolicy = updated[i].Resources, updated[i].ResizePolicy
	}
	return merged
}

// resizing collects the problems of a resize.
type resizing struct {
	old, new *corev1.PodSpec
	opts     ResizeOptions
	found    []ResizeProblem
}

func (r *resizing) add(p ResizeProblem) { r.found = append(r.found, p) }

// namesPodLevel reports whether the pod has pod-level resources before or after.
func (r *resizing) namesPodLevel() bool { return namesPodLevel(r.old) || namesPodLevel(r.new) }

// alone returns the problem that the server reports without any other, nil if there is none.
func (r *resizing) alone(old *corev1.Pod) *ResizeProblem {
	_, isMirror := old.Annotations[corev1.MirrorPodAnnotationKey]
	switch {
	case r.namesPodLevel() && !r.opts.podLevel() && !release.Rules(r.opts.Kubernetes).NamesGateOfPodLevelResize():
		return &ResizeProblem{Ref: Ref{Kind: Pod}, Cause: ResizeOfPodLevel}
	case isMirror:
		return &ResizeProblem{Cause: ResizeOfStaticPod}
	case old.Spec.OS != nil && old.Spec.OS.Name == corev1.Windows:
		return &ResizeProblem{Cause: ResizeOfWindowsPod}
	}
	return nil
}

// amounts adds the invalid new amounts and resize policies.
func (r *resizing) amounts() {
	for _, invalid := range Validate(r.old, r.new, r.opts.Kubernetes) {
		r.add(ResizeProblem{Ref: invalid.Ref, List: invalid.List, Resource: invalid.Resource, Cause: ResizeInvalid,
			Invalid: invalid})
	}
}

// class compares the QoS classes.
func (r *resizing) class(old *corev1.Pod) {
	before, rules := old.Status.QOSClass, release.Rules(r.opts.Kubernetes)
	if before == "" {
		before = podwalk.Class(r.old, rules)
	}
	if after := podwalk.Class(r.new, rules); before != after {
		r.add(ResizeProblem{Cause: ResizeChangesClass, ClassBefore: before, ClassAfter: after,
			ClassInStatus: old.Status.QOSClass})
	}
}

// reportsResources reports whether the kubelet writes the resources of containers into the status
// of a pod: whether the first app container that runs has some. Before one runs, nothing is known,
// and it does.
func reportsResources(status *corev1.PodStatus) bool {
	for i := range status.ContainerStatuses {
		if c := &status.ContainerStatuses[i]; c.State.Running != nil {
			return c.Resources != nil
		}
	}
	return true
}

// namesPodLevel reports whether spec.resources names any resource: here the server does not ask whether it can be set
// at pod level, as it does elsewhere (resourcename.SetsPodLevel).
func namesPodLevel(spec *corev1.PodSpec) bool {
	return spec.Resources != nil && len(spec.Resources.Requests)+len(spec.Resources.Limits) > 0
}

// podLevel compares the pod-level resources.
func (r *resizing) podLevel() {
	ref := Ref{Kind: Pod}
	if r.new.Resources == nil {
		if r.old.Resources != nil {
			r.add(ResizeProblem{Ref: ref, Cause: ResizeRemovesPodLevel})
		}
		return
	}
	before := r.old.Resources
	if before == nil {
		before = &corev1.ResourceRequirements{}
	}
	r.removed(ref, before, r.new.Resources)
	if !onlyComputeDiffers(before, r.new.Resources) || !slices.Equal(before.Claims, r.new.Resources.Claims) {
		r.add(ResizeProblem{Ref: ref, Cause: ResizeOfOtherThanCompute})
	}
}

// sameContainers compares number, order and names of the containers, and reports whether they are
// the same.
func (r *resizing) sameContainers() bool {
	same := len(r.found)
	r.sameList(App, r.old.Containers, r.new.Containers)
	r.sameList(Init, r.old.InitContainers, r.new.InitContainers)
	return len(r.found) == same
}

func (r *resizing) sameList(kind Kind, old, updated []corev1.Container) {
	if len(old) != len(updated) {
		r.add(ResizeProblem{Ref: Ref{Kind: kind}, Cause: ResizeAddsOrRemovesContainers})
		return
	}
	for i := range old {
		if old[i].Name != updated[i].Name {
			r.add(ResizeProblem{Ref: Ref{kind, i, updated[i].Name}, Cause: ResizeRenamesContainer})
		}
	}
}

// canResize reports whether containers of a kind can be resized.
func (r *resizing) canResize(kind podwalk.Kind) bool {
	return kind.RunsBesideApps() || release.Rules(r.opts.Kubernetes).ResizesInitContainers()
}

// removals finds requests and limits that updated no longer has.
func (r *resizing) removals() {
	cs := podwalk.Of(r.old)
	for i := range cs.Len() {
		if kind, before := cs.At(i); r.canResize(kind) {
			_, after := podwalk.Of(r.new).At(i)
			ref := Ref{Kind(kind), cs.Index(i), before.Name}
			r.removed(ref, &before.Resources, &after.Resources)
			r.memoryLimit(ref, before, after)
		}
	}
}

func (r *resizing) removed(ref Ref, before, after *corev1.ResourceRequirements) {
	for _, list := range []List{Requests, Limits} {
		for _, name := range quantity.Names(list.Of(before)) {
			if quantity.Find(list.Of(after), name) == nil {
				r.add(ResizeProblem{Ref: ref, List: list, Resource: name, Cause: ResizeRemovesAmount})
				break // the server has one error for each list
			}
		}
	}
}

// memoryLimit finds a limit that the server lowers or adds only by a restart.
func (r *resizing) memoryLimit(ref Ref, before, after *corev1.Container) {
	isOfMemory := func(p corev1.ContainerResizePolicy) bool { return p.ResourceName == corev1.ResourceMemory }
	i := slices.IndexFunc(after.ResizePolicy, isOfMemory)
	restarts := i >= 0 && !slices.Contains([]corev1.ResourceResizeRestartPolicy{"", corev1.NotRequired},
		after.ResizePolicy[i].RestartPolicy)
	now := quantity.Find(after.Resources.Limits, corev1.ResourceMemory)
	if release.Rules(r.opts.Kubernetes).LowersMemoryLimits() || restarts || now == nil {
		return
	}
	p := ResizeProblem{Ref: ref, List: Limits, Resource: corev1.ResourceMemory}
	was := quantity.Find(before.Resources.Limits, corev1.ResourceMemory)
	switch {
	case was == nil:
		p.Cause = ResizeAddsMemoryLimit
	case now.Cmp(*was) < 0:
		p.Cause = ResizeLowersMemoryLimit
	default:
		return
	}
	r.add(p)
}

// mutations finds what else changes of containers, app containers first.
func (r *resizing) mutations() {
	cs := podwalk.Of(r.old)
	for i := range cs.Len() {
		i = cs.AppsFirst(i)
		kind, before := cs.At(i)
		_, after := podwalk.Of(r.new).At(i)
		ref := Ref{Kind(kind), cs.Index(i), before.Name}
		switch {
		case !r.canResize(kind):
			if !equalResources(&before.Resources, &after.Resources) || !slices.Equal(before.ResizePolicy, after.ResizePolicy) {
				r.add(ResizeProblem{Ref: ref, Cause: ResizeOfInitContainer})
			}
		case r.claimsDiffer(before, after), !onlyComputeDiffers(&before.Resources, &after.Resources),
			!slices.Equal(before.ResizePolicy, after.ResizePolicy):
			r.add(ResizeProblem{Ref: ref, Cause: r.otherThanCompute(kind)})
		}
		if !kind.RunsBesideApps() && r.canResize(kind) {
			r.restarts(ref, before, after)
		}
	}
}

// claimsDiffer reports whether the claims of a container change. Up to 1.36, the server removes all of them before it
// compares containers.
func (r *resizing) claimsDiffer(before, after *corev1.Container) bool {
	if release.Rules(r.opts.Kubernetes).ResizesWithClaims() {
		return !slices.Equal(before.Resources.Claims, after.Resources.Claims)
	}
	return len(before.Resources.Claims) > 0
}

// otherThanCompute returns why an update that changes more of a container than its cpu and memory is refused.
func (r *resizing) otherThanCompute(kind podwalk.Kind) ResizeCause {
	switch kind {
	case podwalk.Sidecar:
		if !release.Rules(r.opts.Kubernetes).NamesResizedSidecar() {
			return ResizeOfSidecar
		}
	case podwalk.App, podwalk.Init:
	}
	return ResizeOfOtherThanCompute
}

// restarts finds an init container that a resize would restart. The server reports each entry of its
// resize policy.
func (r *resizing) restarts(ref Ref, before, after *corev1.Container) {
	if equalResources(&before.Resources, &after.Resources) && slices.Equal(before.ResizePolicy, after.ResizePolicy) {
		return
	}
	for _, policy := range after.ResizePolicy {
		if policy == (corev1.ContainerResizePolicy{ResourceName: policy.ResourceName,
			RestartPolicy: corev1.RestartContainer}) {
			r.add(ResizeProblem{Ref: ref, Cause: ResizeRestartsInitContainer, Resource: policy.ResourceName})
		}
	}
}

// equalResources reports whether two requirements are equal. Those that are nil equal no others.
func equalResources(a, b *corev1.ResourceRequirements) bool {
	if a == nil || b == nil {
		return a == b
	}
	return resourcelist.Equals(a.Requests, b.Requests) && resourcelist.Equals(a.Limits, b.Limits) &&
		slices.Equal(a.Claims, b.Claims)
}

// onlyComputeDiffers reports whether two requirements are equal except for cpu, memory and claims.
func onlyComputeDiffers(a, b *corev1.ResourceRequirements) bool {
	return equalOthers(a.Requests, b.Requests) && equalOthers(a.Limits, b.Limits)
}

func equalOthers(a, b corev1.ResourceList) bool {
	isWithin := func(a, b corev1.ResourceList) bool {
		for name, q := range a {
			if isCompute(name) {
				continue
			}
			if other := quantity.Find(b, name); other == nil || q.Cmp(*other) != 0 {
				return false
			}
		}
		return true
	}
	return isWithin(a, b) && isWithin(b, a)
}
