package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// counts is what was compared.
type counts struct {
	changes, refused, pods, waiting, missing, quotas, placed, best, drawn, differences int

	told, unknown int            // answers of the program that agree, and those that cannot know
	advices       map[string]int // that admit all, by what is advised
	hopeless      int            // objects about which nothing was found
}

func (c *counts) String() string {
	return fmt.Sprintf("%d changes, %d of them refused with the same words\n"+
		"%d changes after which another node of equal score was drawn, so that pods differ\n"+
		"%d pods by workload, %d of them wait for the same reasons, %d workloads lack pods for the same reason\n"+
		"%d amounts of quotas\n%d pods on a node that is one of those with the highest score, of %d whose node is compared\n",
		c.changes, c.refused, c.drawn, c.pods, c.waiting, c.missing, c.quotas, c.best, c.placed) +
		fmt.Sprintf("%d answers of the program about readings agree, %d cannot know; advices that admit all: %v, objects without any: %d\n",
			c.told, c.unknown, c.advices, c.hopeless)
}

// add adds what was compared in another scenario.
func (c *counts) add(o *counts) {
	c.changes, c.refused, c.pods, c.waiting = c.changes+o.changes, c.refused+o.refused, c.pods+o.pods, c.waiting+o.waiting
	c.missing, c.quotas, c.placed, c.best = c.missing+o.missing, c.quotas+o.quotas, c.placed+o.placed, c.best+o.best
	c.drawn, c.differences = c.drawn+o.drawn, c.differences+o.differences
	c.told, c.unknown, c.hopeless = c.told+o.told, c.unknown+o.unknown, c.hopeless+o.hopeless
	if c.advices == nil {
		c.advices = map[string]int{}
	}
	for what, n := range o.advices {
		c.advices[what] += n
	}
}

// steps is how many changes a scenario has.
const steps = 5

// scenario plays a scenario, and returns the first difference, if there is one.
func (w *world) scenario(ctx context.Context, seed uint64, number int, c *counts, g *game) (difference string, err error) {
	namespace := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("shop-", number)}}
	d := &drawing{Rand: rand.New(rand.NewPCG(seed, uint64(number))), namespace: namespace.Name, tight: g.program != nil}
	for _, object := range append(append(priorityClasses(), namespace), d.begin()...) {
		if kindOf(object) == "PriorityClass" && w.client.Get(ctx, endpointOf(object).path("", object.GetName()), nil) == nil {
			continue
		}
		if err := w.create(ctx, object); err != nil {
			return "", err
		}
	}
	defer func() {
		if cleared := w.clear(ctx, namespace); err == nil {
			err = cleared
		}
	}()
	objects, err := w.settle(ctx)
	for i := 0; i < steps && err == nil && difference == ""; i++ {
		step := d.next()
		g.step(number, i+1, fmt.Sprint(step.what, " ", kindOf(step.object), " ", step.object.GetName()))
		var before *whatif.Cluster
		before, err = whatif.Read(objects, whatif.Options{})
		if err != nil {
			break
		}
		var said answers
		if g.program != nil && g.program.advice && !step.deleted {
			var after []admit.APIObject
			after, difference, err = w.advised(ctx, g.program, number, d, objects, step, c)
			if err != nil || after != nil {
				objects = after
				continue
			}
		} else if g.program != nil {
			said, err = g.program.ask(ctx, number, objects, step)
			if err != nil {
				break
			}
		}
		var refused error
		earlier := objects
		if step.deleted {
			refused = w.remove(ctx, step.object)
		} else {
			refused = w.apply(ctx, step.object)
		}
		objects, err = w.settle(ctx)
		if err != nil {
			break
		}
		s := &outcome{before: before, after: objects, step: step, refused: refused, counts: c}
		difference = s.compare()
		if difference == "" && said != nil {
			difference = s.judge(said, earlier, refused)
		}
		if difference == "" && g.program != nil && !g.program.advice {
			difference, err = g.program.stuck(ctx, number, objects, c)
		}
		if difference != "" {
			difference = fmt.Sprintf("step %d, %s %s %s: %s\n%s", i+1, step.what, kindOf(step.object), step.object.GetName(), difference, evidence(step.object, objects))
		}
	}
	return difference, err
}

// evidence writes a changed object, and why workloads lack pods in the cluster.
func evidence(changed admit.APIObject, objects []admit.APIObject) string {
	text, _ := json.Marshal(changed) // of a type of k8s.io/api
	lines := []string{string(text)}
	for _, o := range objects {
		if failure := replicaFailure(o); failure != "" {
			lines = append(lines, fmt.Sprintf("%s %s: %s", kindOf(o), o.GetName(), failure))
		}
		switch o := o.(type) {
		case *corev1.ResourceQuota:
			text, _ := json.Marshal(o.Status)
			lines = append(lines, string(text))
		case *corev1.Node:
			text, _ := json.Marshal(o.Spec)
			lines = append(lines, fmt.Sprint("Node ", o.Name, " ", o.Labels, " ", resourcelist.String(o.Status.Allocatable), " ", string(text)))
		case *corev1.Pod:
			text, _ := json.Marshal(o.Status.Conditions)
			lines = append(lines, fmt.Sprint("Pod ", o.Name, " on ", o.Spec.NodeName, " ", resourcelist.String(computeresources.PodRequests(o, computeresources.Options{})), " ", string(text)))
		}
	}
	return strings.Join(lines, "\n")
}

// outcome is what has come of a step.
type outcome struct {
	before  *whatif.Cluster
	after   []admit.APIObject
	step    change
	refused error // by the API server
	*counts
	tied bool // the scheduler may have drawn another node than predicted

	preempted bool // a pod has made room for another one
}

// compare returns the first difference.
func (s *outcome) compare() string {
	s.changes++
	var predicted whatif.Result
	if s.step.deleted {
		predicted = s.before.Delete(s.step.object)
	} else {
		predicted = s.before.Apply(s.step.object)
	}
	o := &predicted.Objects[0]
	if sortedProblems(fmt.Sprint(o.Err)) != sortedProblems(fmt.Sprint(s.refused)) {
		return fmt.Sprintf("the server says %v, we say %v", s.refused, o.Err)
	}
	if s.refused != nil {
		s.refused = nil
		s.counts.refused++
	}
	if text := s.placements(&predicted); text != "" {
		return text
	}
	real, err := whatif.Read(s.after, whatif.Options{})
	if err != nil {
		return err.Error()
	}
	tried, lacking := 0, false
	for _, o := range slices.Concat(predicted.Objects, predicted.Others) {
		lacking = lacking || o.Missing != nil
		if o.Wanted > 0 {
			tried++
		}
		// A controller creates pods of a DaemonSet for the nodes in no fixed order, and the old and the new pods of a
		// Deployment that lacks both compete for what a quota has left.
		s.tied = s.tied || o.Missing != nil && (o.Kind == "DaemonSet" || o.Kind == "Deployment" && o.Outdated > 0)
	}
	s.tied = s.tied || tried > 1 && lacking // controllers compete for what a quota has left
	want, got := tally(predicted.After, false), tally(real, true)
	if want != got {
		if s.tied {
			s.drawn++
			return ""
		}
		return fmt.Sprintf("predicted:\n%sthe cluster:\n%s", want, got)
	}
	if s.tied && lacking { // as many pods, but of the old or the new template
		s.drawn++
		return ""
	}
	s.pods += strings.Count(got, " pods")
	if text := s.quotasOf(predicted.After); text != "" {
		return text
	}
	return s.reasons(&predicted, o)
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

// placements looks at each pod that was placed, one after the other: whether another node had the same score; and, if all
// new pods are equal and none has gone, whether the cluster has placed each on one of the nodes with the highest score.
func (s *outcome) placements(predicted *whatif.Result) string {
	nodes, ledgers := map[string]*corev1.Node{}, map[string]*noderesources.Ledger{}
	for _, object := range s.after {
		if n, is := object.(*corev1.Node); is {
			nodes[n.Name] = n
			ledgers[n.Name] = s.before.Ledger(n.Name)
			if ledgers[n.Name] == nil {
				ledgers[n.Name] = noderesources.New(n.Status.Allocatable)
			}
		}
	}
	highest := func(p *corev1.Pod) (names []string) {
		best := int64(-1)
		for name, n := range nodes {
			r := noderesources.SpecRequest(&p.Spec, computeresources.Options{})
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
		_ = ledgers[name].Add("", noderesources.SpecRequest(&p.Spec, computeresources.Options{}))
	}
	if s.step.what == "create" {
		if text := s.greedy(predicted, highest, add); text != "" {
			return text
		}
		for name := range nodes {
			ledgers[name] = s.before.Ledger(name)
			if ledgers[name] == nil {
				ledgers[name] = noderesources.New(nodes[name].Status.Allocatable)
			}
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
			if _, known := s.before.Pod(p.Namespace, p.Name); !known {
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

// reasons compares why new pods wait, and why there are not more of them.
func (s *outcome) reasons(predicted *whatif.Result, o *whatif.Object) string {
	if s.step.what != "create" || s.tied {
		return ""
	}
	want := map[string]int{}
	for _, p := range predicted.Pods {
		if p.Waits != nil {
			want[p.Waits.Error()]++
		}
	}
	for _, object := range s.after {
		p, is := object.(*corev1.Pod)
		if !is || p.Spec.NodeName != "" {
			continue
		}
		if _, known := s.before.Pod(p.Namespace, p.Name); known {
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

// missingOf compares why a Deployment lacks pods, but not the usage at the time, which may be that of an earlier try, nor
// the names, which are drawn.
func (s *outcome) missingOf(o *whatif.Object) string {
	for _, object := range s.after {
		if kindOf(object) != o.Kind || object.GetName() != o.Name {
			continue
		}
		text := replicaFailure(object)
		if text == "" || o.Missing == nil {
			continue
		}
		if ours, theirs := comparable(o.Missing.Error()), comparable(text); ours != theirs {
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
