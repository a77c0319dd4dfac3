package peak

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/placeholder"
)

// FullNode is a placeholder on a node without room for a waiting task.
type FullNode struct {
	Placeholder types.NamespacedName `json:"placeholder,omitzero"` // the pod
	Assistant   string               `json:"assistant,omitempty"`
	Node        string               `json:"node,omitempty"`
	// Waiting is the pod that does not fit there; of several, the first by name.
	Waiting types.NamespacedName `json:"waiting,omitzero"`
	// Shortages are the resources that the node is short of. If they are Unresolvable, removing
	// pods from the node would not help.
	Shortages noderesources.Shortages `json:"shortages,omitempty"`
}

// FullNodes returns the placeholders among the pods whose nodes have no room for a waiting pod that
// has to run there, sorted by namespace and name. Pass them as affinity.StrandedOptions.Full, so
// that the run can continue on another node. For example, a run may wait forever on a node with the
// maximum number of pods, if other pods take each free slot.
//
// Placeholders are those of affinity.Stranded, without those that are being deleted, which their
// StatefulSet replaces anyway. A pod has to go where a placeholder is if its affinity says so
// (affinity.TaskAffinity). It waits if it has no node, has not ended (computeresources.HasEnded), is not
// being deleted, and has no scheduling gates. Ledgers are those of the nodes, by name, with all pods there, the
// placeholders included. A node without a ledger is not judged. Nil pods and ledgers are ignored.
//
// If a placeholder is sized, it may make way instead of moving: see Shrink. Other pods of its tasks
// may still run on the node and leave it in a while; then a placeholder whose Shortages are not
// Unresolvable is better left there, since the volumes can follow only when they have ended.
//
// Cost: proportional to the number of pods, and n log n for n waiting ones. For placeholders of one assistant, it is
// their number times that of the pods that wait for it, as long as these fit.
func FullNodes(pods []*corev1.Pod, ledgers map[string]*noderesources.Ledger, opts noderesources.FitOptions) []FullNode {
	waiting := waitingFor(pods)
	var full []FullNode
	for _, pod := range pods {
		if pod == nil || pod.DeletionTimestamp != nil {
			continue
		}
		assistant, ok := placeholder.Of(pod)
		ledger := ledgers[pod.Spec.NodeName]
		if !ok || ledger == nil {
			continue
		}
		for _, task := range waiting[types.NamespacedName{Namespace: pod.Namespace, Name: assistant}] {
			shortages := ledger.Shortages(noderesources.PodRequest(task, computeresources.Options{}), opts)
			if len(shortages) > 0 {
				full = append(full, FullNode{nameOf(pod), assistant, pod.Spec.NodeName, nameOf(task), shortages})
				break
			}
		}
	}
	slices.SortStableFunc(full, func(a, b FullNode) int { return ordering.Names(a.Placeholder, b.Placeholder) })
	return full
}

// waitingFor returns the pods that wait, by the assistant that they have to be with, sorted by name.
func waitingFor(pods []*corev1.Pod) map[types.NamespacedName][]*corev1.Pod {
	waiting := map[types.NamespacedName][]*corev1.Pod{}
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		for _, assistant := range placeholder.WaitsFor(pod) {
			key := types.NamespacedName{Namespace: pod.Namespace, Name: assistant}
			waiting[key] = append(waiting[key], pod)
		}
	}
	for _, pods := range waiting {
		slices.SortStableFunc(pods, func(a, b *corev1.Pod) int { return ordering.Names(nameOf(a), nameOf(b)) })
	}
	return waiting
}

func nameOf(pod *corev1.Pod) types.NamespacedName {
	return types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}
}
