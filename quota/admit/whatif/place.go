package whatif

import (
	"cmp"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/placement"
)

func (o *Options) podRequest(pod *corev1.Pod) noderesources.Request {
	return noderesources.PodRequest(pod, computeresources.Options{Kubernetes: o.Admission.Kubernetes})
}

func (o *Options) fitOptions() noderesources.FitOptions {
	return noderesources.FitOptions{IgnoredResources: o.IgnoredResources, IgnoredGroups: o.IgnoredGroups,
		ExtendedResources: o.Admission.ExtendedResources}
}

// placing is what is known of the places of pods, as long as no node comes, goes or gets other labels or taints.
type placing struct {
	moves     []move // of pods, one after the other
	rankings  []*ranking
	fits      map[*shape]*fitting
	states    map[*placement.Pod]*state
	nodeList  []*corev1.Node          // nil where only pods refer to a node
	ownIndex  *interpodaffinity.Index // nil until it is asked for
	baseIndex *interpodaffinity.Index // without the moves; nil if nodes have changed
	preempted *noderesources.Cluster  // the nodes with the UIDs of uidOf; nil until a pod may preempt others
	room      []int                   // of highest: the nodes that it compares
	scores    []int64                 // and their scores
}

// move is that a pod has come to a node, or has left it.
type move struct {
	node   int
	pod    *corev1.Pod
	leaves bool
}

// now returns how often pods have moved: what has been found holds as long as it is the same.
func (p *placing) now() stamp { return stamp(len(p.moves) + 1) }

// stamp is the time at which something was found; zero is before all others.
type stamp int

// ranking is how good a place each node is for a request: its score, or -1 if there is no room.
type ranking struct {
	request noderesources.Request
	scores  []int32
	seen    int // how many of the moves have been considered
}

// fitting is what is known of a shape.
type fitting struct {
	failed    stamp                   // when no node was found
	why       *noderesources.FitError // at that time; nil if it is not known
	noVictims stamp                   // when no other pods were found to be preempted
}

// state is a placement.State that knows some of the moves.
type state struct {
	*placement.State
	seen int
}

// insertNode adds a node.
func (d *draft) insertNode(i int, n *node) {
	d.nodes = slices.Insert(d.nodes, i, n)
	d.placing, d.lastPod = placing{}, nil
}

// scoreOf returns the score of a node, or -1 if there is no room.
func (d *draft) scoreOf(i int, r noderesources.Request) int32 {
	l := d.nodes[i].ledger
	if l == nil || !l.Fits(r, d.opts.fitOptions()) {
		return -1
	}
	return int32(d.profile.score(l, r))
}

// rankingOf returns the ranking of the nodes in their present state.
func (d *draft) rankingOf(r noderesources.Request) *ranking {
	i := slices.IndexFunc(d.rankings, func(k *ranking) bool { return k.request.Equal(r) })
	if i < 0 {
		k := &ranking{request: r, scores: make([]int32, len(d.nodes)), seen: len(d.moves)}
		for i := range k.scores {
			k.scores[i] = d.scoreOf(i, r)
		}
		d.rankings = append(d.rankings, k)
		return k
	}
	k := d.rankings[i]
	for _, m := range d.moves[k.seen:] {
		k.scores[m.node] = d.scoreOf(m.node, r)
	}
	k.seen = len(d.moves)
	return k
}

// fittingOf returns what is known of a shape.
func (d *draft) fittingOf(s *shape) *fitting {
	f := d.fits[s]
	if f == nil {
		if d.fits == nil {
			d.fits = map[*shape]*fitting{}
		}
		f = &fitting{}
		d.fits[s] = f
	}
	return f
}

// stateOf returns what is known of the nodes for a shape.
func (d *draft) stateOf(s *shape) *placement.State {
	known := d.states[s.pod]
	if known == nil {
		if d.states == nil {
			d.states = map[*placement.Pod]*state{}
		}
		known = &state{s.pod.On(d.nodeObjects(), d.podIndex(), d.podsOn), len(d.moves)}
		d.states[s.pod] = known
	}
	for _, m := range d.moves[known.seen:] {
		if m.leaves {
			known.Remove(m.node, m.pod)
		} else {
			known.Add(m.node, m.pod)
		}
	}
	known.seen = len(d.moves)
	return known.State
}

// nodeObjects returns the nodes, nil where only pods refer to one.
func (d *draft) nodeObjects() []*corev1.Node {
	if d.nodeList == nil {
		d.nodeList = make([]*corev1.Node, len(d.nodes))
		for i, n := range d.nodes {
			d.nodeList[i] = n.object
		}
	}
	return d.nodeList
}

// podsOn returns the pods on a node.
func (d *draft) podsOn(i int) []*corev1.Pod {
	objects := make([]*corev1.Pod, len(d.nodes[i].pods))
	for k, p := range d.nodes[i].pods {
		objects[k] = p.object
	}
	return objects
}

// podIndex returns the index of the pods on nodes.
func (d *draft) podIndex() *interpodaffinity.Index {
	switch {
	case d.ownIndex != nil:
	case d.baseIndex != nil:
		d.ownIndex = d.baseIndex.Clone()
		for _, m := range d.moves {
			d.ownIndex.Move(m.node, m.pod, m.leaves)
		}
	default:
		d.ownIndex = interpodaffinity.NewIndex(d.nodeObjects(), d.podsOn)
	}
	return d.ownIndex
}

// noteMove notes that a pod has come to a node, or has left it. Either may open nodes for pods that wait.
func (d *draft) noteMove(m move) {
	d.moves = append(d.moves, m)
	if m.leaves || slices.ContainsFunc(d.waiting, func(p *pod) bool { return p.shape.pod.GainsByOthers() }) {
		d.freed[d.nodes[m.node].name] = true
	}
	if d.ownIndex != nil {
		d.ownIndex.Move(m.node, m.pod, m.leaves)
	}
}

// best returns the node with the highest score on which a pod may be, the first of several, or -1.
func (d *draft) best(s *shape) int {
	if s.isGated || !d.located {
		return -1
	}
	if names, areNamed := s.named(); areNamed {
		return d.bestOf(s, names)
	}
	f := d.fittingOf(s)
	if f.failed == d.now() {
		return -1
	}
	state := d.stateOf(s)
	d.room, d.scores = d.room[:0], d.scores[:0]
	for i, score := range d.rankingOf(s.request).scores {
		if score >= 0 && state.Accepts(i) && !(s.taken != nil && s.taken[d.nodes[i].name]) {
			d.room, d.scores = append(d.room, i), append(d.scores, int64(score))
		}
	}
	best := d.highest(s)
	if best < 0 {
		f.failed, f.why = d.now(), nil
	}
	return best
}

// bestOf is best among a few nodes, which are sorted.
func (d *draft) bestOf(s *shape, names []string) int {
	if s.isGated {
		return -1
	}
	d.room, d.scores = d.room[:0], d.scores[:0]
	for _, name := range names {
		i, found := d.nodeAt(name)
		if !found || d.nodes[i].object == nil || !s.isFor(name) {
			continue
		}
		if score := d.scoreOf(i, s.request); score >= 0 && d.stateOf(s).Accepts(i) {
			d.room, d.scores = append(d.room, i), append(d.scores, int64(score))
		}
	}
	return d.highest(s)
}

// highest returns the node with room that has the highest score, the first of several, or -1 if none has room.
func (d *draft) highest(s *shape) int {
	if len(d.room) > 1 {
		d.stateOf(s).AddScores(d.room, d.scores)
	}
	best, highest := -1, int64(-1)
	for k, score := range d.scores {
		if score > highest {
			best, highest = d.room[k], score
		}
	}
	return best
}

// bind puts a pod on a node.
func (d *draft) bind(p *pod, i int) {
	bound := *p
	bound.node, bound.depends = d.nodes[i].name, p.depends || d.depends
	bound.unknown = d.bindVolumes(p, i)
	d.putPod(p, &bound)
}

// fewNodes is how many nodes are compared one by one.
const fewNodes = 32

// retry places pods that wait, if nodes have got room for them.
func (d *draft) retry() {
	if !d.located {
		clear(d.freed)
	}
	for len(d.freed) > 0 {
		freed := slices.Sorted(maps.Keys(d.freed))
		clear(d.freed)
		d.retryOn(freed)
	}
}

// retryOn places pods that wait, if these nodes have got room for them, or pods of a lower priority that may make room.
func (d *draft) retryOn(freed []string) {
	for _, p := range slices.Clone(d.waiting) {
		p = d.podOf(p.podName) // as it is now: its shape may have changed
		i := -1
		if len(freed) <= fewNodes && !d.stateOf(p.shape).IsLimitedElsewhere() {
			i = d.bestOf(p.shape, freed) // there was no room on any other
		} else {
			i = d.best(p.shape)
		}
		if i < 0 {
			i = d.preempt(p)
		}
		if i >= 0 {
			d.bind(p, i)
			if !d.isReading { // controllers do nothing yet
				d.lookAgain(p.namespace, p.owner)
			}
		}
	}
}

// byQueue compares pods in the order in which the scheduler tries them: by priority, then creation time, then namespace
// and name.
func byQueue(a, b *pod) int {
	p, q := a.object, b.object
	return cmp.Or(-cmp.Compare(eviction.Priority(p), eviction.Priority(q)), byAge(p, q), a.podName.compare(b.podName))
}

// byAge compares objects by creation time, the oldest first. Those without one are the newest.
func byAge(a, b metav1.Object) int {
	at, bt := a.GetCreationTimestamp(), b.GetCreationTimestamp()
	if at.IsZero() != bt.IsZero() {
		return bt.Compare(at.Time) // a zero time is before all others
	}
	return at.Compare(bt.Time)
}
