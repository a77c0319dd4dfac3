package release

// Rules are the rules of a release, with the gates that differ from its defaults. The fields are those of
// computeresources.Kubernetes, from which it is converted.
type Rules struct {
	Release                                 string
	PodLevelResources                       *bool
	InPlacePodLevelResourcesVerticalScaling *bool
	InPlacePodVerticalScalingInitContainers *bool
	NodeDeclaredFeatures                    *bool
	MaxUnavailableStatefulSet               *bool
	StatefulSetRecreateStrategy             *bool
}

// CountsPodLevel reports whether spec.resources of a pod counts (KEP-2837). Gate PodLevelResources, on since 1.34.
func (r Rules) CountsPodLevel() bool { return r.enabled(r.PodLevelResources, 34) }

// ResizesPodLevel reports whether pods with pod-level resources can be resized in place, and whether the scheduler
// counts status.resources and status.allocatedResources of a pod (KEP-5419). Gate
// InPlacePodLevelResourcesVerticalScaling, on since 1.36.
func (r Rules) ResizesPodLevel() bool {
	return r.enabled(r.InPlacePodLevelResourcesVerticalScaling, 36)
}

// ResizesInitContainers reports whether init containers that run to completion can be resized. Gate
// InPlacePodVerticalScalingInitContainers, on since 1.36.
func (r Rules) ResizesInitContainers() bool {
	return r.enabled(r.InPlacePodVerticalScalingInitContainers, 36)
}

// ChecksDeclaredFeatures reports whether a resize needs the features that its node declares (KEP-5328). Gate
// NodeDeclaredFeatures, on since 1.36.
func (r Rules) ChecksDeclaredFeatures() bool { return r.enabled(r.NodeDeclaredFeatures, 36) }

// ComparesBoundsExactly reports whether the LimitRanger compares quantities, and a limit with the product of a
// request and a ratio. Up to 1.37, it compares rounded integers, and ratios as floats. Since 1.38, without a gate.
//
// Source: minConstraint, exceedsAllowed of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (r Rules) ComparesBoundsExactly() bool { return r.since(38) }

// SkipsUnchangedAmounts reports whether the LimitRanger checks of an update only what it changes, for each container
// and resource. Since 1.38, without a gate.
//
// Source: resourceUnchanged, unchangedRequest of k8s.io/kubernetes/plugin/pkg/admission/limitranger.
func (r Rules) SkipsUnchangedAmounts() bool { return r.since(38) }

// OmitsPartialLimits reports whether the limit of a pod has no cpu or memory if one of its containers has no limit
// of it, or zero. Up to 1.37, it is the sum of those that have one. Since 1.38, without a gate.
//
// Source: omitPartiallySetCPUMemLimits of k8s.io/component-helpers/resource.
func (r Rules) OmitsPartialLimits() bool { return r.since(38) }

// AddsClaimsToEveryLimit reports whether what claims use of a node's allocatable resources is added to the limit of a
// pod whose containers do not set it. Since 1.38, without a gate.
//
// Source: aggregateContainerResourcesByFn of k8s.io/component-helpers/resource.
func (r Rules) AddsClaimsToEveryLimit() bool { return r.since(38) }

// DescribesStatus reports whether the totals of kubectl describe node count the status of pods, as its rows of pods
// do. Since 1.38, without a gate.
//
// Source: getPodsTotalRequestsAndLimits of k8s.io/kubectl/pkg/describe.
func (r Rules) DescribesStatus() bool { return r.since(38) }

// SkipsStoredQuotaAmounts reports whether the validation of a ResourceQuota accepts the amounts that the quota has
// already. Since 1.38, without a gate.
//
// Source: ValidateResourceQuotaUpdate of k8s.io/kubernetes/pkg/apis/core/validation.
func (r Rules) SkipsStoredQuotaAmounts() bool { return r.since(38) }

// UpdatesSeveralReplicas reports whether maxUnavailable of a StatefulSet counts (KEP-961), and with it the pods that
// are unavailable. Gate MaxUnavailableStatefulSet, on in 1.35, off in 1.36, and on since 1.37.
func (r Rules) UpdatesSeveralReplicas() bool {
	return r.enabledIn(r.MaxUnavailableStatefulSet, r.minor() == 35 || r.since(37))
}

// ReplacesWaitingReplicasFirst reports whether pods that are managed in parallel, and that are unavailable, are
// replaced whatever maxUnavailable is. Since 1.37, with UpdatesSeveralReplicas.
//
// Source: updateStatefulSetAfterInvariantEstablished of k8s.io/kubernetes/pkg/controller/statefulset.
func (r Rules) ReplacesWaitingReplicasFirst() bool { return r.since(37) }

// CountsReplicasAbovePartition reports whether pods below the partition are no part of maxUnavailable: a percentage
// is of the others, and those below may be unavailable in addition. Since 1.38, with UpdatesSeveralReplicas.
//
// Source: updateStatefulSetAfterInvariantEstablished of k8s.io/kubernetes/pkg/controller/statefulset.
func (r Rules) CountsReplicasAbovePartition() bool { return r.since(38) }

// RemovesExcessReplicasFirst reports whether a StatefulSet that manages its pods in parallel deletes those beyond its
// replicas before it creates others. Since 1.38, without a gate.
//
// Source: processCondemnedPods of k8s.io/kubernetes/pkg/controller/statefulset.
func (r Rules) RemovesExcessReplicasFirst() bool { return r.since(38) }

// RecreatesStatefulSets reports whether a StatefulSet may have the strategy Recreate (KEP-3541). Gate
// StatefulSetRecreateStrategy, on since 1.38.
func (r Rules) RecreatesStatefulSets() bool { return r.enabled(r.StatefulSetRecreateStrategy, 38) }

// ComparesSumsOfResize reports whether the largest of the sums of the desired, the allocated and the actuated
// resources counts of a pod that is resized in place. Up to 1.36, the largest amount of each container counts
// instead (kubernetes/kubernetes 140046). Since 1.37, without a gate.
func (r Rules) ComparesSumsOfResize() bool { return r.since(37) }
