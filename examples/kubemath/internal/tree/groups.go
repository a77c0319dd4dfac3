package tree

import (
	"encoding/json"
	"iter"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/examples/internal/wording"
	"github.com/kubemath/kubemath/qos"
)

// group is a part of the picture: a cgroup, or those of several equal pods, with their total.
type group struct {
	name          string
	pods          int // that it stands for; 1 for a single cgroup
	level         cgroupname.IdentityKind
	class         corev1.PodQOSClass
	shares, mixed *big.Rat
	children      []*group
}

// grouped returns the tree with the pods of one owner as one group, if they have the same class and
// containers. Pods without an owner are one group if their specs are equal. Names have no namespace if
// all pods have the same one.
func (in *input) grouped(root *nodetree.Tree, driver cgroupname.Driver) *group {
	g := grouper{in: in, pods: map[string]*corev1.Pod{}}
	for i, pod := range in.pods {
		id := cgroupname.Identity{Class: qos.PodClass(pod, computeresources.Gates{}), UID: cgroupname.UIDOf(pod), Driver: driver}
		if path, err := id.Path(); err == nil {
			g.pods[path] = pod
		}
		g.namespaced = g.namespaced || i > 0 && pod.Namespace != in.pods[0].Namespace
	}
	return g.group(root)
}

// all yields the group and all below it, depth first.
func (g *group) all() iter.Seq[*group] {
	return func(yield func(*group) bool) { g.visit(yield) }
}

func (g *group) visit(yield func(*group) bool) bool {
	if !yield(g) {
		return false
	}
	for _, child := range g.children {
		if !child.visit(yield) {
			return false
		}
	}
	return true
}

type grouper struct {
	in         *input
	pods       map[string]*corev1.Pod // by the path of the cgroup
	namespaced bool                   // not all pods are of one namespace
}

func (g *grouper) group(t *nodetree.Tree) *group {
	made := &group{name: t.Title, pods: 1, level: t.Level, class: t.Class, shares: t.CPU.Shares, mixed: t.CPU.Mixed}
	alike := map[string]*group{}
	for i := range t.Children {
		child := g.group(&t.Children[i])
		pod := g.pods[t.Children[i].Path]
		if child.level != cgroupname.Pod || pod == nil {
			made.children = append(made.children, child)
			continue
		}
		kind, owner := g.in.ownerOf(pod)
		child.name = g.titleOf(pod, pod.Name)
		key := likeness(pod, kind, owner)
		if first := alike[key]; first == nil || len(first.children) != len(child.children) {
			alike[key] = child
			made.children = append(made.children, child)
		} else {
			first.add(child)
			if owner != "" {
				first.name = g.titleOf(pod, owner)
			}
		}
	}
	return made
}

func (g *grouper) titleOf(pod *corev1.Pod, name string) string {
	if g.namespaced {
		return wording.Qualified(pod.Namespace, name)
	}
	return name
}

// add adds a group of the same containers.
func (g *group) add(other *group) {
	g.pods += other.pods
	g.shares = new(big.Rat).Add(g.shares, other.shares)
	g.mixed = new(big.Rat).Add(g.mixed, other.mixed)
	for i, child := range other.children {
		g.children[i].add(child)
	}
}

// likeness is equal for pods of one group. Their class has to be equal as well.
func likeness(pod *corev1.Pod, kind, owner string) string {
	key := []string{pod.Namespace, kind, owner}
	if owner == "" {
		spec := pod.Spec
		spec.NodeName, spec.Hostname = "", ""
		data, err := json.Marshal(&spec)
		if err != nil { // cannot happen: it was read from JSON
			return string(pod.UID)
		}
		return strings.Join(append(key, string(data)), "\x00")
	}
	for _, containers := range [][]corev1.Container{pod.Spec.InitContainers, pod.Spec.Containers} {
		for _, c := range containers {
			key = append(key, c.Name)
		}
		key = append(key, "")
	}
	return strings.Join(key, "\x00")
}

// ownerOf returns the controller of a pod, or the controller of that if it is in the input, and so on:
// for the pods of a ReplicaSet, the Deployment.
func (in *input) ownerOf(pod *corev1.Pod) (kind, name string) {
	var of metav1.Object = pod
	for range 5 { // more than there are, if they form no circle
		ref := metav1.GetControllerOfNoCopy(of)
		if ref == nil {
			break
		}
		kind, name = ref.Kind, ref.Name
		i, known := in.byName[nameKey(kind, pod.Namespace, name)]
		if !known {
			break
		}
		of = in.found[i]
	}
	return kind, name
}
