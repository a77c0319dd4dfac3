package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/quota/admit"
)

// The scheduler has seen what was seen here so long ago, and has not seen what was seen so much later.
const (
	surelySeen   = time.Second
	surelyUnseen = 300 * time.Millisecond
)

// life is what has happened to a pod.
type life struct {
	name        types.NamespacedName
	first, last int    // happenings
	bound       int    // the happening that gave it a node, -1 if none did
	node        string // the node, if it is bound
	attempt     int    // the one that has found it, -1 if it is not known
}

// judging compares attempts of the scheduler with package whatif, in the situations that the scheduler has seen.
type judging struct {
	happenings []happening
	attempts   []attempt
	lives      map[types.UID]*life
	of         []types.UID // the pods of the attempts, empty if they are not known
	allScores  bool
	differs    *situation // the last one in which an attempt differs
	*tries
}

func newJudging(happenings []happening, attempts []attempt, allScores bool, t *tries) *judging {
	j := &judging{happenings: happenings, attempts: attempts, lives: map[types.UID]*life{}, allScores: allScores, tries: t}
	var order []types.UID
	for i := range happenings {
		p, is := happenings[i].object.(*corev1.Pod)
		if !is {
			continue
		}
		l := j.lives[p.UID]
		if l == nil {
			l = &life{name: types.NamespacedName{Namespace: p.Namespace, Name: p.Name}, first: i, bound: -1, attempt: -1}
			j.lives[p.UID], order = l, append(order, p.UID)
			l.node = p.Spec.NodeName
		}
		l.last = i
		if l.node == "" && p.Spec.NodeName != "" {
			l.node, l.bound = p.Spec.NodeName, i
		}
	}
	for a := range attempts {
		j.of = append(j.of, j.podOf(order, &attempts[a]))
		if l := j.lives[j.of[a]]; l != nil && attempts[a].failure == "" && l.bound >= 0 {
			l.attempt = a
		}
	}
	return j
}

// podOf returns the pod that an attempt is about: the oldest of its name that is there at the time and has no node yet.
func (j *judging) podOf(order []types.UID, a *attempt) types.UID {
	for _, uid := range order {
		l := j.lives[uid]
		if l.name != a.pod || l.attempt >= 0 || l.bound < 0 && l.node != "" {
			continue
		}
		last := &j.happenings[l.last]
		if last.gone && last.seen.Before(a.at) || j.happenings[l.first].seen.After(a.at.Add(surelyUnseen)) {
			continue
		}
		return uid
	}
	return ""
}

// compare returns the first difference between an attempt, the first of which is not looked at again, and package whatif.
func (j *judging) compare(first int) (difference string, err error) {
	for a := first; a < len(j.attempts); a++ {
		difference, err := j.compareAttempt(a)
		if difference != "" || err != nil {
			return difference, err
		}
	}
	return "", nil
}

func (j *judging) compareAttempt(a int) (difference string, err error) {
	l := j.lives[j.of[a]]
	if l == nil || j.attempts[a].failure == "" && l.attempt != a {
		j.unknown++ // the pod was deleted meanwhile
		return "", nil
	}
	from, to := j.window(a)
	var all []string
	for k := to; k >= from; k-- {
		if k < to && !j.decides(k) {
			continue
		}
		s := j.situation(a, k)
		said, err := j.compareIn(a, s)
		if err != nil {
			return "", err
		}
		if said == "" {
			if k < to {
				j.unsure++
			}
			return "", nil
		}
		all = append(all, said)
		j.differs = s
	}
	if hasClaims(j.differs.pod) && j.isBinding(from) {
		j.unknown++
		return "", nil
	}
	return fmt.Sprintf("attempt %d at %s: %s", a, j.attempts[a].at.Format("15:04:05.000"), strings.Join(slices.Compact(all), "; or "+"\n")), nil
}

// isBinding reports whether a claim is being bound, or has been just before. While only its volume says so, the scheduler looks for volumes,
// and has other words than as soon as both say so.
func (j *judging) isBinding(from int) bool {
	for i := from; i < len(j.happenings) && j.happenings[i].seen.Before(j.happenings[from].seen.Add(3*surelySeen)); i++ {
		switch j.happenings[i].object.(type) {
		case *corev1.PersistentVolume, *corev1.PersistentVolumeClaim:
			return true
		}
	}
	return false
}

// window returns how many of the happenings the scheduler has at least, and at most, seen at an attempt.
func (j *judging) window(a int) (from, to int) {
	at, l := j.attempts[a].at, j.lives[j.of[a]]
	for from < len(j.happenings) && j.happenings[from].seen.Before(at.Add(-surelySeen)) {
		from++
	}
	for to = from; to < len(j.happenings) && j.happenings[to].seen.Before(at.Add(surelyUnseen)); to++ {
		if l.attempt == a && to >= l.bound {
			break
		}
	}
	return from, to
}

// decides reports whether happening i may decide about the place of a pod. The scheduler knows itself which pods it has bound.
func (j *judging) decides(i int) bool {
	h := &j.happenings[i]
	p, is := h.object.(*corev1.Pod)
	return !is || h.gone || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed || p.Spec.NodeName != "" && j.lives[p.UID].first == i
}

// situation returns what the scheduler knows at an attempt if it has seen so many of the happenings.
func (j *judging) situation(a, seen int) *situation {
	now := map[types.UID]admit.APIObject{}
	for i := range j.happenings[:seen] {
		if h := &j.happenings[i]; h.gone {
			delete(now, h.object.GetUID())
		} else {
			now[h.object.GetUID()] = h.object
		}
	}
	s, nominated := &situation{}, j.nominated(a)
	for uid, l := range j.lives { // those that are assumed on a node
		if l.attempt >= 0 && l.attempt < a && l.first >= seen {
			now[uid] = j.happenings[l.bound].object
		}
	}
	for _, o := range now {
		switch o := o.(type) {
		case *corev1.Node:
			s.nodes = append(s.nodes, o)
		case *corev1.Pod:
			j.sort(s, a, o, nominated)
		default:
			s.others = append(s.others, o)
		}
	}
	if s.pod == nil {
		s.pod = withNode(j.happenings[j.lives[j.of[a]].first].object.(*corev1.Pod), "")
	}
	slices.SortFunc(s.nodes, func(a, b *corev1.Node) int { return strings.Compare(a.Name, b.Name) })
	slices.SortFunc(s.pods, func(a, b *corev1.Pod) int { return strings.Compare(string(a.UID), string(b.UID)) })
	slices.SortFunc(s.others, func(a, b admit.APIObject) int { return strings.Compare(string(a.GetUID()), string(b.GetUID())) })
	return s
}

// nominated returns the nodes on which pods have preempted others before an attempt. A pod gives up its node if it tries again in vain, or if
// one of a higher priority preempts there.
//
// Source: prepareCandidate of k8s.io/kubernetes/pkg/scheduler/framework/preemption.
func (j *judging) nominated(a int) map[types.UID]string {
	nodes := map[types.UID]string{}
	for b := range j.attempts[:a] {
		uid, target := j.of[b], j.attempts[b].target
		if strings.Contains(j.attempts[b].failure, "preemption: not eligible due to") {
			continue // it waits until those that it has preempted are gone
		}
		delete(nodes, uid)
		if target == "" || uid == "" {
			continue
		}
		for other, node := range nodes {
			if node == target && j.priority(other) < j.priority(uid) {
				delete(nodes, other)
			}
		}
		nodes[uid] = target
	}
	return nodes
}

func (j *judging) priority(uid types.UID) int32 {
	return priorityOf(j.happenings[j.lives[uid].first].object.(*corev1.Pod))
}

// sort adds a pod to a situation.
func (j *judging) sort(s *situation, a int, p *corev1.Pod, nominated map[types.UID]string) {
	l := j.lives[p.UID]
	switch {
	case p.UID == j.of[a]:
		s.pod = withNode(p, "")
		s.pod.Status.NominatedNodeName = nominated[p.UID]
	case p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed:
	case l.bound < 0 && l.node != "" || l.attempt >= 0 && l.attempt < a || l.bound >= 0 && l.attempt < 0 && p.Spec.NodeName != "":
		s.pods = append(s.pods, withNode(p, l.node))
	case nominated[p.UID] != "" && p.DeletionTimestamp == nil:
		s.nominated = append(s.nominated, withNode(p, nominated[p.UID]))
	}
}

// withNode returns a pod that is on a node.
func withNode(p *corev1.Pod, node string) *corev1.Pod {
	own := *p
	own.Spec.NodeName = node
	return &own
}

// judge compares the attempts since the last time.
func (w *world) judge(s *outcome) (difference string, err error) {
	happenings, err := w.record.sorted()
	if err != nil {
		return "", err
	}
	first := len(w.log.attempts)
	if err := w.log.update(); err != nil {
		return "", err
	}
	t := &s.counts.tries
	before := *t
	j := newJudging(happenings, w.log.attempts, w.allScores, t)
	difference, err = j.compare(first)
	if difference != "" {
		s.differs = j.differs
	}
	s.deleted = deletions(happenings)
	s.tried = map[types.NamespacedName][]attempt{}
	for _, a := range w.log.attempts {
		s.tried[a.pod] = append(s.tried[a.pod], a)
	}
	s.preempted = slices.ContainsFunc(w.log.attempts[first:], func(a attempt) bool { return a.target != "" })
	s.tied = s.preempted || t.ties > before.ties || !w.allScores // by other scores, pods are on other nodes
	return difference, err
}
