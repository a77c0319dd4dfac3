package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/declaredfeatures"
	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/taints"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// NotNamed is the message for a node that the scheduler does not consider: see Pod.Named.
const NotNamed = "node(s) didn't satisfy plugin(s) [NodeAffinity]"

// The messages of the plugins that look at a node alone.
const (
	otherNode        = "node(s) didn't match the requested node name"
	unschedulable    = "node(s) were unschedulable"
	hasTaint         = "node(s) had untolerated taint(s)"
	notEnforced      = "node(s) didn't match scheduler-enforced node affinity"
	selectorMismatch = "node(s) didn't match Pod's node affinity/selector"
)

// Around is what decides about a pod in addition to itself, nodes and pods.
type Around struct {
	Namespaces map[string]map[string]string // the labels of namespaces, by name
	Services   []*corev1.Service            // of the namespace of the pod
	Controller metav1.Object                // of the pod; nil if there is none
	Volumes    podvolumes.Objects           // to which volumes of the pod refer
	Rules      release.Rules                // of the cluster
	Profile    *Profile                     // of the scheduler; nil is the default one
}

// Pod is what a pod asks of its node, apart from resources. It is never written to.
type Pod struct {
	object    *corev1.Pod
	required  nodeaffinity.Required
	preferred *nodeaffinity.Preferred     // nil if it prefers none
	named     []string                    // the only nodes that are looked at; nil if all are
	ports     hostports.Ports             // nil if there are none
	spread    *topologyspread.Constraints // nil if there are none
	affinity  *interpodaffinity.Incoming
	volumes   *podvolumes.Volumes // nil if there are none that matter
	features  []string            // that the node has to declare
	invalid   string              // why the scheduler tries no node
	unscored  string              // why it compares none
	rules     release.Rules
	profile   *Profile
}

// Of returns what a pod asks of its node. It keeps the pod.
func Of(pod *corev1.Pod, around Around) *Pod {
	profile := cmp.Or(around.Profile, &Profile{})
	p := &Pod{object: pod, required: nodeaffinity.RequiredOf(&pod.Spec), rules: around.Rules, profile: profile}
	if profile.filters(NodePorts) {
		p.ports = hostports.Of(pod)
	}
	if profile.filters(VolumeBinding) {
		p.volumes = podvolumes.Of(pod, around.Volumes)
	}
	if p.rules.ChecksDeclaredFeatures() && profile.filters(NodeDeclaredFeatures) {
		p.features = declaredfeatures.Of(&pod.Spec)
	}
	if names, areNamed := nodeaffinity.NamedNodes(&pod.Spec); areNamed && profile.filters(NodeAffinity) {
		p.named = append([]string{}, names...)
	}
	preferred, err := nodeaffinity.PreferredOf(&pod.Spec)
	if err != nil && (profile.weight(NodeAffinity) > 0 || profile.filters(NodeAffinity)) { // or else, it is disabled
		p.unscored = fmt.Sprintf("running PreScore plugin %q: %v", NodeAffinity, err)
	}
	p.preferred = preferred
	p.invalid = p.refusedVolumes()
	selector := topologyspread.DefaultSelector(pod, around.Services, around.Controller)
	spread, err := topologyspread.Of(pod, selector, profile.Spread, p.rules)
	if err != nil && profile.filters(PodTopologySpread) {
		p.invalid = cmp.Or(p.invalid, err.Error())
	}
	p.spread, p.affinity = spread, interpodaffinity.Of(pod, around.Namespaces, profile.PodAffinity)
	if profile.filters(InterPodAffinity) {
		p.invalid = cmp.Or(p.invalid, p.affinity.Invalid())
	}
	return p
}

// refusedVolumes returns why no node can use the volumes of the pod, empty if some may.
func (p *Pod) refusedVolumes() string {
	if p.volumes == nil {
		return ""
	}
	return strings.Join(p.volumes.OfAllNodes().Reasons, ", ")
}

// Invalid returns why the scheduler tries no node, empty if it does: a claim of the pod is missing or not bound, or the
// pod is one that the API server refuses in nearly all cases.
func (p *Pod) Invalid() string { return p.invalid }

// Unscored returns why the scheduler compares no nodes, empty if it does. The pod then only gets a node if it may be on
// no other: a preferred term of its node affinity is invalid, which the API server accepts.
func (p *Pod) Unscored() string { return p.unscored }

// Object returns the pod. It must not be written to.
func (p *Pod) Object() *corev1.Pod { return p.object }

// GainsByOthers reports whether a node that refuses the pod may accept it because other pods get a node.
func (p *Pod) GainsByOthers() bool {
	return p.unscored != "" || p.isSpreadRequired() || p.profile.filters(InterPodAffinity) && p.affinity.NeedsOthers()
}

// isSpreadRequired reports whether constraints keep the pod off nodes.
func (p *Pod) isSpreadRequired() bool {
	return p.spread.IsRequired() && p.profile.filters(PodTopologySpread)
}

// Volumes returns the volumes of the pod, nil if there are none at which a plugin looks.
func (p *Pod) Volumes() *podvolumes.Volumes { return p.volumes }

// ExcludesItself reports whether two such pods cannot be on one node because of their host ports or a disk.
func (p *Pod) ExcludesItself() bool {
	return p.ports != nil || p.volumes != nil && p.volumes.ExcludesItself()
}

// Named returns the names of the only nodes that the scheduler looks at, sorted, and whether it looks at no others.
func (p *Pod) Named() (names []string, areNamed bool) { return p.named, p.named != nil }

// Refusal returns why a pod may not be on a node, whatever resources and pods it has: the message of the first plugin
// that refuses, in the order of the scheduler. It is empty if none does.
func (p *Pod) Refusal(n *corev1.Node) string {
	spec, filters := &p.object.Spec, p.profile.filters
	switch {
	case p.named != nil && !slices.Contains(p.named, n.Name):
		return NotNamed
	case spec.NodeName != "" && spec.NodeName != n.Name && filters(NodeName):
		return otherNode
	case n.Spec.Unschedulable && !taints.IsCordonTolerated(spec.Tolerations) && filters(NodeUnschedulable):
		return unschedulable
	case taints.Untolerated(n.Spec.Taints, spec.Tolerations, corev1.TaintEffectNoSchedule,
		corev1.TaintEffectNoExecute) && filters(TaintToleration):
		return hasTaint
	case !filters(NodeAffinity):
		return ""
	case !p.profile.enforced.Matches(n):
		return notEnforced
	case !p.required.Matches(n):
		return selectorMismatch
	}
	return ""
}
