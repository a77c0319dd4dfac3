package affinity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/placeholder"
	"github.com/kubemath/kubemath/internal/taints"
)

// StrandedCause is the reason why the node of a placeholder accepts no more of its tasks. The zero
// value is unspecified.
type StrandedCause string

const (
	// NodeFull: the node has no room for a waiting task (StrandedOptions.Full).
	NodeFull StrandedCause = "NodeFull"
	// NodeEmptied: it has a taint with which it is emptied (StrandedOptions.EmptyingTaints).
	NodeEmptied StrandedCause = "NodeEmptied"
	// NodeCordoned: spec.unschedulable is set.
	NodeCordoned StrandedCause = "NodeCordoned"
	// NodeGone: it no longer exists (StrandedOptions.Gone).
	NodeGone StrandedCause = "NodeGone"
)

// StrandedPlaceholder is a placeholder on a node that accepts no more of its tasks. Delete the pod: its
// StatefulSet creates a new one on another node. Running task pods finish on the old node. New ones are
// scheduled to the new node once the volumes detach.
type StrandedPlaceholder struct {
	Pod types.NamespacedName `json:"pod,omitzero"`
	// Assistant is the name of its StatefulSet.
	Assistant string `json:"assistant,omitempty"`
	Node      string `json:"node,omitempty"`
	// Cause is the last of the causes that hold, in their order.
	Cause StrandedCause `json:"cause,omitempty"`
	// Force reports whether the pod has to be deleted with a grace period of zero, because its node is
	// gone: no kubelet can confirm that it has terminated, and its StatefulSet would wait for that.
	Force bool `json:"force,omitempty"`
	// Ready reports whether the pod is ready. Its StatefulSet creates no other pod before it is deleted.
	Ready bool `json:"ready,omitempty"`
}

// StrandedOptions have additional information about nodes. With the zero value, nodes count that
// are cordoned or being drained by an autoscaler.
type StrandedOptions struct {
	// Gone are the names of nodes that are known not to exist, for example from a request to the
	// API server after the node was missing for a while. A filtered or stale list is not enough. A
	// node in the list of nodes is not gone.
	Gone []string
	// EmptyingTaints are the keys of taints of nodes that are being drained: no pod is scheduled
	// there, and the existing ones will be evicted soon. If nil, they are those of the autoscalers:
	// ToBeDeletedByClusterAutoscaler, karpenter.sh/disrupted, and karpenter.sh/disruption of older
	// versions. If empty, there are none.
	EmptyingTaints []string
	// Full are the placeholders whose nodes have no room for a waiting task: see peak.FullNodes.
	Full []types.NamespacedName
	// ReadyOnly ignores placeholders that are not ready, unless their node is gone, as Tekton does.
	ReadyOnly bool
}

// Stranded returns the placeholders among the pods whose node accepts no more of their tasks,
// sorted by namespace and name: a node that is cordoned, being drained (by a taint), full, or gone.
// The remaining tasks of such a run can only run on that node, so the run would wait forever.
//
// A node that is neither in the list nor known to be gone is ignored, so a partial list of nodes is
// safe.
//
// A placeholder is a pod with the label of one or, without that label, the name of one. These
// placeholders are ignored: those without a node; those that have succeeded or failed, which their
// StatefulSet replaces; those that are being deleted, unless their node is gone; and those that
// tolerate the taints of a cordoned or drained node, since they would be scheduled there again, and
// so would the tasks, which have the same pod template. Nil pods and nodes are ignored.
//
// Cost: proportional to the number of pods and nodes, and sorting what is found.
//
// Source: createOrUpdateAffinityAssistant of Tekton, which only checks for cordoned nodes.
func Stranded(pods []*corev1.Pod, nodes []*corev1.Node, opts StrandedOptions) []StrandedPlaceholder {
	known := indexOf(nodes, opts)
	var stranded []StrandedPlaceholder
	for _, pod := range pods {
		if pod == nil {
			continue
		}
		assistant, ok := placeholder.Of(pod)
		if !ok {
			continue
		}
		s := StrandedPlaceholder{
			Pod:       types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name},
			Assistant: assistant,
			Node:      pod.Spec.NodeName,
			Cause:     known.cause(pod),
			Ready:     ready(pod),
		}
		switch {
		case s.Cause == NodeGone:
			s.Force = true
		case s.Cause == "", pod.DeletionTimestamp != nil, opts.ReadyOnly && !s.Ready:
			continue
		}
		stranded = append(stranded, s)
	}
	slices.SortStableFunc(stranded, func(a, b StrandedPlaceholder) int {
		return ordering.Names(a.Pod, b.Pod)
	})
	return stranded
}

// nodeIndex is what is known about the nodes.
type nodeIndex struct {
	nodes map[string]*corev1.Node
	gone  map[string]bool
	full  map[types.NamespacedName]bool
	keys  []string // of taints
}

func indexOf(nodes []*corev1.Node, opts StrandedOptions) nodeIndex {
	x := nodeIndex{
		nodes: map[string]*corev1.Node{}, gone: map[string]bool{}, full: map[types.NamespacedName]bool{},
		keys: opts.EmptyingTaints,
	}
	if x.keys == nil {
		x.keys = []string{"ToBeDeletedByClusterAutoscaler", "karpenter.sh/disrupted", "karpenter.sh/disruption"}
	}
	for _, node := range nodes {
		if node != nil {
			x.nodes[node.Name] = node
		}
	}
	for _, name := range opts.Gone {
		x.gone[name] = true
	}
	for _, pod := range opts.Full {
		x.full[pod] = true
	}
	return x
}

// cause returns why a placeholder is stranded, or zero.
func (x *nodeIndex) cause(pod *corev1.Pod) StrandedCause {
	node := x.nodes[pod.Spec.NodeName]
	switch {
	case node == nil && x.gone[pod.Spec.NodeName]:
		return NodeGone
	case node != nil && node.Spec.Unschedulable && !taints.IsCordonTolerated(pod.Spec.Tolerations):
		return NodeCordoned
	case node != nil && x.isEmptied(node, pod.Spec.Tolerations):
		return NodeEmptied
	case x.full[types.NamespacedName{Namespace: pod.Namespace, Name: pod.Name}]:
		return NodeFull
	}
	return ""
}

// ready reports whether a pod is ready.
func ready(pod *corev1.Pod) bool {
	return slices.ContainsFunc(pod.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
	})
}

// isEmptied reports whether a node has a taint with which it is emptied, and that no toleration tolerates.
func (x *nodeIndex) isEmptied(node *corev1.Node, tolerations []corev1.Toleration) bool {
	return slices.ContainsFunc(node.Spec.Taints, func(t corev1.Taint) bool {
		return t.Effect != corev1.TaintEffectPreferNoSchedule && slices.Contains(x.keys, t.Key) &&
			!taints.Tolerated(&t, tolerations)
	})
}
