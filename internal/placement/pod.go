package placement

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/taints"
)

// The messages of the plugins that look at a node alone.
const (
	otherNode        = "node(s) didn't match the requested node name"
	unschedulable    = "node(s) were unschedulable"
	hasTaint         = "node(s) had untolerated taint(s)"
	selectorMismatch = "node(s) didn't match Pod's node affinity/selector"
	notNamed         = "node(s) didn't satisfy plugin(s) [NodeAffinity]"
)

// Pod is what a pod asks of its node, apart from resources. It is never written to.
type Pod struct {
	spec      *corev1.PodSpec
	required  nodeaffinity.Required
	preferred *nodeaffinity.Preferred // nil if it prefers none
	named     []string                // the only nodes that are looked at, if areNamed
	areNamed  bool
}

// Of returns what a pod asks of its node. It keeps the spec.
func Of(spec *corev1.PodSpec) *Pod {
	p := &Pod{spec: spec, required: nodeaffinity.RequiredOf(spec)}
	p.named, p.areNamed = nodeaffinity.NamedNodes(spec)
	p.preferred, _ = nodeaffinity.PreferredOf(spec) // with invalid terms, the scheduler compares no nodes
	return p
}

// Named returns the names of the only nodes that the scheduler looks at, sorted, and whether it looks at no others.
func (p *Pod) Named() (names []string, areNamed bool) { return p.named, p.areNamed }

// Refusal returns why a pod may not be on a node, apart from its resources: the message of the first plugin that
// refuses, in the order of the scheduler. It is empty if none does.
func (p *Pod) Refusal(n *corev1.Node) string {
	switch {
	case p.areNamed && !slices.Contains(p.named, n.Name):
		return notNamed
	case p.spec.NodeName != "" && p.spec.NodeName != n.Name:
		return otherNode
	case n.Spec.Unschedulable && !taints.IsCordonTolerated(p.spec.Tolerations):
		return unschedulable
	case taints.Untolerated(n.Spec.Taints, p.spec.Tolerations, corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute):
		return hasTaint
	case !p.required.Matches(n):
		return selectorMismatch
	}
	return ""
}
