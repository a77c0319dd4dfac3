package affinity_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// leftovers are the names that Cleanup returns.
type leftovers struct{ StatefulSets, Claims []string }

func cleanup(run *affinity.Run, opts affinity.Options) (l leftovers) {
	l.StatefulSets, l.Claims = affinity.Cleanup(run, opts)
	return l
}

func TestCleanup(t *testing.T) {
	claims := func() *affinity.Run {
		return &affinity.Run{Name: "build", UID: "uid-1", Workspaces: []affinity.Workspace{
			{Name: "source", ClaimTemplate: template("")}, {Name: "scratch"}, {Name: "cache", ClaimName: "$(params.claim)"},
		}}
	}
	both := []string{cacheAssistant, sourceAssistant}
	slices.Sort(both)
	for _, test := range []struct {
		name   string
		opts   affinity.Options
		change func(*affinity.Run)
		want   leftovers
	}{
		{"per workspace", affinity.Options{}, func(*affinity.Run) {}, leftovers{StatefulSets: both}},
		{"per workspace, with cleanup", affinity.Options{AutoCleanup: true}, func(*affinity.Run) {}, leftovers{StatefulSets: both, Claims: []string{sourceClaim}}},
		{"per run", affinity.Options{Behavior: affinity.PerRun}, func(*affinity.Run) {}, leftovers{StatefulSets: []string{runAssistant}, Claims: []string{madeClaim}}},
		{"isolated", affinity.Options{Behavior: affinity.PerRunIsolated}, func(*affinity.Run) {}, leftovers{StatefulSets: []string{runAssistant}, Claims: []string{madeClaim}}},
		{"disabled", affinity.Options{Behavior: affinity.Disabled, AutoCleanup: true}, func(*affinity.Run) {}, leftovers{}},
		{"an unknown behavior", affinity.Options{Behavior: "other", AutoCleanup: true}, func(*affinity.Run) {}, leftovers{}},
		{"run with only a name", affinity.Options{Behavior: affinity.PerRun}, func(r *affinity.Run) { *r = affinity.Run{Name: "build"} }, leftovers{StatefulSets: []string{runAssistant}}},
		{"duplicate workspace", affinity.Options{}, func(r *affinity.Run) { r.Workspaces = append(r.Workspaces, r.Workspaces...) }, leftovers{StatefulSets: both}},
		{"no name", affinity.Options{}, func(r *affinity.Run) { r.Name, r.Workspaces = "", r.Workspaces[:1] }, leftovers{StatefulSets: []string{affinity.Workspace{Name: "source"}.AssistantName("")}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := claims()
			test.change(run)
			testkit.NoDiff(t, cleanup(run, test.opts), test.want)
		})
	}
	testkit.NoDiff(t, cleanup(nil, affinity.Options{Behavior: affinity.PerRun}), leftovers{}, "no run")
}

// Every StatefulSet that was created for a run is named, however little the run still shows when
// it ends: parameters that were never substituted, tasks that were never resolved, and none of
// the fields that a plan needs.
func TestNoStatefulSetIsLeftBehind(t *testing.T) {
	kept := 0
	rapid.Check(t, func(t *rapid.T) {
		run, opts := runs().Draw(t, "run"), options().Draw(t, "options")
		plan, err := affinity.PlanFor(run, opts)
		if err != nil {
			return
		}
		testkit.NoDiff(t, cleanup(run, opts), leftovers{StatefulSets: plan.DeleteStatefulSets, Claims: plan.DeleteClaims}, "the plan has other names")
		left := cleanup(shown(t, run), affinity.Options{Behavior: opts.Behavior, AutoCleanup: opts.AutoCleanup})
		for _, set := range plan.StatefulSets {
			kept++
			if !slices.Contains(left.StatefulSets, set.Name) {
				t.Fatalf("%s is left behind: %v", set.Name, left.StatefulSets)
			}
		}
		testkit.NoDiff(t, left.Claims, plan.DeleteClaims, "claims")
	})
	if !testing.Short() && kept == 0 {
		t.Error("no run had a StatefulSet")
	}
}

// shown draws the parts of a planned run that are still visible.
func shown(t *rapid.T, run *affinity.Run) *affinity.Run {
	left := &affinity.Run{Name: run.Name, Namespace: run.Namespace, UID: run.UID}
	for _, w := range run.Workspaces {
		if w.ClaimName != "" && rapid.Bool().Draw(t, "a reference") {
			w.ClaimName = rapid.SampledFrom([]string{"$(params.claim)", "$(params." + w.Name + ")"}).Draw(t, "reference")
		}
		left.Workspaces = append(left.Workspaces, w)
	}
	left.Workspaces = rapid.Permutation(left.Workspaces).Draw(t, "workspaces")
	if rapid.Bool().Draw(t, "with tasks") {
		left.Tasks = append(left.Tasks, affinity.Task{Name: "a", RunAfter: []string{"a"}, Workspaces: []string{"nowhere"}, Retries: -1})
	}
	return left
}

func TestPlacements(t *testing.T) {
	own := &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}
	run := buildRun()
	run.PodTemplate.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
	run.OptionalWorkspaces = []string{"signing"}
	run.Tasks = []affinity.Task{
		{Name: "a", Workspaces: []string{"source"}},
		{Name: "b", Workspaces: []string{"source"}, Affinity: own},
		{Name: "c", Workspaces: []string{"source", "cache"}},
		{Name: "d", Workspaces: []string{"source", "cache"}, NoPod: true},
		{Name: "e", Workspaces: []string{"signing"}},
		{Name: "f", Workspaces: []string{"source"}, Affinity: &corev1.Affinity{}},
	}
	run.Finally = []affinity.Task{{Name: "g", Workspaces: []string{"cache", "source"}}}
	ofRun, ofTask := on(sourceAssistant), on(sourceAssistant)
	ofRun.PodAntiAffinity, ofTask.NodeAffinity = &corev1.PodAntiAffinity{}, &corev1.NodeAffinity{}
	onCache := on(cacheAssistant)
	onCache.PodAntiAffinity = &corev1.PodAntiAffinity{}
	refused := func(path string) string {
		return path + `.workspaces: Forbidden: more than one PersistentVolumeClaim is bound: build-cache-pvc by workspace "cache", ` + sourceClaim + ` by workspace "source"`
	}
	for _, test := range []struct {
		task      string
		assistant string
		affinity  *corev1.Affinity
		refused   string
	}{
		{"a", sourceAssistant, ofRun, ""},
		{"b", sourceAssistant, ofTask, ""},
		{"c", cacheAssistant, onCache, refused("tasks[2]")},
		{"d", cacheAssistant, nil, ""},
		{"e", "", &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}, ""},
		{"f", sourceAssistant, on(sourceAssistant), ""},
		{"g", sourceAssistant, ofRun, refused("finally[0]")},
	} {
		plan := planFor(t, run, with(affinity.PerWorkspace))
		at := slices.IndexFunc(plan.Tasks, func(p affinity.Placement) bool { return p.Task == test.task })
		got := plan.Tasks[at]
		testkit.Equal(t, got.Assistant, test.assistant, test.task, "goes to")
		testkit.NoDiff(t, got.Affinity, test.affinity, test.task)
		text := ""
		if got.Refused != nil {
			text = got.Refused.Field(nil).Error()
		}
		testkit.Equal(t, text, test.refused, test.task, "refused for")
	}
	for _, p := range planFor(t, run, with(affinity.PerRun)).Tasks {
		if p.Refused != nil || p.Assistant != runAssistant {
			t.Errorf("per run: %+v", p)
		}
	}
}
