package steps_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/steps"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
)

// If the API server admits a pod unchanged, it also admits the pod after Fill, whichever of
// several LimitRanges gives the default.
func TestFillRejectsNothing(t *testing.T) {
	filled := 0
	rapid.Check(t, func(t *rapid.T) {
		ranges, spec, isStep := ordinaryRanges(divided).Draw(t, "ranges"), ordinarySpecs(divided).Draw(t, "spec"), predicates(t)
		opts := steps.Options{
			Division: divisions(t), StepsOnly: rapid.Bool().Draw(t, "steps only"),
			SingleRange: len(ranges) == 1 && rapid.Bool().Draw(t, "single"),
		}
		changes, conflicts := steps.Fill(spec, limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer), isStep, opts)
		for _, order := range orders(ranges) {
			if len(refusals(order, spec)) > 0 {
				continue
			}
			if refused := refusals(order, apply(t, spec, changes)); len(refused) > 0 {
				t.Fatalf("rejected after %v, with %v conflicts: %v", sentences(changes), sentences(conflicts), refused)
			}
			if len(changes) > 0 {
				filled++
			}
		}
	})
	if !testing.Short() && filled == 0 {
		t.Error("no admitted pod was filled in")
	}
}

// orders returns the LimitRanges in every order in which the server may process them: the default of the
// first one counts, and a Policy sorts them by name.
func orders(ranges []*corev1.LimitRange) (all [][]*corev1.LimitRange) {
	if len(ranges) == 0 {
		return [][]*corev1.LimitRange{nil}
	}
	for i := range ranges {
		for _, rest := range orders(slices.Delete(slices.Clone(ranges), i, i+1)) {
			order := []*corev1.LimitRange{ranges[i].DeepCopy()}
			for _, lr := range rest {
				order = append(order, lr.DeepCopy())
			}
			for n, lr := range order {
				lr.Name = string(rune('a' + n))
			}
			all = append(all, order)
		}
	}
	return all
}

// ascending are amounts of each resource. Some of them differ by a ratio.
var ascending = map[corev1.ResourceName][]string{
	"cpu":                        {"0", "1n", "1m", "100m", "250m", "500m", "1", "2", "3", "4", "8"},
	"ephemeral-storage":          {"0", "1", "1500m", "1Gi", "2Gi", "4Gi", "8Gi"},
	"memory":                     {"0", "1", "1500m", "2", "3", "1Gi", "1.5Gi", "2Gi", "4Gi", "8E", "10E"},
	"example.com/gpu":            {"0", "1", "2", "3", "4"},
	"hugepages-2Mi":              {"0", "2Mi", "4Mi", "6Mi", "8Mi"},
	"example.kubernetes.io/disk": {"0", "1", "2", "4", "8"},
}

// divided are resources of each kind that Fill treats differently.
var divided = []corev1.ResourceName{"cpu", "example.com/gpu", "hugepages-2Mi", "memory"}

// draw draws n amounts of a resource in ascending order, and leaves out each but one in so
// many, by its place.
func draw(t *rapid.T, name corev1.ResourceName, lists []*corev1.ResourceList, oneIn []int) {
	places := rapid.SliceOfN(rapid.IntRange(0, len(ascending[name])-1), len(lists), len(lists)).Draw(t, string(name))
	if rapid.IntRange(0, 9).Draw(t, "sane") > 0 {
		slices.Sort(places)
	}
	for i, list := range lists {
		if rapid.IntRange(1, oneIn[i]).Draw(t, "is there") > 1 {
			continue
		}
		if *list == nil {
			*list = corev1.ResourceList{}
		}
		(*list)[name] = resource.MustParse(ascending[name][places[i]])
	}
}

// ordinaryRanges draws up to three LimitRanges without contradictions in themselves.
func ordinaryRanges(names []corev1.ResourceName) *rapid.Generator[[]*corev1.LimitRange] {
	return rapid.Custom(func(t *rapid.T) (ranges []*corev1.LimitRange) {
		for i := range rapid.IntRange(1, 3).Draw(t, "ranges") {
			item := corev1.LimitRangeItem{Type: corev1.LimitTypeContainer}
			for _, name := range names {
				draw(t, name, []*corev1.ResourceList{&item.Min, &item.DefaultRequest, &item.Default, &item.Max}, []int{6, 2, 2, 6})
				if q, both := item.Default[name]; both && !divisible(name) && item.DefaultRequest != nil {
					item.DefaultRequest[name] = q
				}
				if divisible(name) && rapid.IntRange(1, 4).Draw(t, "ratio") == 1 {
					ratio := resource.MustParse(rapid.SampledFrom([]string{"1", "1.5", "2", "4", "8"}).Draw(t, "ratio"))
					item.MaxLimitRequestRatio = corev1.ResourceList{name: ratio}
				}
			}
			lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{limitrange.WithDefaults(item)}}}
			lr.Name = string(rune('a' + i))
			ranges = append(ranges, lr)
		}
		return ranges
	})
}

func ordinarySpecs(names []corev1.ResourceName) *rapid.Generator[*corev1.PodSpec] {
	return rapid.Custom(func(t *rapid.T) *corev1.PodSpec {
		spec := &corev1.PodSpec{}
		for i := range rapid.IntRange(1, 3).Draw(t, "containers") {
			c := corev1.Container{Name: string(rune('a' + i))}
			for _, name := range names {
				draw(t, name, []*corev1.ResourceList{&c.Resources.Requests, &c.Resources.Limits}, []int{8, 8})
			}
			if rapid.IntRange(1, 4).Draw(t, "init") == 1 {
				spec.InitContainers = append(spec.InitContainers, c)
			} else {
				spec.Containers = append(spec.Containers, c)
			}
		}
		return spec
	})
}

// A request that Fill sets must not contradict a limit that a container has, or that it is
// about to get from any of the LimitRanges.
func TestFillLeavesWhatTheServerAdmits(t *testing.T) {
	type list = corev1.ResourceList
	gpus, pages := gpu("2"), testkit.List("hugepages-2Mi", "4Mi")
	two := pod(step("step-a", "", ""), step("step-b", "", ""))
	withLimit := func(limits list) *corev1.PodSpec { return pod(testkit.Container("step-a", nil, limits)) }
	for _, test := range []struct {
		name  string
		spec  *corev1.PodSpec
		items []corev1.LimitRangeItem
		opts  steps.Options
		want  []string
		unmet []string
	}{
		{"a default limit of GPUs above the minimum", two, []corev1.LimitRangeItem{bounded(gpus, gpus, gpu("1"), nil, nil)}, steps.Options{}, nil, []string{"container step-b nvidia.com/gpu: no request suits every limit that the container may get: defaultRequest 2"}},
		{"huge pages", pod(step("step-a", "1", ""), step("step-b", "1", "")), []corev1.LimitRangeItem{bounded(pages, pages, testkit.List("hugepages-2Mi", "2Mi"), nil, nil)}, steps.Options{}, nil, []string{"container step-b hugepages-2Mi: no request suits every limit that the container may get: defaultRequest 4Mi"}},
		{"the default of another LimitRange", two, []corev1.LimitRangeItem{bounded(gpus, gpus, nil, nil, nil), bounded(gpu("1"), gpu("1"), nil, nil, nil)}, steps.Options{}, nil, []string{"container step-b nvidia.com/gpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"a step with a limit of GPUs", withLimit(gpus), []corev1.LimitRangeItem{bounded(gpu("1"), gpu("1"), nil, nil, nil)}, steps.Options{}, []string{"container step-a: set the nvidia.com/gpu request to 2"}, nil},
		{"a step with a limit of GPUs, as Tekton", withLimit(gpus), []corev1.LimitRangeItem{bounded(gpu("1"), gpu("1"), nil, nil, nil)}, steps.TektonOptions(), nil, nil},
		{"a ratio to the default limit of another LimitRange", two, []corev1.LimitRangeItem{bounded(cpu("2"), cpu("4"), nil, nil, cpu("2")), bounded(cpu("1"), cpu("2"), nil, nil, nil)}, steps.Options{}, nil, []string{"container step-a cpu: no request suits every limit that the container may get: defaultRequest 1", "container step-b cpu: no request suits every limit that the container may get: defaultRequest 1"}},
		{"a default limit of zero in another LimitRange", two, []corev1.LimitRangeItem{bounded(cpu("1m"), cpu("1m"), nil, nil, cpu("1")), bounded(cpu("1m"), cpu("0"), nil, nil, nil)}, steps.Options{}, nil, []string{"container step-b cpu: no request suits every limit that the container may get: defaultRequest 1m"}},
		{"a limit that the server rounds up", withLimit(cpu("2000500u")), []corev1.LimitRangeItem{bounded(cpu("1m"), nil, nil, nil, cpu("2000500m"))}, steps.Options{}, []string{"container step-a: set the cpu request to 2m"}, nil},
		{"a limit of zero", withLimit(cpu("0")), []corev1.LimitRangeItem{bounded(cpu("1"), nil, nil, nil, nil)}, steps.Options{}, nil, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var ranges []*corev1.LimitRange
			for i, item := range test.items {
				lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{item}}}
				lr.Name = string(rune('a' + i))
				ranges = append(ranges, lr)
			}
			if problems := refusals(ranges, test.spec); len(problems) > 0 {
				t.Fatalf("not admitted as it is: %v", problems)
			}
			changes, conflicts := steps.Fill(test.spec, limitrange.AggregateOf(ranges).Item(corev1.LimitTypeContainer), steps.TektonStep, test.opts)
			expect(t, test.want, test.unmet, changes, conflicts)
			after := test.spec.DeepCopy()
			if err := computeresources.ApplyChanges(after, changes); err != nil {
				t.Fatal(err)
			}
			if problems := refusals(ranges, after); len(problems) > 0 {
				t.Errorf("rejected: %v", problems)
			}
		})
	}
}
