package release

// Rules are the rules of a release, with the gates that differ from its defaults. The fields are those of
// computeresources.Kubernetes, from which it is converted.
type Rules struct {
	Release                                 string
	PodLevelResources                       *bool
	PodLevelResourcesFixDefaulting          *bool
	PodLevelResourcesFixKubeletQOSClass     *bool
	InPlacePodLevelResourcesVerticalScaling *bool
	InPlacePodVerticalScalingInitContainers *bool
	NodeDeclaredFeatures                    *bool
	MaxUnavailableStatefulSet               *bool
	StatefulSetRecreateStrategy             *bool
	MemoryQoS                               *bool
}

// CountsPodLevel reports whether spec.resources of a pod counts (KEP-2837). Gate PodLevelResources, on since 1.34.
func (r Rules) CountsPodLevel() bool { return r.enabled(r.PodLevelResources, 34) }

// DefaultsPodLevelBeforeStoring reports whether the API server sets pod-level requests and limits right before it
// validates and stores a new or resized pod, after LimitRanges, and keeps spec.resources where an update lacks it
// (DefaultPodLevelResources of k8s.io/kubernetes/pkg/api/pod). Up to 1.36, it sets requests alone, of pods with
// pod-level limits, whenever it decodes a pod. Gate PodLevelResourcesFixDefaulting, on since 1.37, which
// depends on PodLevelResources.
func (r Rules) DefaultsPodLevelBeforeStoring() bool {
	return r.CountsPodLevel() && r.enabled(r.PodLevelResourcesFixDefaulting, 37)
}

// ClassIgnoresEmptyPodLevel reports whether spec.resources only decides on the QoS class of a pod if it sets a
// resource that can be set at pod level (ComputePodQOS of k8s.io/kubernetes/pkg/apis/core/v1/helper/qos). Up to 1.36,
// it decides even if it is empty. Gate PodLevelResourcesFixKubeletQOSClass, on since 1.37.
func (r Rules) ClassIgnoresEmptyPodLevel() bool {
	return r.enabled(r.PodLevelResourcesFixKubeletQOSClass, 37)
}

// ClassifiesEachContainer reports whether each container of a Guaranteed pod requests its limits, and amounts below
// zero count for the class (ComputePodQOS). Up to 1.36, the sums of all containers are compared, of the amounts above
// zero. The two differ in pods that no API server stores. Since 1.37, without a gate.
func (r Rules) ClassifiesEachContainer() bool { return r.since(37) }

// IgnoresMemoryDeficit reports whether the kubelet leaves oom_score_adj as it is where containers request more memory
// than their pod. Up to 1.36, it divides the negative remainder among them (remainingPodMemReqPerContainer of
// k8s.io/kubernetes/pkg/kubelet/qos). No API server stores such pods. Since 1.37, without a gate.
func (r Rules) IgnoresMemoryDeficit() bool { return r.since(37) }

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

// ChecksDeclaredFeatures reports whether a pod needs the features that its node declares, when it is scheduled and when
// it is resized (KEP-5328). Gate NodeDeclaredFeatures, on since 1.36.
func (r Rules) ChecksDeclaredFeatures() bool { return r.enabled(r.NodeDeclaredFeatures, 36) }

// CountsImplicitNames reports whether quotas count what pods request of a device class by its implicit name,
// deviceclass.resource.kubernetes.io/<class> (KEP-5004). Since 1.35, without a gate.
//
// Source: isExtendedResourceNameForQuota of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (r Rules) CountsImplicitNames() bool { return r.since(35) }

// DelegatesExtendedResources reports whether the scheduler leaves an extended resource of a DeviceClass to dynamic
// resource allocation on nodes that do not have it (KEP-5004). Gate DRAExtendedResource, on since 1.36.
func (r Rules) DelegatesExtendedResources() bool { return r.since(36) }

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

// NamesFixedFields reports whether the API server names each field of a StatefulSet that cannot change. Up to 1.36, it
// lists the others. Since 1.37, without a gate.
//
// Source: ValidateStatefulSetUpdate of k8s.io/kubernetes/pkg/apis/apps/validation.
func (r Rules) NamesFixedFields() bool { return r.since(37) }

// RecreatesStatefulSets reports whether a StatefulSet may have the strategy Recreate (KEP-3541). Gate
// StatefulSetRecreateStrategy, on since 1.38.
func (r Rules) RecreatesStatefulSets() bool { return r.enabled(r.StatefulSetRecreateStrategy, 38) }

// ComparesSumsOfResize reports whether the largest of the sums of the desired, the allocated and the actuated
// resources counts of a pod that is resized in place. Up to 1.36, the largest amount of each container counts
// instead (kubernetes/kubernetes 140046). Since 1.37, without a gate.
func (r Rules) ComparesSumsOfResize() bool { return r.since(37) }

// LowersMemoryLimits reports whether a resize may lower or add the memory limit of a container that it does not
// restart. Since 1.34, without a gate. ValidatePodResize of pkg/apis/core/validation, for this and the next ones.
func (r Rules) LowersMemoryLimits() bool { return r.since(34) }

// NamesGateOfPodLevelResize reports whether the API server names the gate where it refuses to resize a pod with
// pod-level resources, after other problems. Up to 1.34, it reports nothing else. Since 1.35, without a gate.
func (r Rules) NamesGateOfPodLevelResize() bool { return r.since(35) }

// NamesResizedSidecar reports whether the API server names the sidecar of which more than cpu and memory changes. Since
// 1.36, without a gate.
func (r Rules) NamesResizedSidecar() bool { return r.since(36) }

// ChecksPolicyOfInitContainers reports whether the resize policy of an init container that runs to completion must not
// restart it. Since 1.36, without a gate. validateInitContainers of pkg/apis/core/validation.
func (r Rules) ChecksPolicyOfInitContainers() bool { return r.since(36) }

// ResizesWithClaims reports whether containers with resource claims can be resized. Since 1.37, without a gate.
func (r Rules) ResizesWithClaims() bool { return r.since(37) }

// ResizesWithNodeClaims reports whether pods with claims for node-allocatable resources (KEP-5517) can be resized.
// Since 1.37, without a gate.
func (r Rules) ResizesWithNodeClaims() bool { return r.since(37) }

// KeepsPartsOfPagesAtPodLevel reports whether a pod that has part of a hugepage in spec.resources may have any. Up to
// 1.37, the validation of an update only looks at its containers and overhead. Since 1.38, without a gate.
//
// Source: usesIndivisibleHugePagesValues of k8s.io/kubernetes/pkg/api/pod.
func (r Rules) KeepsPartsOfPagesAtPodLevel() bool { return r.since(38) }

// ResizesOnAnyNode reports whether the API server resizes a pod without asking whether the kubelet reports the
// resources of containers. Since 1.38, without a gate.
func (r Rules) ResizesOnAnyNode() bool { return r.since(38) }

// ScoresStorageCapacity reports whether the scheduler prefers nodes of whose storage a pod uses less (KEP-4049). Since
// 1.37, by the gate StorageCapacityScoring, which is not asked here.
//
// Source: Score of k8s.io/kubernetes/pkg/scheduler/framework/plugins/volumebinding.
func (r Rules) ScoresStorageCapacity() bool { return r.since(37) }

// CountsImageVolumes reports whether the volumes of images of a pod raise the size from which a node with its images
// scores most, as containers do. Since 1.37, without a gate.
//
// Source: sumImageScores of k8s.io/kubernetes/pkg/scheduler/framework/plugins/imagelocality.
func (r Rules) CountsImageVolumes() bool { return r.since(37) }

// CountsEmptySelector reports whether a topology spread constraint with an empty label selector counts all pods of the
// namespace, instead of none. Since 1.38, without a gate.
//
// Source: countPodsMatchSelector of k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread.
func (r Rules) CountsEmptySelector() bool { return r.since(38) }

// StopsAtViolatedBudget reports whether a pod that preemption would remove does not count in the budgets after the
// first one that it violates. Up to 1.36, it counts in all of its budgets. Since 1.37, without a gate.
// FilterVictimsWithPDBViolation of pkg/scheduler/framework/preemption.
func (r Rules) StopsAtViolatedBudget() bool { return r.since(37) }

// BudgetsOfAllPods reports whether preemption takes a budget with an empty selector for one of all pods, and asks the
// selectors about pods without labels, too, as the API server does at evictions. Since 1.38, without a gate
// (kubernetes/kubernetes 141785).
func (r Rules) BudgetsOfAllPods() bool { return r.since(38) }

// LimitsStorageOfSidecars reports whether the kubelet evicts a pod for the ephemeral-storage limit of a sidecar, too.
// Since 1.37, without a gate (kubernetes/kubernetes 138371).
func (r Rules) LimitsStorageOfSidecars() bool { return r.since(37) }

// NamesAllocationMode reports whether the kubelet refuses the resize of a Guaranteed pod with the allocation mode of a
// resource in its message, instead of the static policy of a manager. Since 1.38, without a gate.
// podResizesAdmitHandler of pkg/kubelet/allocation.
func (r Rules) NamesAllocationMode() bool { return r.since(38) }

// ForgetsResizesOfTerminating reports whether the kubelet no longer tries the pending resize of a pod that is
// terminating. Since 1.38, without a gate. retryPendingResizes of pkg/kubelet/allocation.
func (r Rules) ForgetsResizesOfTerminating() bool { return r.since(38) }

// EnforcesMemoryQoS reports whether the kubelet throttles containers before they reach their memory limit, and may
// protect requested memory (KEP-2570). Gate MemoryQoS, on since 1.37. generateLinuxContainerResources of
// pkg/kubelet/kuberuntime.
func (r Rules) EnforcesMemoryQoS() bool { return r.enabled(r.MemoryQoS, 37) }

// ThrottlesOnlyWithFactor reports whether a kubelet without a memoryThrottlingFactor throttles no container. Up to
// 1.36, the factor is then 0.9. Since 1.37, without a gate. pkg/kubelet/apis/config/v1beta1/defaults.go.
func (r Rules) ThrottlesOnlyWithFactor() bool { return r.since(37) }

// ThrottlesPodLevel reports whether the kubelet throttles a pod with pod-level resources instead of its containers
// without a memory limit, and throttles containers without request and limit, too. Since 1.37, without a gate.
// ApplyPodLevelMemoryHigh of pkg/kubelet/cm.
func (r Rules) ThrottlesPodLevel() bool { return r.since(37) }

// ReservesLowAtRoot reports whether the root of all pods has the requests of Burstable pods as memory.low, as their
// tier has. Since 1.37, without a gate. setMemoryQoS of pkg/kubelet/cm.
func (r Rules) ReservesLowAtRoot() bool { return r.since(37) }

// ResetsMemoryQoS reports whether the kubelet writes the values that do not change anything where memory QoS or its
// reservation is off, instead of leaving the files as they are. Since 1.37, without a gate.
// generateLinuxContainerResources of pkg/kubelet/kuberuntime, and Start of the QoS container manager.
func (r Rules) ResetsMemoryQoS() bool { return r.since(37) }
