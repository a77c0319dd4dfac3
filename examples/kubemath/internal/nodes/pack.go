package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/examples/internal/inventory"
	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/examples/internal/podreport/report"
)

// maxPodless is how many pods of workloads without pods are packed, as many as a cluster may have.
const maxPodless = 150000

// appendPodless adds the pods of workloads whose pods are not in the input, with the defaults of LimitRanges.
func appendPodless(all []*pod, l *inventory.List, kubernetes computeresources.Kubernetes) []*pod {
	defaults := l.Defaults(kubernetes)
	isController := true
	for i, t := range l.Templates() {
		o := t.Object
		if len(all)+int(t.Replicas) > maxPodless {
			l.Fail(t.Place, objects.Unreadable, t.Field, fmt.Sprintf("%d: at most %d pods are packed", t.Replicas, maxPodless))
			continue
		}
		each := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: o.GetNamespace()}, Spec: *t.Spec.DeepCopy()}
		defaults.Apply(each)
		request := noderesources.SpecRequest(&each.Spec, computeresources.Options{Kubernetes: kubernetes})
		kind, _, _ := strings.Cut(t.Place.Named, " ")
		for n := range t.Replicas {
			p := &pod{Pod: &corev1.Pod{Spec: each.Spec}, id: types.UID(fmt.Sprint("template ", i)), request: request}
			p.Namespace, p.Name = o.GetNamespace(), fmt.Sprintf("%s-%d", o.GetName(), n)
			p.Labels = inventory.PodTemplate(o).Labels
			p.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: o.GetName(), Controller: &isController}}
			all = append(all, p)
		}
	}
	return all
}

// template is a node that pods are packed on.
type template struct {
	like    []string // nodes of this shape
	object  *corev1.Node
	daemons []*pod // those that are on each node
}

// newNode returns a new node like another: its name and its condition are its own.
func newNode(n *corev1.Node) *corev1.Node {
	like := &corev1.Node{Status: corev1.NodeStatus{Allocatable: n.Status.Allocatable}}
	like.Name, like.Labels = "new", maps.Clone(n.Labels)
	delete(like.Labels, corev1.LabelHostname)
	for _, t := range n.Spec.Taints {
		if !strings.HasPrefix(t.Key, "node.kubernetes.io/") {
			like.Spec.Taints = append(like.Spec.Taints, t)
		}
	}
	return like
}

func podsOf(pods []*pod) (objects []*corev1.Pod) {
	for _, p := range pods {
		objects = append(objects, p.Pod)
	}
	return objects
}

// packings returns how many nodes of each shape are enough for all pods. Without shapes, they are those
// of the nodes.
func (c *cluster) packings(shapes []shape) []Packing {
	var templates []template
	for _, s := range shapes {
		if s.node != "" {
			templates = append(templates, c.templateLike(c.byName[s.node]))
			continue
		}
		object := &corev1.Node{Status: corev1.NodeStatus{Allocatable: s.allocatable}}
		object.Name, object.Labels = "new", map[string]string{corev1.LabelOSStable: "linux", corev1.LabelArchStable: "amd64"}
		templates = append(templates, template{object: object, daemons: c.daemons(object)})
	}
	var pods []*pod // that may be on any node, pending ones included
	for _, p := range slices.Concat(c.pods, c.pending, c.podless) {
		if _, static := p.Annotations[corev1.MirrorPodAnnotationKey]; !static && !p.perNode() {
			pods = append(pods, p)
		}
	}
	if len(shapes) == 0 {
		templates = c.templates(pods)
	}
	var packings []Packing
	for _, t := range templates {
		e, refused := c.Estimate(podsOf(pods), t.object, podsOf(t.daemons))
		p := Packing{Like: t.like, Allocatable: report.Amounts(noderesources.NewLedger(t.object.Status.Allocatable).Allocatable()),
			PerNode: len(t.daemons), Pods: len(pods) - len(e.Unplaced), Nodes: e.Nodes, LowerBound: e.LowerBound}
		for _, i := range slices.Sorted(maps.Keys(e.Unplaced)) {
			if why := refused[i]; why != "" {
				p.Refused = append(p.Refused, unpacked(pods[i], why))
			} else {
				p.TooLarge = append(p.TooLarge, unpacked(pods[i], strings.Trim(e.Unplaced[i].Err().Error(), "[]")))
			}
		}
		packings = append(packings, p)
	}
	return packings
}

// unpacked returns a pod that is on no node of a shape.
func unpacked(p *pod, why string) Pending {
	_, owner := p.owner()
	return Pending{Namespace: p.Namespace, Name: p.Name, Owner: owner, Requests: report.Amounts(p.request.Amounts(computeresources.Requests)), Message: why}
}

// templates returns the shapes of the nodes, each like the first of its nodes: those of one shape have the same amounts, and
// the same pods may be on them.
func (c *cluster) templates(pods []*pod) []template {
	var templates []template
	known, kinds := map[string]int{}, map[string]*pod{}
	for _, p := range slices.Concat(pods, c.podless) {
		kinds[textOf(p.Spec.NodeSelector, p.Spec.Affinity, p.Spec.Tolerations)] = p
	}
	sorted := slices.Sorted(maps.Keys(kinds))
	for _, n := range c.nodes {
		key, like := shapeKey(n.Status.Allocatable), newNode(n.Node)
		for _, kind := range sorted {
			key += fmt.Sprint(c.mayBeOn(&kinds[kind].Spec, like))
		}
		i, found := known[key]
		if !found {
			i, known[key] = len(templates), len(templates)
			templates = append(templates, c.templateLike(n))
			templates[i].like = nil
		}
		templates[i].like = append(templates[i].like, n.Name)
	}
	return templates
}

// shapeKey returns a key that is equal for nodes of one shape. Machines of one type differ by some
// memory that the kernel uses.
func shapeKey(allocatable corev1.ResourceList) string {
	integers := resourcelist.Integers(allocatable)
	for _, name := range []corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceEphemeralStorage} {
		integers[name] = (integers[name] + 1<<29) >> 30
	}
	return fmt.Sprint(integers) // sorted by name
}

// templateLike returns the shape of a node with the pods of DaemonSets that are on it, or restricted to it, and those of
// DaemonSets that have no pods yet.
func (c *cluster) templateLike(n *node) template {
	t := template{like: []string{n.Name}, object: newNode(n.Node)}
	for _, p := range n.all() {
		if p.perNode() {
			t.daemons = append(t.daemons, p)
		}
	}
	for _, p := range c.pending { // the node has no room for it
		if p.perNode() && p.answer.Node == "" && c.allows(p, n) {
			t.daemons = append(t.daemons, p)
		}
	}
	for _, p := range c.podless {
		if p.perNode() && c.mayBeOn(&p.Spec, t.object) {
			t.daemons = append(t.daemons, p)
		}
	}
	return t
}

// daemons returns one pod of each DaemonSet whose pods may be on a node, the first of them. Their affinity is that of the
// DaemonSet: the controller restricts each pod to its node.
func (c *cluster) daemons(n *corev1.Node) (first []*pod) {
	seen := map[string]bool{}
	for _, p := range slices.Concat(c.pods, c.pending, c.podless) {
		_, name := p.owner()
		key := p.Namespace + "/" + name
		if !p.perNode() || seen[key] {
			continue
		}
		seen[key] = true
		spec := corev1.PodSpec{NodeSelector: p.Spec.NodeSelector, Tolerations: p.Spec.Tolerations}
		if set := c.daemonSets[key]; set != nil {
			spec = set.Spec.Template.Spec
		}
		if c.mayBeOn(&spec, n) {
			first = append(first, p)
		}
	}
	return first
}
