package steps_test

import (
	"maps"
	"math/big"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit"
)

// near draws amounts that are often equal, and often a ratio or a unit apart.
func near() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.SampledFrom([]string{
		"0", "-1", "1n", "1m", "40m", "100m", "161m", "333m", "334m", "500m", "1", "1001m", "1500m", "2", "3", "4", "4025m", "1Gi", "1.5Gi",
	}), resource.MustParse)
}

func quantities() *rapid.Generator[resource.Quantity] {
	return rapid.OneOf(near(), near(), testkit.Quantity())
}

func items() *rapid.Generator[corev1.LimitRangeItem] {
	return rapid.Custom(func(t *rapid.T) corev1.LimitRangeItem {
		list := func(label string) corev1.ResourceList { return testkit.ResourceList(quantities()).Draw(t, label) }
		return corev1.LimitRangeItem{
			Type:                 rapid.SampledFrom([]corev1.LimitType{"Container", "Container", "", "Pod"}).Draw(t, "type"),
			DefaultRequest:       list("default request"),
			Default:              list("default"),
			Min:                  list("min"),
			Max:                  list("max"),
			MaxLimitRequestRatio: list("ratio"),
		}
	})
}

func options(t *rapid.T) steps.Options {
	return steps.Options{
		Division:  divisions(t),
		StepsOnly: rapid.Bool().Draw(t, "steps only"),
		Unchecked: rapid.IntRange(0, 3).Draw(t, "unchecked") == 0,

		SingleRange: rapid.Bool().Draw(t, "single range"),
	}
}

func divisions(t *rapid.T) division.Options {
	return division.Options{Truncated: rapid.Bool().Draw(t, "truncated"), ToEach: rapid.Bool().Draw(t, "to each"), RoundUp: rapid.IntRange(0, 3).Draw(t, "round up") == 0}
}

// predicates draws who is a step: any container, by its index, or none.
func predicates(t *rapid.T) steps.Predicate {
	mask := rapid.IntRange(0, 31).Draw(t, "steps")
	if mask == 0 {
		return nil
	}
	return func(ref computeresources.Ref, _ *corev1.Container) bool {
		return ref.Index < 5 && mask>>ref.Index&1 == 1
	}
}

func runs(t *rapid.T) steps.TaskRun {
	list := func(label string) corev1.ResourceList { return testkit.ResourceList(quantities()).Draw(t, label) }
	run := steps.TaskRun{StepPrefix: "c-", SidecarPrefix: "c-"}
	if rapid.Bool().Draw(t, "task level") {
		run.ComputeResources = &corev1.ResourceRequirements{Requests: list("task requests"), Limits: list("task limits")}
	}
	if rapid.Bool().Draw(t, "template") {
		run.Template = corev1.ResourceRequirements{Requests: list("template requests"), Limits: list("template limits")}
	}
	for _, overrides := range []*[]steps.Override{&run.StepOverrides, &run.SidecarOverrides} {
		for range rapid.IntRange(0, 2).Draw(t, "overrides") {
			name := rapid.SampledFrom([]string{"0", "1", "2", "x", ""}).Draw(t, "name")
			*overrides = append(*overrides, steps.Override{Name: name, Resources: corev1.ResourceRequirements{Requests: list("requests"), Limits: list("limits")}})
		}
	}
	return run
}

// answer is what Fill, Fit and TaskLevel return.
type answer struct {
	Changes   []computeresources.Change
	Conflicts computeresources.Problems[*limitrange.Conflict]
}

func answerOf(changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) answer {
	return answer{changes, conflicts}
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.Few(testkit.SpecWith(quantities()).Draw(t, "spec"))
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		testkit.Contract(t, func() any { return answerOf(steps.Fill(spec, item, isStep, opts)) }, spec, item)
		testkit.Contract(t, func() any { return answerOf(steps.Fit(spec, item, isStep, opts.Division)) }, spec, item)
		testkit.Contract(t, func() any { return answerOf(steps.TaskLevel(spec, run, isStep, opts.Division)) }, spec, run)
		testkit.Contract(t, func() any { return steps.PeakRequests(spec, isStep, computeresources.Options{}) }, spec)
		testkit.Contract(t, func() any { return steps.PeakLimits(spec, isStep, computeresources.Options{}) }, spec)
		testkit.Contract(t, func() any { return steps.TektonOptions() })
		namespace := namespaceOf([]*corev1.LimitRange{rangeOf("a", item)}, admit.Options{})
		testkit.Contract(t, func() any {
			p := podLevel(spec, run, isStep, namespace, opts.Division)
			all := []any{p.Changes, p.Conflicts}
			for _, e := range []steps.Effect{p.Divided, p.PodLevel} {
				all = append(all, e.Decision.Object, e.Decision.Changes, e.Decision.Refusals, e.Requests, e.Limits)
			}
			return all
		}, spec, run, item)
		path := field.NewPath("spec")
		run.StepNames, run.SidecarNames = []string{"0", "1"}, []string{"0", "1"}
		testkit.Contract(t, func() any {
			texts := testkit.Strings(steps.ValidateTaskRun(run, path))
			return texts
		}, run)
		testkit.Contract(t, func() any {
			var are []bool
			for ref, c := range computeresources.Containers(spec) {
				are = append(are, steps.TektonStep(ref, c))
			}
			return are
		}, spec)
		got := answerOf(steps.Fit(spec, item, isStep, opts.Division))
		for _, c := range got.Changes[:min(2, len(got.Changes))] {
			testkit.Contract(t, func() any { return c.String() }, c)
		}
		for _, u := range got.Conflicts[:min(2, len(got.Conflicts))] {
			testkit.Contract(t, func() any { return u.Error() }, u)
		}
		testkit.Contract(t, func() any { return [][]string{sentences(got.Changes), sentences(got.Conflicts)} }, got)
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			if err := computeresources.ApplyChanges(own, got.Changes); err != nil {
				return err.Error()
			}
			return own
		}, got)
	})
}

// apply returns a copy of spec with changes.
func apply(t *rapid.T, spec *corev1.PodSpec, changes []computeresources.Change) *corev1.PodSpec {
	own := spec.DeepCopy()
	testkit.OK(t, computeresources.ApplyChanges(own, changes))
	return own
}

// After the changes, there are no further changes, and the conflicts are the same. Fit moves everything
// into the bounds, so Fill would change nothing.
func TestIdempotent(t *testing.T) { rapid.Check(t, idempotent) }

func FuzzFit(f *testing.F) { f.Fuzz(rapid.MakeFuzz(idempotent)) }

func idempotent(t *rapid.T) {
	spec := testkit.SpecWith(quantities()).Draw(t, "spec")
	item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
	for name, call := range map[string]func(*corev1.PodSpec) answer{
		"Fill":      func(s *corev1.PodSpec) answer { return answerOf(steps.Fill(s, item, isStep, opts)) },
		"Fit":       func(s *corev1.PodSpec) answer { return answerOf(steps.Fit(s, item, isStep, opts.Division)) },
		"TaskLevel": func(s *corev1.PodSpec) answer { return answerOf(steps.TaskLevel(s, run, isStep, opts.Division)) },
	} {
		first := call(spec)
		second := call(apply(t, spec, first.Changes))
		if len(second.Changes) > 0 {
			t.Fatalf("%s: %v, and then %v", name, sentences(first.Changes), sentences(second.Changes))
		}
		if want, got := sentences(first.Conflicts), sentences(second.Conflicts); !slices.Equal(want, got) {
			t.Fatalf("%s: conflicts %v, and then %v", name, want, got)
		}
	}
}

// Steps request, in all, what the task does; and each is limited to what the task is.
func TestTaskLevelAddsUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		isStep := func(ref computeresources.Ref, _ *corev1.Container) bool { return ref.Kind == computeresources.App }
		run := runs(t)
		task := run.ComputeResources
		if len(spec.Containers) == 0 || task == nil || len(task.Requests)+len(task.Limits) == 0 {
			return
		}
		changes, _ := steps.TaskLevel(spec, run, isStep, division.Options{})
		after := apply(t, spec, changes)
		for _, name := range testkit.ResourceNames {
			want := exact(task.Limits, name)
			if _, ok := task.Requests[name]; ok {
				want = exact(task.Requests, name)
			}
			total := new(big.Rat)
			for i, c := range after.Containers {
				total.Add(total, exact(c.Resources.Requests, name))
				limit := exact(c.Resources.Limits, name)
				if (divisible(name) || i == 0) && limit.Cmp(exact(task.Limits, name)) != 0 || !divisible(name) && i > 0 && limit.Sign() != 0 {
					t.Fatalf("step %d is limited to %v of %s", i, limit, name)
				}
			}
			testkit.Equal(t, total.Cmp(want), 0, "steps request", total, "of", name, "the task", want)
		}
	})
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type input struct {
			Spec *corev1.PodSpec
			Item corev1.LimitRangeItem
			Run  steps.TaskRun
		}
		opts, isStep := options(t), predicates(t)
		testkit.EmptyIsNil(t, input{testkit.Few(testkit.SpecWith(quantities()).Draw(t, "spec")), items().Draw(t, "item"), runs(t)}, func(in input) any {
			return []any{
				answerOf(steps.Fill(in.Spec, in.Item, isStep, opts)), answerOf(steps.Fit(in.Spec, in.Item, isStep, opts.Division)),
				answerOf(steps.TaskLevel(in.Spec, in.Run, isStep, opts.Division)), steps.PeakRequests(in.Spec, isStep, computeresources.Options{}), steps.PeakLimits(in.Spec, isStep, computeresources.Options{}),
			}
		})
	})
}

// If Fit reports no conflict, the LimitRanger admits the result. If it reports one, no request
// and limit are valid. Valid amounts do not change.
func TestFitPassesTheLimitRanger(t *testing.T) {
	seen := map[limitrange.ConflictCause]int{}
	fitted := 0
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, isStep := items().Draw(t, "item"), predicates(t)
		item.Type = corev1.LimitTypeContainer
		got := answerOf(steps.Fit(spec, item, isStep, divisions(t)))
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
				testkit.OK(t, computeresources.ApplyChanges(spec, got.Changes))
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
			check("Fit", answerOf(steps.Fit(spec, item, nil, division.Options{})))

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
			testkit.OK(t, computeresources.ApplyChanges(after, changes))
			if problems := refusals(ranges, after); len(problems) > 0 {
				t.Errorf("rejected: %v", problems)
			}
		})
	}
}

// The generators of the property tests reach each way to set an amount, and each conflict.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		note := func(function string, changes []computeresources.Change, conflicts computeresources.Problems[*limitrange.Conflict]) {
			for _, c := range changes {
				verb := ": sets a "
				if c.From != nil {
					verb = ": replaces a "
				}
				reached = append(reached, function+verb+c.List.String())
			}
			for _, c := range conflicts {
				reached = append(reached, function+": "+string(c.Cause))
			}
		}
		changes, conflicts := steps.Fill(spec, item, isStep, opts)
		note("Fill", changes, conflicts)
		if len(changes) > 1 && len(steppers(spec, isStep)) > 1 {
			reached = append(reached, "Fill: divides among steps")
		}
		changes, conflicts = steps.Fit(spec, item, isStep, opts.Division)
		note("Fit", changes, conflicts)
		changes, conflicts = steps.TaskLevel(spec, run, isStep, opts.Division)
		note("TaskLevel", changes, conflicts)
		namespace := namespaceOf([]*corev1.LimitRange{rangeOf("a", item)}, admit.Options{})
		plan := podLevel(spec, run, isStep, namespace, opts.Division)
		note("PodLevel", plan.Changes, plan.Conflicts)
		if plan.PodLevel.Decision.Admitted() {
			reached = append(reached, "PodLevel: admitted")
		}
		if plan.Divided.Decision.Admitted() {
			reached = append(reached, "PodLevel: admitted if divided")
		}
		run.StepNames, run.SidecarNames = []string{"0", "1"}, []string{"0"}
		for _, e := range steps.ValidateTaskRun(run, field.NewPath("spec")) {
			reached = append(reached, "ValidateTaskRun: "+string(e.Type))
		}
		peak := peakRequests(spec, isStep, computeresources.Options{})
		for name, counted := range peak.Counted {
			used := peak.Used[name]
			switch counted.Cmp(used) {
			case 0:
				reached = append(reached, "peak: what is counted")
			case 1:
				reached = append(reached, "peak: less than what is counted")
			}
		}
		limits := peakLimits(spec, isStep, computeresources.Options{})
		for name := range limits.Counted {
			if _, bound := limits.Used[name]; bound {
				reached = append(reached, "peak: bound")
			} else {
				reached = append(reached, "peak: unbounded")
			}
		}
		return reached
	},
		"Fill: sets a request", "Fill: replaces a request", "Fill: divides among steps", "Fill: MinAboveMax", "Fill: MaxBelowZero",
		"Fill: RatioUnreachable", "Fill: LimitBelowMin", "Fill: LimitAboveMax", "Fill: LimitNotSet",
		"Fit: sets a request", "Fit: sets a limit", "Fit: replaces a request", "Fit: replaces a limit", "Fit: MinAboveMax", "Fit: MaxBelowZero",
		"Fit: RatioUnreachable",
		"TaskLevel: sets a request", "TaskLevel: sets a limit", "TaskLevel: replaces a request", "TaskLevel: replaces a limit", "TaskLevel: RequestAboveLimit",
		"PodLevel: sets a request", "PodLevel: sets a limit", "PodLevel: replaces a request", "PodLevel: replaces a limit", "PodLevel: RequestAboveLimit",
		"ValidateTaskRun: FieldValueDuplicate", "ValidateTaskRun: FieldValueForbidden", "ValidateTaskRun: FieldValueInvalid", "ValidateTaskRun: FieldValueNotFound", "ValidateTaskRun: FieldValueRequired",
		"peak: what is counted", "peak: less than what is counted", "peak: bound", "peak: unbounded",
	)
}

// steppers returns the indices of the containers that are steps.
func steppers(spec *corev1.PodSpec, isStep steps.Predicate) (are []int) {
	for ref, c := range computeresources.Containers(spec) {
		if ref.Kind == computeresources.App && isStep != nil && isStep(ref, c) {
			are = append(are, ref.Index)
		}
	}
	return are
}

// Steps without requests together request the whole default.
func TestFilledRequestsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := &corev1.PodSpec{}
		for range rapid.IntRange(1, 9).Draw(t, "steps") {
			spec.Containers = append(spec.Containers, corev1.Container{Name: "step-"})
		}
		q := testkit.Positive().Draw(t, "default")
		name := rapid.SampledFrom([]corev1.ResourceName{"cpu", "memory", "ephemeral-storage"}).Draw(t, "name")
		item := corev1.LimitRangeItem{DefaultRequest: corev1.ResourceList{name: q}}
		got := answerOf(steps.Fill(spec, item, steps.TektonStep, steps.Options{}))
		total := new(big.Rat)
		for _, c := range apply(t, spec, got.Changes).Containers {
			total.Add(total, exact(c.Resources.Requests, name))
		}
		testkit.Equal(t, total.Cmp(testkit.Exact(q)), 0, sentences(got.Changes), "add up to", total, "not", q.String())
	})
}
