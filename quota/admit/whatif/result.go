package whatif

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// Result is what has happened.
type Result struct {
	// Objects are the answers about the objects that were applied or deleted, in their order.
	Objects []Object `json:"objects,omitempty"`
	// Others are the workloads, by kind, namespace and name, that were not applied or deleted themselves, but whose
	// pods are in Pods, or whose controller could not create one. Their Action is Unchanged.
	Others []Object `json:"others,omitempty"`
	// Pods are the pods that came or went, changed, moved to a node, or were refused a node, each with how it
	// ended, in the order in which this first happened.
	Pods []Pod `json:"pods,omitempty"`
	// Quotas are the ResourceQuotas that are new or whose limits or usage changed, with the status that they have
	// now, by namespace and name. They are copies.
	Quotas []*corev1.ResourceQuota `json:"quotas,omitempty"`
	// ClusterQuotas are the quotas that several namespaces share and that are new, or whose limits, usage or namespaces
	// changed, as they are now, by kind and name. They are copies.
	ClusterQuotas []*quota.ClusterQuota `json:"clusterQuotas,omitempty"`
	// Nodes are the names of the nodes that are new or changed or whose pods changed, sorted: see Cluster.Ledger.
	Nodes []string `json:"nodes,omitempty"`
}

// Action is what has become of an object.
type Action string

const (
	Created   Action = "Created"
	Updated   Action = "Updated"
	Unchanged Action = "Unchanged" // it is stored already
	Deleted   Action = "Deleted"
	Refused   Action = "Refused"  // Reason says why
	NotFound  Action = "NotFound" // there is nothing to delete or to drain
)

// Object is what has become of an object that was applied or deleted.
type Object struct {
	computeresources.Source
	Action Action `json:"action,omitempty"`
	// Decision is that of the API server about a namespaced object that is created or updated. It is zero for
	// all others.
	Decision admit.Decision `json:"decision,omitzero"`
	// Reason is why the object is refused, with the Status that its client gets. It is zero otherwise.
	Reason Reason `json:"reason,omitzero"`

	// What follows is as it is in the end, after all objects. Wanted is how many pods a workload wants: its
	// replicas, the parallelism of a Job, or the number of nodes of a DaemonSet. Pods is how many pods of its
	// present template there are, and Placed how many of these have a node. Outdated is how many of a former
	// template are left: an update is complete if it is zero, and Placed is Wanted. Kept is how many of these stay because
	// the workload says so: it is paused, replaces pods that somebody deletes, or has a partition.
	Wanted   int64 `json:"wanted"`
	Pods     int64 `json:"pods"`
	Placed   int64 `json:"placed"`
	Outdated int64 `json:"outdated"`
	Kept     int64 `json:"kept,omitempty"`
	// Missing is why its controller could not create the next pod, claim, ReplicaSet or Job, or that of a ReplicaSet or Job
	// of its own: the message of the event
	// FailedCreate. It is zero if none is missing. An object that is Unchanged lacks pods now for this reason; if it
	// lacks some that its controller could create, the reason is not known, and Missing is zero.
	Missing Reason `json:"missing,omitzero"`
	// Injected are the containers that the newest pod of a workload that was read has beyond its template, because a
	// webhook adds them. New pods get them as well.
	Injected []string `json:"injected,omitempty"`

	// Depends reports that the answer may be another one, because the API server uses LimitRanges in no
	// fixed order: see admit.Namespace.Possible.
	Depends bool `json:"depends,omitempty"`
}

// Pod is what has become of a pod.
type Pod struct {
	// Object is the pod as it is stored. Its spec.nodeName is not set by placement: see Node.
	Object *corev1.Pod `json:"object,omitempty"`
	// Owner is the workload at the top that has created it, such as a Deployment. It is zero if there is none.
	Owner computeresources.Source `json:"owner,omitzero"`
	// Before and Node are its nodes before and now. They are empty if it had or has none.
	Before string `json:"before,omitempty"`
	Node   string `json:"node,omitempty"`
	// Choice is among which nodes the scheduler has chosen Node. It is zero if there was no choice.
	Choice Choice `json:"choice,omitzero"`
	// Gone reports that the pod was deleted, evicted or preempted. Preempted reports that the scheduler deleted it to
	// make room for a pod of a higher priority, and Evicted that its node was drained or deleted, or got a taint with
	// NoExecute that it does not tolerate. Those of a StatefulSet are created again with the same name: Node and Waits
	// are then those of the new pod, which is not Gone.
	Gone      bool `json:"gone,omitempty"`
	Preempted bool `json:"preempted,omitempty"`
	Evicted   bool `json:"evicted,omitempty"`
	// Waits is why the pod has no node: its FitError, or its scheduling gates. If the pod has a node, it is why
	// Cluster.Drain leaves the pod there: the answer of the eviction API. It is zero otherwise. If no nodes are
	// known, only scheduling gates count.
	Waits Reason `json:"waits,omitzero"`
	// Assumed reports that the pod was not among the objects: the status of its controller counts it.
	Assumed bool `json:"assumed,omitempty"`
	// Unknown are the classes that its admission depended on and that are not known, such as PriorityClass "high" (see
	// admit.Decision), fields of the pod that the scheduler reads and that were not considered, such as
	// spec.resourceClaims, and those of its Job that its controller reads, such as Job spec.podFailurePolicy, sorted.
	Unknown []string `json:"unknown,omitempty"`
	// Depends reports that the answer may be another one: see Object.
	Depends bool `json:"depends,omitempty"`
}

// Choice is among which nodes the scheduler chooses the one of a pod that is placed here.
//
// The scheduler draws one of the nodes with the highest score. Here, it is the first of them by name. All later answers
// follow that, so they may be others if another node is drawn.
//
// In a cluster of 100 nodes or more, the scheduler does not compare all nodes: it stops as soon as it has found enough
// on which the pod may be, and begins with another node for each pod. Here, all of them are compared. The scheduler
// chooses the best of those that it has found.
//
// Source: selectHost and numFeasibleNodesToFind of k8s.io/kubernetes/pkg/scheduler.
type Choice struct {
	// Equal is how many nodes have the highest score. Nodes are their names, sorted, at most 100.
	Equal int      `json:"equal"`
	Nodes []string `json:"nodes,omitempty"`
	// Feasible is on how many nodes the pod may be, and Scored how many of them the scheduler compares.
	Feasible int `json:"feasible"`
	Scored   int `json:"scored"`
	// Relative are the plugins whose scores depend on which nodes these are: they are normalized over them. It is nil if
	// all are compared. Plugins that give each of the nodes the same score are not among them.
	Relative []string `json:"relative,omitempty"`
}

// Reason is why an object is refused, why a pod is not created, or why a pod has no node. The zero value is no reason;
// any other has a Cause.
type Reason struct {
	// Cause is a reason of Kubernetes: that of Status, such as Forbidden (see metav1.StatusReason), and for a pod
	// without a node that of its condition PodScheduled: Unschedulable, SchedulingGated, or SchedulerError (see
	// corev1.PodReasonUnschedulable). It is Invalid if a Deployment has an unknown strategy, and TooManyPods if a
	// workload has as many as this package creates.
	Cause string `json:"cause,omitempty"`
	// Message is that of the API server or of the scheduler.
	Message string `json:"message,omitempty"`
	// Status is what the API server sends, to the client or to the controller. It is nil if the reason is another one.
	Status *metav1.Status `json:"status,omitempty"`
	// FitError counts what is wrong with each node. It is nil unless Cause is Unschedulable.
	FitError *noderesources.FitError `json:"fitError,omitempty"`
}

// reasonOf returns an error as a reason, which is zero for nil. It owns its memory, except for a FitError.
func reasonOf(err error) Reason {
	var refused *apierrors.StatusError
	var unfit *noderesources.FitError
	var many tooManyPods
	var untried *places.Untried
	switch {
	case err == nil:
		return Reason{}
	case errors.As(err, &refused):
		status := refused.ErrStatus.DeepCopy()
		return Reason{Cause: string(status.Reason), Message: err.Error(), Status: status}
	case errors.As(err, &unfit):
		return Reason{Cause: corev1.PodReasonUnschedulable, Message: err.Error(), FitError: unfit}
	case errors.As(err, &untried):
		return Reason{Cause: untried.Reason, Message: untried.Message}
	case errors.As(err, &many):
		return Reason{Cause: "TooManyPods", Message: err.Error()}
	default: // of a strategy
		return Reason{Cause: string(metav1.StatusReasonInvalid), Message: err.Error()}
	}
}

// tooManyPods is why a workload gets no further pod.
type tooManyPods struct{ of computeresources.Source }

func (e tooManyPods) Error() string {
	return fmt.Sprintf("whatif: more than %d pods of %v", controllers.MostPods, e.of)
}
