package placement

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/hostports"
	"github.com/kubemath/kubemath/internal/imagelocality"
	"github.com/kubemath/kubemath/internal/taints"
)

// The weights of the plugins in the default profile.
const (
	weightOfTaints   = 3
	weightOfAffinity = 2
	weightOfImages   = 1
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

	ports *hostports.Nodes // nil if the pod has no host ports
}

// verdict is whether a node accepts a pod, whatever pods are there.
type verdict uint8

const (
	undecided verdict = iota
	accepts
	refuses
)

// On returns what is known of nodes, with the pods that are on each of them. A nil node refuses each pod. State keeps
// the list of nodes.
func (p *Pod) On(nodes []*corev1.Node, pods func(i int) []*corev1.Pod) *State {
	s := &State{pod: p, nodes: nodes, verdicts: make([]verdict, len(nodes))}
	if p.ports != nil {
		s.ports = p.ports.On(len(nodes), pods)
	}
	return s
}

// Add counts a pod that is now on node i.
func (s *State) Add(i int, pod *corev1.Pod) {
	if s.ports != nil {
		s.ports.Add(i, pod)
	}
}

// Remove undoes Add.
func (s *State) Remove(i int, pod *corev1.Pod) {
	if s.ports != nil {
		s.ports.Remove(i, pod)
	}
}

// Accepts reports whether a pod may be on a node, apart from its resources.
func (s *State) Accepts(i int) bool {
	return s.IsOpen(i) && s.ByPods(i) == (Refusal{})
}

// Refusal is why a pod may not be on a node. It is zero if it may.
type Refusal struct {
	Message string
	// Resolvable reports that it may once other pods are gone.
	Resolvable bool
}

// BeforeResources returns why a pod may not be on a node, as far as the plugins say it that the scheduler asks before
// those of resources. A nil node has no reason.
func (s *State) BeforeResources(i int) Refusal {
	switch {
	case s.nodes[i] == nil:
	case !s.IsOpen(i):
		return Refusal{Message: s.pod.Refusal(s.nodes[i])}
	case s.ports != nil:
		return portRefusal(s.ports.Refusal(i))
	}
	return Refusal{}
}

// ByPods returns why a pod may not be on a node because of the pods that are there or elsewhere.
func (s *State) ByPods(i int) Refusal {
	if s.ports == nil {
		return Refusal{}
	}
	return portRefusal(s.ports.Refusal(i))
}

func portRefusal(message string) Refusal { return Refusal{message, message != ""} }

// IsOpen reports whether a pod may be on a node, whatever resources and pods it has.
func (s *State) IsOpen(i int) bool {
	if s.verdicts[i] == undecided {
		s.verdicts[i] = accepts
		if s.nodes[i] == nil || s.pod.Refusal(s.nodes[i]) != "" {
			s.verdicts[i] = refuses
		}
	}
	return s.verdicts[i] == accepts
}

// AddScores adds the weighted scores of the plugins for the nodes with room, which are all that the scheduler compares.
// Scores are by position in the list of nodes with room.
//
// Source: prioritizeNodes of k8s.io/kubernetes/pkg/scheduler.
func (s *State) AddScores(room []int, scores []int64) {
	s.look()
	addNormalized(room, scores, s.avoided, weightOfTaints, true)
	if s.wanted != nil {
		addNormalized(room, scores, s.wanted, weightOfAffinity, false)
	}
	if s.images != nil {
		for k, i := range room {
			scores[k] += weightOfImages * s.images[i]
		}
	}
}

// look finds out what the pod prefers of each node.
func (s *State) look() {
	if s.isScored {
		return
	}
	s.isScored = true
	s.images = imagelocality.Scores(&s.pod.object.Spec, s.nodes)
	s.avoided = s.byNode(func(n *corev1.Node) int64 {
		return int64(taints.Avoided(n.Spec.Taints, s.pod.object.Spec.Tolerations))
	})
	if s.pod.preferred != nil {
		s.wanted = s.byNode(s.pod.preferred.Score)
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

// addNormalized adds weighted scores from 0 to 100, in proportion to the highest number of the nodes with room. The
// numbers are by node, and nil if each is 0. The lowest is the best if they are reversed.
//
// Source: DefaultNormalizeScore of k8s.io/kubernetes/pkg/scheduler/framework/plugins/helper.
func addNormalized(room []int, scores, numbers []int64, weight int64, reversed bool) {
	highest := int64(0)
	if numbers != nil {
		for _, i := range room {
			highest = max(highest, numbers[i])
		}
	}
	for k, i := range room {
		score := int64(0)
		if highest > 0 {
			score = maxScore * numbers[i] / highest
		}
		if reversed {
			score = maxScore - score
		}
		scores[k] += weight * score
	}
}
