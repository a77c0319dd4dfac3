package computeresources_test

import (
	"maps"
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

type scalars = map[corev1.ResourceName]int64

func TestTotalsOfAnUnknownList(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1"), list("cpu", "2"))}}}
	for _, unknown := range []computeresources.List{0, computeresources.Limits + 1} {
		checkTotals(t, "pod", computeresources.PodTotals(pod, unknown, computeresources.Options{}), computeresources.Totals{})
		checkTotals(t, "spec", computeresources.SpecTotals(&pod.Spec, unknown, computeresources.Options{}), computeresources.Totals{})
	}
}

func TestTotalsAll(t *testing.T) {
	type entry struct {
		Name   corev1.ResourceName
		Amount int64
	}
	totals := computeresources.Totals{
		MilliCPU: -1, Memory: 2, EphemeralStorage: 3,
		ScalarResources: scalars{"b": 5, "a": 1, "none": 0, "c": -6},
	}
	want := []entry{{"cpu", -1}, {"memory", 2}, {"ephemeral-storage", 3}, {"a", 1}, {"b", 5}, {"c", -6}}
	for most := range len(want) + 1 { // the loop may end at any of them
		var got []entry
		for name, amount := range totals.All() {
			if len(got) == most {
				break
			}
			got = append(got, entry{name, amount})
		}
		testkit.NoDiff(t, got, want[:most], "the first", most, cmpopts.EquateEmpty())
	}
	for name, amount := range (computeresources.Totals{CPUAllSet: true}).All() {
		t.Errorf("a pod without amounts has %d of %s", amount, name)
	}
}

func TestTotalsAddAndSub(t *testing.T) {
	most := computeresources.Totals{MilliCPU: math.MaxInt64, Memory: math.MaxInt64, EphemeralStorage: math.MaxInt64, ScalarResources: scalars{"x": math.MaxInt64}}
	least := computeresources.Totals{MilliCPU: math.MinInt64, Memory: math.MinInt64, EphemeralStorage: math.MinInt64, ScalarResources: scalars{"x": math.MinInt64}}
	one := computeresources.Totals{MilliCPU: 1, Memory: 1, EphemeralStorage: 1, ScalarResources: scalars{"x": 1}, CPUAllSet: true}
	two := computeresources.Totals{MilliCPU: 2, Memory: 2, EphemeralStorage: 2, ScalarResources: scalars{"x": 2}}
	none := computeresources.Totals{}
	minusOne := computeresources.Totals{MilliCPU: -1, Memory: -1, EphemeralStorage: -1, ScalarResources: scalars{"x": -1}}
	empty := computeresources.Totals{ScalarResources: scalars{}}
	for name, test := range map[string]struct {
		start, other computeresources.Totals
		add          bool
		want         computeresources.Totals
	}{
		"2 + 1":               {two, one, true, computeresources.Totals{MilliCPU: 3, Memory: 3, EphemeralStorage: 3, ScalarResources: scalars{"x": 3}}},
		"0 + 2":               {none, two, true, two},
		"0 + 0":               {none, none, true, none},
		"2 - 2":               {two, two, false, empty},
		"0 - 1":               {none, one, false, minusOne},
		"-1 + 1":              {minusOne, one, true, empty},
		"the most + 1":        {most, one, true, most},
		"the least - 1":       {least, one, false, least},
		"the most + the most": {most, most, true, most},
		"other resources stay": {
			computeresources.Totals{ScalarResources: scalars{"y": 5}}, one, true,
			computeresources.Totals{MilliCPU: 1, Memory: 1, EphemeralStorage: 1, ScalarResources: scalars{"x": 1, "y": 5}},
		},
	} {
		got := test.start
		got.ScalarResources = maps.Clone(got.ScalarResources)
		before := maps.Clone(test.other.ScalarResources)
		if test.add {
			got.Add(test.other)
		} else {
			got.Sub(test.other)
		}
		checkTotals(t, name, got, test.want)
		testkit.NoDiff(t, test.other.ScalarResources, before, name, "other")
	}
	var own computeresources.Totals
	own.Add(one)
	own.ScalarResources["x"] = 9
	testkit.Equal(t, one.ScalarResources["x"], 1, "Add shares the map of other")
	own.Add(own)
	checkTotals(t, "doubled", own, computeresources.Totals{MilliCPU: 2, Memory: 2, EphemeralStorage: 2, ScalarResources: scalars{"x": 18}})
	own.Sub(own)
	checkTotals(t, "without itself", own, empty)
	var nowhere *computeresources.Totals
	nowhere.Add(one) // changes nothing
	nowhere.Sub(one)
}

// Adding and subtracting the same totals changes nothing, unless a sum has saturated; and sums equal those
// of the pods' totals in arbitrary precision.
func TestTotalsAddThenSub(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.PodWith(testkit.Ordinary()), 1, 4).Draw(t, "pods")
		var sum computeresources.Totals
		want := rats{}
		for _, pod := range pods {
			of := computeresources.PodTotals(pod, computeresources.Requests, computeresources.Options{})
			before := maps.Clone(sum.ScalarResources)
			start := sum
			sum.Add(of)
			added := sum
			added.ScalarResources = maps.Clone(sum.ScalarResources)
			added.Sub(of)
			start.ScalarResources = before
			testkit.NoDiff(t, added, start, cmpopts.EquateEmpty())
			for name, amount := range slowRequests(&pod.Spec, &pod.Status, computeresources.Options{}) {
				units := int64(1)
				if name == "cpu" {
					units = 1000
				}
				want = plus(want, rats{name: big.NewRat(rounded(amount, units), units)})
			}
		}
		wantTotals(t, sum, want)
	})
}
