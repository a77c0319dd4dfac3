package main

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// allowed reports whether a pod may be on a node, apart from resources.
func allowed(p *corev1.Pod, n *corev1.Node) bool {
	unschedulable := corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}
	taints := n.Spec.Taints
	if n.Spec.Unschedulable {
		taints = append(slices.Clone(taints), unschedulable)
	}
	for i := range taints {
		if taints[i].Effect != corev1.TaintEffectPreferNoSchedule && !slices.ContainsFunc(p.Spec.Tolerations, func(t corev1.Toleration) bool { return t.ToleratesTaint(klog.Background(), &taints[i], false) }) {
			return false
		}
	}
	matches, err := nodeaffinity.GetRequiredNodeAffinity(p).Match(n)
	return err == nil && matches
}

// ledgerOf returns the ledger of a node before the step, an empty one if the node is new.
func (s *outcome) ledgerOf(n *corev1.Node) *noderesources.Ledger {
	if before, err := s.before.Ledger(n.Name); err == nil {
		return before
	}
	return noderesources.NewLedger(n.Status.Allocatable)
}

// placements looks at each pod that was placed, one after the other: whether another node had the same score; and, if all
// new pods are equal and none has gone, whether the cluster has placed each on one of the nodes with the highest score.
func (s *outcome) placements(predicted *whatif.Result) string {
	nodes, ledgers := map[string]*corev1.Node{}, map[string]*noderesources.Ledger{}
	for _, object := range s.after {
		if n, is := object.(*corev1.Node); is {
			nodes[n.Name] = n
			ledgers[n.Name] = s.ledgerOf(n)
		}
	}
	highest := func(p *corev1.Pod) (names []string) {
		best := int64(-1)
		for name, n := range nodes {
			r := noderesources.SpecRequest(&p.Spec, computeresources.Options{Kubernetes: kubernetes})
			if !allowed(p, n) || !ledgers[name].Fits(r, noderesources.FitOptions{}) {
				continue
			}
			score := ledgers[name].Score(r, nil)
			switch {
			case score > best:
				best, names = score, []string{name}
			case score == best:
				names = append(names, name)
			}
		}
		return names
	}
	add := func(name string, p *corev1.Pod) {
		_ = ledgers[name].Add("", noderesources.SpecRequest(&p.Spec, computeresources.Options{Kubernetes: kubernetes}))
	}
	if s.step.what == "create" {
		if text := s.greedy(predicted, highest, add); text != "" {
			return text
		}
		for name, n := range nodes {
			ledgers[name] = s.ledgerOf(n)
		}
	}
	for i := range predicted.Pods {
		p := &predicted.Pods[i]
		switch {
		case p.Gone || p.Preempted:
			s.tied = true // the room that it leaves is not looked at
			s.preempted = s.preempted || p.Preempted
		case p.Node != "" && p.Before == "" && nodes[p.Node] != nil:
			s.tied = s.tied || len(highest(p.Object)) > 1
			add(p.Node, p.Object)
		}
	}
	return ""
}

// greedy compares the nodes of new pods with those of the highest score, if all of the pods are equal.
func (s *outcome) greedy(predicted *whatif.Result, highest func(*corev1.Pod) []string, add func(string, *corev1.Pod)) string {
	var pods []*corev1.Pod
	for _, object := range s.after {
		if p, is := object.(*corev1.Pod); is {
			if !s.isOld(p) {
				pods = append(pods, p)
			}
		}
	}
	if kindOf(s.step.object) == "DaemonSet" || slices.ContainsFunc(predicted.Pods, func(p whatif.Pod) bool { return p.Gone || p.Preempted }) {
		return "" // DaemonSets name the nodes, and preemption makes room
	}
	left := map[string]int{}
	total := 0
	for _, p := range pods {
		if p.Spec.NodeName != "" {
			left[p.Spec.NodeName]++
			total++
		}
	}
	for n := range total {
		names := highest(pods[0])
		i := slices.IndexFunc(names, func(name string) bool { return left[name] > 0 })
		if i < 0 {
			return fmt.Sprintf("pod %d of %d is on one of %v, and the highest score have %v", n+1, total, left, names)
		}
		left[names[i]]--
		add(names[i], pods[0])
		s.placed++
		s.best++
	}
	return ""
}
