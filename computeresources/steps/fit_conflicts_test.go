package steps_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
)

// unset is an amount that a list does not have.
const unset = -100

// smallList is a list of one amount, or empty if it is unset.
func smallList(name corev1.ResourceName, amount int64) corev1.ResourceList {
	if amount == unset {
		return nil
	}
	return corev1.ResourceList{name: *resource.NewQuantity(amount, resource.DecimalSI)}
}

// admits reports whether the API server stores a container of a namespace with an item: its request,
// which is the limit if it is missing, and its limit are valid, and the LimitRanger does not reject
// them.
func admits(c corev1.Container, item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	request, hasRequest := c.Resources.Requests[name]
	limit, hasLimit := c.Resources.Limits[name]
	if hasLimit && !hasRequest {
		request, hasRequest = limit, true
		c.Resources.Requests = corev1.ResourceList{name: limit}
	}
	valid := request.Sign() >= 0 && limit.Sign() >= 0 && (!hasLimit || request.Cmp(limit) <= 0)
	if !divisible(name) {
		valid = valid && hasRequest == hasLimit && request.Cmp(limit) == 0
	}
	return valid && len(rejections(&c, item, name)) == 0
}

// admitsSome tries all requests and limits up to 4.
func admitsSome(item corev1.LimitRangeItem, name corev1.ResourceName) bool {
	amounts := []int64{unset, 0, 1, 2, 3, 4}
	return slices.ContainsFunc(amounts, func(request int64) bool {
		return slices.ContainsFunc(amounts, func(limit int64) bool {
			c := testkit.Container("c", smallList(name, request), smallList(name, limit))
			return admits(c, item, name)
		})
	})
}

// smallBounds yields items of one resource with all bounds from a few, without defaults. Ratios are
// in halves.
func smallBounds(name corev1.ResourceName, yield func(corev1.LimitRangeItem)) {
	for _, least := range []int64{unset, -1, 0, 1, 2} {
		for _, most := range []int64{unset, -1, 0, 1, 2} {
			for _, halves := range []int64{unset, 0, 1, 2, 4} {
				item := bounded(nil, nil, smallList(name, least), smallList(name, most), nil)
				if halves != unset {
					item.MaxLimitRequestRatio = corev1.ResourceList{name: *resource.NewMilliQuantity(halves*500, resource.DecimalSI)}
				}
				yield(item)
			}
		}
	}
}

// For each combination of small amounts, Fit reports a conflict exactly if no request and limit at all
// would be admitted. Otherwise, it makes both steps admitted, also one that has nothing.
func TestFitConflictsWhereNothingIsAdmitted(t *testing.T) {
	fitted, conflicting := 0, 0
	check := func(item corev1.LimitRangeItem, name corev1.ResourceName, possible bool, request, limit int64, opts steps.Options) {
		spec := pod(testkit.Container("step-a", smallList(name, request), smallList(name, limit)), testkit.Container("step-b", nil, nil))
		changes, conflicts := steps.Fit(spec, item, steps.TektonStep, opts)
		if possible != (len(conflicts) == 0) {
			t.Fatalf("%s %d/%d in %+v: conflicts %v; admitted amounts exist: %v", name, request, limit, item, sentences(conflicts), possible)
		}
		if !possible {
			conflicting++
			return
		}
		fitted++
		if err := computeresources.ApplyChanges(spec, changes); err != nil {
			t.Fatal(err)
		}
		for _, c := range spec.Containers {
			if !admits(c, item, name) {
				t.Fatalf("%s %d/%d in %+v: %s is %+v", name, request, limit, item, c.Name, c.Resources)
			}
		}
	}
	for _, name := range []corev1.ResourceName{"memory", "nvidia.com/gpu"} {
		smallBounds(name, func(item corev1.LimitRangeItem) {
			possible := admitsSome(item, name)
			for _, defaults := range [][2]int64{{unset, unset}, {unset, 1}, {1, unset}, {1, 1}, {0, 2}, {2, 1}} {
				item.DefaultRequest, item.Default = smallList(name, defaults[0]), smallList(name, defaults[1])
				if len(item.Min)+len(item.Max)+len(item.MaxLimitRequestRatio)+len(item.DefaultRequest)+len(item.Default) == 0 {
					continue // Fit brings no resource within the bounds that the item does not name
				}
				for _, amounts := range [][2]int64{{unset, unset}, {0, 0}, {unset, 0}, {unset, 1}, {1, unset}, {1, 1}, {1, 2}, {2, 1}, {unset, 3}, {3, 3}} {
					for _, toEach := range []bool{false, true} {
						check(item, name, possible, amounts[0], amounts[1], steps.Options{Division: division.Options{ToEach: toEach}})
					}
				}
			}
		})
	}
	if fitted+conflicting < 24_000 || fitted == 0 || conflicting == 0 {
		t.Errorf("%d pods fitted, %d conflicted", fitted, conflicting)
	}
}
