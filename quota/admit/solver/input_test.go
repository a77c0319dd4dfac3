package solver_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

func TestNil(t *testing.T) {
	none := solver.Solution{}
	for _, spec := range []*corev1.PodSpec{nil, {}} {
		for _, p := range []solver.Objects{{}, ofContainer(corev1.LimitRangeItem{Min: list("cpu", "1"), MaxLimitRequestRatio: list("cpu", "0")}), left("cpu", "0"), {Items: []solver.RangeItem{{Item: corev1.LimitRangeItem{Type: "Pod"}}}}} {
			solution, err := solver.SolveObjects(spec, p)
			if diff := cmp.Diff(none, solution); diff != "" || err != nil {
				t.Errorf("%v %s", err, diff)
			}
			if changes, err := solver.ApplyObjects(spec, p); changes != nil || err != nil {
				t.Errorf("%v %v", changes, err)
			}
		}
	}
}

func TestTypedAnswers(t *testing.T) {
	quantity := resource.MustParse
	solution, err := solver.SolveObjects(pod("app cpu 1500u -"), ofContainer(corev1.LimitRangeItem{Default: list("cpu", "1")}))
	testkit.OK(t, err)
	app := computeresources.Ref{Kind: computeresources.App, Name: "c-0"}
	from, to := quantity("1500u"), quantity("2m")
	want := solver.Solution{
		Parts: []solver.Part{{Ref: app, Requests: list("cpu", "2m"), Limits: list("cpu", "2m")}},
		Changes: []computeresources.Change{
			{Ref: app, List: computeresources.Requests, Resource: "cpu", From: &from, To: &to},
			{Ref: app, List: computeresources.Limits, Resource: "cpu", To: &to},
		},
	}
	testkit.NoDiff(t, solution, want)
	_, err = solver.SolveObjects(pod("app cpu 2 -"), both(left("limits.cpu", "1"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "3")})))
	wantErr := &solver.ConflictError{Conflicts: computeresources.Problems[*limitrange.Conflict]{{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{
		{Bound: limitrange.Remaining, Source: source("quota"), Resource: "limits.cpu", Amount: quantity("1")},
		{Bound: limitrange.Request, Ref: app, Resource: "cpu", Amount: quantity("2")},
	}}}}
	testkit.NoDiff(t, err, error(wantErr))
	_, err = solver.SolveObjects(pod("app cpu 4 -"), ofPod(corev1.LimitRangeItem{Max: list("cpu", "3")}))
	wantErr = &solver.ConflictError{Conflicts: computeresources.Problems[*limitrange.Conflict]{{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{
		{Bound: limitrange.Max, Source: source("range"), Type: corev1.LimitTypePod, Resource: "cpu", Amount: quantity("3")},
		{Bound: limitrange.Request, Ref: app, Resource: "cpu", Amount: quantity("4")},
	}}}}
	testkit.NoDiff(t, err, error(wantErr))
}

func TestInputError(t *testing.T) {
	huge := corev1.ResourceList{"cpu": resource.MustParse("1e1000000000")}
	beyond := corev1.ResourceList{"cpu": *resource.NewScaledQuantity(9223372036854775807, 1)}
	just := corev1.ResourceList{"cpu": resource.MustParse("9223372036854775807")}
	just.Cpu().Add(resource.MustParse("1m"))
	over := just["cpu"]
	over.Add(resource.MustParse("1"))
	just["cpu"] = over
	const tooLarge = " is beyond 9223372036854775807, the largest amount that Kubernetes compares"
	for _, amounts := range []corev1.ResourceList{huge, beyond, just} {
		bound := func(item corev1.LimitRangeItem) solver.Objects { return ofContainer(item) }
		for _, test := range []struct {
			spec *corev1.PodSpec
			p    solver.Objects
			want string
		}{
			{nil, bound(corev1.LimitRangeItem{Min: amounts}), "range: Container min[cpu]"},
			{nil, bound(corev1.LimitRangeItem{Max: amounts}), "range: Container max[cpu]"},
			{nil, bound(corev1.LimitRangeItem{MaxLimitRequestRatio: amounts}), "range: Container maxLimitRequestRatio[cpu]"},
			{nil, bound(corev1.LimitRangeItem{Default: amounts}), "range: Container default[cpu]"},
			{nil, bound(corev1.LimitRangeItem{DefaultRequest: amounts}), "range: Container defaultRequest[cpu]"},
			{nil, ofPod(corev1.LimitRangeItem{Max: amounts}), "range: Pod max[cpu]"},
			{nil, solver.Objects{Budgets: []solver.Budget{{Source: source("quota"), Remaining: amounts}}}, "quota: remaining[cpu]"},
			{overhead(pod(), amounts), solver.Objects{}, "pod: overhead[cpu]"},
			{whole(pod(), amounts, nil), solver.Objects{}, "pod: requests[cpu]"},
			{whole(pod(), nil, amounts), solver.Objects{}, "pod: limits[cpu]"},
			{&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", amounts, nil)}}, solver.Objects{}, "container c: requests[cpu]"},
			{&corev1.PodSpec{InitContainers: []corev1.Container{testkit.Container("c", nil, amounts)}}, solver.Objects{}, "init container c: limits[cpu]"},
			{overhead(whole(pod(), nil, amounts), amounts), bound(corev1.LimitRangeItem{Max: amounts}), "pod: limits[cpu]"},
		} {
			_, err := solver.SolveObjects(test.spec, test.p)
			if err == nil || err.Error() != test.want+tooLarge {
				t.Errorf("got  %v\nwant %s", err, test.want+tooLarge)
			}
		}
	}
	_, err := solver.ApplyObjects(pod("app cpu - -"), left("cpu", "1E20"))
	if want := "quota: remaining[cpu]" + tooLarge; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// Amounts at the ends of their range, and too small to be counted, have an answer.
func TestAmountsAtTheEnds(t *testing.T) {
	for _, test := range []struct{ min, want string }{
		{"9223372036854775807", "9223372036854775807"},
		{"9223372036854775", "9223372036854775"},
		{"9223372036854775.8", "9223372036854775800m"},
		{"9223372036854776", "9223372036854776"},
		{"1E", "1000000000000000000"},
		{"1n", "1m"},
	} {
		solution, err := solver.SolveObjects(pod("app cpu - -"), ofContainer(corev1.LimitRangeItem{Min: list("cpu", test.min)}))
		if err != nil {
			t.Error(err)
			continue
		}
		want := resource.MustParse(test.want)
		if got := solution.Changes[0].To; got.Cmp(want) != 0 {
			t.Errorf("min %s gives %s, want %s", test.min, got.String(), want.String())
		}
	}
	// Amounts that do not count are not changed.
	ignored := whole(pod(), corev1.ResourceList{"storage": resource.MustParse("1e1000000000")}, nil)
	if changes, err := solver.ApplyObjects(ignored, solver.Objects{}); changes != nil || err != nil {
		t.Errorf("%v %v", changes, err)
	}
	least := corev1.ResourceList{"cpu": *resource.NewScaledQuantity(1, -1000000000)}
	changes, err := solver.ApplyObjects(&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", least, nil)}}, solver.Objects{})
	if err != nil || len(changes) != 1 || changes[0].To.String() != "1m" {
		t.Errorf("%v %v", changes, err)
	}
	tiny := *resource.NewScaledQuantity(1, -1000)
	solution, err := solver.SolveObjects(pod("app cpu - -"), ofContainer(corev1.LimitRangeItem{Min: corev1.ResourceList{"cpu": tiny}}))
	if err != nil || solution.Changes[0].To.String() != "1m" {
		t.Errorf("%v %v", solution.Changes, err)
	}
}

// Amounts of bytes that are round in decimal are formatted so.
func TestRoundNotations(t *testing.T) {
	for min, want := range map[string]string{"1500000000": "1500M", "100000": "100k", "1000000000000": "1T", "1500Mi": "1500Mi", "1000000001": "1000000001"} {
		solution, err := solver.SolveObjects(pod("app memory - -"), ofContainer(corev1.LimitRangeItem{Min: list("memory", min)}))
		if err != nil || len(solution.Changes) == 0 || solution.Changes[0].To.String() != want {
			t.Errorf("%s: %v %v, want %s", min, solution.Changes, err, want)
		}
	}
}

// Amounts of the spec are written as they were.
func TestNotationsOfTheSpecStay(t *testing.T) {
	solution, err := solver.SolveObjects(pod("app memory 1024 -"), ofContainer(corev1.LimitRangeItem{Default: list("memory", "1")}))
	testkit.OK(t, err)
	for name, want := range map[string]resource.Quantity{"request": solution.Parts[0].Requests["memory"], "limit": solution.Parts[0].Limits["memory"]} {
		testkit.Equal(t, want.String(), map[string]string{"request": "1024", "limit": "1Ki"}[name], name)
	}
}

// If the overhead is a fraction, the unit of all amounts is a milli-unit.
func TestUnitOfOverhead(t *testing.T) {
	ratio := ofContainer(corev1.LimitRangeItem{MaxLimitRequestRatio: list("memory", "3")})
	for amount, want := range map[string]string{"1": "2", "500m": "1334m"} {
		solution, err := solver.SolveObjects(overhead(pod("app memory - 4"), list("memory", amount)), ratio)
		if err != nil || len(solution.Changes) != 1 || solution.Changes[0].To.String() != want {
			t.Errorf("overhead %s: %v %v, want %s", amount, solution.Changes, err, want)
		}
	}
}
