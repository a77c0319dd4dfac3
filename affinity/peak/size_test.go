package peak_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
)

// twoClaims has two tasks for each of two claims, and one without.
func twoClaims() *affinity.Run {
	using := func(workspace string, t affinity.Task) affinity.Task {
		t.Workspaces = []string{workspace}
		return t
	}
	return &affinity.Run{
		Name: "run", UID: "uid",
		Workspaces: []affinity.Workspace{{Name: "one", ClaimName: "a"}, {Name: "two", ClaimName: "b"}},
		Tasks: []affinity.Task{
			using("one", task("one-1", list("cpu", "1", "memory", "10Mi"))),
			using("one", retried(task("one-2", list("cpu", "1"), "one-1"))),
			using("two", task("two-1", list("cpu", "10m"))),
			using("two", task("two-2", list("memory", "1.5Gi"))),
			task("free", list("cpu", "7", "example.com/gpu", "1")),
		},
	}
}

// sizes are the requests of the placeholders, by the claims that they mount.
func sizes(t testkit.TB, plan *affinity.Plan) map[string]corev1.ResourceList {
	t.Helper()
	got := map[string]corev1.ResourceList{}
	for _, set := range plan.StatefulSets {
		claims := ""
		for _, v := range set.Spec.Template.Spec.Volumes {
			claims += v.PersistentVolumeClaim.ClaimName
		}
		r := set.Spec.Template.Spec.Containers[0].Resources
		if diff := cmp.Diff(r.Requests, r.Limits); diff != "" {
			t.Fatalf("%s: limits differ (-requests +limits):\n%s", claims, diff)
		}
		got[claims] = r.Requests
	}
	return got
}

func plan(t testkit.TB, run *affinity.Run, b affinity.Behavior) *affinity.Plan {
	t.Helper()
	plan, err := affinity.PlanFor(run, affinity.Options{Behavior: b, Placeholder: affinity.Placeholder{Image: "nop"}})
	if err != nil {
		t.Fatalf("%v", err)
	}
	return plan
}

func TestApplySizes(t *testing.T) {
	for _, test := range []struct {
		name string
		b    affinity.Behavior
		opts peak.Options
		want map[string]corev1.ResourceList
	}{
		{"per run", affinity.PerRun, peak.Options{}, map[string]corev1.ResourceList{
			"ab": list("cpu", "8010m", "memory", "1546Mi", "example.com/gpu", "1"),
		}},
		{"per workspace", affinity.PerWorkspace, peak.Options{Only: []string{"nothing counts here"}}, map[string]corev1.ResourceList{
			"a": list("cpu", "1", "memory", "100Mi"),
			"b": list("cpu", "50m", "memory", "1.5Gi"),
		}},
		{"retries overlap", affinity.PerWorkspace, peak.Options{OverlapRetries: true}, map[string]corev1.ResourceList{
			"a": list("cpu", "2", "memory", "100Mi"),
			"b": list("cpu", "50m", "memory", "1.5Gi"),
		}},
		{"disabled", affinity.Disabled, peak.Options{}, map[string]corev1.ResourceList{}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := twoClaims()
			p := plan(t, run, test.b)
			for range 2 { // once more changes nothing
				if _, err := peak.ApplySizes(p, run, test.opts); err != nil {
					t.Fatal(err)
				}
				testkit.NoDiff(t, sizes(t, p), test.want)
			}
		})
	}
}

func TestApplySizesLeavesTheRest(t *testing.T) {
	run := twoClaims()
	p := plan(t, run, affinity.PerRun)
	spec := &p.StatefulSets[0].Spec.Template.Spec
	spec.Containers[0].Resources = corev1.ResourceRequirements{}
	spec.Containers = append(spec.Containers, corev1.Container{Name: "proxy"})
	if _, err := peak.ApplySizes(p, run, peak.Options{}); err != nil {
		t.Fatal(err)
	}
	spec = &p.StatefulSets[0].Spec.Template.Spec
	if got := spec.Containers[1].Resources; got.Requests != nil || got.Limits != nil {
		t.Errorf("the proxy requests %v", got)
	}
	testkit.NoDiff(t, spec.Containers[0].Resources.Limits, list("cpu", "8010m", "memory", "1546Mi", "example.com/gpu", "1"), "limits")
	if _, err := peak.ApplySizes(nil, run, peak.Options{}); err != nil {
		t.Errorf("no plan: %v", err)
	}
}

// The placeholder need not be the first container.
func TestApplySizesOfASecondContainer(t *testing.T) {
	run := twoClaims()
	p := plan(t, run, affinity.PerRun)
	spec := &p.StatefulSets[0].Spec.Template.Spec
	spec.Containers = append([]corev1.Container{{Name: "proxy"}}, spec.Containers...)
	sizes, err := peak.ApplySizes(p, run, peak.Options{})
	testkit.OK(t, err)
	for _, c := range sizes[0].Changes {
		testkit.Equal(t, c.Ref.Index, 1, "index of the changed container")
	}
	got := p.StatefulSets[0].Spec.Template.Spec.Containers[1].Resources.Requests
	testkit.NoDiff(t, got, list("cpu", "8010m", "memory", "1546Mi", "example.com/gpu", "1"))
}

// An amount that need not be raised keeps its notation.
func TestApplySizesKeepsNotations(t *testing.T) {
	run := twoClaims()
	p := plan(t, run, affinity.PerRun)
	written := list("cpu", "8010m", "memory", "1621098496", "example.com/gpu", "1") // 1546Mi
	r := &p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources
	r.Requests, r.Limits = written.DeepCopy(), written.DeepCopy()
	if _, err := peak.ApplySizes(p, run, peak.Options{}); err != nil {
		t.Fatal(err)
	}
	want := corev1.ResourceRequirements{Requests: written, Limits: written}
	testkit.NoDiff(t, p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources, want, testkit.AsWritten())
}

func TestApplySizesRejects(t *testing.T) {
	run := twoClaims()
	p := plan(t, run, affinity.PerWorkspace)
	before := testkit.Fingerprint(p)
	other := twoClaims()
	other.Tasks[3].Name = "renamed" // the first placeholder has a size, the second does not
	if _, err := peak.ApplySizes(p, other, peak.Options{}); err == nil || err.Error() != `options.only[1]: Not found: "two-2"` {
		t.Errorf("another run: %v", err)
	}
	if _, err := peak.ApplySizes(p, nil, peak.Options{}); err == nil || err.Error() != "run: Required value" {
		t.Errorf("no run: %v", err)
	}
	if testkit.Fingerprint(p) != before {
		t.Error("the plan has changed")
	}
}

// A limit is raised with its request. A request without a limit gets none. A resource that the
// placeholder did not request before gets both.
func TestApplySizesByLimits(t *testing.T) {
	for _, test := range []struct {
		name             string
		requests, limits corev1.ResourceList
		opts             peak.Options
		want             corev1.ResourceRequirements
	}{
		{"no limits", list("cpu", "50m", "memory", "100Mi", "example.com/gpu", "0"), corev1.ResourceList{}, peak.Options{}, corev1.ResourceRequirements{
			Requests: list("cpu", "8010m", "memory", "1546Mi", "example.com/gpu", "1"), Limits: corev1.ResourceList{},
		}},
		{"one limit, above the size", list("cpu", "50m", "memory", "100Mi"), list("cpu", "9"), peak.Options{}, corev1.ResourceRequirements{
			Requests: list("cpu", "8010m", "memory", "1546Mi", "example.com/gpu", "1"), Limits: list("cpu", "9", "example.com/gpu", "1"),
		}},
		{"resizable resources only", nil, nil, peak.Options{ResizableOnly: true}, corev1.ResourceRequirements{
			Requests: list("cpu", "8010m", "memory", "1546Mi"), Limits: list("cpu", "8010m", "memory", "1546Mi"),
		}},
	} {
		run := twoClaims()
		p, err := affinity.PlanFor(run, affinity.Options{Behavior: affinity.PerRun, Placeholder: affinity.Placeholder{Image: "nop", Requests: test.requests, Limits: test.limits}})
		testkit.OK(t, err)
		if _, err := peak.ApplySizes(p, run, test.opts); err != nil {
			t.Fatal(err)
		}
		testkit.NoDiff(t, p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources, test.want, test.name)
	}
}

// A task that is refused never runs, so no resources are reserved for it.
func TestDemandsOf(t *testing.T) {
	run := twoClaims()
	run.Tasks[0].Workspaces = []string{"one", "two"}
	run.Workspaces = append(run.Workspaces, affinity.Workspace{Name: "three", ClaimName: "c"})
	p := plan(t, run, affinity.PerWorkspace)
	demands, err := peak.DemandsOf(p, run, peak.Options{Only: []string{"nothing counts here"}})
	testkit.OK(t, err)
	got := map[string]string{}
	for i, d := range demands {
		cpu, _ := d.Demand.Peak("cpu")
		got[fmt.Sprint(d.Tasks)] = cpu.Amount.String()
		if i > 0 && demands[i-1].Assistant >= d.Assistant {
			t.Errorf("%s before %s", demands[i-1].Assistant, d.Assistant)
		}
	}
	want := map[string]string{"[free]": "7", "[one-2]": "1", "[two-1 two-2]": "10m", "[]": "0"}
	testkit.NoDiff(t, got, want)
	if demands, err := peak.DemandsOf(nil, run, peak.Options{}); demands != nil || err != nil {
		t.Errorf("no plan: %v, %v", demands, err)
	}
}
