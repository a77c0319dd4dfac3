package affinity_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		drawn := pairs().Draw(t, "runs")
		run, other := drawn[0], drawn[1]
		opts := options().Draw(t, "options")
		testkit.Contract(t, func() any { return affinity.Validate(run, opts) }, run, &opts)
		testkit.Contract(t, func() any { plan, _ := affinity.PlanFor(run, opts); return plan }, run, &opts)
		testkit.Contract(t, func() any { return affinity.TaskAffinity(run.PodTemplate.Affinity, "a") }, run)
		first, _ := affinity.PlanFor(run, opts)
		second, _ := affinity.PlanFor(other, opts)
		plans := []*affinity.Plan{first, second}
		testkit.Contract(t, func() any { return affinity.FindCollisions(plans) }, plans)
		for i := range run.Workspaces {
			w := &run.Workspaces[i]
			testkit.Contract(t, func() any { return []string{w.AssistantName(run.Name), w.GeneratedClaimName(run.UID, run.Name)} }, run)
		}
		collisions := affinity.FindCollisions(plans)
		for i := range collisions {
			testkit.Contract(t, func() any { return collisions[i].Error() }, collisions)
		}
		at := sites().Draw(t, "site")
		pods := []*corev1.Pod{at.pod, nil}
		testkit.Contract(t, func() any { return affinity.Stranded(pods, at.nodes, at.opts) }, pods, at.nodes, &at.opts)
		testkit.Contract(t, func() any { sets, claims := affinity.Cleanup(run, opts); return [][]string{sets, claims} }, run, &opts)
		testkit.Contract(t, func() any { return affinity.PlaceholderAffinity(run.PodTemplate.Affinity, opts.Behavior) }, run)
		claims, templates := []string{"a"}, []*corev1.PersistentVolumeClaim{template("b"), nil}
		testkit.Contract(t, func() any { return affinity.StatefulSetFor(run, "a", claims, templates, opts) }, run, claims, templates, &opts)
		flag := rapid.SampledFrom([]string{"", "disabled", "x"}).Draw(t, "flag")
		testkit.Contract(t, func() any { _, err := affinity.BehaviorOf(flag); return err })
		testkit.Contract(t, func() any { _, err := affinity.MigratingBehavior("true", flag); return err })
	})
}

// Properties of every plan.
func TestLawsOfPlans(t *testing.T) {
	planned := 0
	rapid.Check(t, func(t *rapid.T) {
		run, opts := runs().Draw(t, "run"), options().Draw(t, "options")
		faults := affinity.Validate(run, opts)
		plan, err := affinity.PlanFor(run, opts)
		if (err == nil) != (len(faults) == 0) {
			t.Fatalf("PlanFor says %v, Validate %v", err, faults)
		}
		if err != nil {
			return
		}
		planned++
		checkClaims(t, run, plan)
		checkTasks(t, run, plan)
		checkNames(t, plan)
		for _, set := range plan.StatefulSets {
			for key, value := range set.Spec.Selector.MatchLabels {
				if set.Spec.Template.Labels[key] != value {
					t.Fatalf("%s does not select its own pod", set.Name)
				}
			}
		}
		if got := affinity.FindCollisions([]*affinity.Plan{plan}); got != nil {
			t.Fatalf("a plan collides with itself: %v", got)
		}
		if !sortedPlan(plan) {
			t.Fatalf("not sorted: %+v", plan)
		}
		same := *run
		same.Tasks, same.Finally = rapid.Permutation(run.Tasks).Draw(t, "tasks"), rapid.Permutation(run.Finally).Draw(t, "finally")
		testkit.NoDiff(t, planFor(t, &same, opts), plan, cmpopts.IgnoreFields(computeresources.FieldError{}, "Path"), "tasks in another order")
	})
	if !testing.Short() && planned == 0 {
		t.Error("no run was planned")
	}
}

// Every claim is mounted exactly once if pods are kept together, and created exactly once if it
// is to be created. No claim that existed before is deleted.
func checkClaims(t *rapid.T, run *affinity.Run, plan *affinity.Plan) {
	mounted, made, want := map[string]int{}, map[string]int{}, map[string]int{}
	for _, set := range plan.StatefulSets {
		for _, v := range set.Spec.Template.Spec.Volumes {
			mounted[v.PersistentVolumeClaim.ClaimName]++
		}
		for _, c := range set.Spec.VolumeClaimTemplates {
			mounted[c.Name+"-"+set.Name+"-0"]++
		}
	}
	for _, claim := range slices.Concat(plan.Claims, plan.Provisioned) {
		made[claim.Name]++
	}
	templates := map[string]int{}
	for i, w := range run.Workspaces {
		at := slices.IndexFunc(plan.Workspaces, func(b affinity.Binding) bool { return b.Workspace == w.Name })
		claim := plan.Workspaces[at].Claim
		if w.ClaimName != claim && run.Workspaces[i].ClaimTemplate == nil {
			t.Fatalf("%s has claim %q", w.Name, claim)
		}
		if claim != "" && plan.Behavior != affinity.Disabled {
			want[claim] = 1
		}
		if w.ClaimTemplate != nil {
			templates[claim] = 1
		}
		if w.ClaimName != "" && slices.Contains(plan.DeleteClaims, w.ClaimName) {
			t.Fatalf("%s is deleted", w.ClaimName)
		}
	}
	testkit.NoDiff(t, mounted, want, "mounted")
	testkit.NoDiff(t, made, templates, "made")
}

// Every task is sent to an existing placeholder, the one of all its claims.
func checkTasks(t *rapid.T, run *affinity.Run, plan *affinity.Plan) {
	for _, task := range slices.Concat(run.Tasks, run.Finally) {
		at := slices.IndexFunc(plan.Tasks, func(p affinity.Placement) bool { return p.Task == task.Name })
		placement := plan.Tasks[at]
		exists := slices.ContainsFunc(plan.StatefulSets, func(s appsv1.StatefulSet) bool { return s.Name == placement.Assistant })
		if exists != (placement.Assistant != "") {
			t.Fatalf("%s goes to %q", task.Name, placement.Assistant)
		}
		for _, b := range plan.Workspaces {
			if b.Assistant != "" && slices.Contains(task.Workspaces, b.Workspace) && placement.Assistant != b.Assistant && placement.Refused == nil && !task.NoPod {
				t.Fatalf("%s goes to %s, but uses %+v", task.Name, placement.Assistant, b)
			}
		}
		given := run.PodTemplate.Affinity
		if task.Affinity != nil {
			given = task.Affinity
		}
		want := affinity.TaskAffinity(given, placement.Assistant)
		if task.NoPod {
			want = nil
		}
		testkit.NoDiff(t, placement.Affinity, want, task.Name)
	}
	if len(plan.Tasks) != len(run.Tasks)+len(run.Finally) {
		t.Fatalf("%d tasks", len(plan.Tasks))
	}
}

// The API server accepts every name.
func checkNames(t testkit.TB, plan *affinity.Plan) {
	var messages []string
	for _, set := range plan.StatefulSets {
		messages = append(messages, validation.IsDNS1123Subdomain(set.Name)...)
		messages = append(messages, validation.IsDNS1123Label(set.Name+"-0")...) // the host name of the pod
		for _, template := range set.Spec.VolumeClaimTemplates {
			messages = append(messages, validation.IsDNS1123Label(template.Name)...)
		}
		for key, value := range set.Labels {
			messages = append(append(messages, validation.IsQualifiedName(key)...), validation.IsValidLabelValue(value)...)
		}
	}
	for _, claim := range slices.Concat(plan.Claims, plan.Provisioned) {
		messages = append(messages, validation.IsDNS1123Subdomain(claim.Name)...)
	}
	if messages != nil {
		t.Fatalf("%s", strings.Join(messages, "\n"))
	}
}

func sortedPlan(p *affinity.Plan) bool {
	return slices.IsSortedFunc(p.StatefulSets, func(a, b appsv1.StatefulSet) int { return strings.Compare(a.Name, b.Name) }) &&
		slices.IsSortedFunc(p.Claims, func(a, b corev1.PersistentVolumeClaim) int { return strings.Compare(a.Name, b.Name) }) &&
		slices.IsSortedFunc(p.Provisioned, func(a, b corev1.PersistentVolumeClaim) int { return strings.Compare(a.Name, b.Name) }) &&
		slices.IsSortedFunc(p.Workspaces, func(a, b affinity.Binding) int { return strings.Compare(a.Workspace, b.Workspace) }) &&
		slices.IsSortedFunc(p.Tasks, func(a, b affinity.Placement) int { return strings.Compare(a.Task, b.Task) }) &&
		slices.IsSorted(p.DeleteStatefulSets) && slices.IsSorted(p.DeleteClaims)
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := options().Draw(t, "options") // where empty requests mean no requests
		testkit.EmptyIsNil(t, runs().Draw(t, "run"), func(run *affinity.Run) any {
			plan, err := affinity.PlanFor(run, opts)
			return []any{plan, fmt.Sprint(err)}
		})
	})
}
