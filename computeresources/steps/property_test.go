package steps_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/steps"
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
		list := func(label string) corev1.ResourceList {
			return testkit.ResourceList(quantities()).Draw(t, label)
		}
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
		Uncapped:  rapid.IntRange(0, 3).Draw(t, "uncapped") == 0,

		SingleRange: rapid.Bool().Draw(t, "single range"),
	}
}

func divisions(t *rapid.T) division.Options {
	return division.Options{
		Truncated: rapid.Bool().Draw(t, "truncated"),
		ToEach:    rapid.Bool().Draw(t, "to each"),
	}
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
	list := func(label string) corev1.ResourceList {
		return testkit.ResourceList(quantities()).Draw(t, label)
	}
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
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		testkit.Contract(t, func() any { return answerOf(steps.Fill(spec, item, isStep, opts)) }, spec, item)
		testkit.Contract(t, func() any { return answerOf(steps.Fit(spec, item, isStep, opts)) }, spec, item)
		testkit.Contract(t, func() any { return answerOf(steps.TaskLevel(spec, run, isStep, opts)) }, spec, run)
		testkit.Contract(t, func() any { return steps.PeakRequests(spec, isStep, computeresources.Options{}) }, spec)
		testkit.Contract(t, func() any { return steps.PeakLimits(spec, isStep, computeresources.Options{}) }, spec)
		testkit.Contract(t, func() any { return steps.TektonOptions() })
		namespace := namespaceOf([]*corev1.LimitRange{rangeOf("a", item)}, admit.Options{})
		testkit.Contract(t, func() any {
			p := steps.PodLevel(spec, run, isStep, namespace, opts)
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
		got := answerOf(steps.Fit(spec, item, isStep, opts))
		for _, c := range got.Changes {
			testkit.Contract(t, func() any { return c.String() }, c)
		}
		for _, u := range got.Conflicts {
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
	if err := computeresources.ApplyChanges(own, changes); err != nil {
		t.Fatal(err)
	}
	return own
}

// After the changes, there are no further changes, and the conflicts are the same. Fit moves everything
// into the bounds, so Fill would change nothing.
func TestFitIgnoresUncapped(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, item := testkit.SpecWith(quantities()).Draw(t, "spec"), items().Draw(t, "item")
		isStep, opts := predicates(t), options(t)
		opts.Uncapped = false
		want := answerOf(steps.Fit(spec, item, isStep, opts))
		opts.Uncapped = true
		testkit.NoDiff(t, answerOf(steps.Fit(spec, item, isStep, opts)), want, testkit.AsWritten(), cmp.AllowUnexported(answer{}))
	})
}

func TestIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		for name, call := range map[string]func(*corev1.PodSpec) answer{
			"Fill":      func(s *corev1.PodSpec) answer { return answerOf(steps.Fill(s, item, isStep, opts)) },
			"Fit":       func(s *corev1.PodSpec) answer { return answerOf(steps.Fit(s, item, isStep, opts)) },
			"TaskLevel": func(s *corev1.PodSpec) answer { return answerOf(steps.TaskLevel(s, run, isStep, opts)) },
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
	})
}

// Changes have the current amounts, are sorted, and change something.
func TestChangesAreSorted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec := testkit.SpecWith(quantities()).Draw(t, "spec")
		item, opts, isStep, run := items().Draw(t, "item"), options(t), predicates(t), runs(t)
		var order []computeresources.Ref
		lists := map[computeresources.Ref]corev1.ResourceRequirements{}
		for ref, c := range computeresources.Containers(spec) {
			order = append(order, ref)
			lists[ref] = c.Resources
		}
		for _, got := range []answer{
			answerOf(steps.Fill(spec, item, isStep, opts)), answerOf(steps.Fit(spec, item, isStep, opts)), answerOf(steps.TaskLevel(spec, run, isStep, opts)),
		} {
			last := [3]int{-1}
			for _, c := range got.Changes {
				r := lists[c.Ref]
				list := c.List.Of(&r)
				key := [3]int{slices.Index(order, c.Ref), slices.Index(slices.Sorted(slices.Values(testkit.ResourceNames)), c.Resource), int(c.List)}
				if slices.Compare(key[:], last[:]) <= 0 {
					t.Fatalf("%v is out of order", c)
				}
				last = key
				stated, ok := list[c.Resource]
				if ok != (c.From != nil) || ok && c.From.Cmp(stated) != 0 {
					t.Fatalf("%v, but %v is stated", c, list)
				}
				if c.From != nil && c.To != nil && c.From.Cmp(*c.To) == 0 || c.From == nil && c.To == nil {
					t.Fatalf("%v changes nothing", c)
				}
			}
		}
	})
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
		changes, _ := steps.TaskLevel(spec, run, isStep, steps.Options{})
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
		testkit.EmptyIsNil(t, input{testkit.SpecWith(quantities()).Draw(t, "spec"), items().Draw(t, "item"), runs(t)}, func(in input) any {
			return []any{
				answerOf(steps.Fill(in.Spec, in.Item, isStep, opts)), answerOf(steps.Fit(in.Spec, in.Item, isStep, opts)),
				answerOf(steps.TaskLevel(in.Spec, in.Run, isStep, opts)), steps.PeakRequests(in.Spec, isStep, computeresources.Options{}), steps.PeakLimits(in.Spec, isStep, computeresources.Options{}),
			}
		})
	})
}
