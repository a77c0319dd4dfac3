package peak_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
)

// What the tasks use of quotas, which have room for 3 CPUs or pods, decides how much a placeholder of 50m may request.
func TestApplySizesBesideTheTasks(t *testing.T) {
	task := func(name string) affinity.Task {
		return affinity.Task{Name: name, Requests: list("cpu", "1"), Limits: list("cpu", "1")}
	}
	longer := task("b")
	longer.Limits = list("cpu", "1500m")
	services := quotaOf(list("requests.cpu", "3"))
	services.Spec.Scopes = []corev1.ResourceQuotaScope{corev1.ResourceQuotaScopeNotTerminating}
	classed := quotaOf(list("requests.cpu", "3"))
	classed.Spec.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{
		{ScopeName: corev1.ResourceQuotaScopePriorityClass, Operator: corev1.ScopeSelectorOpIn, Values: []string{"high"}},
	}}
	unknown := quotaOf(list("requests.cpu", "3", "pods", "9"))
	delete(unknown.Status.Used, "requests.cpu")
	limited := admit.Options{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"requests.cpu"}}}}
	for _, test := range []struct {
		name string
		run  affinity.Run
		opts peak.Options
		want string // the request of the placeholder
	}{
		{"only some tasks are asked for", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Only: []string{"a"}, Quotas: []*corev1.ResourceQuota{quotaOf(list("requests.cpu", "3"))}}, "1"},
		{"limits of Finally", affinity.Run{Finally: []affinity.Task{task("a"), longer}}, peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("limits.cpu", "3"))}}, "500m"},
		{"tasks have a deadline", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{services}}, "2"},
		{"a quota of their priority class", affinity.Run{PodTemplate: affinity.PodTemplate{PriorityClassName: "high"}, Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{classed}}, "1"},
		{"a quota of another priority class", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{classed}}, "2"},
		{"two pods of three", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("pods", "3"))}}, "2"},
		{"two pods, which do not fit at once", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("pods", "2", "requests.cpu", "3"))}}, "2"},
		{"the same, by count/pods", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("count/pods", "2", "requests.cpu", "3"))}}, "2"},
		{"three pods of three, at once", affinity.Run{Tasks: []affinity.Task{task("a"), task("b"), task("c")}}, peak.Options{Quotas: []*corev1.ResourceQuota{quotaOf(list("pods", "3"))}}, "3"},
		{"a quota of which it is not known how much is used", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Quotas: []*corev1.ResourceQuota{unknown}}, "50m"},
		{"limited without a quota", affinity.Run{Tasks: []affinity.Task{task("a"), task("b")}}, peak.Options{Admission: limited}, "50m"},
	} {
		t.Run(test.name, func(t *testing.T) {
			run := test.run
			run.Name, run.UID = "run", "uid"
			p := plan(t, &run, affinity.PerRun)
			_, err := peak.ApplySizes(p, &run, test.opts)
			testkit.OK(t, err)
			got := p.StatefulSets[0].Spec.Template.Spec.Containers[0].Resources.Requests["cpu"]
			testkit.Equal(t, got.String(), test.want)
		})
	}
}
