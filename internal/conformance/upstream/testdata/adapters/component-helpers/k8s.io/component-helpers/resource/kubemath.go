package resource

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"kubemath.example/upstream/beside"
)

func PodRequests(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("PodRequests", pod, opts.NonMissingContainerRequests)
	theirs := upstreamPodRequests(pod.DeepCopy(), apart(opts))
	ours := computeresources.PodRequestsInto(opts.Reuse, &pod.Spec, options(pod, opts))
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
	ours := computeresources.PodLimitsInto(opts.Reuse, &pod.Spec, translated)
	in.Unchanged()
	beside.Compare("PodLimits", ours, theirs)
	return ours
}

func AggregateContainerRequests(pod *corev1.Pod, opts PodResourcesOptions) corev1.ResourceList {
	in := beside.Keep("AggregateContainerRequests", pod, opts.NonMissingContainerRequests)
	theirs := upstreamAggregateContainerRequests(pod.DeepCopy(), apart(opts))
	ours := computeresources.PodRequestsInto(opts.Reuse, &pod.Spec, containersOnly(options(pod, opts)))
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
	ours := computeresources.PodLimitsInto(opts.Reuse, &pod.Spec, translated)
	in.Unchanged()
	beside.Compare("AggregateContainerLimits", ours, theirs)
	return ours
}

func IsSupportedPodLevelResource(name corev1.ResourceName) bool {
	ours := computeresources.PodLevel(name)
	beside.Compare("IsSupportedPodLevelResource", ours, upstreamIsSupportedPodLevelResource(name))
	return ours
}

func options(pod *corev1.Pod, opts PodResourcesOptions) computeresources.Options {
	translated := computeresources.Options{
		IgnorePodLevelStatus: !opts.InPlacePodLevelResourcesVerticalScalingEnabled,
		IgnorePodLevel:       opts.SkipPodLevelResources,
		IgnoreContainers:     opts.SkipContainerLevelResources,
		ExcludeOverhead:      opts.ExcludeOverhead,
		MissingRequests:      opts.NonMissingContainerRequests,
	}
	if opts.UseStatusResources {
		translated.Status = &pod.Status
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
