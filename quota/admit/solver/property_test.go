package solver_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestSolveEqualsSlow(t *testing.T) {
	t.Run("containers", func(t *testing.T) { checkSlow(t, 3, false) })
	t.Run("pod level", func(t *testing.T) { checkSlow(t, 3, true) })
}

func checkSlow(t *testing.T, containers int, whole bool) {
	solved, unsolved := 0, 0
	check := func(t *rapid.T) {
		c := slowCases(containers, whole).Draw(t, "case")
		spec, p := c.given()
		got, err := solver.SolveObjects(spec, p)
		want := c.solve(c.stated)
		if (err == nil) != (want != nil) {
			t.Fatalf("kinds %v\nSolve: %+v, %v\nslow: %+v", c.kinds, got, err, want)
		}
		if want == nil {
			unsolved++
			return
		}
		solved++
		testkit.NoDiff(t, partsAsText(got), c.parts(want), "kinds", c.kinds)
	}
	rapid.Check(t, func(t *rapid.T) {
		for range 10 { // many small cases
			check(t)
		}
	})
	if !testing.Short() && (solved < 10 || unsolved < 10) {
		t.Errorf("%d solved, %d not: too few of one", solved, unsolved)
	}
}

func (c *slowCase) parts(a *slowAssignment) []string {
	var parts []string
	text := func(q, l int) string {
		write := func(v int) string {
			if v == absent {
				return "-"
			}
			amount := c.quantity(v)
			return amount.String()
		}
		return write(q) + " " + write(l)
	}
	for i := range c.kinds {
		parts = append(parts, text(a.requests[i], a.limits[i]))
	}
	if c.statesWhole() {
		parts = append(parts, text(a.wholeRequest, c.wholeLimit(a)))
	}
	return parts
}

func partsAsText(s solver.Solution) []string {
	var parts []string
	text := func(list corev1.ResourceList) string {
		for _, q := range list {
			return q.String()
		}
		return "-"
	}
	for _, part := range s.Parts {
		parts = append(parts, text(part.Requests)+" "+text(part.Limits))
	}
	return parts
}

// text writes a constraint as the solver does.
func (c *slowCase) text(s slowConstraint) string {
	q := c.quantity(s.amount)
	switch {
	case s.rule == limitrange.Ratio:
		q = resource.MustParse(fmt.Sprint(s.amount, "m"))
		fallthrough
	case s.rule < limitrange.Remaining:
		return fmt.Sprintf("%s %s %v %s of %s", s.kind, c.name, s.rule, q.String(), s.source)
	case s.rule == limitrange.Remaining && s.limits:
		return fmt.Sprintf("limits.%s remaining %s of %s", c.name, q.String(), s.source)
	case s.rule == limitrange.Remaining:
		return fmt.Sprintf("requests.%s remaining %s of %s", c.name, q.String(), s.source)
	case s.container < 0:
		return fmt.Sprintf("pod %s %v %s", c.name, s.rule, q.String())
	}
	return fmt.Sprintf("%v c-%d %s %v %s", c.kinds[s.container], s.container, c.name, s.rule, q.String())
}

// problems draws problems in several resources, with amounts from the whole range, and pods that set few
// amounts.
func problems(t *rapid.T, quantities *rapid.Generator[resource.Quantity]) (*corev1.PodSpec, solver.Objects) {
	spec := testkit.SpecWith(quantities).Draw(t, "spec")
	for _, r := range requirementsOf(spec) {
		for _, name := range testkit.ResourceNames {
			if rapid.IntRange(0, 2).Draw(t, "keep") > 0 {
				delete(r.Requests, name)
			}
			if rapid.IntRange(0, 2).Draw(t, "keep") > 0 {
				delete(r.Limits, name)
			}
		}
	}
	some := func(n int, quantities *rapid.Generator[resource.Quantity]) corev1.ResourceList {
		list := corev1.ResourceList{}
		for _, name := range testkit.ResourceNames {
			if rapid.IntRange(0, n).Draw(t, string(name)) == 0 {
				list[name] = quantities.Draw(t, "amount")
			}
		}
		return list
	}
	large := rapid.Map(rapid.Int64Range(1, 9), func(n int64) resource.Quantity { return *resource.NewScaledQuantity(n, 13) })
	ratios := rapid.Map(rapid.Int64Range(1000, 5000), func(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) })
	var p solver.Objects
	for i := range rapid.IntRange(0, 4).Draw(t, "bounds") {
		kind := rapid.SampledFrom([]corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim}).Draw(t, "type")
		p.Items = append(p.Items, solver.RangeItem{Source: source(fmt.Sprint("range-", i%2)), Item: corev1.LimitRangeItem{
			Type: kind, Min: some(4, quantities), Max: some(5, rapid.OneOf(large, large, quantities)), MaxLimitRequestRatio: some(7, ratios),
			Default: some(5, quantities), DefaultRequest: some(5, quantities),
		}})
	}
	replicas := rapid.Int64Range(0, 3).Draw(t, "replicas")
	for i := range rapid.IntRange(0, 2).Draw(t, "budgets") {
		left := corev1.ResourceList{}
		for _, name := range []corev1.ResourceName{"cpu", "limits.cpu", "requests.memory", "limits.memory", "ephemeral-storage", "limits.ephemeral-storage", "requests.hugepages-2Mi", "requests.example.com/gpu", "services"} {
			if rapid.IntRange(0, 5).Draw(t, string(name)) == 0 {
				left[name] = rapid.OneOf(large, quantities).Draw(t, "left")
			}
		}
		p.Budgets = append(p.Budgets, solver.Budget{Source: source(fmt.Sprint("quota-", i)), Remaining: left, Replicas: replicas})
	}
	return spec, p
}

func TestContract(t *testing.T) {
	order := []int{1, 0, 2}
	testkit.Contract(t, func() any {
		set, proven := solver.Smallest(3, func(chosen []bool) bool { return !chosen[1] || !chosen[2] }, order)
		return []any{set, proven}
	}, order)
	rapid.Check(t, func(t *rapid.T) {
		spec, p := problems(t, testkit.Quantity())
		testkit.Contract(t, func() any {
			solution, err := solver.SolveObjects(spec, p)
			return []any{&solution, err}
		}, spec, p)
		solution, err := solver.SolveObjects(spec, p)
		for _, c := range solution.Changes {
			testkit.Contract(t, func() any { return c.String() }, c)
		}
		var unsolvable *solver.ConflictError
		if errors.As(err, &unsolvable) {
			all := unsolvable.Conflicts
			testkit.Contract(t, func() any {
				return []string{unsolvable.Error(), all[0].Error(), all[0].Values[0].String()}
			}, all)
		}
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			changes, err := solver.ApplyObjects(own, p)
			return []any{own, changes, err}
		}, spec, p)
	})
}

// A pod with the solution written into it is admitted, and solving again changes nothing.
func TestSolutionIsAdmitted(t *testing.T) {
	for name, quantities := range map[string]*rapid.Generator[resource.Quantity]{
		"ordinary": testkit.Ordinary(), "bytes": testkit.Bytes(), "any": testkit.Quantity(),
	} {
		t.Run(name, func(t *testing.T) {
			solved := 0
			rapid.Check(t, func(t *rapid.T) {
				spec, p := problems(t, quantities)
				spec.Resources = nil
				before := spec.DeepCopy()
				solution, err := solver.SolveObjects(spec, p)
				changes, applyErr := solver.ApplyObjects(spec, p)
				if fmt.Sprint(err) != fmt.Sprint(applyErr) {
					t.Fatalf("Solve: %v, Apply: %v", err, applyErr)
				}
				if err != nil {
					testkit.NoDiff(t, spec, before, "changed in spite of", err)
					return
				}
				solved++
				if found := objections(spec, p); len(found) > 0 {
					t.Fatalf("after %v: %v", changes, found)
				}
				testkit.NoDiff(t, changes, solution.Changes)
				checkIsWritten(t, solution, spec)
				again, err := solver.SolveObjects(spec, p)
				if err != nil || len(again.Changes) > 0 {
					t.Fatalf("again: %v, %v", again.Changes, err)
				}
				testkit.NoDiff(t, again.Parts, solution.Parts)
				left := computeresources.ApplyRequestDefaults(spec, p.Kubernetes)
				left = append(left, computeresources.ApplyPodLevelDefaults(spec, p.Kubernetes)...)
				if len(left) > 0 {
					t.Fatalf("the API server would set %v", left)
				}
			})
			if !testing.Short() && solved == 0 {
				t.Error("nothing had a solution")
			}
		})
	}
}

// checkIsWritten checks that the spec has the parts of a solution.
func checkIsWritten(t *rapid.T, s solver.Solution, spec *corev1.PodSpec) {
	all := requirementsOf(spec)
	if len(all) != len(s.Parts) {
		t.Fatalf("%d parts for %d containers", len(s.Parts), len(all))
	}
	i := 0
	for ref := range computeresources.Containers(spec) {
		part := solver.Part{Ref: ref, Requests: all[i].Requests, Limits: all[i].Limits}
		testkit.NoDiff(t, s.Parts[i], part, cmpopts.EquateEmpty())
		i++
	}
}

func TestOrderOfObjectsChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, p := problems(t, testkit.Ordinary())
		other := solver.Objects{
			Items:   rapid.Permutation(p.Items).Draw(t, "bounds"),
			Budgets: rapid.Permutation(p.Budgets).Draw(t, "budgets"),
		}
		want, wantErr := solver.SolveObjects(spec, p)
		got, err := solver.SolveObjects(spec, other)
		if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wantErr) {
			t.Fatalf("%v, then %v\n%s", wantErr, err, diff)
		}
	})
}

// Amounts that are equal, but written differently, have an order, too.
func TestOrderOfNotationsChangesNothing(t *testing.T) {
	item := func(amount string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Max: list("memory", amount)}
	}
	bounds := []solver.RangeItem{{Source: source("range"), Item: item("1Gi")}, {Source: source("range"), Item: item("1073741824")}, {Source: source("range"), Item: item("1048576Ki")}}
	budgets := []solver.Budget{{Source: source("quota"), Remaining: list("requests.memory", "1Gi")}, {Source: source("quota"), Remaining: list("requests.memory", "1073741824")}}
	for name, p := range map[string]solver.Objects{"bounds": {Items: bounds}, "quotas": {Budgets: budgets}} {
		_, want := solver.SolveObjects(pod("app memory 2Gi -"), p)
		slices.Reverse(p.Items)
		slices.Reverse(p.Budgets)
		if _, err := solver.SolveObjects(pod("app memory 2Gi -"), p); err == nil || fmt.Sprint(err) != fmt.Sprint(want) {
			t.Errorf("%s: %v, in the opposite order %v", name, want, err)
		}
	}
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, p := problems(t, testkit.Ordinary())
		type input struct {
			Spec    *corev1.PodSpec
			Problem solver.Objects
		}
		testkit.EmptyIsNil(t, input{spec, p}, func(in input) any {
			solution, err := solver.SolveObjects(in.Spec, in.Problem)
			return []any{solution, fmt.Sprint(err)}
		})
	})
}
