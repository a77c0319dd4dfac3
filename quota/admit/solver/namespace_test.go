package solver_test

import (
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// milli returns a few milli-units of cpu.
func milli(n int64) resource.Quantity { return *resource.NewMilliQuantity(n, resource.DecimalSI) }

// smallNamespace draws a pod of one or two containers and the objects of its namespace, with amounts
// of cpu up to 4m.
func smallNamespace(t *rapid.T) (*corev1.PodSpec, solver.Input) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{{Name: "app"}}}
	switch rapid.IntRange(0, 3).Draw(t, "second container") {
	case 0:
		spec.Containers = append(spec.Containers, corev1.Container{Name: "worker"})
	case 1:
		spec.InitContainers = []corev1.Container{{Name: "setup"}}
	}
	amount := func(label string, least int64) corev1.ResourceList {
		if n := rapid.Int64Range(least-4, 4).Draw(t, label); n >= least {
			return corev1.ResourceList{"cpu": milli(n)}
		}
		return nil
	}
	for _, c := range computeresources.Containers(spec) {
		c.Resources.Requests, c.Resources.Limits = amount("request", 3), amount("limit", 3)
	}
	var in solver.Input
	for range rapid.IntRange(0, 2).Draw(t, "ranges") {
		item := corev1.LimitRangeItem{Type: rapid.SampledFrom([]corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod}).Draw(t, "type")}
		item.Min, item.Max = amount("min", 1), amount("max", 1)
		if rapid.IntRange(0, 3).Draw(t, "ratio") == 0 {
			item.MaxLimitRequestRatio = corev1.ResourceList{"cpu": milli(rapid.SampledFrom([]int64{1000, 1500, 2000}).Draw(t, "ratio"))}
		}
		in.LimitRanges = append(in.LimitRanges, rangeOf(string(rune('a'+len(in.LimitRanges))), item), nil)
	}
	for range rapid.IntRange(0, 2).Draw(t, "quotas") {
		name := rapid.SampledFrom([]corev1.ResourceName{"cpu", "limits.cpu", "pods", "requests.cpu"}).Draw(t, "name")
		q := quotaOf(name, "0", "0")
		q.Name = string(rune('a' + len(in.Quotas)))
		q.Status.Hard[name], q.Status.Used[name] = milli(rapid.Int64Range(0, 12).Draw(t, "hard")), milli(rapid.Int64Range(0, 4).Draw(t, "used"))
		if name == "pods" {
			q.Status.Hard[name], q.Status.Used[name] = resource.MustParse(rapid.SampledFrom([]string{"1", "2", "9"}).Draw(t, "pods")), resource.MustParse("1")
		}
		q.Spec.Scopes = rapid.SampledFrom([][]corev1.ResourceQuotaScope{nil, nil, nil, {"NotBestEffort"}, {"BestEffort"}, {"Terminating"}}).Draw(t, "scopes")
		in.Quotas = append(in.Quotas, q, nil)
	}
	in.Replicas = rapid.Int64Range(0, 3).Draw(t, "replicas")
	for ref := range computeresources.Containers(spec) {
		if floor := amount("floor", 1); floor != nil {
			in.Floors = append(in.Floors, solver.Floor{Ref: ref, Requests: floor, Source: computeresources.Source{Kind: "usage"}})
		}
	}
	return spec, in
}

func TestContractOfNamespaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		spec, in := smallNamespace(t)
		testkit.Contract(t, func() any {
			solution, err := solver.Solve(spec, in)
			return []any{&solution, err}
		}, spec, in)
		testkit.Contract(t, func() any {
			own := spec.DeepCopy()
			changes, err := solver.Apply(own, in)
			return []any{own, changes, err}
		}, spec, in)
	})
}

func TestSourcesOfNamespaces(t *testing.T) {
	app := computeresources.Ref{Kind: computeresources.App, Name: "c-0"}
	lr := rangeOf("team", corev1.LimitRangeItem{Type: "Node", Min: cpu("9")}, corev1.LimitRangeItem{Type: corev1.LimitTypePod, Max: cpu("1")})
	lr.Namespace = "shop"
	q := quotaOf("requests.cpu", "4", "1")
	q.Namespace = "shop"
	floors := []solver.Floor{{Ref: app, Requests: cpu("2"), Source: computeresources.Source{Kind: "usage"}}}
	wantErr := func(in solver.Input, values ...limitrange.BoundValue) {
		t.Helper()
		_, err := solver.Solve(pod("app cpu - -"), in)
		want := &solver.ConflictError{Conflicts: computeresources.Problems[*limitrange.Conflict]{{Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: values}}}
		testkit.NoDiff(t, err, error(want))
	}
	floor := limitrange.BoundValue{Bound: limitrange.Min, Source: floors[0].Source, Ref: app, Resource: "cpu", Amount: resource.MustParse("2")}
	wantErr(solver.Input{LimitRanges: []*corev1.LimitRange{lr}, Floors: floors}, floor, limitrange.BoundValue{
		Bound: limitrange.Max, Type: corev1.LimitTypePod, Resource: "cpu", Amount: resource.MustParse("1"),
		Source: computeresources.Source{Kind: "LimitRange", Namespace: "shop", Name: "team", Field: "spec.limits[1]"},
	})
	remaining := limitrange.BoundValue{
		Bound: limitrange.Remaining, Resource: "requests.cpu", Amount: resource.MustParse("3"),
		Source: computeresources.Source{Kind: "ResourceQuota", Namespace: "shop", Name: "compute", Field: "spec.hard"},
	}
	// The cause has all of the part, of which the floor has the name.
	byName := []solver.Floor{{Ref: computeresources.Ref{Name: "c-0"}, Requests: cpu("2"), Source: floors[0].Source}}
	wantErr(solver.Input{Quotas: []*corev1.ResourceQuota{q}, Floors: byName, Replicas: 2}, floor, remaining)
	// Each of two may have 1500m of the 3 that remain.
	wantErr(solver.Input{Quotas: []*corev1.ResourceQuota{q}, Floors: floors, Replicas: 2}, floor, remaining)
}

// What remains of a quota over several namespaces has its kind and its field. Of a GlobalResourceQuota, nothing remains if
// another resource is exceeded, and less than nothing of what is exceeded itself.
func TestRemainingOfClusterQuotas(t *testing.T) {
	floor := limitrange.BoundValue{Bound: limitrange.Min, Source: computeresources.Source{Kind: "usage"}, Ref: computeresources.Ref{Kind: computeresources.App, Name: "c-0"},
		Resource: "cpu", Amount: resource.MustParse("2")}
	in := solver.Input{Floors: []solver.Floor{{Ref: floor.Ref, Requests: list("cpu", "2"), Source: floor.Source}}}
	for _, test := range []struct {
		kind           quota.ClusterQuotaKind
		used, services string
		remaining      string
	}{
		{quota.ClusterResourceQuota, "3", "9", "1"},
		{quota.ClusterResourceQuota, "5", "0", "-1"},
		{quota.GlobalResourceQuota, "3", "1", "1"},
		{quota.GlobalResourceQuota, "3", "9", "0"},
		{quota.GlobalResourceQuota, "5", "0", "-1"},
	} {
		hard := list("requests.cpu", "4", "services", "1")
		q := &quota.ClusterQuota{Kind: test.kind, Name: "team", Spec: corev1.ResourceQuotaSpec{Hard: hard},
			Status: corev1.ResourceQuotaStatus{Hard: hard, Used: list("requests.cpu", test.used, "services", test.services)}}
		in.Quotas = []*corev1.ResourceQuota{q.In("shop")}
		_, err := solver.Solve(pod("app cpu - -"), in)
		remaining := limitrange.BoundValue{Bound: limitrange.Remaining, Resource: "requests.cpu", Amount: resource.MustParse(test.remaining),
			Source: computeresources.Source{Kind: string(test.kind), Name: "team", Field: "spec.quota.hard"}}
		want := &solver.ConflictError{Conflicts: computeresources.Problems[*limitrange.Conflict]{{
			Cause: limitrange.Unsatisfiable, Resource: "cpu", Values: []limitrange.BoundValue{floor, remaining}}}}
		testkit.NoDiff(t, err, error(want), test)
	}
}

func TestNamespaces(t *testing.T) {
	app, worker := computeresources.Ref{Kind: computeresources.App, Name: "c-0"}, computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "c-1"}
	scoped := func(scope corev1.ResourceQuotaScope, name corev1.ResourceName, hard string) *corev1.ResourceQuota {
		q := quotaOf(name, hard, "0")
		q.Spec.Scopes = []corev1.ResourceQuotaScope{scope}
		return q
	}
	unknown, invalid := quotaOf("cpu", "1", "0"), quotaOf("cpu", "1", "0")
	unknown.Status = corev1.ResourceQuotaStatus{}
	unknown.Spec.Hard = cpu("1")
	invalid.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "PriorityClass", Operator: "Odd"}}}
	selecting := quotaOf("pods", "0", "0")
	selecting.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{ScopeName: "BestEffort", Operator: "Exists"}}}
	halfKnown := quotaOf("cpu", "1", "0")
	halfKnown.Status.Hard["pods"] = resource.MustParse("1")
	nowhere := quotaOf("pods", "1", "0")
	nowhere.Name, nowhere.Status, nowhere.Spec.Hard = "a", unknown.Status, list("pods", "1")
	two := "app cpu - -\napp cpu - -"
	for _, test := range []struct {
		name string
		spec string
		in   solver.Input
		want []string // changes, or the error
	}{
		{"floors of each container", two, solver.Input{Floors: []solver.Floor{{Ref: worker, Requests: cpu("3")}, {Ref: app, Requests: cpu("1")}, {Ref: app, Requests: cpu("2")}}},
			[]string{"container c-0: set the cpu request to 2", "container c-1: set the cpu request to 3"}},
		{"a floor below what is set", "app cpu 2 -", solver.Input{Floors: []solver.Floor{{Ref: app, Requests: cpu("1")}}}, nil},
		{"a floor above a fixed limit", "app cpu - 1", solver.Input{Floors: []solver.Floor{{Ref: app, Requests: cpu("2")}}},
			[]string{"cpu: no amount satisfies all of: container c-0 cpu min 2; container c-0 cpu limit 1"}},
		{"floors by name", two, solver.Input{Floors: []solver.Floor{{Ref: computeresources.Ref{Name: "c-1"}, Requests: cpu("3")}, {Ref: computeresources.Ref{Kind: computeresources.App, Name: "c-1"}, Requests: cpu("4")}}},
			[]string{"container c-1: set the cpu request to 4"}},
		{"a floor of a sidecar, which is an init container as well", "sidecar cpu - -\napp cpu - -", solver.Input{Floors: []solver.Floor{{Ref: computeresources.Ref{Kind: computeresources.Init, Name: "c-0"}, Requests: cpu("3")}}},
			[]string{"sidecar c-0: set the cpu request to 3"}},
		{"a floor of the pod", "app cpu - -", solver.Input{Floors: []solver.Floor{{Ref: computeresources.Ref{Kind: computeresources.Pod}, Requests: cpu("1")}}},
			[]string{"pod: floor: the pod has no such container"}},
		{"a floor of a missing container", "app cpu - -", solver.Input{Floors: []solver.Floor{{Ref: worker, Requests: cpu("1")}}},
			[]string{"container c-1: floor: the pod has no such container"}},
		{"a floor of a missing container, with its source", "app cpu - -", solver.Input{Floors: []solver.Floor{{Ref: worker, Requests: cpu("1"), Source: computeresources.Source{Kind: "usage"}}}},
			[]string{"container c-1: floor: the pod has no such container"}},
		{"two quotas without an answer", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{unknown, nowhere}}, []string{"ResourceQuota a: status: does not say how much is used"}},
		{"two quotas without an answer, in the other order", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{nowhere, unknown}}, []string{"ResourceQuota a: status: does not say how much is used"}},
		{"a minimum leaves a quota of BestEffort pods, and there is no other", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("1")})}, Quotas: []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0")}},
			[]string{"container c-0: set the cpu request to 1"}},
		{"a quota of other pods", "app cpu 1 -", solver.Input{Quotas: []*corev1.ResourceQuota{scoped("Terminating", "cpu", "0"), scoped("BestEffort", "pods", "0")}}, nil},
		{"the least is BestEffort", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0")}},
			[]string{"pods: no amount satisfies all of: pods remaining 0 of ResourceQuota compute"}},
		{"a minimum makes it Burstable", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("1")})}, Quotas: []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0"), scoped("NotBestEffort", "cpu", "1")}},
			[]string{"container c-0: set the cpu request to 1"}},
		{"a minimum makes it Burstable, beside a scope selector", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("1")})}, Quotas: []*corev1.ResourceQuota{selecting}},
			[]string{"container c-0: set the cpu request to 1"}},
		{"a minimum makes it Burstable, and exceeds a quota of such pods", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("2")})}, Quotas: []*corev1.ResourceQuota{scoped("BestEffort", "pods", "0"), scoped("NotBestEffort", "cpu", "1")}},
			[]string{"cpu: no amount satisfies all of: Container cpu min 2 of LimitRange r; cpu remaining 1 of ResourceQuota compute"}},
		{"a minimum exceeds a quota of Burstable pods alone", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("2")})}, Quotas: []*corev1.ResourceQuota{scoped("NotBestEffort", "cpu", "1")}},
			[]string{"cpu: no amount satisfies all of: Container cpu min 2 of LimitRange r; cpu remaining 1 of ResourceQuota compute"}},
		{"a quota without a status", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{unknown}}, []string{"ResourceQuota compute: status: does not say how much is used"}},
		{"a quota with a resource without usage", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{halfKnown}}, []string{"ResourceQuota compute: status: does not say how much is used"}},
		{"a floor below the minimum", "app cpu - -", solver.Input{LimitRanges: []*corev1.LimitRange{rangeOf("r", corev1.LimitRangeItem{Type: "Container", Min: cpu("2")})}, Floors: []solver.Floor{{Ref: app, Requests: cpu("1")}}},
			[]string{"container c-0: set the cpu request to 2"}},
		{"a part of a quota that is not a multiple of the unit", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{quotaOf("cpu", "5m", "0")}, Replicas: 2, Floors: []solver.Floor{{Ref: app, Requests: cpu("3m")}}},
			[]string{"cpu: no amount satisfies all of: container c-0 cpu min 3m; cpu remaining 5m of ResourceQuota compute"}},
		{"replicas share what is left of limits", "app cpu - 2", solver.Input{Quotas: []*corev1.ResourceQuota{quotaOf("limits.cpu", "3", "0")}, Replicas: 2},
			[]string{"cpu: no amount satisfies all of: limits.cpu remaining 3 of ResourceQuota compute; container c-0 cpu limit 2"}},
		{"a floor of a part of a page", "app cpu - -", solver.Input{Floors: []solver.Floor{{Ref: app, Requests: list("hugepages-2Mi", "3Mi")}}},
			[]string{"container c-0: set the hugepages-2Mi request to 4Mi", "container c-0: set the hugepages-2Mi limit to 4Mi"}},
		{"an invalid scope", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{invalid}},
			[]string{`ResourceQuota compute: spec.scopeSelector: error on matching scope {PriorityClass Odd []}: failed to parse and convert selector: "Odd" is not a valid scope selector operator`}},
		{"more pods than a quota has", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{quotaOf("pods", "3", "1")}, Replicas: 3},
			[]string{"pods: no amount satisfies all of: pods remaining 2 of ResourceQuota compute"}},
		{"as many replicas as the quota has room for", "app cpu - -", solver.Input{Quotas: []*corev1.ResourceQuota{quotaOf("pods", "4", "1")}, Replicas: 3}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var lines []string
			changes, err := solver.Apply(pod(strings.Split(test.spec, "\n")...), test.in)
			for _, c := range changes {
				lines = append(lines, c.String())
			}
			if err != nil {
				lines = append(lines, err.Error())
			}
			testkit.NoDiff(t, lines, test.want)
		})
	}
}
