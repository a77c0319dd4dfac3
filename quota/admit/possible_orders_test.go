package admit_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// inOrder returns copies of LimitRanges with numbers before their names, so that their order by name is the given one.
func inOrder(ranges []*corev1.LimitRange, names []string) (renamed []*corev1.LimitRange) {
	order := strings.Fields(inFull(names, namesOf(ranges)))
	for _, lr := range ranges {
		own := lr.DeepCopy()
		own.Name = fmt.Sprintf("%02d%s", slices.Index(order, lr.Name), lr.Name)
		renamed = append(renamed, own)
	}
	return renamed
}

var numbers = regexp.MustCompile(`shop/\d\d`)

// told returns what a decision says about its object, without the numbers of inOrder. Refusals are in no order.
func told(d admit.Decision) []string {
	var refusals []string
	for _, r := range d.Refusals {
		text := fmt.Sprint(r.Ref, r.Path, " ", r.Source, r.Defaults, r.Message(), "; ", r.What, ": ", r.Remedy)
		refusals = append(refusals, numbers.ReplaceAllString(text, "shop/"))
	}
	slices.Sort(refusals)
	changes := numbers.ReplaceAllString(fmt.Sprint(d.Changes), "shop/")
	return append([]string{testkit.Fingerprint(d.Object), changes, fmt.Sprint(d.Unenforced)}, refusals...)
}

// podOfAnyOrder draws a pod that lacks amounts, some of them with resources of the pod level.
func podOfAnyOrder(t *rapid.T) *corev1.Pod {
	pod := contestedPod().Draw(t, "pod")
	switch rapid.IntRange(0, 3).Draw(t, "pod level") {
	case 0:
		pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("memory", "4Gi")}
	case 1:
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "2"), Limits: list("cpu", "3")}
	case 2: // the server adds up requests before it rounds them
		pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "3")}
		for i := range pod.Spec.Containers {
			pod.Spec.Containers[i].Resources.Requests["cpu"] = list("cpu", "0.0005")["cpu"]
		}
	}
	pod.Spec.NodeName, pod.ResourceVersion = "n", "1"
	return pod
}

// resizedFrom draws a pod that is stored, and one that is sent.
func resizedFrom(t *rapid.T) (old, updated *corev1.Pod) {
	old = podOfAnyOrder(t)
	for i := range old.Spec.Containers {
		old.Spec.Containers[i].Resources.Requests["cpu"] = list("cpu", "500m")["cpu"]
	}
	updated = old.DeepCopy()
	r := &updated.Spec.Containers[0].Resources
	r.Requests["cpu"] = list("cpu", "1")["cpu"]
	for name, amount := range contestedPod().Draw(t, "other amounts").Spec.Containers[0].Resources.Requests {
		r.Requests[name] = amount
	}
	return old, updated
}

// Every decision of Possible is the one that the namespace makes if its LimitRanges have names in that order, and no two
// are the same. The namespace after it uses LimitRanges by name again.
func TestPossibleIsTheDecisionInItsOrder(t *testing.T) {
	several := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		ranges, opts := contested().Draw(t, "ranges"), options().Draw(t, "options")
		pod := podOfAnyOrder(t)
		quotas := append(contestedQuotas().Draw(t, "quotas"), quotaList(counted(pod)).Draw(t, "more quotas")...)
		old, updated := resizedFrom(t)
		node := &corev1.Node{Status: corev1.NodeStatus{Allocatable: list("cpu", "2", "memory", "2Gi")}}
		for what, test := range map[string]struct {
			old, obj admit.APIObject
			req      admit.Attributes
		}{
			"pod":    {nil, pod, admit.Attributes{}},
			"resize": {old, updated, admit.Attributes{Subresource: "resize", Node: node}},
		} {
			ask := func(n *admit.Namespace) admit.Decision {
				if test.old == nil {
					return n.Create(test.obj, test.req)
				}
				return n.Update(test.old, test.obj, test.req)
			}
			namespace := compile(t, ranges, quotas, opts)
			o := namespace.Possible(test.old, test.obj, test.req)
			testkit.NoDiff(t, o.Decisions[0], ask(namespace))
			seen, owned := map[string]bool{}, map[*resource.Quantity][]string{}
			for _, d := range o.Decisions {
				for _, c := range d.Changes {
					if other, shared := owned[c.To]; shared && !slices.Equal(other, d.Order.Defaults) {
						t.Fatalf("%s in order %v shares the amount of %v with the one in order %v", what, d.Order.Defaults, c, other)
					}
					owned[c.To] = d.Order.Defaults
				}
				want := ask(compile(t, inOrder(ranges, d.Order.Defaults), quotas, opts))
				testkit.NoDiff(t, told(d), told(want), what, "in order", d.Order.Defaults)
				if diff := cmp.Diff(told(namespace.Create(bare(), admit.Attributes{}))[1], told(namespace.After(d).Create(bare(), admit.Attributes{}))[1]); diff != "" {
					t.Fatalf("the next pod after a %s in order %v (-want +got):\n%s", what, d.Order.Defaults, diff)
				}
				key := amountsOf(&d.Object.(*corev1.Pod).Spec) + " " + answerText(d)
				if seen[key] {
					t.Fatalf("%s in order %v is there already: %s", what, d.Order, key)
				}
				seen[key] = true
			}
			if slices.ContainsFunc(o.Decisions, func(d admit.Decision) bool { return d.Order.Defaults != nil }) {
				several[what]++
			}
		}
	})
	if !testing.Short() && len(several) < 2 {
		t.Errorf("defaults depended on the order only for %v", several)
	}
}
