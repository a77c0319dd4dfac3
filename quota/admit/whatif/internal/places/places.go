package places

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/ordering"
)

// Options are the settings of the scheduler.
type Options struct {
	Fit        noderesources.FitOptions
	Kubernetes computeresources.Kubernetes
	Scorers    noderesources.Profile // of resources
	NoScores   bool                  // resources do not count

	PercentageOfNodesToScore int32 // of the scheduler; with zero, it depends on the number of nodes
}

// Places are the nodes of a cluster with their pods, and the pods that wait. Once there is a Fork, they must not be
// written to. They keep nodes and pods by pointer, and never write to them.
type Places struct {
	opts      Options
	nodes     []*node                // by name
	resources *noderesources.Cluster // the same nodes, so that changes return no errors; UIDs are those of uidOf
	elsewhere map[string][]*Pod      // the pods of nodes that are not known, by their names
	waiting   []*Pod                 // in the order of the scheduler
	freed     map[string]bool        // the nodes that may have room for pods that wait
	knowledge
}

// node is a node.
type node struct {
	owner  *Places // which alone may write to it
	object *corev1.Node
	pods   []*Pod
}

// Pod is a pod that has not ended. It is never written to.
type Pod struct {
	types.NamespacedName
	Object  *corev1.Pod
	Node    string                // empty while it waits
	Shape   *Shape                // of a pod that waits, or did so
	Request noderesources.Request // what it takes of its node
}

// uidOf returns what a pod is known by, because pods of manifests have no UID. No two pods have the same.
func uidOf(pod *Pod) types.UID {
	namespace := pod.Namespace
	if strings.ContainsAny(namespace, "%/") { // which the API server refuses
		namespace = strings.ReplaceAll(strings.ReplaceAll(namespace, "%", "%25"), "/", "%2F")
	}
	return types.UID(namespace + "/" + pod.Name)
}

// New returns places with these nodes, in any order, and no pods.
func New(opts Options) *Places {
	return &Places{
		opts: opts, resources: &noderesources.Cluster{}, elsewhere: map[string][]*Pod{}, freed: map[string]bool{},
	}
}

// Load adds nodes and pods, in any order, to places without any. All nodes may have room for pods that wait.
func (p *Places) Load(nodes []*corev1.Node, pods []*Pod) {
	for _, object := range nodes {
		p.nodes = append(p.nodes, &node{owner: p, object: object})
		p.freed[object.Name] = true
	}
	slices.SortFunc(p.nodes, func(a, b *node) int { return strings.Compare(a.object.Name, b.object.Name) })
	for _, n := range p.nodes {
		_ = p.resources.AddNode(n.object.Name, n.object.Status.Allocatable)
	}
	for _, pod := range pods {
		i, found := p.find(pod.Node)
		switch {
		case pod.Node == "":
			p.waiting = append(p.waiting, pod)
		case !found:
			p.elsewhere[pod.Node] = append(p.elsewhere[pod.Node], pod)
		default:
			p.nodes[i].pods = append(p.nodes[i].pods, pod)
		}
	}
	for _, n := range p.nodes {
		slices.SortFunc(n.pods, (*Pod).Compare)
		for _, pod := range n.pods {
			_ = p.resources.AddPod(uidOf(pod), pod.Node, pod.Request)
		}
	}
	for _, pods := range p.elsewhere {
		slices.SortFunc(pods, (*Pod).Compare)
	}
	slices.SortFunc(p.waiting, byQueue)
	p.noteNodes(false)
}

// Fork returns a copy to write to. It shares with p what does not change.
func (p *Places) Fork() *Places {
	own := *p
	own.nodes, own.waiting, own.elsewhere = slices.Clone(p.nodes), slices.Clone(p.waiting), maps.Clone(p.elsewhere)
	own.resources, own.freed = p.resources.Clone(), maps.Clone(p.freed)
	own.knowledge = p.knowledge.fork()
	return &own
}

// Close finds out what all forks need to know, and forgets the rest. No question must be asked afterwards but of forks.
func (p *Places) Close() {
	p.indexed()
	p.knowledge = p.knowledge.fork()
}

// find returns the index of a node, or where it has to be inserted.
func (p *Places) find(name string) (i int, found bool) {
	return slices.BinarySearchFunc(p.nodes, name,
		func(n *node, name string) int { return strings.Compare(n.object.Name, name) })
}

// own returns a node to write to.
func (p *Places) own(i int) *node {
	n := p.nodes[i]
	if n.owner != p {
		n = &node{p, n.object, slices.Clone(n.pods)}
		p.nodes[i] = n
	}
	return n
}

// Nodes returns the nodes by name. The list must not be written to.
func (p *Places) Nodes() []*corev1.Node {
	if p.objects == nil {
		p.objects = make([]*corev1.Node, len(p.nodes))
		for i, n := range p.nodes {
			p.objects[i] = n.object
		}
	}
	return p.objects
}

// Names returns the names of the nodes, sorted, nil if there are none.
func (p *Places) Names() (names []string) {
	for _, n := range p.nodes {
		names = append(names, n.object.Name)
	}
	return names
}

// Node returns a node, nil if there is none.
func (p *Places) Node(name string) *corev1.Node {
	if i, found := p.find(name); found {
		return p.nodes[i].object
	}
	return nil
}

// Ledger returns the ledger of a node, in which pods have the UIDs of uidOf. If there is no such node, it returns an
// error.
func (p *Places) Ledger(name string) (*noderesources.Ledger, error) { return p.resources.Ledger(name) }

// SetNode adds a node, or changes it.
func (p *Places) SetNode(object *corev1.Node) {
	i, found := p.find(object.Name)
	if found {
		n := p.own(i)
		sameLabels := maps.Equal(n.object.Labels, object.Labels)
		for k := 0; k < len(n.pods) && !sameLabels; k++ {
			p.freeDomains(i, n.pods[k].Object)
		}
		n.object = object
		_ = p.resources.UpdateNode(object.Name, object.Status.Allocatable)
		p.noteNodes(sameLabels)
	} else {
		pods := p.elsewhere[object.Name]
		delete(p.elsewhere, object.Name)
		p.nodes = slices.Insert(p.nodes, i, &node{p, object, slices.Clone(pods)})
		_ = p.resources.AddNode(object.Name, object.Status.Allocatable)
		for _, pod := range pods {
			_ = p.resources.AddPod(uidOf(pod), pod.Node, pod.Request)
		}
		isAppended := i == len(p.nodes)-1 && len(pods) == 0
		p.noteNodes(isAppended)
		if isAppended {
			p.index.Append(p.Nodes())
		}
	}
	p.freed[object.Name] = true
}

// RemoveNode removes a node, which has no pods. Without its domain, others may be open to pods that wait.
func (p *Places) RemoveNode(name string) {
	i, found := p.find(name)
	if !found {
		return
	}
	p.nodes = slices.Delete(p.nodes, i, i+1)
	_ = p.resources.RemoveNode(name)
	p.noteNodes(false)
	if p.gainByOthers() {
		p.freed[name] = true
	}
}

// On returns the pods on a node, by namespace and name, also on one that is not known.
func (p *Places) On(name string) []*Pod {
	pods := p.elsewhere[name]
	if i, found := p.find(name); found {
		pods = p.nodes[i].pods
	}
	return slices.SortedFunc(slices.Values(pods), (*Pod).Compare)
}

// Changed returns the names of the nodes that are not as they were before, or have other pods.
func (p *Places) Changed(before *Places) (names []string) {
	for _, n := range p.nodes {
		if n.owner != p {
			continue
		}
		i, found := before.find(n.object.Name)
		if !found || n.object != before.nodes[i].object ||
			!slices.Equal(p.On(n.object.Name), before.On(n.object.Name)) {
			names = append(names, n.object.Name)
		}
	}
	return names
}

// Compare orders pods by namespace and name.
func (p *Pod) Compare(other *Pod) int { return ordering.Names(p.NamespacedName, other.NamespacedName) }
