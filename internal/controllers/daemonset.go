package controllers

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/ordering"
)

// DaemonNode is a node, or the name of one.
type DaemonNode struct {
	Name               string
	ShouldRun, MayStay bool // see DaemonPlace; false if the node is gone
	IsGone             bool
	pods               []*Pod // of the DaemonSet, that are there or have to be
}

// DaemonSet is what the controller of DaemonSets knows of one. Where its choice among nodes is random, the first by
// name are chosen.
type DaemonSet struct {
	object         *appsv1.DaemonSet
	nodes          map[string]*DaemonNode
	others         DaemonNode        // what holds of all other nodes
	nodeOf         map[string]string // by pod
	busy           []string          // the nodes on which something is to do, or to wait for, sorted
	outdated       []string          // the other nodes with a pod of a former template, sorted
	maySurge       bool
	maxSurge       int // on how many nodes there may be two pods
	maxUnavailable int // on how many nodes there may be none that is ready
	desired        int
}

// NewDaemonSet returns a DaemonSet of which no pod is known. Source: updatedDesiredNodeCounts.
func NewDaemonSet(set *appsv1.DaemonSet, nodes []DaemonNode, others DaemonNode) *DaemonSet {
	s := &DaemonSet{object: set, nodes: map[string]*DaemonNode{}, others: others, nodeOf: map[string]string{}}
	for _, n := range nodes {
		if n.ShouldRun {
			s.desired++
		}
	}
	surge, unavailable := intstr.FromInt32(0), intstr.FromInt32(1)
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil && s.isRolling() {
		surge, unavailable = *intstr.ValueOrDefault(r.MaxSurge, surge), *intstr.ValueOrDefault(r.MaxUnavailable, unavailable)
	}
	scale := func(amount intstr.IntOrString, of int) int {
		n, _ := intstr.GetScaledValueFromIntOrPercent(&amount, of, true) // what is invalid is 0
		return n
	}
	s.maySurge = scale(surge, 1) > 0
	s.maxSurge, s.maxUnavailable = scale(surge, s.desired), scale(unavailable, s.desired)
	if s.desired > 0 && s.maxSurge == 0 && s.maxUnavailable == 0 {
		s.maxUnavailable = 1
	}
	for i := range nodes {
		s.nodes[nodes[i].Name] = &nodes[i]
		s.sort(&nodes[i])
	}
	return s
}

func (s *DaemonSet) isRolling() bool {
	return s.object.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType
}

// See notes how a pod is now, and the node on which it is or has to be. It is nil if it is gone.
func (s *DaemonSet) See(name, node string, p *Pod) {
	if n := s.nodes[s.nodeOf[name]]; n != nil {
		n.pods = slices.DeleteFunc(n.pods, func(other *Pod) bool { return other.Object.Name == name })
		s.sort(n)
	}
	delete(s.nodeOf, name)
	if p == nil {
		return
	}
	n := s.nodes[node]
	if n == nil {
		own := s.others
		n, own.Name = &own, node
		s.nodes[node] = n
	}
	n.pods, s.nodeOf[name] = append(n.pods, p), node
	s.sort(n)
}

// sort notes whether a node is busy or outdated. If it is neither, it has no pod and needs none, or its pod is of the
// present template and ready.
func (s *DaemonSet) sort(n *DaemonNode) {
	lacks, excess := s.podsShouldBeOnNode(n)
	present, former, ok := findUpdatedPodsOnNode(n)
	isQuiet := !lacks && len(excess) == 0 && ok
	switch {
	case present == nil && former == nil:
		isQuiet = isQuiet && len(n.pods) == 0
	case former == nil:
		isQuiet = isQuiet && present.IsReady
	default:
		isQuiet = isQuiet && present == nil && former.IsReady && n.ShouldRun
	}
	s.busy = including(s.busy, n.Name, !isQuiet)
	s.outdated = including(s.outdated, n.Name, isQuiet && former != nil)
}

// Sync returns what the controller does in one sync. The nodes of a batch get their pods together; after a batch of
// which one is refused, the others are left out. Pods are deleted in any case, afterwards. It updates pods once no node
// lacks one or has one too many. Source: updateDaemonSet.
func (s *DaemonSet) Sync() (batches [][]string, deleted []*Pod) {
	var needing []string
	for _, name := range s.busy {
		lacks, excess := s.podsShouldBeOnNode(s.nodes[name])
		if lacks {
			needing = append(needing, name)
		}
		deleted = append(deleted, excess...)
	}
	if len(needing)+len(deleted) == 0 && s.isRolling() {
		if s.maxSurge == 0 {
			deleted = s.rollingUpdate()
		} else {
			needing, deleted = s.surgingUpdate()
		}
	}
	return slowStart(needing), deleted
}

// slowStart divides what is created into batches, each twice as large as the one before it. Source: syncNodes.
func slowStart(all []string) (batches [][]string) {
	for size := 1; len(all) > 0; size *= 2 {
		n := min(size, len(all))
		batches, all = append(batches, all[:n]), all[n:]
	}
	return batches
}

// podsShouldBeOnNode returns whether a node lacks a pod, and which are too many. Pods that have ended are replaced in
// the next sync. If there may be a surge, a node keeps the oldest pod of the present template, and the oldest of a
// former one while it is ready and the other one is not.
func (s *DaemonSet) podsShouldBeOnNode(n *DaemonNode) (lacks bool, excess []*Pod) {
	var running []*Pod
	for _, p := range n.pods {
		switch {
		case n.IsGone && p.Node != "" || !n.IsGone && p.isTerminating():
		case n.MayStay && !p.hasEnded():
			running = append(running, p)
		default:
			excess = append(excess, p)
		}
	}
	slices.SortFunc(running, byAge)
	kept := running[:min(1, len(running))]
	lacks = n.ShouldRun && len(n.pods) == 0
	if s.maySurge {
		present, former := oldest(running, false), oldest(running, true)
		if present != nil && former != nil && (!former.IsReady || present.IsReady) {
			former = nil
		}
		kept, lacks = []*Pod{present, former}, n.ShouldRun && len(running) == 0
	}
	for _, p := range running {
		if !slices.Contains(kept, p) {
			excess = append(excess, p)
		}
	}
	return lacks, excess
}

// oldest returns the first of the pods that are of a former template, or of the present one.
func oldest(pods []*Pod, isOutdated bool) *Pod {
	if i := slices.IndexFunc(pods, func(p *Pod) bool { return p.IsOutdated == isOutdated }); i >= 0 {
		return pods[i]
	}
	return nil
}

// byAge orders the pods on a node: those that are scheduled first, then the oldest. Source:
// podByCreationTimestampAndPhase.
func byAge(a, b *Pod) int {
	return cmp.Or(ordering.TrueFirst(a.Node != "", b.Node != ""), ordering.Ages(a.Object, b.Object),
		cmp.Compare(a.Object.Name, b.Object.Name))
}

// findUpdatedPodsOnNode returns the pod of the present template and that of a former one; nil if there is none. There
// is no answer if there are two of one of them.
func findUpdatedPodsOnNode(n *DaemonNode) (present, former *Pod, ok bool) {
	for _, p := range n.pods {
		into := &present
		if p.IsOutdated {
			into = &former
		}
		switch {
		case p.isTerminating():
		case *into != nil:
			return nil, nil, false
		default:
			*into = p
		}
	}
	return present, former, true
}

// rollingUpdate deletes pods of a former template: those that are not ready, and of the others as many as may be
// missing. A node whose only pod is of the present template is busy because that is not ready.
func (s *DaemonSet) rollingUpdate() (deleted []*Pod) {
	left := s.maxUnavailable
	var candidates []string
	for _, name := range s.busy {
		present, former, ok := findUpdatedPodsOnNode(s.nodes[name])
		switch {
		case !ok || former == nil || present != nil:
			left--
		case !former.IsReady:
			deleted = append(deleted, former)
			left--
		default:
			candidates = append(candidates, name)
		}
	}
	for _, name := range s.first(left, candidates) {
		_, former, _ := findUpdatedPodsOnNode(s.nodes[name])
		deleted = append(deleted, former)
	}
	return deleted
}

// first returns the first n of nodes and of those that are outdated.
func (s *DaemonSet) first(n int, nodes []string) []string {
	n = max(0, n)
	all := append(nodes, s.outdated[:min(n, len(s.outdated))]...)
	slices.Sort(all)
	return all[:min(n, len(all))]
}

// surgingUpdate creates pods on nodes that have one of a former template: on all where that is not ready, and on as
// many others as may surge. It deletes the former pod once the new one is ready, and pods on nodes where none should
// run.
func (s *DaemonSet) surgingUpdate() (needing []string, deleted []*Pod) {
	left := s.maxSurge
	var unwanted []*Pod
	for _, name := range s.busy {
		n := s.nodes[name]
		present, former, ok := findUpdatedPodsOnNode(n)
		switch {
		case !ok:
			left--
		case former == nil:
		case present != nil && !present.IsReady:
			left--
		case present == nil && n.IsGone:
			return nil, nil // an error of the controller
		case present != nil || !former.IsReady && !n.ShouldRun:
			deleted = append(deleted, former)
		case !former.IsReady:
			needing = append(needing, name)
		default:
			unwanted = append(unwanted, former)
		}
	}
	if len(unwanted) > 0 {
		deleted = append(deleted, unwanted[:min(max(0, s.available()-s.desired), len(unwanted))]...)
	}
	return append(needing, s.first(left, nil)...), deleted
}

// available returns how many nodes have a pod that is ready: that of a former template, if there is one.
func (s *DaemonSet) available() (n int) {
	for _, node := range s.nodes {
		present, former, _ := findUpdatedPodsOnNode(node)
		if p := cmp.Or(former, present); p != nil && p.IsReady {
			n++
		}
	}
	return n
}
