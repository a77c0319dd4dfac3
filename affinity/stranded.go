package affinity

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/enum"
)

// Remedy is what helps a placeholder that is stranded. The zero value is unspecified: no
// placeholder has it.
type Remedy uint8

const (
	// Delete deletes the pod: its StatefulSet makes it anew, on another node. Pods of tasks
	// that run on the cordoned node run on to their end; those that come go to the new node,
	// as soon as the volumes can follow.
	Delete Remedy = iota + 1
	// ForceDelete deletes the pod with a grace period of zero: there is no kubelet that
	// would confirm that it has ended, and until then its StatefulSet waits.
	ForceDelete
)

// String returns "delete" or "force-delete"; "unspecified" for the zero value, and "unknown"
// for any other value.
func (r Remedy) String() string {
	switch r {
	case 0:
		return "unspecified"
	case Delete:
		return "delete"
	case ForceDelete:
		return "force-delete"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (r Remedy) MarshalText() ([]byte, error) { return enum.Marshal(r) }

// UnmarshalText sets r to the remedy of that name. An unknown name is an error.
func (r *Remedy) UnmarshalText(text []byte) error { return enum.Unmarshal(r, text, ForceDelete) }

// StrandedPlaceholder is a placeholder that holds the tasks of its run on a node that takes no
// pods.
type StrandedPlaceholder struct {
	Pod types.NamespacedName
	// Assistant is the name of its StatefulSet.
	Assistant string
	Node      string
	// Remedy is Delete if the node is cordoned, and ForceDelete if it is missing.
	Remedy Remedy
}

// Stranded returns the placeholders among the pods that stand on a node that is cordoned,
// or that is not among the nodes, sorted by namespace and name. The next tasks of their runs
// have to go there, and cannot: the run waits for ever.
//
// These pods are ignored: those without the label of a placeholder; those that have no node yet,
// or have ended, which their StatefulSet replaces by itself; those that are already being
// deleted, unless their node is missing; and those that tolerate cordoned nodes, since they would
// come back, and the tasks, which have the same pod template, can follow them. Nil pods and nodes
// are ignored, too.
//
// Source: createOrUpdateAffinityAssistant of Tekton, which looks at cordoned nodes only.
func Stranded(pods []*corev1.Pod, nodes []*corev1.Node) []StrandedPlaceholder {
	cordoned := map[string]bool{} // of the nodes that are there
	for _, node := range nodes {
		if node != nil {
			cordoned[node.Name] = node.Spec.Unschedulable
		}
	}
	var stranded []StrandedPlaceholder
	for _, pod := range pods {
		if pod == nil || !standing(pod) {
			continue
		}
		placeholder := StrandedPlaceholder{
			Pod:       types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name},
			Assistant: pod.Labels[InstanceLabel],
			Node:      pod.Spec.NodeName,
		}
		closed, there := cordoned[pod.Spec.NodeName]
		switch {
		case !there:
			placeholder.Remedy = ForceDelete
		case !closed, pod.DeletionTimestamp != nil, toleratesCordon(pod.Spec.Tolerations):
			continue
		default:
			placeholder.Remedy = Delete
		}
		stranded = append(stranded, placeholder)
	}
	slices.SortStableFunc(stranded, func(a, b StrandedPlaceholder) int {
		return cmp.Or(cmp.Compare(a.Pod.Namespace, b.Pod.Namespace), cmp.Compare(a.Pod.Name, b.Pod.Name))
	})
	return stranded
}

// standing reports whether a pod is a placeholder that holds a node.
func standing(pod *corev1.Pod) bool {
	ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
	return pod.Labels[ComponentLabel] == Component && pod.Spec.NodeName != "" && !ended
}

// toleratesCordon reports whether the scheduler takes a cordoned node for a pod: as if
// the node had the taint node.kubernetes.io/unschedulable:NoSchedule, without a value.
func toleratesCordon(tolerations []corev1.Toleration) bool {
	return slices.ContainsFunc(tolerations, func(t corev1.Toleration) bool {
		key := t.Key == "" || t.Key == corev1.TaintNodeUnschedulable
		equal := t.Operator == "" || t.Operator == corev1.TolerationOpEqual
		value := t.Operator == corev1.TolerationOpExists || equal && t.Value == ""
		effect := t.Effect == "" || t.Effect == corev1.TaintEffectNoSchedule
		return key && value && effect
	})
}
