package main

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// compareIn returns how an attempt differs from what package whatif says in a situation.
func (j *judging) compareIn(a int, s *situation) (difference string, err error) {
	tried, l := &j.attempts[a], j.lives[j.of[a]]
	said, err := s.ask()
	if err != nil {
		return err.Error(), nil
	}
	if len(said.Unknown) > 0 {
		j.unknown++
		return "", nil
	}
	node := ""
	if tried.failure == "" {
		node = l.node
	}
	if hasClaims(s.pod) {
		return j.compareVolumes(tried, s, said, node)
	}
	v := s.judge(j.allScores)
	switch {
	case tried.failure == "" && !slices.Contains(v.best, node):
		return fmt.Sprintf("pod %s is on %s, the highest score have %v %s", tried.pod, node, v.best, v.message), nil
	case tried.failure != "" && !isMessage(s.spoken(tried.failure, tried.hinted), v.message):
		return fmt.Sprintf("pod %s waits: %s; we say %s %v", tried.pod, tried.failure, v.message, v.best), nil
	}
	if len(s.nominated) == 0 && s.pod.Status.NominatedNodeName == "" {
		isSame := said.Waits.Message == v.message && (node == "" || !j.allScores || slices.Equal(equalNodes(said), v.best))
		if !isSame {
			return fmt.Sprintf("pod %s: placement says %v %s, whatif %v %s", tried.pod, v.best, v.message, equalNodes(said), said.Waits.Message), nil
		}
	}
	return j.countAttempt(tried, s, len(v.best) > 1)
}

// countAttempt counts an attempt that is right so far, and compares which pods it preempts.
func (j *judging) countAttempt(tried *attempt, s *situation, isTied bool) (difference string, err error) {
	if tried.failure == "" {
		j.placed++
		if isTied {
			j.ties++
		}
		if tried.hinted {
			j.hinted++
		}
		return "", nil
	}
	difference, err = j.comparePreemption(tried, s)
	if difference == "" && err == nil {
		j.waiting++
	}
	return difference, err
}

// equalNodes returns the nodes of which the scheduler draws one.
func equalNodes(said whatif.Pod) []string {
	if said.Choice.Equal > 1 {
		return said.Choice.Nodes
	}
	return []string{said.Node}
}

// compareVolumes is compareIn for a pod that uses claims, of which package whatif is asked alone.
func (j *judging) compareVolumes(tried *attempt, s *situation, said whatif.Pod, node string) (difference string, err error) {
	if len(s.nominated) > 0 || s.pod.Status.NominatedNodeName != "" || !j.allScores {
		j.unknown++
		return "", nil
	}
	if said.Node != "" && strings.Contains(tried.failure, "unbound immediate") {
		j.unknown++ // the controller of volumes binds the claim later
		return "", nil
	}
	j.claims++
	if !slices.Contains(equalNodes(said), node) || node == "" && !isMessage(tried.failure, said.Waits.Message) {
		return fmt.Sprintf("pod %s, which uses claims, is on %q: %s; we say %q: %s", tried.pod, node, tried.failure, said.Node, said.Waits.Message), nil
	}
	return j.countAttempt(tried, s, said.Choice.Equal > 1)
}

// spoken returns a message without the plugins that have refused the node that the pod was nominated for, or a hinted one: the scheduler lists them among
// those that have left out other nodes.
//
// Source: findNodesThatFitPod of k8s.io/kubernetes/pkg/scheduler, where both are one set.
func (s *situation) spoken(message string, hinted bool) string {
	before, rest, found := strings.Cut(message, "didn't satisfy plugin(s) [")
	plugins, after, _ := strings.Cut(rest, "]")
	if !found || s.pod.Status.NominatedNodeName == "" && !hinted || !slices.Contains(strings.Fields(plugins), "NodeAffinity") {
		return message
	}
	return before + "didn't satisfy plugin(s) [NodeAffinity]" + after
}

// isMessage reports whether the scheduler says ours. It adds what it says about preemption, or that this was not found: without a state
// of its plugins, it cannot try.
func isMessage(theirs, ours string) bool {
	return ours != "" && (theirs == ours || theirs == ours+" not found" || strings.HasPrefix(theirs, ours+" preemption: "))
}

// comparePreemption compares which pods an attempt preempts. Those of one of several nodes with victims of equal rank are drawn.
func (j *judging) comparePreemption(tried *attempt, s *situation) (difference string, err error) {
	var theirs []string
	for _, victim := range tried.victims {
		theirs = append(theirs, victim.Name)
	}
	slices.Sort(theirs)
	isEnding := func(p *corev1.Pod) bool { return p.DeletionTimestamp != nil && !slices.Contains(theirs, p.Name) }
	if len(s.nominated) > 0 || s.pod.Status.NominatedNodeName != "" || slices.ContainsFunc(s.pods, isEnding) {
		return "", nil // whatif preempts at once
	}
	node, victims, err := s.preempt()
	if err != nil {
		return "", err
	}
	switch {
	case node == tried.target && slices.Equal(victims, theirs):
		if node != "" {
			j.preempting++
		}
	case node != "" && tried.target != "" && slices.Equal(s.ranks(victims), s.ranks(theirs)) &&
		(node != tried.target || slices.Equal(s.starts(victims), s.starts(theirs))):
		j.drawn++
	default:
		return fmt.Sprintf("pod %s preempts %v on %q, we say %v on %q", tried.pod, theirs, tried.target, victims, node), nil
	}
	return "", nil
}

// ranks returns the priorities of pods, sorted.
func (s *situation) ranks(names []string) (ranks []int32) {
	for _, p := range s.pods {
		if slices.Contains(names, p.Name) {
			ranks = append(ranks, priorityOf(p))
		}
	}
	slices.Sort(ranks)
	return ranks
}

// starts returns when pods have started, sorted.
func (s *situation) starts(names []string) (starts []int64) {
	for _, p := range s.pods {
		if slices.Contains(names, p.Name) && p.Status.StartTime != nil {
			starts = append(starts, p.Status.StartTime.Unix())
		}
	}
	slices.Sort(starts)
	return starts
}
