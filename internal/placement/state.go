package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/declaredfeatures"
	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/imagelocality"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/taints"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

// maxScore is the highest score of a plugin, before it is weighted.
const maxScore = 100

// State is what is known of the nodes for one Pod.
type State struct {
	pod      *Pod
	nodes    []*corev1.Node
	verdicts []verdict
	avoided  []int64 // taints that the pod is to avoid, by node; nil if there are none
	wanted   []int64 // the preferred node affinity, by node; nil if there is none
	images   []int64 // the scores of ImageLocality, by node; nil if no node has an image
	isScored bool    // avoided, wanted and images are known

	index    *interpodaffinity.Index
	ports    *hostports.Nodes       // nil if the pod has no host ports
	volumes  *podvolumes.Nodes      // nil if no plugin looks at the volumes of the pod
	spread   *topologyspread.Spread // nil until it is counted: see countSpread
	affinity *interpodaffinity.State
	buffer   []int64  // of AddScores
	relative []string // likewise
}

// verdict is whether a node accepts a pod, whatever pods are there.
type verdict uint8

const (
	undecided verdict = iota
	accepts
	refuses
)

// On returns what is known of nodes, with the pods that are on each of them, and in an index, which knows of each pod
// before the State is told. A nil node refuses each pod. State keeps the list of nodes and the index.
func (p *Pod) On(nodes []*corev1.Node, index *interpodaffinity.Index, pods func(i int) []*corev1.Pod) *State {
	s := &State{pod: p, nodes: nodes, index: index, verdicts: make([]verdict, len(nodes)), affinity: p.affinity.On(index)}
	if p.ports != nil {
		s.ports = p.ports.On(len(nodes), pods)
	}
	if p.volumes != nil {
		s.volumes = p.volumes.On(nodes, pods)
	}
	if p.isSpreadRequired() {
		s.countSpread()
	}
	return s
}

// countSpread counts how pods are spread. Where no node is refused for that, it is only needed to compare nodes.
func (s *State) countSpread() {
	if s.pod.spread == nil || s.spread != nil {
		return
	}
	s.spread = s.pod.spread.On(s.nodes, nil)
	for i, pod := range s.index.Pods(s.pod.object.Namespace, s.spread.Selects) {
		s.spread.Add(i, pod)
	}
}

// Add counts a pod that is now on node i.
func (s *State) Add(i int, pod *corev1.Pod) {
	s.count(i, pod, true, (*topologyspread.Spread).Add)
}

// Remove undoes Add.
func (s *State) Remove(i int, pod *corev1.Pod) {
	s.count(i, pod, false, (*topologyspread.Spread).Remove)
}

// Evict is Remove while preemption is tried on node i, whose pods are still those from before.
func (s *State) Evict(i int, pod *corev1.Pod) {
	s.byPorts(i) // counts the pods that are there, with this one
	s.count(i, pod, false, (*topologyspread.Spread).Evict)
}

// PutBack undoes Evict.
func (s *State) PutBack(i int, pod *corev1.Pod) {
	s.count(i, pod, true, (*topologyspread.Spread).Reprieve)
}

// count tells the plugins that a pod comes to node i or leaves it.
func (s *State) count(
	i int, pod *corev1.Pod, comes bool, spread func(s *topologyspread.Spread, i int, pod *corev1.Pod),
) {
	if comes {
		s.affinity.Add(i, pod)
	} else {
		s.affinity.Remove(i, pod)
	}
	if s.spread != nil {
		spread(s.spread, i, pod)
	}
	if s.ports != nil {
		tell(s.ports, i, pod, comes)
	}
	if s.volumes != nil {
		tell(s.volumes, i, pod, comes)
	}
}

// counter counts the pods on nodes.
type counter interface {
	Add(i int, pod *corev1.Pod)
	Remove(i int, pod *corev1.Pod)
}

func tell(c counter, i int, pod *corev1.Pod, comes bool) {
	if comes {
		c.Add(i, pod)
	} else {
		c.Remove(i, pod)
	}
}

// IsLimited reports whether the pods on nodes may keep the pod off a node, apart from their resources.
func (s *State) IsLimited() bool {
	return s.ports != nil || s.volumes != nil && s.pod.volumes.IsLimited() || s.IsLimitedElsewhere()
}

// IsLimitedElsewhere reports whether pods on other nodes may do so.
func (s *State) IsLimitedElsewhere() bool {
	return s.pod.isSpreadRequired() || s.pod.profile.filters(InterPodAffinity) && !s.affinity.SkipsFilter() ||
		s.volumes != nil && s.pod.volumes.IsLimitedElsewhere()
}

// Accepts reports whether a pod may be on a node, apart from its resources.
func (s *State) Accepts(i int) bool {
	return s.IsOpen(i) && (!s.asksMore() || s.ByPods(i).Message == "")
}

// asksMore reports whether a plugin may refuse a node that is open.
func (s *State) asksMore() bool {
	return s.volumes != nil || len(s.pod.features) > 0 || s.IsLimited()
}

// Refusal is why a pod may not be on a node. It is zero if it may.
type Refusal struct {
	Message string
	// Also is a second reason, which only VolumeBinding may have.
	Also string
	// Resolvable reports that it may once other pods are gone.
	Resolvable bool
}

// BeforeResources returns why a plugin that the scheduler asks before those of resources refuses a node. The reason is
// zero if none does, and for a nil node.
func (s *State) BeforeResources(i int) Refusal {
	switch {
	case s.nodes[i] == nil:
		return Refusal{}
	case !s.IsOpen(i):
		return Refusal{Message: s.pod.Refusal(s.nodes[i])}
	}
	return s.byPorts(i)
}

// AfterResources returns why a plugin that the scheduler asks after those of resources refuses a node. The reason is
// zero if none does, and for a nil node.
func (s *State) AfterResources(i int) Refusal {
	if s.nodes[i] == nil {
		return Refusal{}
	}
	if refusal := s.byVolumes(i); refusal.Message != "" {
		return refusal
	}
	if s.pod.isSpreadRequired() {
		if message, isUnresolvable := s.spread.Refusal(i); message != "" {
			return Refusal{Message: message, Resolvable: !isUnresolvable}
		}
	}
	message, isResolvable := "", false
	if s.pod.profile.filters(InterPodAffinity) {
		message, isResolvable = s.affinity.Refusal(i)
	}
	if message == "" && !declaredfeatures.HasAll(s.nodes[i], s.pod.features) {
		return Refusal{Message: declaredfeatures.Reason}
	}
	return Refusal{Message: message, Resolvable: isResolvable}
}

func (s *State) byVolumes(i int) (r Refusal) {
	if s.volumes == nil {
		return r
	}
	verdict := s.volumes.Verdict(i)
	if len(verdict.Reasons) > 0 {
		r.Message, r.Resolvable = verdict.Reasons[0], verdict.IsPreemptable
	}
	if len(verdict.Reasons) > 1 {
		r.Also = verdict.Reasons[1]
	}
	return r
}

// Bindings returns what becomes of the claims of the pod if it is placed on node i.
func (s *State) Bindings(i int) []podvolumes.Binding {
	if s.volumes == nil {
		return nil
	}
	return s.volumes.Bindings(i)
}

// DependsOnUnknown reports whether volumes that are not known decide where the pod is, or, if it is placed on node i,
// limits of volumes there. For a pod that is not placed, i is -1.
func (s *State) DependsOnUnknown(i int) bool {
	switch {
	case s.volumes == nil:
		return false
	case i < 0:
		return s.volumes.HasUnknown() || s.pod.volumes.AreProvisioned()
	}
	return s.volumes.HasUnknown() || s.volumes.MayReachLimit(i)
}

// ByPods returns why a pod may not be on a node because of the pods that are there or elsewhere.
func (s *State) ByPods(i int) Refusal {
	if refusal := s.byPorts(i); refusal.Message != "" {
		return refusal
	}
	return s.AfterResources(i)
}

func (s *State) byPorts(i int) Refusal {
	if s.ports == nil {
		return Refusal{}
	}
	message := s.ports.Refusal(i)
	return Refusal{Message: message, Resolvable: message != ""}
}

// IsOpen reports whether a pod may be on a node, whatever resources and pods it has. No node is open to a pod for which
// the scheduler tries none: see Pod.Invalid.
func (s *State) IsOpen(i int) bool {
	if s.verdicts[i] == undecided {
		s.verdicts[i] = accepts
		if s.nodes[i] == nil || s.pod.invalid != "" || s.pod.Refusal(s.nodes[i]) != "" {
			s.verdicts[i] = refuses
		}
	}
	return s.verdicts[i] == accepts
}

// MayOpen reports whether a pod may be on a node, apart from its resources, at least once other pods are gone.
func (s *State) MayOpen(i int) bool {
	refusal := s.ByPods(i)
	return s.IsOpen(i) && (refusal.Message == "" || refusal.Resolvable)
}

// AddScores adds the weighted scores of the plugins for the nodes with room, which are all that the scheduler compares.
// Scores are by position in the list of nodes with room. It returns the plugins whose scores depend on which nodes
// these are, in memory that it uses again.
//
// Source: prioritizeNodes of k8s.io/kubernetes/pkg/scheduler.
func (s *State) AddScores(room []int, scores []int64) (relative []string) {
	s.look()
	weight := s.pod.profile.weight
	s.relative = s.relative[:0]
	s.addNormalized(room, scores, s.avoided, TaintToleration)
	if s.wanted != nil {
		s.addNormalized(room, scores, s.wanted, NodeAffinity)
	}
	if w := weight(ImageLocality); s.images != nil {
		for k, i := range room {
			scores[k] += w * s.images[i]
		}
	}
	if len(s.buffer) < len(room) {
		s.buffer = make([]int64, len(room))
	}
	if w := weight(PodTopologySpread); w > 0 {
		s.countSpread()
		if s.spread != nil && s.spread.Scores(room, s.buffer) {
			s.addBuffer(scores, w)
			s.relative = append(s.relative, PodTopologySpread)
		}
	}
	if s.volumes != nil && s.pod.rules.ScoresStorageCapacity() {
		s.volumes.Scores(room, s.buffer)
		s.addBuffer(scores, weight(VolumeBinding))
	}
	if w := weight(InterPodAffinity); w > 0 && !s.affinity.Scores(room, s.buffer) {
		s.addBuffer(scores, w)
		s.relative = append(s.relative, InterPodAffinity)
	}
	return s.relative
}

func (s *State) addBuffer(scores []int64, weight int64) {
	for k := range scores {
		scores[k] += weight * s.buffer[k]
	}
}

// look finds out what the pod prefers of each node.
func (s *State) look() {
	if s.isScored {
		return
	}
	s.isScored = true
	s.images = imagelocality.Scores(&s.pod.object.Spec, s.nodes, s.pod.rules)
	s.avoided = s.byNode(func(n *corev1.Node) int64 {
		return int64(taints.Avoided(n.Spec.Taints, s.pod.object.Spec.Tolerations))
	})
	if preferred, favoured := s.pod.preferred, s.pod.profile.favoured; preferred != nil || favoured != nil {
		s.wanted = s.byNode(func(n *corev1.Node) int64 { return preferred.Score(n) + favoured.Score(n) })
	}
}

// byNode returns a number for each node, nil if each is 0.
func (s *State) byNode(of func(n *corev1.Node) int64) (numbers []int64) {
	for i, n := range s.nodes {
		if n == nil {
			continue
		}
		if number := of(n); number != 0 {
			if numbers == nil {
				numbers = make([]int64, len(s.nodes))
			}
			numbers[i] = number
		}
	}
	return numbers
}

// addNormalized adds the weighted scores of a plugin from 0 to 100, in proportion to the highest number of the nodes
// with room. The numbers are by node, and nil if each is 0. For TaintToleration, the lowest is the best.
//
// Source: DefaultNormalizeScore of k8s.io/kubernetes/pkg/scheduler/framework/plugins/helper.
func (s *State) addNormalized(room []int, scores, numbers []int64, plugin string) {
	highest, weight := int64(0), s.pod.profile.weight(plugin)
	if numbers != nil {
		for _, i := range room {
			highest = max(highest, numbers[i])
		}
	}
	if highest > 0 && weight > 0 {
		s.relative = append(s.relative, plugin)
	}
	for k, i := range room {
		score := int64(0)
		if highest > 0 {
			score = maxScore * numbers[i] / highest
		}
		if plugin == TaintToleration {
			score = maxScore - score
		}
		scores[k] += weight * score
	}
}
