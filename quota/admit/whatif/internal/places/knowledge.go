package places

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
)

// knowledge is what has been found out about the nodes. Each part of it notes the version that it holds for.
type knowledge struct {
	moves   []move // of pods, one after the other, and changes of nodes: their number makes the version
	changed version
	objects []*corev1.Node // of the nodes; nil until it is asked for

	index     *interpodaffinity.Index // of the pods on nodes; nil until it is asked for
	indexed   version
	ownsIndex bool // otherwise, forks share it

	rankings []*noderesources.Ranking
	states   map[*placement.Pod]*state
	fits     map[*Shape]*fitting
	last     lastShape
	buffer   candidates // of the last search
	least    int32      // no pod on a node has a lower priority, if hasLeast
	hasLeast bool       // otherwise it has to be found out
}

// version is a number that grows with each move and each change of a node. Zero is before all others.
type version int

func (k *knowledge) version() version { return version(len(k.moves) + 1) }

// since returns the moves since a version.
func (k *knowledge) since(v version) []move { return k.moves[max(v-1, 0):] }

// move is that a pod has come to a node, or has left it. Without a pod, it is a change of nodes.
type move struct {
	node   int
	pod    *corev1.Pod
	leaves bool
}

// fitting is what is known of a shape.
type fitting struct {
	failed    version                 // when no node was found
	why       *noderesources.FitError // at that time; nil if it is not known
	noVictims version                 // when no other pods were found to be preempted
}

// state is a placement.State that knows the moves up to a version.
type state struct {
	*placement.State
	seen version
}

// fork returns what holds for a copy. Nothing else does, because a fork writes to it.
func (k *knowledge) fork() knowledge {
	return knowledge{index: k.index, least: k.least, hasLeast: k.hasLeast}
}

// noteNodes notes that nodes have changed. The index holds as long as the nodes are the same, with the same labels.
func (p *Places) noteNodes(sameLabels bool) {
	if sameLabels {
		p.podIndex()
	} else {
		p.index = nil
	}
	p.moves = append(p.moves, move{})
	p.changed, p.objects = p.version(), nil
}

// podIndex returns the index of the pods on nodes.
func (p *Places) podIndex() *interpodaffinity.Index {
	switch {
	case p.index == nil:
		p.index, p.ownsIndex = interpodaffinity.NewIndex(p.Nodes(), p.objectsOn), true
	case !p.ownsIndex:
		p.index, p.ownsIndex = p.index.Clone(), true
		fallthrough
	default:
		for _, m := range p.since(p.indexed) {
			if m.pod != nil {
				p.index.Move(m.node, m.pod, m.leaves)
			}
		}
	}
	p.indexed = p.version()
	return p.index
}

// stateOf returns what is known of the nodes for a shape.
func (p *Places) stateOf(s *Shape) *placement.State {
	index := p.podIndex() // which knows of each move before the state does
	known := p.states[s.pod]
	if known == nil || known.seen < p.changed {
		if p.states == nil {
			p.states = map[*placement.Pod]*state{}
		}
		known = &state{s.pod.On(p.Nodes(), index, p.objectsOn), p.version()}
		p.states[s.pod] = known
	}
	for _, m := range p.since(known.seen) {
		if m.leaves {
			known.Remove(m.node, m.pod)
		} else {
			known.Add(m.node, m.pod)
		}
	}
	known.seen = p.version()
	return known.State
}

// fittingOf returns what is known of a shape.
func (p *Places) fittingOf(s *Shape) *fitting {
	f := p.fits[s]
	if f == nil {
		if p.fits == nil {
			p.fits = map[*Shape]*fitting{}
		}
		f = &fitting{}
		p.fits[s] = f
	}
	return f
}

// rankingOf returns the ranking of the nodes for a request, by the default profile of the scheduler.
func (p *Places) rankingOf(r noderesources.Request) *noderesources.Ranking {
	i := slices.IndexFunc(p.rankings, func(k *noderesources.Ranking) bool { return k.Request().Equal(r) })
	if i < 0 {
		i = len(p.rankings)
		p.rankings = append(p.rankings, p.resources.Rank(r, nil, p.opts.Fit))
	}
	return p.rankings[i]
}
