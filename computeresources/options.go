package computeresources

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Options says what counts besides the containers of a pod spec. The zero value is
// a pod that is not running yet, or a pod template, in a default Kubernetes 1.37
// cluster: containers, pod-level resources and overhead count.
//
// Lists in Options are only read.
type Options struct {
	// Status is that of a running pod. It matters while a resize in place is
	// under way, when the node holds, or has to hold, more or less than the spec
	// says (KEP-1287): the scheduler and the quota controller then count the
	// greatest of what is specified, allocated and actuated; and only the latter
	// two while the resize is infeasible. nil stands for a pod without a status.
	Status *corev1.PodStatus

	// IgnorePodLevelStatus leaves status.resources and status.allocatedResources
	// out, as a cluster without InPlacePodLevelResourcesVerticalScaling (KEP-5419)
	// does; statuses of containers still count.
	IgnorePodLevelStatus bool

	// IgnorePodLevel leaves spec.resources out, as a cluster without
	// PodLevelResources (KEP-2837) does.
	IgnorePodLevel bool

	// IgnoreContainers leaves out what containers state, and with it
	// MissingRequests and ClaimedFromNode: pod-level resources and overhead remain.
	IgnoreContainers bool

	// ExcludeOverhead leaves spec.overhead out.
	ExcludeOverhead bool

	// MissingRequests are the requests of every container, init containers
	// included, that does not state one of its own. A request stated as zero is
	// not missing. Limits are not affected.
	MissingRequests corev1.ResourceList

	// ClaimedFromNode is what the pod's resource claims take of the node's
	// allocatable resources through dynamic resource allocation (KEP-5517). It is
	// added to what the containers request; to limits only where the containers
	// declare one, and for hugepages.
	ClaimedFromNode corev1.ResourceList
}

// PodLevel reports whether a resource can be stated for a pod as a whole, in
// spec.resources: cpu, memory and hugepages of any size. Anything else found there
// counts for nothing.
func PodLevel(name corev1.ResourceName) bool {
	return resourcelist.IsPodLevel(name)
}

// resizeInfeasible reports whether the node has refused the resize that the spec
// asks for. Only the first PodResizePending condition counts.
func resizeInfeasible(status *corev1.PodStatus) bool {
	for i := range status.Conditions {
		if c := &status.Conditions[i]; c.Type == corev1.PodResizePending {
			return c.Reason == corev1.PodReasonInfeasible
		}
	}
	return false
}

// podLevelStatus returns the status if it counts for the pod as a whole, and says what
// is in effect.
func (o *Options) podLevelStatus() *corev1.PodStatus {
	if o.Status == nil || o.IgnorePodLevelStatus || o.Status.Resources == nil {
		return nil
	}
	return o.Status
}
