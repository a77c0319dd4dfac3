package controllers

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/taints"
)

// DaemonNode is a node, or the name of one, with the pods of a DaemonSet that are there or have to be. Those that have
// ended and are being deleted do not count.
type DaemonNode struct {
	Name               string
	ShouldRun, MayStay bool // see DaemonPlace; false if the node is gone
	IsGone             bool
	Pods               []Pod
}

// Daemons are what the controller of DaemonSets does in one sync. The nodes of a batch get their pods together; after a
// batch of which one is refused, the others are left out. Pods are deleted in any case, afterwards.
type Daemons struct {
	Create [][]string // by node
	Delete []*Pod
}

// DaemonSet returns what the controller of DaemonSets does in one sync. It updates pods once no node lacks one or has
// one too many. Where its choice among nodes is random, the first in the list are chosen.
//
// Source: updateDaemonSet of k8s.io/kubernetes/pkg/controller/daemon.
func DaemonSet(set *appsv1.DaemonSet, nodes []DaemonNode) Daemons {
	s := newDaemonSet(set, nodes)
	var needing []string
	var deleted []*Pod
	for i := range nodes {
		lacks, excess := s.podsShouldBeOnNode(&nodes[i])
		if lacks {
			needing = append(needing, nodes[i].Name)
		}
		deleted = append(deleted, excess...)
	}
	if len(needing)+len(deleted) == 0 && set.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType {
		if s.maxSurge == 0 {
			deleted = s.rollingUpdate(nodes)
		} else {
			needing, deleted = s.surgingUpdate(nodes)
		}
	}
	return Daemons{slowStart(needing), deleted}
}

// slowStart divides what is created into batches, each twice as large as the one before it.
//
// Source: syncNodes of k8s.io/kubernetes/pkg/controller/daemon.
func slowStart(all []string) (batches [][]string) {
	for size := 1; len(all) > 0; size *= 2 {
		n := min(size, len(all))
		batches, all = append(batches, all[:n]), all[n:]
	}
	return batches
}

// daemonSet is a DaemonSet in one sync.
type daemonSet struct {
	maySurge                          bool
	maxSurge, maxUnavailable, desired int
}

// newDaemonSet returns on how many nodes there may be two pods, and on how many none that is ready.
//
// Source: updatedDesiredNodeCounts of k8s.io/kubernetes/pkg/controller/daemon.
func newDaemonSet(set *appsv1.DaemonSet, nodes []DaemonNode) (s daemonSet) {
	for i := range nodes {
		if nodes[i].ShouldRun {
			s.desired++
		}
	}
	surge, unavailable := intstr.FromInt32(0), intstr.FromInt32(1)
	if r := set.Spec.UpdateStrategy.RollingUpdate; r != nil &&
		set.Spec.UpdateStrategy.Type != appsv1.OnDeleteDaemonSetStrategyType {
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
	return s
}

// podsShouldBeOnNode returns whether a node lacks a pod, and which are too many. Pods that have ended are replaced in
// the next sync.
func (s *daemonSet) podsShouldBeOnNode(n *DaemonNode) (lacks bool, excess []*Pod) {
	var running, ended []*Pod
	for i := range n.Pods {
		p := &n.Pods[i]
		switch {
		case n.IsGone && p.Node != "" || !n.IsGone && p.isTerminating():
		case n.MayStay && !p.hasEnded():
			running = append(running, p)
		default:
			ended = append(ended, p)
		}
	}
	slices.SortFunc(running, byAge)
	switch {
	case n.ShouldRun && len(n.Pods) == 0:
		return true, nil
	case s.maySurge:
		kept := s.besideEachOther(running)
		for _, p := range running {
			if !slices.Contains(kept, p) {
				ended = append(ended, p)
			}
		}
		return n.ShouldRun && len(running) == 0, ended
	case len(running) > 1:
		return false, append(ended, running[1:]...)
	}
	return false, ended
}

// besideEachOther returns the pods that a node keeps while it surges, of those that are there by age: the oldest of the
// present template and the oldest of a former one. The latter stays while it is ready and the other one is not.
func (s *daemonSet) besideEachOther(pods []*Pod) (kept []*Pod) {
	find := func(isOutdated bool) *Pod {
		if i := slices.IndexFunc(pods, func(p *Pod) bool { return p.IsOutdated == isOutdated }); i >= 0 {
			return pods[i]
		}
		return nil
	}
	present, former := find(false), find(true)
	if present != nil && former != nil && (!former.IsReady || present.IsReady) {
		former = nil
	}
	return []*Pod{present, former}
}

// byAge orders the pods on a node: those that are scheduled first, then the oldest.
//
// Source: podByCreationTimestampAndPhase of k8s.io/kubernetes/pkg/controller/daemon.
func byAge(a, b *Pod) int {
	isWaiting := func(p *Pod) int {
		if p.Node == "" {
			return 1
		}
		return 0
	}
	return cmp.Or(isWaiting(a)-isWaiting(b), ordering.Ages(a.Object, b.Object), cmp.Compare(a.Object.Name, b.Object.Name))
}

// findUpdatedPodsOnNode returns the pod of the present template and that of a former one; nil if there is none. There
// is no answer if there are two of one of them.
func findUpdatedPodsOnNode(n *DaemonNode) (present, former *Pod, ok bool) {
	for i := range n.Pods {
		p := &n.Pods[i]
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
// missing.
func (s *daemonSet) rollingUpdate(nodes []DaemonNode) (deleted []*Pod) {
	unavailable := 0
	var candidates []*Pod
	for i := range nodes {
		if !nodes[i].ShouldRun && len(nodes[i].Pods) == 0 {
			continue
		}
		present, former, ok := findUpdatedPodsOnNode(&nodes[i])
		switch {
		case !ok || (present == nil) == (former == nil):
			unavailable++
		case present != nil && !present.IsReady:
			unavailable++
		case former != nil && !former.IsReady:
			deleted = append(deleted, former)
			unavailable++
		case former != nil:
			candidates = append(candidates, former)
		}
	}
	return append(deleted, candidates[:min(max(0, s.maxUnavailable-unavailable), len(candidates))]...)
}

// surgingUpdate creates pods beside those of a former template: where these are not ready, and beside as many others as
// may surge. It deletes those beside which one is ready, and where none should run, as long as enough others are ready.
func (s *daemonSet) surgingUpdate(nodes []DaemonNode) (needing []string, deleted []*Pod) {
	surging, available := 0, 0
	var candidates []string
	var unwanted []*Pod
	for i := range nodes {
		n := &nodes[i]
		present, former, ok := findUpdatedPodsOnNode(n)
		if !ok {
			surging++
			continue
		}
		if counted := cmp.Or(former, present); counted != nil && counted.IsReady {
			available++
		}
		switch {
		case former == nil:
		case present != nil && !present.IsReady:
			surging++
		case present == nil && n.IsGone:
			return nil, nil // an error of the controller
		case present != nil || !former.IsReady && !n.ShouldRun:
			deleted = append(deleted, former)
		case !former.IsReady:
			needing = append(needing, n.Name)
		case !n.ShouldRun:
			unwanted = append(unwanted, former)
		default:
			candidates = append(candidates, n.Name)
		}
	}
	deleted = append(deleted, unwanted[:min(max(0, available-s.desired), len(unwanted))]...)
	return append(needing, candidates[:min(max(0, s.maxSurge-surging), len(candidates))]...), deleted
}

// DaemonPlace is where the pods of a DaemonSet have to be, whatever their requests are.
type DaemonPlace struct {
	nodeName    string
	tolerations []corev1.Toleration
	required    nodeaffinity.Required
}

// DaemonPlaceOf returns the place of the pods of a DaemonSet.
func DaemonPlaceOf(set *appsv1.DaemonSet) *DaemonPlace {
	spec := &set.Spec.Template.Spec
	return &DaemonPlace{spec.NodeName, DaemonTolerations(spec), nodeaffinity.RequiredOf(spec)}
}

// ShouldRun reports whether a daemon has to be on a node. Taints with NoSchedule do not matter if it is there already.
//
// Source: NodeShouldRunDaemonPod of k8s.io/kubernetes/pkg/controller/daemon.
func (d *DaemonPlace) ShouldRun(n *corev1.Node) (shouldRun, mayStay bool) {
	if d.nodeName != "" && d.nodeName != n.Name || !d.required.Matches(n) {
		return false, false
	}
	mayStay = !taints.Untolerated(n.Spec.Taints, d.tolerations, corev1.TaintEffectNoExecute)
	return mayStay && !taints.Untolerated(n.Spec.Taints, d.tolerations, corev1.TaintEffectNoSchedule), mayStay
}

// DaemonTolerations are the tolerations of the pods of a DaemonSet, with those that the controller adds.
//
// Source: AddOrUpdateDaemonPodTolerations of k8s.io/kubernetes/pkg/controller/daemon/util.
func DaemonTolerations(spec *corev1.PodSpec) []corev1.Toleration {
	all := []corev1.Toleration{
		{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodePIDPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	}
	if spec.HostNetwork {
		all = append(all, corev1.Toleration{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule})
	}
	tolerations := slices.Clone(spec.Tolerations)
	for _, t := range all {
		t.Operator = corev1.TolerationOpExists
		tolerations = slices.DeleteFunc(tolerations, func(other corev1.Toleration) bool { return t.MatchToleration(&other) })
		tolerations = append(tolerations, t)
	}
	return tolerations
}
