package steps_test

import (
	"maps"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// If Fit reports no conflict, the LimitRanger admits the result. If it reports one, no request
// and limit are valid. Valid amounts do not change.
func TestFitPassesTheLimitRanger(t *testing.T) {
	seen := map[limitrange.ConflictCause]int{}
	fitted := 0
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, isStep := items().Draw(t, "item"), predicates(t)
		item.Type = corev1.LimitTypeContainer
		got := answerOf(steps.Fit(spec, item, isStep, steps.Options{Division: divisions(t)}))
		type key struct {
			ref  computeresources.Ref
			name corev1.ResourceName
		}
		conflicts, changed := map[key]*limitrange.Conflict{}, map[key]bool{}
		for _, u := range got.Conflicts {
			seen[u.Cause]++
			conflicts[key{u.Ref, u.Resource}] = u
			if !hopeless(item, u.Resource) {
				t.Fatalf("%v could be met", u)
			}
		}
		for _, c := range got.Changes {
			changed[key{c.Ref, c.Resource}] = true
		}
		after := apply(t, spec, got.Changes)
		before := maps.Collect(computeresources.Containers(spec))
		for ref, c := range computeresources.Containers(after) {
			for _, name := range testkit.ResourceNames {
				k := key{ref, name}
				if _, is := conflicts[k]; is {
					if changed[k] {
						t.Fatalf("%v %s is in conflict, and changed", ref, name)
					}
					continue
				}
				if found := rejections(c, item, name); len(found) > 0 {
					t.Fatalf("%v %s: rejected by %q after %v", ref, name, found, sentences(got.Changes))
				}
				if changed[k] {
					fitted++
					if fine(before[ref], item, name) {
						t.Fatalf("%v %s was fine, and has been changed: %v", ref, name, sentences(got.Changes))
					}
				}
			}
		}
	})
	if testing.Short() {
		return // too few draws to expect any of these
	}
	for _, c := range []limitrange.ConflictCause{limitrange.MinAboveMax, limitrange.MaxBelowZero, limitrange.RatioUnreachable} {
		if seen[c] == 0 {
			t.Errorf("conflict %q never came up", c)
		}
	}
	if fitted == 0 {
		t.Error("nothing was ever changed")
	}
}

// hopeless reports whether bounds contradict each other.
func hopeless(item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	_, hasMax := item.Max[name]
	_, hasRatio := item.MaxLimitRequestRatio[name]
	_, hasMin := item.Min[name]
	least, most, ratio := exact(item.Min, name), exact(item.Max, name), exact(item.MaxLimitRequestRatio, name)
	return hasMax && (most.Sign() < 0 || hasMin && least.Cmp(most) > 0) || hasRatio && (ratio.Cmp(big.NewRat(1, 1)) < 0 || hasMax && most.Sign() == 0)
}

// fine reports whether a container sets both amounts above zero and within the bounds, compared exactly,
// and equal to each other if the resource requires it.
func fine(c *corev1.Container, item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	request, limit := exact(c.Resources.Requests, name), exact(c.Resources.Limits, name)
	within := request.Sign() > 0 && request.Cmp(limit) <= 0 && (divisible(name) || request.Cmp(limit) == 0)
	if _, ok := item.Min[name]; ok {
		within = within && exact(item.Min, name).Cmp(request) <= 0
	}
	if _, ok := item.Max[name]; ok {
		within = within && limit.Cmp(exact(item.Max, name)) <= 0
	}
	if _, ok := item.MaxLimitRequestRatio[name]; ok {
		most := new(big.Rat).Mul(request, exact(item.MaxLimitRequestRatio, name))
		within = within && limit.Cmp(most) <= 0
	}
	return within && len(rejections(c, item, name)) == 0
}

// On a small grid, Fill and Fit move amounts as little as any search would.
func TestAmountsMoveAsLittleAsPossible(t *testing.T) {
	const most = 5
	bytes := func(n int) corev1.ResourceList {
		if n == 0 {
			return nil
		}
		return corev1.ResourceList{"memory": *resource.NewQuantity(int64(n), resource.BinarySI)}
	}
	grid := func(yield func(gridItem)) {
		for _, halves := range []int{0, 1, 2, 3, 4, 6} {
			for least := range most {
				for greatest := range most {
					for request := 1; request < most; request++ {
						yield(gridItem{request: request, limit: 1 + request*5%most, min: least, max: greatest, halves: halves})
					}
				}
			}
		}
	}
	grid(func(g gridItem) {
		item := bounded(bytes(g.request), bytes(g.limit), bytes(g.min), bytes(g.max), nil)
		if g.halves > 0 {
			item.MaxLimitRequestRatio = corev1.ResourceList{"memory": *resource.NewMilliQuantity(int64(g.halves)*500, resource.DecimalSI)}
		}
		for stated := range most * most {
			request, limit := stated/most, stated%most
			spec := pod(testkit.Container("c", bytes(request), bytes(limit)))
			wantRequest, wantLimit, ok := slowFit(g, request, limit, most)
			check := func(what string, got answer) {
				t.Helper()
				if err := computeresources.ApplyChanges(spec, got.Changes); err != nil {
					t.Fatal(err)
				}
				r := spec.Containers[0].Resources
				gotRequest, gotLimit := r.Requests[corev1.ResourceMemory], r.Limits[corev1.ResourceMemory]
				if ok != (len(got.Conflicts) == 0) || gotRequest.Value() != int64(wantRequest) || gotLimit.Value() != int64(wantLimit) {
					t.Fatalf("%s of %d/%d in %+v: %d/%d, conflicts %v; want %d/%d, %v",
						what, request, limit, g, gotRequest.Value(), gotLimit.Value(), sentences(got.Conflicts), wantRequest, wantLimit, ok)
				}
			}
			if !ok {
				wantRequest, wantLimit = request, limit
			}
			check("Fit", answerOf(steps.Fit(spec, item, nil, steps.Options{})))

			for _, single := range []bool{false, true} {
				spec = pod(testkit.Container("c", bytes(request), bytes(limit)))
				wantRequest, wantLimit, ok = request, limit, true
				if request == 0 {
					wantRequest, ok = slowFill(g, limit, most, single)
				}
				check("Fill", answerOf(steps.Fill(spec, item, nil, steps.Options{SingleRange: single})))
			}
		}
	})
}
