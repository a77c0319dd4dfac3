package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// How often each creation is repeated as a dry run: at first, and then in a namespace with two LimitRanges until every
// possible answer has been given.
const (
	dryRuns     = 40
	moreDryRuns = 300
)

// The kinds and outcomes that are counted.
const (
	ofTwo       = "decisions with 2 LimitRanges"
	ofThree     = "decisions with 3 LimitRanges"
	dryRunsOf   = "dry runs in any order"
	membersOf   = "possible answers with 2 LimitRanges"
	given       = "given"
	notGiven    = "not given"
	oneAnswer   = "one answer"
	manyAnswers = "several answers"
)

// askInAnyOrder draws two or three LimitRanges with defaults and bounds of the same resources, and compares the answers
// to pods, which the server gives in orders of its own, with admit.Decision.Possible. Each answer has to be a possible
// one. With two LimitRanges, each possible answer has to be given; with three, some orders never occur, because the
// server ranges over a small map from a random element on.
func (n *namespace) askInAnyOrder() {
	kind := ofTwo
	count := rapid.IntRange(2, 3).Draw(n.t, "LimitRanges")
	if count == 3 {
		kind = ofThree
	}
	for range count {
		lr := &corev1.LimitRange{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "LimitRange"}, ObjectMeta: n.next("range")}
		lr.Spec.Limits = contestedItems(n.t)
		if _, err := admit.Compile([]*corev1.LimitRange{lr}, nil, admitOptions); err != nil {
			return // the server would not store it
		}
		n.say("create", lr)
		n.must(n.client.Create(n.ctx, n.path(coreGroup, "limitranges"), lr, nil))
		n.ranges = append(n.ranges, lr)
	}
	n.must(n.awaitLimitRanges())
	in, err := admit.Compile(n.ranges, nil, admitOptions)
	n.must(err)
	for range 3 {
		pod := n.contestedPod()
		n.askOften(kind, n.create("pods", n.path(coreGroup, "pods"), pod), in.Possible(nil, pod, admit.Attributes{}))
	}
}

// askOften repeats a request as a dry run, and compares the answers with the outcomes.
func (n *namespace) askOften(kind string, r request, outcomes admit.Outcomes) {
	var possible []answer
	for _, d := range outcomes.Decisions {
		a, err := answerOf(d.Err(), d.Object)
		n.must(err)
		a = withoutAnnotation(a)
		if placeOf(a, possible) < 0 {
			possible = append(possible, a)
		}
	}
	seen := make([]bool, len(possible))
	missing := len(possible)
	for asked := 0; asked < dryRuns || asked < dryRuns+moreDryRuns && kind == ofTwo && missing > 0; asked++ {
		server, _ := n.send(r, "?dryRun=All")
		i := placeOf(withoutAnnotation(server), possible)
		if i < 0 {
			n.differ("%s: the server's answer is not among the possible ones. It is\n%s\nThe possible ones are\n%s", kind, messages([]answer{server}), messages(possible))
		}
		if !seen[i] {
			seen[i] = true
			missing--
		}
		n.tally.add(dryRunsOf, "among the possible answers", 1)
	}
	if kind == ofTwo {
		n.tally.add(membersOf, given, len(possible)-missing)
		n.tally.add(membersOf, notGiven, missing)
	}
	if len(possible) == 1 {
		n.tally.add(kind, oneAnswer, 1)
	} else {
		n.tally.add(kind, manyAnswers, 1)
	}
}

// withoutAnnotation removes the LimitRanger's annotation, which may differ although the decision is the same.
func withoutAnnotation(a answer) answer {
	if of, isPod := a.Stored.(podFacts); isPod {
		of.Annotation = ""
		a.Stored = of
	}
	return a
}

// placeOf returns the index of an answer in a list, or -1 if it is not there. Messages that have the same parts in
// another order are equal.
func placeOf(a answer, all []answer) int {
	for i := range all {
		if difference(byParts(a), byParts(all[i])) == "" {
			return i
		}
	}
	return -1
}

// contestedItems draws defaults and bounds of cpu and memory that are within those that others draw, or not.
func contestedItems(t *rapid.T) []corev1.LimitRangeItem {
	container := corev1.LimitRangeItem{
		Type: corev1.LimitTypeContainer, Default: few(t, "default", 2, "1", "2", "3"), DefaultRequest: few(t, "default request", 2, "500m", "1", "2", "3"),
		Max: few(t, "max", 4, "2", "3"), Min: few(t, "min", 4, "500m", "1"), MaxLimitRequestRatio: few(t, "ratio", 5, "1", "2"),
	}
	items := []corev1.LimitRangeItem{container}
	if once(t, "of pods", 3) {
		items = append(items, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: few(t, "max", 2, "2", "3"), Min: few(t, "min", 3, "1", "2")})
	}
	return items
}

// few draws amounts of cpu and memory.
func few(t *rapid.T, label string, often int, amounts ...string) corev1.ResourceList {
	drawn := corev1.ResourceList{}
	for _, name := range []corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if once(t, label, often) {
			drawn[name] = resource.MustParse(rapid.SampledFrom(amounts).Draw(t, string(name)))
		}
	}
	return drawn
}

// contestedPod draws a pod that lacks many amounts.
func (n *namespace) contestedPod() *corev1.Pod {
	pod := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: n.next("pod")}
	for i := range rapid.IntRange(1, 2).Draw(n.t, "containers") {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{Name: fmt.Sprintf("c-%d", i), Image: "i", Resources: corev1.ResourceRequirements{
			Requests: few(n.t, "requests", 6, "1", "2"), Limits: few(n.t, "limits", 6, "2", "3"),
		}})
	}
	return pod
}

// neverGiven returns an error if the server has not given more than one in fifty of the answers that are possible with
// two LimitRanges.
func (c *comparison) neverGiven() error {
	all := c.tally[membersOf]
	if missing, members := all[notGiven], all[given]+all[notGiven]; missing*50 > members {
		return fmt.Errorf("the server has not given %d of %d possible answers", missing, members)
	}
	return nil
}
