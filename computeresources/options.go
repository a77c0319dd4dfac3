package computeresources

import corev1 "k8s.io/api/core/v1"

// Options says what counts of a pod, or of a pod spec. The zero value is a default Kubernetes
// 1.37 cluster: containers, pod-level resources and overhead count, and of a pod its status,
// too.
//
// Lists in Options are only read.
type Options struct {
	// PodLevelStatus says whether status.resources and status.allocatedResources of a pod
	// count, as in a cluster with InPlacePodLevelResourcesVerticalScaling (KEP-5419). By
	// default they do, as for the scheduler. Statuses of containers count in any case. The
	// option does not concern functions that take a pod spec.
	PodLevelStatus Gate

	// IgnorePodLevel ignores spec.resources, like a cluster without PodLevelResources (KEP-2837).
	IgnorePodLevel bool

	// IgnoreContainers leaves out what containers set, and with it MissingRequests and
	// ClaimedFromNode: pod-level resources and overhead remain.
	IgnoreContainers bool

	// ExcludeOverhead leaves spec.overhead out.
	ExcludeOverhead bool

	// MissingRequests are the requests of every container, init containers
	// included, that does not set one of its own. A request that is set to zero is
	// not missing. Limits are not affected.
	MissingRequests corev1.ResourceList

	// ClaimedFromNode is what the pod's resource claims take of the node's
	// allocatable resources through dynamic resource allocation (KEP-5517). It is
	// added to what the containers request; to limits only where the containers
	// declare one, and for hugepages.
	ClaimedFromNode corev1.ResourceList

	// Renamed says under which names the pod sets its cpu and memory, such as
	// kubernetes.io/batch-cpu. MissingRequests and ClaimedFromNode have cpu and memory
	// themselves. The option costs a copy of the lists of the pod for each call.
	Renamed Renamed
}
