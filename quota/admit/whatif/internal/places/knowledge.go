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

	podIndex
	rankings []*noderesources.Ranking
	states   map[*placement.Pod]*state
	fits     map[*Shape]*fitting
	last     lastShape
	buffer   candidates // of the last search
	relative []string   // the plugins whose scores depend on which these are
	least    *int32     // no pod on a node has a lower priority; nil until it is asked for
}

// podIndex is the index of the pods on nodes that knows the moves up to a version.
type podIndex struct {
	index *interpodaffinity.Index // nil until it is asked for
	seen  version
	isOwn bool // otherwise, forks share it
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
	failed    version // when no node was found
	unscored  version // when several were found that cannot be compared
	noVictims version // when no other pods were found to be preempted
	explained version // when why was found out
	why       *noderesources.FitError
}

// state is a placement.State that knows the moves up to a version.
type state struct {
	*placement.State
	seen version
}

// fork returns what holds for a copy. All else is found out anew, because a fork writes to it.
func (k *knowledge) fork() knowledge {
	if k.index == nil || k.seen < k.version() {
		return knowledge{}
	}
	own := knowledge{}
	own.podIndex = podIndex{index: k.index, seen: own.version()}
	return own
}

// noteNodes notes that nodes have changed. The index holds as long as the nodes are the same, with the same labels.
func (p *Places) noteNodes(sameLabels bool) {
	if sameLabels {
		p.indexed()
	} else {
		p.index = nil
	}
	p.moves = append(p.moves, move{})
	p.changed, p.objects, p.least = p.version(), nil, nil
}

// indexed returns the index of the pods on nodes.
func (p *Places) indexed() *interpodaffinity.Index {
	x := &p.podIndex
	switch {
	case x.index == nil:
		*x = podIndex{interpodaffinity.NewIndex(p.Nodes(), p.objectsOn), p.version(), true}
	case !x.isOwn:
		x.index, x.isOwn = x.index.Clone(), true
	}
	for _, m := range p.since(x.seen) {
		if m.pod != nil {
			x.index.Move(m.node, m.pod, m.leaves)
		}
	}
	x.seen = p.version()
	return x.index
}

// stateOf returns what is known of the nodes for a shape.
func (p *Places) stateOf(s *Shape) *placement.State {
	index := p.indexed() // which knows of each move before the state does
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

// rankingOf returns the ranking of the nodes for a request.
func (p *Places) rankingOf(r noderesources.Request) *noderesources.Ranking {
	i := slices.IndexFunc(p.rankings, func(k *noderesources.Ranking) bool { return k.Request().Equal(r) })
	if i < 0 {
		i = len(p.rankings)
		p.rankings = append(p.rankings, p.resources.Rank(r, p.opts.Scorers, p.opts.Fit))
	}
	return p.rankings[i]
}
