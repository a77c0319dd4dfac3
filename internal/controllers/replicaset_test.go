package controllers_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

// now is the time of the tests about ages.
var now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// pod is a pod on node a that runs and is ready.
func pod(name string, changes ...func(p *controllers.Pod)) controllers.Pod {
	p := controllers.Pod{Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name}}, Node: "a", IsReady: true}
	for _, change := range changes {
		change(&p)
	}
	return p
}

func waits(p *controllers.Pod) { p.Node, p.IsReady = "", false }

func phase(phase corev1.PodPhase) func(p *controllers.Pod) {
	return func(p *controllers.Pod) { p.Object.Status.Phase = phase }
}

// ready sets the condition, some time ago.
func ready(status corev1.ConditionStatus, ago time.Duration) func(p *controllers.Pod) {
	return func(p *controllers.Pod) {
		p.Object.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodScheduled}, {Type: corev1.PodReady, Status: status, LastTransitionTime: metav1.NewTime(now.Add(-ago))}}
	}
}

func created(ago time.Duration) func(p *controllers.Pod) {
	return func(p *controllers.Pod) { p.Object.CreationTimestamp = metav1.NewTime(now.Add(-ago)) }
}

func uid(uid types.UID) func(p *controllers.Pod) {
	return func(p *controllers.Pod) { p.Object.UID = uid }
}

func cost(cost string) func(p *controllers.Pod) {
	return func(p *controllers.Pod) { p.Object.Annotations = map[string]string{corev1.PodDeletionCost: cost} }
}

func onNode(node string) func(p *controllers.Pod) {
	return func(p *controllers.Pod) { p.Node = node }
}

func deleted(p *controllers.Pod) { p.Object.DeletionTimestamp = &metav1.Time{Time: now} }

// restarted is an app container, an init container and a sidecar, with their restarts.
func restarted(app, init, sidecar int32) func(p *controllers.Pod) {
	return func(p *controllers.Pod) {
		always := corev1.ContainerRestartPolicyAlways
		p.Object.Spec.InitContainers = []corev1.Container{{Name: "init"}, {Name: "side", RestartPolicy: &always}}
		p.Object.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", RestartCount: app}, {Name: "other"}}
		p.Object.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "init", RestartCount: init}, {Name: "side", RestartCount: sidecar}}
	}
}

// Of two pods, the first goes in both orders of the list.
//
// Source: ActivePodsWithRanks of k8s.io/kubernetes v1.37 pkg/controller.
func TestOrderOfDeletion(t *testing.T) {
	ages := func(first, second time.Duration) (controllers.Pod, controllers.Pod) {
		return pod("x", created(first), uid("2")), pod("y", created(second), uid("1"))
	}
	nearFirst, nearSecond := ages(90*time.Second, 80*time.Second)
	farFirst, farSecond := ages(10*time.Second, 80*time.Second)
	for _, test := range []struct {
		name          string
		first, second controllers.Pod
		related       []controllers.Pod
		now           time.Time
	}{
		{"without a node", pod("x", waits), pod("y", cost("-9")), nil, now},
		{"without a node, of two that are not ready", pod("x", waits, phase(corev1.PodPending)), pod("y", phase(corev1.PodPending), ready(corev1.ConditionFalse, 0), cost("-9")), nil, now},
		{"without a node, but ready if nodes are not known", pod("x", ready(corev1.ConditionFalse, 0)), pod("y", onNode("")), nil, now},
		{"of an earlier phase", pod("x", phase(corev1.PodPending)), pod("y", phase(corev1.PodUnknown), cost("-9")), nil, now},
		{"of an unknown phase", pod("x", phase(corev1.PodUnknown)), pod("y", phase(corev1.PodRunning), cost("-9")), nil, now},
		{"of an unknown phase beside one without a status", pod("x", phase(corev1.PodUnknown)), pod("y", cost("-9")), nil, now},
		{"of a lower cost, running as one without a status does", pod("x", phase(corev1.PodRunning), cost("-9")), pod("y"), nil, now},
		{"of an unknown phase, beside one that is not ready", pod("x", phase(corev1.PodUnknown)), pod("y", phase(corev1.PodRunning), ready(corev1.ConditionFalse, 0)), nil, now},
		{"not ready", pod("x", ready(corev1.ConditionFalse, time.Hour)), pod("y", cost("-9")), nil, now},
		{"not ready although it has a node", pod("x", func(p *controllers.Pod) { p.IsReady = false }), pod("y", cost("-9")), nil, now},
		{"of a lower cost", pod("x", cost("9")), pod("y", cost("10"), onNode("b")), []controllers.Pod{pod("z", onNode("b"))}, now},
		{"of a negative cost", pod("x", cost("-1")), pod("y"), nil, now},
		{"beside one with a cost", pod("x"), pod("y", cost("1")), nil, now},
		{"of no valid cost: a sign", pod("x", cost("+5")), pod("y", cost("1")), nil, now},
		{"of no valid cost: a leading zero", pod("x", cost("05")), pod("y", cost("1")), nil, now},
		{"of no valid cost: too large", pod("x", cost("2147483648")), pod("y", cost("1")), nil, now},
		{"of the cost 0", pod("y", cost("0")), pod("x", cost("")), nil, now},
		{"with others on its node", pod("x", onNode("b")), pod("y", ready(corev1.ConditionTrue, time.Second)), []controllers.Pod{pod("z", onNode("b"))}, now},
		{"with others that do not end on its node", pod("x", onNode("b")), pod("y"), []controllers.Pod{pod("z", onNode("b")), pod("u", deleted), pod("v", phase(corev1.PodFailed))}, now},
		{"ready for a shorter time", pod("x", ready(corev1.ConditionTrue, time.Minute)), pod("y", ready(corev1.ConditionTrue, time.Hour), restarted(9, 0, 0)), nil, now},
		{"ready for a time that is not known", pod("x"), pod("y", ready(corev1.ConditionTrue, time.Second), restarted(9, 0, 0)), nil, now},
		{"ready as long, of a smaller UID", pod("x", ready(corev1.ConditionTrue, 90*time.Second), uid("1")), pod("y", ready(corev1.ConditionTrue, 80*time.Second), uid("2")), nil, now},
		{"ready for a shorter time, if now is not known", pod("x", ready(corev1.ConditionTrue, 80*time.Second), uid("2")), pod("y", ready(corev1.ConditionTrue, 90*time.Second), uid("1")), nil, time.Time{}},
		{"ready since the same time, restarted more often", pod("x", ready(corev1.ConditionTrue, time.Hour), uid("2"), restarted(2, 0, 0)), pod("y", ready(corev1.ConditionTrue, time.Hour), uid("1")), nil, now},
		{"restarted more often", pod("x", restarted(2, 0, 0), created(time.Hour)), pod("y", restarted(1, 9, 9), created(time.Minute)), nil, now},
		{"with a sidecar that restarted more often", pod("x", restarted(1, 0, 2), created(time.Hour)), pod("y", restarted(1, 9, 1), created(time.Minute)), nil, now},
		{"with a container that restarted more often than any", pod("x", restarted(3, 0, 0), created(time.Hour)), pod("y", restarted(2, 0, 0), func(p *controllers.Pod) { p.Object.Status.ContainerStatuses[1].RestartCount = 2 }, created(time.Minute)), nil, now},
		{"newer by magnitude", farFirst, farSecond, nil, now},
		{"as old by magnitude, of a smaller UID", nearSecond, nearFirst, nil, now},
		{"as old by magnitude, which is rounded down", pod("x", created(120*time.Second), uid("1")), pod("y", created(90*time.Second), uid("2")), nil, now},
		{"as old by magnitude of nanoseconds", pod("x", created(130*time.Second), uid("1")), pod("y", created(100*time.Second), uid("2")), nil, now},
		{"newer, if now is not known", nearSecond, nearFirst, nil, time.Time{}},
		{"of the future", pod("x", created(-time.Second), uid("2")), pod("y", created(time.Second), uid("1")), nil, now},
		{"without a time of creation", pod("x"), pod("y", created(time.Second)), nil, now},
		{"the last by name", pod("y"), pod("x"), nil, now},
	} {
		for _, pods := range [][]controllers.Pod{{test.first, test.second}, {test.second, test.first}} {
			created, deleted := controllers.ReplicaSet(1, pods, test.related, test.now)
			testkit.Equal(t, fmt.Sprintf("%d %s", created, namesOf(deleted)), "0 "+test.first.Object.Name, test.name)
		}
	}
}

func namesOf(pods []controllers.Pod) string {
	var names []string
	for _, p := range pods {
		names = append(names, p.Object.Name)
	}
	return strings.Join(names, " ")
}

// Pods that have ended or are being deleted do not count. In one sync, 500 pods are created or deleted at most.
func TestReplicaSet(t *testing.T) {
	list := []controllers.Pod{pod("a"), pod("b", deleted), pod("c", phase(corev1.PodFailed)), pod("d", phase(corev1.PodSucceeded)), pod("e")}
	for want, replicas := range map[string]int{"0 e a": 0, "0 e": 1, "0 ": 2, "1 ": 3, "500 ": 502, "500  ": 503} {
		created, deleted := controllers.ReplicaSet(replicas, list, nil, now)
		testkit.Equal(t, strings.TrimSpace(fmt.Sprintf("%d %s", created, namesOf(deleted))), strings.TrimSpace(want), replicas)
	}
	testkit.Equal(t, namesOf(list), "a b c d e")
	var many []controllers.Pod
	for i := range 502 {
		many = append(many, pod(fmt.Sprint(i)))
	}
	for replicas := range 2 {
		_, deleted := controllers.ReplicaSet(1+replicas, many, nil, now)
		testkit.Equal(t, len(deleted), 500)
	}
}

func TestClaims(t *testing.T) {
	selector := labels.SelectorFromSet(labels.Set{"app": "web"})
	selected := func(p *controllers.Pod) { p.Object.Labels = map[string]string{"app": "web"} }
	ofAnother := func(p *controllers.Pod) {
		yes := true
		p.Object.OwnerReferences = []metav1.OwnerReference{{Name: "other", Controller: &yes}}
	}
	for _, test := range []struct {
		name        string
		pod         controllers.Pod
		isOwn, want bool
	}{
		{"its own", pod("p", selected, ofAnother), true, true},
		{"its own, ended", pod("p", selected, ofAnother, phase(corev1.PodFailed)), true, true},
		{"its own, which it does not select", pod("p", ofAnother), true, false},
		{"of nobody", pod("p", selected), false, true},
		{"of nobody, which it does not select", pod("p"), false, false},
		{"of another one", pod("p", selected, ofAnother), false, false},
		{"of nobody, being deleted", pod("p", selected, deleted), false, false},
		{"of nobody, ended", pod("p", selected, phase(corev1.PodFailed)), false, false},
	} {
		testkit.Equal(t, controllers.Claims(selector, test.pod.Object, test.isOwn), test.want, test.name)
	}
}
