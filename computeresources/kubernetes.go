package computeresources

import "github.com/kubemath/kubemath/internal/release"

// Kubernetes is the cluster that an answer is for: its minor release, and the feature gates that differ from the
// defaults of that release. Options structs have a field of this type; functions without other options take it as their
// last argument. It is only read.
//
// The zero value is a default cluster of 1.37. docs/versions.md has a table of what each release answers differently.
//
// A gate that is nil has the default of the release, and applies alike wherever upstream reads it. A gate that is
// set counts in every release, also in one that does not have it.
type Kubernetes struct {
	// Release is the minor release, "1.33" to "1.38". Empty is 1.37. 1.38 is a beta: its answers may change until it
	// is released. A version of a release, such as "v1.36.3", counts as that release, an older one as 1.33, a newer
	// one as 1.38, and any other text as 1.37: ParseRelease tells which texts are releases.
	//
	// Up to 1.36, what counts of a pod that is being resized in place (KEP-1287) is the sum of the largest of the
	// desired, allocated and actuated amounts of each container. Since 1.37, the largest of the three sums counts,
	// because a resize is allocated and actuated for all containers at once (kubernetes/kubernetes 140046). For
	// example, while one container is resized from 1 CPU to 2, and another one from 2 to 1, 1.36 counts 4 CPUs and
	// 1.37 counts 3. Also up to 1.36, the status of a container only counts if it has resources, and never that of
	// an init container that runs to completion; the pod-level status only counts for resources that
	// spec.resources sets; and limits do not include Options.ClaimedFromNode, also of pod specs.
	Release string

	// PodLevelResources (KEP-2837) is on since 1.34. Without it, spec.resources is ignored.
	PodLevelResources *bool

	// PodLevelResourcesFixDefaulting is on since 1.37. With it, the API server sets pod-level requests and limits
	// before it stores a pod, after LimitRanges (see ApplyPodLevelDefaults), and a resize that lacks spec.resources
	// keeps that of the pod. Without it, ApplyRequestDefaults sets pod-level requests.
	PodLevelResourcesFixDefaulting *bool

	// PodLevelResourcesFixKubeletQOSClass is on since 1.37. With it, spec.resources only decides on the QoS class of
	// a pod if it sets a resource that can be set at pod level. Without it, it does even if it is empty.
	PodLevelResourcesFixKubeletQOSClass *bool

	// InPlacePodLevelResourcesVerticalScaling (KEP-5419) is on since 1.36. With it, status.resources and
	// status.allocatedResources of a pod count in the scheduler, and pods with pod-level resources can be resized.
	// The quota controller does not read it: the usage of quotas never counts them.
	InPlacePodLevelResourcesVerticalScaling *bool

	// InPlacePodVerticalScalingInitContainers is on since 1.36. With it, init containers that run to completion can
	// be resized. Sidecars can be resized in any case.
	InPlacePodVerticalScalingInitContainers *bool

	// NodeDeclaredFeatures (KEP-5328) is on since 1.36. With it, a pod needs the features that its node declares.
	NodeDeclaredFeatures *bool

	// MaxUnavailableStatefulSet (KEP-961) is on in 1.35, off in 1.36, and on since 1.37. With it, an update of a
	// StatefulSet may make several pods unavailable at a time. Since 1.37, pods that are managed in parallel and wait
	// already are replaced first. Since 1.38, pods below the partition do not count.
	MaxUnavailableStatefulSet *bool

	// StatefulSetRecreateStrategy (KEP-3541) is on since 1.38. With it, a StatefulSet may have the strategy Recreate.
	StatefulSetRecreateStrategy *bool

	// MemoryQoS (KEP-2570) is on since 1.37. With it, the kubelet throttles containers before they reach their memory
	// limit, if it has a memoryThrottlingFactor, and may protect requested memory: see cgroupconfig.Options.
	MemoryQoS *bool
}

// ParseRelease returns the release that a version of Kubernetes is of, as Kubernetes.Release has it: "1.36" for
// "1.36", "1.36+", "v1.36.3" and "v1.36.3-gke.100". The error of any other text lists the releases.
func ParseRelease(version string) (string, error) { return release.Parse(version) }
