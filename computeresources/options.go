package computeresources

import corev1 "k8s.io/api/core/v1"

// Options select what counts of a pod or a pod spec. The zero value means a default
// cluster: containers, pod-level resources, overhead and the status of a pod count.
//
// Lists in Options are only read.
type Options struct {
	// Kubernetes selects whether the pod level counts, how the status of a pod does, and whether a sum of limits may lack
	// a container. Functions that take a pod spec
	// ignore InPlacePodLevelResourcesVerticalScaling. The statuses of containers always count.
	Kubernetes Kubernetes

	// IgnorePodLevel ignores spec.resources: only containers and overhead count.
	IgnorePodLevel bool

	// IgnoreContainers ignores what containers set, and with it MissingRequests and
	// ClaimedFromNode. Only pod-level resources and overhead count.
	IgnoreContainers bool

	// IgnoreInitContainers ignores init containers that run to completion, but no sidecars: the result is what
	// the pod uses once it is initialized. Totals of all containers that the status of a pod has do not
	// count then; those of each container do. It costs a copy of a pod spec that has init containers.
	IgnoreInitContainers bool

	// ExcludeOverhead ignores spec.overhead.
	ExcludeOverhead bool

	// MissingRequests are the requests of every container, including init containers, that does not
	// set the request. A request of zero is not missing. Limits are not affected.
	MissingRequests corev1.ResourceList

	// ClaimedFromNode is what the pod's resource claims use of the node's allocatable resources
	// through dynamic resource allocation (KEP-5517). It is added to the requests of the
	// containers. Up to 1.37, it is added to a limit only if the containers set that limit, or if the resource
	// is hugepages.
	ClaimedFromNode corev1.ResourceList

	// CPUName and MemoryName are the names under which the pod sets its cpu and memory, if they are
	// others. With Koordinator and Volcano, pods of lower priority set kubernetes.io/batch-cpu, whose
	// unit is a milli-CPU, and kubernetes.io/batch-memory, in bytes. These are extended resources, so
	// the API server only admits whole numbers; fractions of a milli-CPU are rounded up.
	//
	// Amounts under such a name count as cpu or memory, in the results as well. What the pod sets as
	// cpu or memory itself is then ignored, at pod level, too. An overhead without the name, which
	// comes from a RuntimeClass, still counts. MissingRequests and ClaimedFromNode use cpu and
	// memory. The options cost a copy of the lists of the pod in each call.
	CPUName, MemoryName corev1.ResourceName
}
