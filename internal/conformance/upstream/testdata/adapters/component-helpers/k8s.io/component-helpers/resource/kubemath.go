package resource

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
)

func PodRequests(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("PodRequests", pod, opts.NonMissingContainerRequests)
	theirs := upstreamPodRequests(pod.DeepCopy(), apart(opts))
	ours := requests(pod, opts, options(pod, opts))
	in.Unchanged()
	beside.Compare("PodRequests", ours, theirs)
	return ours
}

func PodLimits(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("PodLimits", pod)
	theirs := upstreamPodLimits(pod.DeepCopy(), apart(opts))
	translated := options(pod, opts)
	// Theirs means requests alone.
	translated.IgnoreContainers = false
	if !claimsCountAsLimits {
		translated.ClaimedFromNode = nil
	}
	ours := limits(pod, opts, translated)
	in.Unchanged()
	beside.Compare("PodLimits", ours, theirs)
	return ours
}

func AggregateContainerRequests(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("AggregateContainerRequests", pod, opts.NonMissingContainerRequests)
	theirs := upstreamAggregateContainerRequests(pod.DeepCopy(), apart(opts))
	ours := requests(pod, opts, containersOnly(options(pod, opts)))
	in.Unchanged()
	beside.Compare("AggregateContainerRequests", ours, theirs)
	return ours
}

func AggregateContainerLimits(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("AggregateContainerLimits", pod)
	theirs := upstreamAggregateContainerLimits(pod.DeepCopy(), apart(opts))
	translated := containersOnly(options(pod, opts))
	if !claimsCountAsLimits {
		translated.ClaimedFromNode = nil
	}
	ours := limits(pod, opts, translated)
	in.Unchanged()
	beside.Compare("AggregateContainerLimits", ours, theirs)
	return ours
}

func IsSupportedPodLevelResource(name corev1.ResourceName) bool {
	ours := resourcelist.IsPodLevel(name)
	beside.Compare("IsSupportedPodLevelResource", ours, upstreamIsSupportedPodLevelResource(name))
	return ours
}

func IsPodLevelResourcesSet(pod *corev1.Pod) bool {
	in := beside.Keep("IsPodLevelResourcesSet", pod)
	ours := setsPodLevel(pod, computeresources.Requests) || setsPodLevel(pod, computeresources.Limits)
	in.Unchanged()
	beside.Compare("IsPodLevelResourcesSet", ours, upstreamIsPodLevelResourcesSet(pod.DeepCopy()))
	return ours
}

func IsPodLevelRequestsSet(pod *corev1.Pod) bool {
	ours := setsPodLevel(pod, computeresources.Requests)
	beside.Compare("IsPodLevelRequestsSet", ours, upstreamIsPodLevelRequestsSet(pod.DeepCopy()))
	return ours
}

func IsPodLevelLimitsSet(pod *corev1.Pod) bool {
	ours := setsPodLevel(pod, computeresources.Limits)
	beside.Compare("IsPodLevelLimitsSet", ours, upstreamIsPodLevelLimitsSet(pod.DeepCopy()))
	return ours
}

func setsPodLevel(pod *corev1.Pod, list computeresources.List) bool {
	return slices.ContainsFunc(resourcelist.ResourceNames(list.Of(pod.Spec.Resources)), resourcelist.IsPodLevel)
}

func IsPodResizeInfeasible(pod *corev1.Pod) bool {
	ours := computeresources.PendingResize(pod) == corev1.PodReasonInfeasible
	beside.Compare("IsPodResizeInfeasible", ours, upstreamIsPodResizeInfeasible(pod.DeepCopy()))
	return ours
}

func IsPodResizeDeferred(pod *corev1.Pod) bool {
	ours := computeresources.PendingResize(pod) == corev1.PodReasonDeferred
	beside.Compare("IsPodResizeDeferred", ours, upstreamIsPodResizeDeferred(pod.DeepCopy()))
	return ours
}

// requests returns those of the pod with its status, or of its spec, as opts say.
func requests(pod *corev1.Pod, opts PodResourcesOptions, translated computeresources.Options) corev1.ResourceList {
	if opts.UseStatusResources {
		return computeresources.PodRequestsInto(opts.Reuse, pod, translated)
	}
	return computeresources.SpecRequestsInto(opts.Reuse, &pod.Spec, translated)
}

func limits(pod *corev1.Pod, opts PodResourcesOptions, translated computeresources.Options) corev1.ResourceList {
	if !opts.UseStatusResources {
		pod = &corev1.Pod{Spec: pod.Spec}
	}
	return computeresources.PodLimitsInto(opts.Reuse, pod, translated)
}

func options(pod *corev1.Pod, opts PodResourcesOptions) computeresources.Options {
	translated := computeresources.Options{
		Kubernetes:       computeresources.Kubernetes{Release: beside.Release, PodLevelResources: new(!opts.SkipPodLevelResources), InPlacePodLevelResourcesVerticalScaling: &opts.InPlacePodLevelResourcesVerticalScalingEnabled},
		IgnoreContainers: opts.SkipContainerLevelResources,
		ExcludeOverhead:  opts.ExcludeOverhead,
		MissingRequests:  opts.NonMissingContainerRequests,
	}
	if opts.UseDRANodeAllocatableResourceClaimStatus {
		translated.ClaimedFromNode = claimed(pod)
	}
	return translated
}

func containersOnly(opts computeresources.Options) computeresources.Options {
	opts.IgnorePodLevel, opts.IgnoreContainers, opts.ExcludeOverhead = true, false, true
	return opts
}

// apart returns options that share no list with opts.
func apart(opts PodResourcesOptions) PodResourcesOptions {
	opts.Reuse = nil
	opts.NonMissingContainerRequests = opts.NonMissingContainerRequests.DeepCopy()
	return opts
}
