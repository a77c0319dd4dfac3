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

// IgnoresMemoryDeficit reports whether containers that request more memory than their pod leave it nothing to share
// for oom_score_adj, and not less than nothing (remainingPodMemReqPerContainer of k8s.io/kubernetes/pkg/kubelet/qos).
// No API server stores such pods. Since 1.37, without a gate.
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

// ChecksDeclaredFeatures reports whether a resize needs the features that its node declares (KEP-5328). Gate
// NodeDeclaredFeatures, on since 1.36.
func (r Rules) ChecksDeclaredFeatures() bool { return r.enabled(r.NodeDeclaredFeatures, 36) }

// ComparesSumsOfResize reports whether the largest of the sums of the desired, the allocated and the actuated
// resources counts of a pod that is resized in place. Up to 1.36, the largest amount of each container counts
// instead (kubernetes/kubernetes 140046). Since 1.37, without a gate.
func (r Rules) ComparesSumsOfResize() bool { return r.since(37) }
