package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// outcome is what has come of a step.
type outcome struct {
	before         *whatif.Cluster
	earlier, after []admit.APIObject
	begin          time.Time
	step           change
	refused        error // by the API server
	*counts

	deleted   []types.UID                        // pods, in this order
	tried     map[types.NamespacedName][]attempt // of pods
	differs   *situation                         // in which an attempt of the scheduler differs
	tied      bool                               // the scheduler may have drawn another node than predicted
	preempted bool                               // a pod has made room for another one, maybe before the scheduler knew of other room
}

// compare returns the first difference.
func (s *outcome) compare() string {
	s.changes++
	predicted, after := s.change(s.before)
	o := &predicted.Objects[0]
	refused := ""
	if s.refused != nil {
		refused = s.refused.Error()
	}
	if sortedProblems(o.Reason.Message) != sortedProblems(refused) {
		return fmt.Sprintf("the server says %q, we say %q", refused, o.Reason.Message)
	}
	if s.refused != nil {
		s.refused = nil
		s.counts.refused++
	}
	real, err := whatif.Read(s.after, options)
	if err != nil {
		return err.Error()
	}
	if text := s.idle(real); text != "" {
		return text
	}
	tried, isPartial := 0, false // some pods are not created, or not replaced
	for _, o := range slices.Concat(predicted.Objects, predicted.Others) {
		isPartial = isPartial || o.Missing.Cause != "" || o.Kind == "DaemonSet" && o.Outdated > 0
		if o.Wanted > 0 {
			tried++
		}
		// A controller creates and replaces pods of a DaemonSet on the nodes in no fixed order, and the old and the new pods of a
		// Deployment that lacks both compete for what a quota has left.
		s.tied = s.tied || o.Kind == "DaemonSet" && o.Outdated > 0 || o.Missing.Cause != "" && (o.Kind == "DaemonSet" || o.Kind == "Deployment" && o.Outdated > 0)
	}
	failing := 0
	for _, o := range s.after {
		if kindOf(o) == "ReplicaSet" && replicaFailure(o) != "" {
			failing++
		}
	}
	s.tied = s.tied || failing > 1            // of the old and the new template
	s.tied = s.tied || tried > 1 && isPartial // controllers compete for what a quota has left
	s.tied = s.tied || s.isOverrun()
	want, got := tally(after, false), tally(real, true)
	if want != got {
		if s.tied || s.isRedrawn(got) || slices.Equal(numbers(want), numbers(got)) && s.areInAnyOrder() {
			s.drawn++
			return ""
		}
		return fmt.Sprintf("predicted:\n%sthe cluster:\n%s", want, got)
	}
	if s.tied && isPartial { // as many pods, but of the old or the new template
		s.drawn++
		return ""
	}
	s.pods += strings.Count(got, " pods")
	if text := s.quotasOf(after); text != "" {
		return text
	}
	return s.reasons(&predicted, o)
}

// idle compares the pods that wait: package whatif finds no node for them, and their conditions have the message of the last attempt.
func (s *outcome) idle(real *whatif.Cluster) string {
	for _, object := range s.after {
		p, is := object.(*corev1.Pod)
		if !is || p.Spec.NodeName != "" || p.DeletionTimestamp != nil || p.Status.NominatedNodeName != "" {
			continue
		}
		name := types.NamespacedName{Namespace: p.Namespace, Name: p.Name}
		ours, err := real.Pod(name)
		if err != nil {
			return err.Error()
		}
		message := ""
		for i := range p.Status.Conditions {
			if p.Status.Conditions[i].Type == corev1.PodScheduled {
				message = p.Status.Conditions[i].Message
			}
		}
		switch {
		case len(ours.Unknown) > 0:
			continue
		case !isWritten(s.tried[name], message):
			return fmt.Sprintf("pod %s waits: %q; the attempts say %q", name, message, failuresOf(s.tried[name]))
		case ours.Node != "":
			return fmt.Sprintf("pod %s waits: %s; we place it on %s", name, message, ours.Node)
		case isMessage(message, ours.Waits.Message):
			s.current++
		default:
			s.outdated++ // it would be another one if the scheduler tried again
		}
	}
	return ""
}

// tally counts the pods of each workload, and those that have a node: with stored, by their spec.
func tally(c *whatif.Cluster, stored bool) string {
	all, placed := map[string]int{}, map[string]int{}
	for _, node := range append(c.Nodes(), "") {
		for _, p := range c.Pods(node) {
			owner := p.Owner.String()
			if p.Owner.Kind == "" {
				owner = "Pod " + p.Object.Name
			}
			all[owner]++
			if stored && p.Object.Spec.NodeName != "" || !stored && node != "" {
				placed[owner]++
			}
		}
	}
	var lines []string
	for owner, n := range all {
		lines = append(lines, fmt.Sprintf("%s: %d pods, %d of them on nodes\n", owner, n, placed[owner]))
	}
	slices.Sort(lines)
	return strings.Join(lines, "")
}

// quotasOf compares the usage of quotas.
func (s *outcome) quotasOf(predicted *whatif.Cluster) string {
	for _, object := range s.after {
		q, is := object.(*corev1.ResourceQuota)
		if !is {
			continue
		}
		for _, ours := range predicted.Namespace(q.Namespace).Quotas() {
			if ours.Name != q.Name {
				continue
			}
			for name, used := range q.Status.Used {
				if other := ours.Status.Used[name]; other.Cmp(used) != 0 {
					return fmt.Sprintf("quota %s: %s of %s are used, we say %s", q.Name, used.String(), name, other.String())
				}
				s.quotas++
			}
		}
	}
	return ""
}

// reasons compares why new pods wait, and why there are not more of them.
func (s *outcome) reasons(predicted *whatif.Result, o *whatif.Object) string {
	if s.step.what != "create" || s.tied {
		return ""
	}
	want := map[string]int{}
	for _, p := range predicted.Pods {
		if p.Waits.Cause != "" {
			want[p.Waits.Message]++
		}
	}
	for _, object := range s.after {
		p, is := object.(*corev1.Pod)
		if !is || p.Spec.NodeName != "" {
			continue
		}
		if s.isOld(p) {
			continue // its message may be that of an earlier try
		}
		for i := range p.Status.Conditions {
			if condition := &p.Status.Conditions[i]; condition.Type == corev1.PodScheduled {
				found := false
				for text, n := range want {
					if n > 0 && strings.HasPrefix(condition.Message, text) {
						want[text]--
						found = true
						break
					}
				}
				if !found {
					return fmt.Sprintf("pod %s waits: %s; we say %v", p.Name, condition.Message, want)
				}
				s.waiting++
			}
		}
	}
	return s.missingOf(o)
}

// isOld reports whether a pod was there before.
func (s *outcome) isOld(p *corev1.Pod) bool {
	_, err := s.before.Pod(types.NamespacedName{Namespace: p.Namespace, Name: p.Name})
	return err == nil
}

// missingOf compares why a Deployment lacks pods, but not the usage at the time, which may be that of an earlier try, nor
// the names, which are drawn.
func (s *outcome) missingOf(o *whatif.Object) string {
	for _, object := range s.after {
		if kindOf(object) != o.Kind || object.GetName() != o.Name {
			continue
		}
		text := replicaFailure(object)
		if text == "" || o.Missing.Cause == "" {
			continue
		}
		if ours, theirs := comparable(o.Missing.Message), comparable(text); ours != theirs {
			return fmt.Sprintf("it lacks pods: %s; we say %s", theirs, ours)
		}
		s.missing++
	}
	return ""
}

// comparable removes the drawn name and the usage from a message.
func comparable(text string) string {
	if name := strings.SplitN(text, `"`, 3); len(name) == 3 {
		text = name[0] + name[2]
	}
	text, _, _ = strings.Cut(text, ", used:")
	return sortedProblems(text)
}

// sortedProblems sorts the list of problems in a message, if there is one.
func sortedProblems(text string) string {
	// The server lists what is wrong with the amounts of a container in the order of a map.
	before, list, found := strings.Cut(text, ": [")
	if !found {
		return text
	}
	parts := strings.SplitAfter(strings.TrimSuffix(list, "]"), ", spec.")
	for i := range parts {
		parts[i] = strings.TrimPrefix(strings.TrimSuffix(parts[i], ", spec."), "spec.")
	}
	slices.Sort(parts)
	return before + ": " + strings.Join(parts, "; ")
}
