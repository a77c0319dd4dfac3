package nodes

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota"
)

// cluster has the nodes and pods of the input that count.
type cluster struct {
	nodes     []*node
	byName    map[string]*node
	open      noderesources.Cluster    // the nodes that are not cordoned, with their pods
	pods      []*pod                   // those on nodes, in the order of the input
	pending   []*pod                   // those without a node, in the order in which they are placed
	fit       noderesources.FitOptions // with the DeviceClasses of the input
	sums      computeresources.Options
	ended     int
	elsewhere map[string]int // pods on nodes that are not in the input
}

// node is a Node with the pods there.
type node struct {
	*corev1.Node
	now   *noderesources.Ledger // the pods that are there
	after *noderesources.Ledger // the pods that are placed there
}

// pod is a Pod with its request.
type pod struct {
	*corev1.Pod
	id      types.UID // ours, because manifests may have none
	title   string
	request noderesources.Request
}

func clusterOf(in *input, sums computeresources.Options) *cluster {
	c := &cluster{byName: map[string]*node{}, elsewhere: map[string]int{}, sums: sums}
	c.fit.ExtendedResources = quota.ExtendedResources(in.classes)
	for _, n := range in.nodes {
		added := &node{n, noderesources.New(n.Status.Allocatable), noderesources.New(n.Status.Allocatable)}
		c.nodes, c.byName[n.Name] = append(c.nodes, added), added
		if !n.Spec.Unschedulable {
			_ = c.open.AddNode(n.Name, n.Status.Allocatable) // names differ
		}
	}
	for i, p := range in.pods {
		c.add(&pod{Pod: p, id: types.UID(fmt.Sprint(i)), title: titleOf(p)})
	}
	// As in the scheduler's queue: by priority, then the older first.
	slices.SortStableFunc(c.pending, func(a, b *pod) int {
		return cmp.Or(cmp.Compare(priorityOf(b), priorityOf(a)), a.CreationTimestamp.Compare(b.CreationTimestamp.Time))
	})
	return c
}

func priorityOf(p *pod) int32 {
	if p.Spec.Priority == nil {
		return 0
	}
	return *p.Spec.Priority
}

func (c *cluster) add(p *pod) {
	switch {
	case computeresources.HasEnded(p.Pod):
		c.ended++
	case p.Spec.NodeName != "":
		p.request = noderesources.PodRequest(p.Pod, c.sums)
		c.pods = append(c.pods, p)
		n, known := c.byName[p.Spec.NodeName]
		if !known {
			c.elsewhere[p.Spec.NodeName]++
			return
		}
		_ = n.now.Add(p.id, p.request) // ids differ
		c.put(p, n)
	case p.DeletionTimestamp != nil:
		c.ended++ // the scheduler no longer places it
	default:
		p.request = noderesources.SpecRequest(&p.Spec, c.sums)
		c.pending = append(c.pending, p)
	}
}

// put adds a pod to the final state of a node.
func (c *cluster) put(p *pod, n *node) {
	// The ids differ, and a cordoned node is not among the open ones.
	_ = n.after.Add(p.id, p.request)
	_ = c.open.AddPod(p.id, n.Name, p.request)
}

// owner returns the kind and the name of the controller of a pod, if it has one.
func (p *pod) owner() (kind, name string) {
	if ref := metav1.GetControllerOf(p.Pod); ref != nil {
		return ref.Kind, ref.Name
	}
	return "", ""
}

// perNode reports whether each node has such a pod, because it belongs to a DaemonSet.
func (p *pod) perNode() bool {
	kind, _ := p.owner()
	return kind == "DaemonSet"
}

// static reports whether a pod is the mirror of a static pod.
func (p *pod) static() bool {
	_, mirror := p.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror
}

// only returns the name of the node that a pod is restricted to, as the DaemonSet controller sets it,
// or "".
func (p *pod) only() string {
	if p.Spec.Affinity == nil || p.Spec.Affinity.NodeAffinity == nil || p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution == nil {
		return ""
	}
	terms := p.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms
	if len(terms) != 1 {
		return ""
	}
	for _, field := range terms[0].MatchFields {
		if field.Key == metav1.ObjectNameField && field.Operator == corev1.NodeSelectorOpIn && len(field.Values) == 1 {
			return field.Values[0]
		}
	}
	return ""
}
