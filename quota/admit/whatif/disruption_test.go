package whatif_test

import (
	"fmt"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const (
	violates = "Cannot evict pod as it would violate the pod's disruption budget."
	severals = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
)

// budgetOf returns a budget of the pods with the label app: web.
func budgetOf(name string, change func(b *policyv1.PodDisruptionBudget)) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: meta(name)}
	b.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	change(b)
	return b
}

func allowing(allowed, healthy, desired int32) func(b *policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) {
		b.Status = policyv1.PodDisruptionBudgetStatus{
			DisruptionsAllowed: allowed, CurrentHealthy: healthy, DesiredHealthy: desired, ExpectedPods: healthy}
	}
}

func minAvailable(n string) func(b *policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) { b.Spec.MinAvailable = pointer(intstr.Parse(n)) }
}

func maxUnavailable(n string) func(b *policyv1.PodDisruptionBudget) {
	return func(b *policyv1.PodDisruptionBudget) { b.Spec.MaxUnavailable = pointer(intstr.Parse(n)) }
}

func running(p *corev1.Pod) *corev1.Pod {
	p.Labels, p.Status.Phase = map[string]string{"app": "web"}, corev1.PodRunning
	return p
}

func readiness(status corev1.ConditionStatus, p *corev1.Pod) *corev1.Pod {
	p.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}, {Type: corev1.PodReady, Status: status}}
	return p
}

// A drain evicts what budgets allow, and goes on once the pods that come instead are ready. What it leaves has the answer
// of the eviction API.
//
// Source: eviction.go of k8s.io/kubernetes/pkg/registry/core/pod/storage, and k8s.io/kubernetes/pkg/controller/disruption.
func TestDrainWithBudgets(t *testing.T) {
	bare := func(names ...string) (pods []admit.APIObject) {
		for _, name := range names {
			pods = append(pods, running(on("a", podOf(name, "1"))))
		}
		return pods
	}
	replicas := func(n int32) []admit.APIObject {
		set := deployment("web", n, "1")
		set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
		set.Spec.Template.Labels = set.Spec.Selector.MatchLabels
		return []admit.APIObject{set}
	}
	set := statefulSet("db", 2, "1")
	set.Spec.Template.Labels = map[string]string{"app": "web"}
	work := job("once", 2, "1")
	work.Spec.Template.Labels = map[string]string{"app": "web"}
	deleted := running(on("a", podOf("leaving", "1")))
	deleted.DeletionTimestamp = &metav1.Time{}
	pending := running(on("a", podOf("starting", "1")))
	pending.Status.Phase = corev1.PodPending
	always := pointer(policyv1.AlwaysAllow)
	failed := func(b *policyv1.PodDisruptionBudget) {
		b.Status.Conditions = []metav1.Condition{{Type: policyv1.DisruptionAllowedCondition, Status: metav1.ConditionFalse,
			Reason: policyv1.SyncFailedReason, Message: "no scale"}}
	}
	needs := func(desired, healthy int) string {
		return fmt.Sprintf("The disruption budget keep needs %d healthy pods and has %d currently", desired, healthy)
	}
	for name, test := range map[string]struct {
		room   string // of node b
		pods   []admit.APIObject
		budget []admit.APIObject
		stay   string // names
		causes string // of all
	}{
		"nothing selected":    {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 1)), func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector.MatchLabels["app"] = "db" })}, "", ""},
		"another namespace":   {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 1)), func(b *policyv1.PodDisruptionBudget) { b.Namespace = "bank" })}, "", ""},
		"no selector":         {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 1)), func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector = nil })}, "", ""},
		"an invalid selector": {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 1)), func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector.MatchLabels["app"] = "?" })}, "", ""},
		"of all pods":         {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 1)), func(b *policyv1.PodDisruptionBudget) { b.Spec.Selector.MatchLabels = nil })}, "p", needs(1, 1)},
		"as many as allowed":  {"9", bare("p", "q", "r"), []admit.APIObject{budgetOf("keep", allowing(2, 3, 1))}, "r", needs(1, 1)},
		"one after the other": {"9", replicas(3), []admit.APIObject{budgetOf("keep", allowing(1, 3, 2))}, "", ""},
		"until none has room": {"1", replicas(3), []admit.APIObject{budgetOf("keep", allowing(1, 3, 2))}, "web-1-3", needs(2, 2)},
		"one less than desired, and one comes": {"9", append(replicas(2), on("a", podOf("other", "1"))), []admit.APIObject{budgetOf("keep", allowing(0, 1, 2)), resourceQuota("q", "pods", "2")},
			"web-1-1", needs(2, 2)},
		"too few from the start": {"9", replicas(3), []admit.APIObject{budgetOf("keep", allowing(0, 3, 4))}, "web-1-1 web-1-2 web-1-3", needs(4, 3)},
		"not ready":              {"9", []admit.APIObject{readiness(corev1.ConditionFalse, running(on("a", podOf("p", "1"))))}, []admit.APIObject{budgetOf("keep", allowing(0, 1, 1))}, "", ""},
		"ready":                  {"9", []admit.APIObject{readiness(corev1.ConditionTrue, running(on("a", podOf("p", "1"))))}, []admit.APIObject{budgetOf("keep", allowing(0, 1, 1))}, "p", needs(1, 1)},
		"not ready for lack of a gate": {"9", []admit.APIObject{with(readiness(corev1.ConditionFalse, running(on("a", podOf("p", "1")))), func(p *corev1.Pod) {
			p.Status.Conditions = append([]corev1.PodCondition{{Type: corev1.ContainersReady, Status: corev1.ConditionTrue}}, p.Status.Conditions...)
		})}, []admit.APIObject{budgetOf("keep", allowing(0, 1, 1))}, "", ""},
		"not ready, too few": {"9", []admit.APIObject{readiness(corev1.ConditionFalse, running(on("a", podOf("p", "1"))))}, []admit.APIObject{budgetOf("keep", allowing(0, 1, 2))}, "p", needs(2, 1)},
		"not ready, none is desired": {"9", []admit.APIObject{readiness(corev1.ConditionFalse, running(on("a", podOf("p", "1"))))}, []admit.APIObject{budgetOf("keep", failed)}, "p",
			"The disruption budget keep does not allow evicting pods currently because it failed sync: no scale"},
		"not ready, always": {"9", []admit.APIObject{readiness(corev1.ConditionFalse, running(on("a", podOf("p", "1"))))},
			[]admit.APIObject{with(budgetOf("keep", allowing(0, 1, 2)), func(b *policyv1.PodDisruptionBudget) { b.Spec.UnhealthyPodEvictionPolicy = always })}, "", ""},
		"ready, always":       {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(0, 1, 2)), func(b *policyv1.PodDisruptionBudget) { b.Spec.UnhealthyPodEvictionPolicy = always })}, "p", needs(2, 1)},
		"starting or leaving": {"9", []admit.APIObject{pending, deleted}, []admit.APIObject{budgetOf("keep", allowing(0, 1, 2))}, "", ""},
		"several budgets":     {"9", bare("p"), []admit.APIObject{budgetOf("keep", allowing(1, 1, 0)), budgetOf("more", allowing(1, 1, 0))}, "p", severals},
		"failed":              {"9", replicas(2), []admit.APIObject{budgetOf("keep", failed)}, "web-1-1 web-1-2", "The disruption budget keep does not allow evicting pods currently because it failed sync: no scale"},
		"failed, and another pod leaves": {"9", append(bare("p"), pending), []admit.APIObject{budgetOf("keep", func(b *policyv1.PodDisruptionBudget) { allowing(0, 3, 1)(b); failed(b) })}, "p",
			"The disruption budget keep does not allow evicting pods currently because it failed sync: no scale"},
		"more than desired, and none allowed": {"9", bare("p", "q"), []admit.APIObject{budgetOf("keep", allowing(0, 2, 1))}, "p q",
			"The disruption budget keep does not allow evicting pods currently"},

		// Budgets whose controller has not looked at them.
		"min available":              {"9", bare("p", "q"), []admit.APIObject{budgetOf("keep", minAvailable("1"))}, "q", needs(1, 1)},
		"min available, leaving":     {"9", append(bare("p"), deleted), []admit.APIObject{budgetOf("keep", minAvailable("1"))}, "p", needs(1, 1)},
		"min available in percent":   {"0", replicas(3), []admit.APIObject{budgetOf("keep", minAvailable("50%"))}, "web-1-2 web-1-3", needs(2, 2)},                            // 1.5 of 3, rounded up
		"a portion of those wanted":  {"0", append(bare("p", "q"), replicas(3)...), []admit.APIObject{budgetOf("keep", minAvailable("50%"))}, "web-1-2 web-1-3", needs(2, 2)}, // 1.5 of 3, not 2.5 of 5
		"max unavailable":            {"9", replicas(3), []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "", ""},
		"max unavailable, no room":   {"0", replicas(3), []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "web-1-2 web-1-3", needs(2, 2)},
		"max unavailable in percent": {"0", replicas(3), []admit.APIObject{budgetOf("keep", maxUnavailable("34%"))}, "web-1-3", needs(1, 1)}, // 1.02 of 3, rounded up
		"no pod may be unavailable":  {"9", replicas(2), []admit.APIObject{budgetOf("keep", maxUnavailable("0"))}, "web-1-1 web-1-2", needs(2, 2)},
		"more than there are":        {"0", replicas(2), []admit.APIObject{budgetOf("keep", maxUnavailable("5"))}, "", ""},
		"two workloads":              {"0", append(replicas(2), set), []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "db-1 web-1-1 web-1-2", needs(3, 3)},
		"no controller":              {"9", bare("p"), []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "p", "The disruption budget keep does not allow evicting pods currently"},
		"a controller without replicas": {"9", []admit.APIObject{work}, []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "once-1 once-2",
			`The disruption budget keep does not allow evicting pods currently because it failed sync: found no controllers for pod "once-2"`},
		"min available, a controller without replicas": {"0", []admit.APIObject{work}, []admit.APIObject{budgetOf("keep", minAvailable("1"))}, "once-2", needs(1, 1)},
		"an unknown controller": {"9", []admit.APIObject{owned(running(on("a", podOf("p", "1"))), "Cluster", "pg")}, []admit.APIObject{budgetOf("keep", maxUnavailable("1"))}, "p",
			`The disruption budget keep does not allow evicting pods currently because it failed sync: found no controllers for pod "p"`},
		"neither":          {"9", bare("p"), []admit.APIObject{budgetOf("keep", func(*policyv1.PodDisruptionBudget) {})}, "p", "The disruption budget keep does not allow evicting pods currently"},
		"not a percentage": {"0", replicas(1), []admit.APIObject{budgetOf("keep", maxUnavailable("x"))}, "web-1-1", needs(1, 1)},
		"looked at before": {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(1, 1, 0)), func(b *policyv1.PodDisruptionBudget) { b.Generation = 1; minAvailable("1")(b) })}, "p", needs(1, 1)},
		"looked at": {"9", bare("p"), []admit.APIObject{with(budgetOf("keep", allowing(1, 1, 0)), func(b *policyv1.PodDisruptionBudget) {
			b.Generation, b.Status.ObservedGeneration = 1, 1
			minAvailable("1")(b)
		})}, "", ""},
	} {
		there, applied := append(test.budget, node("a", "9")), []admit.APIObject{}
		for _, obj := range test.pods {
			if p, ok := obj.(*corev1.Pod); ok {
				there = append(there, p)
			} else {
				applied = append(applied, obj)
			}
		}
		c := did(read(t, whatif.Options{}, there...).Apply(applied...)).After
		r := did(c.Apply(node("b", test.room)))
		r = did(r.After.Drain("a"))
		var stay []string
		for _, p := range r.Pods {
			if p.Waits.Cause == "" || p.Node == "" {
				continue
			}
			stay = append(stay, p.Object.Name)
			testkit.Equal(t, p.Before+" "+p.Node, "a a", name)
			message, cause := violates, p.Waits.Message
			if test.causes == severals {
				message = severals
				testkit.Equal(t, p.Waits.Cause, "InternalError", name)
			} else {
				cause = p.Waits.Status.Details.Causes[0].Message
				testkit.Equal(t, p.Waits.Cause, "TooManyRequests", name)
				testkit.Equal(t, p.Waits.Status.Details.Causes[0].Type, policyv1.DisruptionBudgetCause, name)
			}
			testkit.Equal(t, p.Waits.Message, message, name)
			testkit.Equal(t, cause, test.causes, name)
		}
		testkit.Equal(t, strings.Join(stay, " "), test.stay, name)
		testkit.Equal(t, len(r.After.Pods("a")), len(stay), name)
	}
}

// A budget expects the 4 pods that a Deployment wants, of which one may be missing, and not the 5 of its two ReplicaSets
// during an update. The update is paused, so that both stay.
//
// Source: getPodDeployment and getPodReplicaSet of k8s.io/kubernetes/pkg/controller/disruption.
func TestDrainDuringAnUpdate(t *testing.T) {
	web := webOf(4, "2")
	web.Spec.Paused = true
	objects := []admit.APIObject{node("a", "9"), web, budgetOf("keep", maxUnavailable("1"))}
	for name, pods := range map[string]int32{"web-a": 3, "web-b": 2} {
		cpu := map[string]string{"web-a": "1", "web-b": "2"}[name]
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Replicas: &pods, Template: webOf(4, cpu).Spec.Template}}, "Deployment", "web")
		rs.Annotations = map[string]string{"deployment.kubernetes.io/desired-replicas": "4", "deployment.kubernetes.io/max-replicas": "5"}
		objects = append(objects, rs)
		for i := range pods {
			objects = append(objects, owned(running(on("a", podOf(fmt.Sprintf("%s-x%d", name, i), cpu))), "ReplicaSet", name))
		}
	}
	r := did(read(t, whatif.Options{}, objects...).Drain("a"))
	var stay []string
	for _, p := range r.Pods {
		if p.Node == "a" {
			stay = append(stay, p.Object.Name+" "+p.Waits.Status.Details.Causes[0].Message)
		}
	}
	const needs = "The disruption budget keep needs 3 healthy pods and has 3 currently"
	testkit.NoDiff(t, stay, []string{"web-a-x2 " + needs, "web-b-x0 " + needs, "web-b-x1 " + needs})
}

// The next drain starts from the budgets as they are read; those of a pod that comes back with its name are new.
func TestDrainsOneAfterTheOther(t *testing.T) {
	set := statefulSet("web", 2, "1")
	set.Spec.Template.Labels = map[string]string{"app": "web"}
	c := did(read(t, whatif.Options{}, node("a", "9"), budgetOf("keep", allowing(1, 2, 1))).Apply(set, node("b", "9"))).After
	first := did(c.Drain("a"))
	wantStory(t, first, `
		Node a Updated
		  web-0 a>b
		  web-1 a>b
		`)
	wantStory(t, did(first.After.Drain("b")), `
		Node b Updated
		  web-0: 0/2 nodes are available: 2 node(s) were unschedulable.
		  web-1: Cannot evict pod as it would violate the pod's disruption budget.
		`)
}
