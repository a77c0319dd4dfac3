package peak_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// lines writes a timeline: for each moment what runs, what is held ("!" if it fails), and what is requested.
func lines(t peak.Timeline) (all []string) {
	for _, m := range t.Moments {
		var held []string
		for _, h := range m.Held {
			mark := ""
			if h.Failed {
				mark = "!"
			}
			held = append(held, mark+h.Task)
		}
		all = append(all, fmt.Sprintf("%s | %s | %s", strings.Join(m.Running, " "), strings.Join(held, " "), resourcelist.String(m.Requests)))
	}
	all = append(all, "peak "+resourcelist.String(t.Peak))
	if t.Failed {
		all = append(all, "failed")
	}
	if t.Stuck {
		all = append(all, "stuck")
	}
	return all
}

func specOf(cpu string) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("step-a", testkit.List("cpu", cpu), nil)}}
}

func quotaWith(hard, used corev1.ResourceList) []*corev1.ResourceQuota {
	q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: "team"}, Spec: corev1.ResourceQuotaSpec{Hard: hard}}
	q.Status.Hard, q.Status.Used = hard, used
	return []*corev1.ResourceQuota{q}
}

func TestPlay(t *testing.T) {
	task := func(name string, after ...string) affinity.Task { return affinity.Task{Name: name, RunAfter: after} }
	list := testkit.List
	four := quotaWith(list("requests.cpu", "4"), list("requests.cpu", "0"))
	pods := func(pairs ...string) map[string]*corev1.PodSpec {
		all := map[string]*corev1.PodSpec{}
		for i := 0; i < len(pairs); i += 2 {
			all[pairs[i]] = specOf(pairs[i+1])
		}
		return all
	}
	of := func(tasks ...affinity.Task) *affinity.Run { return &affinity.Run{Name: "run", Tasks: tasks} }
	live := func(name string) []*corev1.Pod {
		return []*corev1.Pod{{ObjectMeta: metav1.ObjectMeta{Name: "run-" + name + "-pod"}, Spec: *specOf("2")}}
	}
	small := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: list("cpu", "1")}}}}
	least := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Min: list("cpu", "1")}}}}
	fan := affinity.Task{Name: "m", FanOut: 3}
	none := affinity.Task{Name: "n", NoPod: true}
	goesOn := func(t affinity.Task) affinity.Task { t.ContinueOnError = true; return t }
	uses := func(t affinity.Task, name string) affinity.Task {
		t.ResultsOf = []string{name}
		if strings.Contains("abcdn", t.Name) {
			t.RunAfter = append(t.RunAfter, name)
		}
		return t
	}
	noPod := func(t affinity.Task) affinity.Task { t.NoPod = true; return t }
	finalOf := func(run *affinity.Run, final ...affinity.Task) *affinity.Run { run.Finally = final; return run }
	withFinal := of(task("a"), task("b", "a"))
	withFinal.Finally = []affinity.Task{task("f")}
	refused := &affinity.Run{Name: "run", Workspaces: []affinity.Workspace{{Name: "w", ClaimName: "c"}, {Name: "v", ClaimName: "d"}},
		Tasks: []affinity.Task{{Name: "a", Workspaces: []string{"w", "v"}}, task("b")}, Finally: []affinity.Task{task("f")}}
	after := &affinity.Run{Name: "run", Workspaces: refused.Workspaces, Tasks: []affinity.Task{refused.Tasks[0], task("b", "a")}, Finally: refused.Finally}
	next := &affinity.Run{Name: "run", Workspaces: []affinity.Workspace{{Name: "w", ClaimName: "c"}}, Tasks: []affinity.Task{{Name: "a", Workspaces: []string{"w"}}, task("b", "a")}}
	alone := &affinity.Run{Name: "run", Workspaces: refused.Workspaces, Tasks: refused.Tasks[:1]}
	bound := &affinity.Run{Name: "run", Workspaces: []affinity.Workspace{{Name: "w", ClaimName: "c"}}, Tasks: []affinity.Task{{Name: "a", Workspaces: []string{"w"}}, task("b")}}
	created := &affinity.Run{Name: "run", UID: "u", Workspaces: []affinity.Workspace{{Name: "w", ClaimTemplate: &corev1.PersistentVolumeClaim{}}}, Tasks: []affinity.Task{{Name: "a", Workspaces: []string{"w"}}}}
	created.Workspaces[0].ClaimTemplate.Spec.Resources.Requests = list("storage", "5Gi")
	for _, test := range []struct {
		name     string
		run      *affinity.Run
		scene    peak.Scene
		opts     peak.Options
		behavior affinity.Behavior
		want     []string
	}{
		{"one after another", of(task("a"), task("b", "a")), peak.Scene{Pods: pods("a", "1", "b", "2")}, peak.Options{}, affinity.Disabled,
			[]string{"a |  | cpu=1,pods=1", "b |  | cpu=2,pods=1", "peak cpu=2,pods=1"}},
		{"at once", of(task("a"), task("b")), peak.Scene{Pods: pods("a", "1", "b", "2")}, peak.Options{}, affinity.Disabled, []string{"a b |  | cpu=3,pods=2", "peak cpu=3,pods=2"}},
		{"the third of three waits", of(task("a"), task("b"), task("c")), peak.Scene{Pods: pods("a", "2", "b", "2", "c", "2")}, peak.Options{Quotas: four}, affinity.Disabled,
			[]string{"a b | c | cpu=4,pods=2", "c |  | cpu=2,pods=1", "peak cpu=4,pods=2"}},
		{"a smaller one overtakes", of(task("a"), task("b"), task("c")), peak.Scene{Pods: pods("a", "3", "b", "2", "c", "1")}, peak.Options{Quotas: four}, affinity.Disabled,
			[]string{"a c | b | cpu=4,pods=2", "b |  | cpu=2,pods=1", "peak cpu=4,pods=2"}},
		{"a matrix", of(fan, task("b", "m")), peak.Scene{Pods: pods("m", "2", "b", "1")}, peak.Options{Quotas: four}, affinity.Disabled,
			[]string{"m m | m | cpu=4,pods=2", "m |  | cpu=2,pods=1", "b |  | cpu=1,pods=1", "peak cpu=4,pods=2"}},
		{"too large for the quota", of(task("a"), task("b")), peak.Scene{Pods: pods("a", "5", "b", "1")}, peak.Options{Quotas: four}, affinity.Disabled,
			[]string{"b | a | cpu=1,pods=1", " | a | ", "peak cpu=1,pods=1", "stuck"}},
		{"refused for good, and finally", withFinal, peak.Scene{Pods: pods("a", "2", "b", "1", "f", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"f | !a | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"refused for good, and goes on", of(goesOn(task("a")), task("b", "a"), task("c")), peak.Scene{Pods: pods("a", "2", "b", "1", "c", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"c b | !a | cpu=2,pods=2", "peak cpu=2,pods=2"}},
		{"what others need has failed", of(goesOn(task("a")), uses(task("b"), "a"), task("c"), task("d", "b")), peak.Scene{Pods: pods("a", "2", "b", "1", "c", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"c | !a !b | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"nothing begins beside what lacks a result", of(goesOn(task("a")), uses(task("b"), "a"), task("c", "a")), peak.Scene{Pods: pods("a", "2", "b", "1", "c", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{" | !a !b | ", "peak ", "failed"}},
		{"finally after a task that lacks a result", finalOf(of(goesOn(task("a")), uses(task("b"), "a")), affinity.Task{Name: "f"}), peak.Scene{Pods: pods("a", "2", "f", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"f | !a !b | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"skipped without a result", of(goesOn(task("a")), goesOn(uses(task("b"), "a")), task("c"), task("d", "b"), task("e", "d")), peak.Scene{Pods: pods("a", "2", "c", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"c | !a | cpu=1,pods=1", "peak cpu=1,pods=1"}},
		{"finally without a result", finalOf(of(task("a"), task("b")), uses(affinity.Task{Name: "f"}, "a"), uses(affinity.Task{Name: "g"}, "b"), uses(affinity.Task{Name: "h"}, "x")), peak.Scene{Pods: pods("a", "2", "b", "1", "g", "1", "h", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"b | !a | cpu=1,pods=1", "g h |  | cpu=2,pods=2", "peak cpu=2,pods=2", "failed"}},
		{"finally without a result of what never begins", finalOf(of(task("a"), task("b", "a")), uses(affinity.Task{Name: "f"}, "b"), affinity.Task{Name: "g"}), peak.Scene{Pods: pods("a", "2", "g", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"g | !a | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"finally is refused, and goes on", finalOf(of(task("a")), goesOn(affinity.Task{Name: "f"})), peak.Scene{Pods: pods("a", "1", "f", "2")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{"a |  | cpu=1,pods=1", " | !f | ", "peak cpu=1,pods=1"}},
		{"a task that has failed and goes on", of(goesOn(task("a")), task("b", "a")), peak.Scene{Pods: pods("b", "1"), Failed: []string{"a"}}, peak.Options{}, affinity.Disabled, []string{"b |  | cpu=1,pods=1", "peak cpu=1,pods=1"}},
		{"a retry is refused as well", of(affinity.Task{Name: "a", Retries: 2}), peak.Scene{Pods: pods("a", "2")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled, []string{" | !a | ", "peak ", "failed"}},
		{"a quota costs no retry", of(affinity.Task{Name: "a", Retries: 1}, task("b"), task("c", "b"), task("d", "c")), peak.Scene{Pods: pods("a", "2", "b", "3", "c", "3", "d", "1")}, peak.Options{Quotas: quotaWith(list("requests.cpu", "3"), list("requests.cpu", "0"))}, affinity.Disabled,
			[]string{"a | b | cpu=2,pods=1", "b |  | cpu=3,pods=1", "c |  | cpu=3,pods=1", "d |  | cpu=1,pods=1", "peak cpu=3,pods=1"}},
		{"tasks without a pod take no time", of(task("b", "n"), task("a"), noPod(task("n", "m")), noPod(task("m"))), peak.Scene{Pods: pods("a", "1", "b", "1")}, peak.Options{}, affinity.Disabled,
			[]string{"b a |  | cpu=2,pods=2", "peak cpu=2,pods=2"}},
		{"a task without a pod that lacks a result", of(goesOn(task("a")), uses(none, "a"), task("b", "n")), peak.Scene{Pods: pods("a", "2", "b", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled,
			[]string{" | !a !n | ", "peak ", "failed"}},
		{"two claims, and what runs after them", after, peak.Scene{Pods: pods("a", "1", "b", "1", "f", "2")}, peak.Options{}, affinity.PerWorkspace,
			[]string{"f | !a | cpu=2100m,memory=200Mi,pods=3", "peak cpu=2100m,memory=200Mi,pods=3", "failed"}},
		{"finally after all", withFinal, peak.Scene{Pods: pods("a", "2", "b", "1", "f", "1")}, peak.Options{}, affinity.Disabled,
			[]string{"a |  | cpu=2,pods=1", "b |  | cpu=1,pods=1", "f |  | cpu=1,pods=1", "peak cpu=2,pods=1"}},
		{"a task without a pod", of(task("a"), none, task("b", "n")), peak.Scene{Pods: pods("a", "1", "b", "1")}, peak.Options{}, affinity.Disabled,
			[]string{"a b |  | cpu=2,pods=2", "peak cpu=2,pods=2"}},
		{"no task", of(), peak.Scene{}, peak.Options{}, affinity.Disabled, []string{"peak "}},
		{"under way", of(task("a"), task("b"), task("c", "b")), peak.Scene{Pods: pods("a", "2", "b", "2", "c", "2"), Succeeded: []string{"a"}, Live: map[string][]*corev1.Pod{"b": live("b")}},
			peak.Options{Quotas: quotaWith(list("requests.cpu", "4"), list("requests.cpu", "4"))}, affinity.Disabled,
			[]string{"b |  | cpu=2,pods=1", "c |  | cpu=2,pods=1", "peak cpu=2,pods=1"}},
		{"a live pod is not counted twice", of(task("a"), task("b")), peak.Scene{Pods: pods("a", "2", "b", "2"), Live: map[string][]*corev1.Pod{"a": live("a")}},
			peak.Options{Quotas: quotaWith(list("requests.cpu", "4"), list("requests.cpu", "2"))}, affinity.Disabled, []string{"a b |  | cpu=4,pods=2", "peak cpu=4,pods=2"}},
		{"others use the quota", of(task("a"), task("b")), peak.Scene{Pods: pods("a", "2", "b", "2"), Live: map[string][]*corev1.Pod{"a": live("a")}},
			peak.Options{Quotas: quotaWith(list("requests.cpu", "4"), list("requests.cpu", "3"))}, affinity.Disabled, []string{"a | b | cpu=2,pods=1", "b |  | cpu=2,pods=1", "peak cpu=2,pods=1"}},
		{"a run of a matrix has ended", of(fan, task("b", "m")), peak.Scene{Pods: pods("m", "1", "b", "1"), Succeeded: []string{"m"}}, peak.Options{}, affinity.Disabled,
			[]string{"m m |  | cpu=2,pods=2", "b |  | cpu=1,pods=1", "peak cpu=2,pods=2"}},
		{"a run of a matrix has ended, and another task", of(affinity.Task{Name: "m", FanOut: 2}, task("a"), task("b", "a")), peak.Scene{Pods: pods("m", "1", "a", "1", "b", "2"), Succeeded: []string{"m", "a"}}, peak.Options{}, affinity.Disabled,
			[]string{"m b |  | cpu=3,pods=2", "peak cpu=3,pods=2"}},
		{"finally lives", withFinal, peak.Scene{Pods: pods("f", "1"), Succeeded: []string{"a", "b"}, Live: map[string][]*corev1.Pod{"f": live("f")}}, peak.Options{Quotas: quotaWith(list("requests.cpu", "2"), list("requests.cpu", "2"))}, affinity.Disabled,
			[]string{"f |  | cpu=2,pods=1", "peak cpu=2,pods=1"}},
		{"a run of a matrix has ended, another one lives", of(fan, task("b", "m")), peak.Scene{Pods: pods("m", "1", "b", "1"), Succeeded: []string{"m"}, Live: map[string][]*corev1.Pod{"m": live("m")}},
			peak.Options{}, affinity.Disabled, []string{"m m |  | cpu=3,pods=2", "b |  | cpu=1,pods=1", "peak cpu=3,pods=2"}},
		{"all runs of a matrix have ended", of(fan, task("b", "m")), peak.Scene{Pods: pods("b", "1"), Succeeded: []string{"m", "m", "m"}}, peak.Options{}, affinity.Disabled,
			[]string{"b |  | cpu=1,pods=1", "peak cpu=1,pods=1"}},
		{"a run of a matrix has failed: the others end", of(fan, task("b", "m"), task("c")), peak.Scene{Pods: pods("m", "1", "b", "1", "c", "1"), Failed: []string{"m"}, Succeeded: []string{"m"}}, peak.Options{}, affinity.Disabled,
			[]string{"m c |  | cpu=2,pods=2", "peak cpu=2,pods=2", "failed"}},
		{"all runs of a matrix have ended, one has failed", of(fan, task("b", "m")), peak.Scene{Pods: pods("b", "1"), Failed: []string{"m"}, Succeeded: []string{"m", "m"}}, peak.Options{}, affinity.Disabled,
			[]string{"peak ", "failed"}},
		{"a task has failed", withFinal, peak.Scene{Pods: pods("b", "1", "f", "1"), Failed: []string{"a"}}, peak.Options{}, affinity.Disabled, []string{"f |  | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"a run of a matrix is refused, another one lives", finalOf(of(affinity.Task{Name: "m", FanOut: 2}), affinity.Task{Name: "f"}), peak.Scene{Pods: pods("m", "2", "f", "1"), Live: map[string][]*corev1.Pod{"m": live("m")}},
			peak.Options{LimitRanges: []*corev1.LimitRange{small}}, affinity.Disabled, []string{"m | !m | cpu=2,pods=1", "f |  | cpu=1,pods=1", "peak cpu=2,pods=1", "failed"}},
		{"a task of finally has failed", withFinal, peak.Scene{Pods: pods("f", "1"), Succeeded: []string{"a", "b"}, Failed: []string{"f"}}, peak.Options{}, affinity.Disabled, []string{"peak ", "failed"}},
		{"claims of a run with live pods exist", created, peak.Scene{Live: map[string][]*corev1.Pod{"a": live("a")}}, peak.Options{Quotas: quotaWith(list("requests.storage", "5Gi"), list("requests.storage", "5Gi"))}, affinity.Disabled,
			[]string{"a |  | cpu=2,pods=1", "peak cpu=2,pods=1"}},
		{"claims of a run that has failed exist", finalOf(&affinity.Run{Name: "run", UID: "u", Workspaces: created.Workspaces, Tasks: created.Tasks}, affinity.Task{Name: "f"}), peak.Scene{Pods: pods("f", "1"), Failed: []string{"a"}}, peak.Options{Quotas: quotaWith(list("requests.storage", "5Gi"), list("requests.storage", "5Gi"))}, affinity.Disabled,
			[]string{"f |  | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"}},
		{"a placeholder that a LimitRange refuses is tried again", bound, peak.Scene{Pods: pods("a", "1", "b", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{least}}, affinity.PerWorkspace,
			[]string{"b | SET a | cpu=2,pods=2", " | SET a | cpu=1,pods=1", "peak cpu=2,pods=2", "stuck"}},
		{"two claims", refused, peak.Scene{Pods: pods("a", "1", "b", "1", "f", "2")}, peak.Options{}, affinity.PerWorkspace,
			[]string{"b | !a | cpu=1100m,memory=200Mi,pods=3", "f |  | cpu=2100m,memory=200Mi,pods=3", "peak cpu=2100m,memory=200Mi,pods=3", "failed"}},
		{"a task that is refused, alone", alone, peak.Scene{Pods: pods("a", "1")}, peak.Options{}, affinity.PerWorkspace,
			[]string{" | !a | cpu=100m,memory=200Mi,pods=2", "peak cpu=100m,memory=200Mi,pods=2", "failed"}},
		{"a live placeholder", bound, peak.Scene{Pods: pods("b", "1"), Succeeded: []string{"a"}, Live: map[string][]*corev1.Pod{"SET": live("SET")}},
			peak.Options{Quotas: quotaWith(list("requests.cpu", "3"), list("requests.cpu", "2"))}, affinity.PerWorkspace, []string{"b |  | cpu=3,pods=2", "peak cpu=3,pods=2"}},
		{"a placeholder outlives a task", next, peak.Scene{Pods: pods("b", "2"), Live: map[string][]*corev1.Pod{"a": live("a"), "SET": live("SET")}},
			peak.Options{Quotas: quotaWith(list("requests.cpu", "3"), list("requests.cpu", "4"))}, affinity.PerWorkspace,
			[]string{"a |  | cpu=4,pods=2", " | b | cpu=2,pods=1", "peak cpu=4,pods=2", "stuck"}},
		{"a placeholder that a quota refuses", bound, peak.Scene{Pods: pods("a", "1", "b", "1")}, peak.Options{Quotas: quotaWith(list("requests.memory", "50Mi"), list("requests.memory", "0"))}, affinity.PerWorkspace,
			[]string{" | SET !a !b | ", "peak ", "failed"}},
		{"a placeholder without room", bound, peak.Scene{Pods: pods("a", "1", "b", "1")}, peak.Options{Quotas: quotaWith(list("requests.cpu", "2", "limits.memory", "50Mi"), list("requests.cpu", "0", "limits.memory", "0")), LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Default: list("memory", "10Mi"), DefaultRequest: list("memory", "1Mi")}}}}}},
			affinity.PerWorkspace, []string{"b | SET a | cpu=2,memory=2Mi,pods=2", " | SET a | cpu=1,memory=1Mi,pods=1", "peak cpu=2,memory=2Mi,pods=2", "stuck"}},
		{"a claim that exceeds a quota", created, peak.Scene{Pods: pods("a", "1")}, peak.Options{Quotas: quotaWith(list("requests.storage", "1Gi"), list("requests.storage", "0"))}, affinity.Disabled,
			[]string{" | CLAIM | ", "peak ", "stuck"}},
		{"a claim of a StatefulSet that exceeds a quota", created, peak.Scene{Pods: pods("a", "1")}, peak.Options{Quotas: quotaWith(list("requests.storage", "1Gi"), list("requests.storage", "0"))}, affinity.PerRun,
			[]string{" | SET a | cpu=1,pods=1", "peak cpu=1,pods=1", "stuck"}},
		{"a claim that is refused for good", created, peak.Scene{Pods: pods("a", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypePersistentVolumeClaim, Max: list("storage", "1Gi")}}}}}}, affinity.Disabled,
			[]string{" | !CLAIM | ", "peak ", "failed"}},
		{"a claim that is refused for good, and finally", finalOf(&affinity.Run{Name: "run", UID: "u", Workspaces: created.Workspaces, Tasks: created.Tasks}, affinity.Task{Name: "f"}), peak.Scene{Pods: pods("a", "1")}, peak.Options{LimitRanges: []*corev1.LimitRange{{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypePersistentVolumeClaim, Max: list("storage", "1Gi")}}}}}}, affinity.Disabled,
			[]string{" | !CLAIM | ", "peak ", "failed"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			plan, err := affinity.PlanFor(test.run, affinity.Options{Behavior: test.behavior, Placeholder: affinity.Placeholder{Image: "pause"}})
			testkit.OK(t, err)
			test.scene.Plan = plan
			if pods := test.scene.Live["SET"]; pods != nil {
				test.scene.Live[plan.StatefulSets[0].Name] = pods
				delete(test.scene.Live, "SET")
			}
			got, err := peak.Play(test.run, test.scene, test.opts)
			testkit.OK(t, err)
			out := strings.Join(lines(got), "\n")
			if len(plan.StatefulSets) > 0 {
				out = strings.ReplaceAll(out, plan.StatefulSets[0].Name, "SET")
			}
			if len(plan.Claims) > 0 {
				out = strings.ReplaceAll(out, plan.Claims[0].Name, "CLAIM")
			}
			testkit.NoDiff(t, strings.Split(out, "\n"), test.want)
		})
	}
}

// Tekton does not see that a task will never begin after one that lacks a result, and waits with Finally for good, or
// does see it, by the order of the tasks. Here, Finally always begins, as it is documented.
// See docs/decisions/affinity.md#finally-after-a-lack-of-results.
func TestDivergenceFinallyAfterALackOfResults(t *testing.T) {
	small := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "1")}}}}
	run := &affinity.Run{Name: "run", Finally: []affinity.Task{{Name: "f"}}, Tasks: []affinity.Task{
		{Name: "a", ContinueOnError: true}, {Name: "b", RunAfter: []string{"a"}, ResultsOf: []string{"a"}}, {Name: "c", RunAfter: []string{"b"}}}}
	got, err := peak.Play(run, peak.Scene{Pods: map[string]*corev1.PodSpec{"a": specOf("2"), "f": specOf("1")}}, peak.Options{LimitRanges: []*corev1.LimitRange{small}})
	testkit.OK(t, err)
	testkit.NoDiff(t, lines(got), []string{"f | !a !b | cpu=1,pods=1", "peak cpu=1,pods=1", "failed"})
}

// The message is that of Tekton's API server, and a run that cannot be, and LimitRanges that cannot, are errors.
func TestPlayMessages(t *testing.T) {
	run := &affinity.Run{Name: "run", Namespace: "ci", Tasks: []affinity.Task{{Name: "m", FanOut: 2}}}
	got, err := peak.Play(run, peak.Scene{Pods: map[string]*corev1.PodSpec{"m": specOf("3")}}, peak.Options{Quotas: quotaWith(testkit.List("requests.cpu", "4"), testkit.List("requests.cpu", "0"))})
	testkit.OK(t, err)
	testkit.Equal(t, got.Moments[0].Held[0].Message, `pods "run-m-1-pod" is forbidden: exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=3, limited: requests.cpu=4`)
	run.Tasks[0].FanOut = 3
	ended := peak.Scene{Pods: map[string]*corev1.PodSpec{"m": specOf("3")}, Succeeded: []string{"m"}}
	got, err = peak.Play(run, ended, peak.Options{Quotas: quotaWith(testkit.List("requests.cpu", "4"), testkit.List("requests.cpu", "0"))})
	testkit.OK(t, err)
	testkit.Equal(t, got.Moments[0].Held[0].Message, `pods "run-m-2-pod" is forbidden: exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=3, limited: requests.cpu=4`)
	got, err = peak.Play(run, peak.Scene{Pods: ended.Pods}, peak.Options{Quotas: quotaWith(testkit.List("requests.cpu", "4"), testkit.List("requests.cpu", "0"))})
	testkit.OK(t, err)
	for i := range 2 { // the third waits because the second does, and is not tried
		testkit.Equal(t, got.Moments[0].Held[i].Message, `pods "run-m-1-pod" is forbidden: exceeded quota: team, requested: requests.cpu=3, used: requests.cpu=3, limited: requests.cpu=4`)
	}
	run.Tasks[0].RunAfter = []string{"m"}
	if _, err := peak.Play(run, peak.Scene{}, peak.Options{}); err == nil {
		t.Error("a task runs after itself")
	}
	bad := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Min: testkit.List("cpu", "2"), Max: testkit.List("cpu", "1")}}}}
	if _, err := peak.Play(&affinity.Run{}, peak.Scene{}, peak.Options{LimitRanges: []*corev1.LimitRange{bad}}); err == nil {
		t.Error("a LimitRange contradicts itself")
	}
}

// A matrix does not decide how much memory Play takes: a run has at most 4,096 pods, those of its Finally included.
func TestPlayOfManyPods(t *testing.T) {
	tasks := func(more int) *affinity.Run {
		return &affinity.Run{Name: "run", Namespace: "ci",
			Tasks:   []affinity.Task{{Name: "a", FanOut: 4000}, {Name: "b"}, {Name: "c", FanOut: 1 << 30, NoPod: true}},
			Finally: []affinity.Task{{Name: "d", FanOut: 94 + more}, {Name: "e"}},
		}
	}
	got, err := peak.Play(tasks(0), peak.Scene{}, peak.Options{})
	testkit.OK(t, err)
	testkit.Equal(t, len(got.Moments[0].Running), 4001)
	for run, want := range map[*affinity.Run]string{
		tasks(1): "finally[1].fanOut: Invalid value: 0: the run has more than 4096 pods",
		tasks(2): "finally[0].fanOut: Invalid value: 96: the run has more than 4096 pods",
		{Tasks: []affinity.Task{{Name: "a", FanOut: 1 << 30}}}: "tasks[0].fanOut: Invalid value: 1073741824: the run has more than 4096 pods",
	} {
		got, err := peak.Play(run, peak.Scene{}, peak.Options{})
		if fmt.Sprint(err) != want || len(got.Moments) > 0 {
			t.Errorf("%d moments, error %v, want %s", len(got.Moments), err, want)
		}
	}
}

// Only what a quota has counted is free again.
func TestFreeOfWhatAQuotaCounts(t *testing.T) {
	pod := &corev1.Pod{Spec: *specOf("2")}
	at := peak.Scene{Live: map[string][]*corev1.Pod{"a": {pod, pod}, "b": {pod}}}
	quotas := quotaWith(testkit.List("requests.cpu", "9", "pods", "9"), testkit.List("requests.cpu", "7"))
	free := at.Free(append(quotas, nil))
	testkit.Equal(t, len(free), 1)
	testkit.Equal(t, resourcelist.String(free[0].Status.Used), "requests.cpu=1")
	testkit.Equal(t, resourcelist.String(quotas[0].Status.Used), "requests.cpu=7")
}

// The second of two claims waits if the first one uses up the quota.
func TestClaimsAddUp(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{}
	claim.Spec.Resources.Requests = testkit.List("storage", "5Gi")
	run := &affinity.Run{Name: "run", UID: "u", Workspaces: []affinity.Workspace{{Name: "a", ClaimTemplate: claim}, {Name: "b", ClaimTemplate: claim}}, Tasks: []affinity.Task{{Name: "t"}}}
	plan, err := affinity.PlanFor(run, affinity.Options{Behavior: affinity.Disabled, Placeholder: affinity.Placeholder{Image: "pause"}})
	testkit.OK(t, err)
	for hard, want := range map[string]string{"9Gi": plan.Claims[1].Name, "10Gi": ""} {
		got, err := peak.Play(run, peak.Scene{Plan: plan}, peak.Options{Quotas: quotaWith(testkit.List("requests.storage", hard), testkit.List("requests.storage", "0"))})
		testkit.OK(t, err)
		held := ""
		for _, h := range got.Moments[0].Held {
			held += h.Task
		}
		testkit.Equal(t, held, want, hard)
		testkit.Equal(t, got.Stuck, want != "", hard)
	}
}

// A moment has the requests and the limits of pods with their overhead, by the rules of the cluster.
func TestPlaySums(t *testing.T) {
	off := false
	spec := &corev1.PodSpec{
		Overhead:   testkit.List("cpu", "1", "memory", "1Gi"),
		Resources:  &corev1.ResourceRequirements{Requests: testkit.List("cpu", "8"), Limits: testkit.List("cpu", "9")},
		Containers: []corev1.Container{testkit.Container("a", testkit.List("cpu", "1"), testkit.List("cpu", "2")), testkit.Container("b", testkit.List("cpu", "2"), testkit.List("cpu", "4", "memory", "2Gi"))},
	}
	run := &affinity.Run{Name: "run", Tasks: []affinity.Task{{Name: "a", FanOut: 2}}}
	for _, test := range []struct {
		name             string
		cluster          computeresources.Kubernetes
		requests, limits string
	}{
		{"at pod level", computeresources.Kubernetes{}, "cpu=18,memory=6Gi,pods=2", "cpu=20,memory=6Gi"},
		{"of containers", computeresources.Kubernetes{PodLevelResources: &off}, "cpu=8,memory=6Gi,pods=2", "cpu=14,memory=6Gi"},
		{"a container without a limit of memory", computeresources.Kubernetes{Release: "1.38"}, "cpu=18,memory=6Gi,pods=2", "cpu=20"},
	} {
		opts := peak.Options{Admission: admit.Options{Kubernetes: test.cluster}}
		got, err := peak.Play(run, peak.Scene{Pods: map[string]*corev1.PodSpec{"a": spec}}, opts)
		testkit.OK(t, err)
		testkit.Equal(t, len(got.Moments), 1, test.name)
		testkit.Equal(t, resourcelist.String(got.Moments[0].Requests), test.requests, test.name)
		testkit.Equal(t, resourcelist.String(got.Moments[0].Limits), test.limits, test.name)
	}
}
