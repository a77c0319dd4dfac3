package main

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// cluster is what was read, as far as it counts on nodes.
type cluster struct {
	nodes     []*node
	byName    map[string]*node
	open      noderesources.Cluster // the nodes that are not cordoned, with their pods
	pods      []*pod                // those on nodes, in the order in which they stand
	pending   []*pod                // those without a node, in the order in which they are placed
	ended     int
	elsewhere map[string]int // pods on nodes that were not read
}

// node is a Node with the pods there.
type node struct {
	*corev1.Node
	now   *noderesources.Ledger // the pods that are there
	after *noderesources.Ledger // and those that are placed there
}

// pod is a Pod with what it asks for.
type pod struct {
	*corev1.Pod
	id      types.UID // of our own, as manifests may have none
	title   string
	request noderesources.Request
}

func clusterOf(in *input) *cluster {
	c := &cluster{byName: map[string]*node{}, elsewhere: map[string]int{}}
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
	// The queue of the scheduler: by priority, and then the older first.
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
	case p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed:
		c.ended++
	case p.Spec.NodeName != "":
		p.request = noderesources.RequestOf(p.Pod, computeresources.Options{})
		c.pods = append(c.pods, p)
		n, known := c.byName[p.Spec.NodeName]
		if !known {
			c.elsewhere[p.Spec.NodeName]++
			return
		}
		_ = n.now.Add(p.id, p.request) // ids differ
		c.put(p, n)
	case p.DeletionTimestamp != nil:
		c.ended++ // the scheduler does not place it any more
	default:
		p.request = noderesources.RequestOfSpec(&p.Spec, computeresources.Options{})
		c.pending = append(c.pending, p)
	}
}

// put adds a pod to what is on a node at the end.
func (c *cluster) put(p *pod, n *node) {
	// Ids differ, and a node that is cordoned is not among those that are open.
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

// perNode reports whether each node has such a pod, as a DaemonSet has it.
func (p *pod) perNode() bool {
	kind, _ := p.owner()
	return kind == "DaemonSet"
}

// static reports whether a pod is the mirror of one that the kubelet of its node runs by itself.
func (p *pod) static() bool {
	_, mirror := p.Annotations[corev1.MirrorPodAnnotationKey]
	return mirror
}

// only returns the name of the node that a pod is for, as the controller of DaemonSets writes it,
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
