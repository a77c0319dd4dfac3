package controllers_test

import (
	"fmt"
	"maps"
	"math"
	"strings"
	"testing"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/testkit"
)

const revision = "deployment.kubernetes.io/revision"

// set is a ReplicaSet whose pods are all available, and that was scaled for some replicas and pods at most.
func set(name string, size, desired, most int, changes ...func(s *controllers.Set)) controllers.Set {
	replicas := int32(size)
	s := controllers.Set{ReplicaSet: &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Name: name}}, Pods: size, Available: size}
	s.Spec.Replicas = &replicas
	s.Annotations = map[string]string{controllers.DesiredReplicas: fmt.Sprint(desired), controllers.MaxReplicas: fmt.Sprint(most), revision: "1"}
	for _, change := range changes {
		change(&s)
	}
	return s
}

// current has the present template, of revision 2.
func current(s *controllers.Set) {
	s.IsCurrent, s.Annotations[revision] = true, "2"
}

func available(n int) func(s *controllers.Set) { return func(s *controllers.Set) { s.Available = n } }

func pods(n int) func(s *controllers.Set) {
	return func(s *controllers.Set) { s.Pods, s.Available = n, n }
}

func annotated(name, value string) func(s *controllers.Set) {
	return func(s *controllers.Set) { s.Annotations[name] = value }
}

// tell writes what is created, updated and deleted.
func tell(r controllers.Rollout) string {
	var done []string
	one := func(verb string, rs *appsv1.ReplicaSet) {
		done = append(done, fmt.Sprintf("%s %d of %s/%s rev %s", verb+rs.Name, *rs.Spec.Replicas, rs.Annotations[controllers.DesiredReplicas], rs.Annotations[controllers.MaxReplicas], rs.Annotations[revision]))
	}
	if r.Create != nil {
		one("new", r.Create)
	}
	for _, rs := range r.Update {
		one("", rs)
	}
	for _, rs := range r.Delete {
		done = append(done, "delete "+rs.Name)
	}
	return strings.Join(done, "; ")
}

// Each sync was worked by hand from k8s.io/kubernetes v1.37 pkg/controller/deployment; package
// internal/conformance/controllers runs that code.
func TestDeployment(t *testing.T) {
	recreate := func(d *appsv1.Deployment) { d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType }
	paused := func(d *appsv1.Deployment) { d.Spec.Paused = true }
	history := func(n int32) func(d *appsv1.Deployment) {
		return func(d *appsv1.Deployment) { d.Spec.RevisionHistoryLimit = &n }
	}
	list := func(sets ...controllers.Set) []controllers.Set { return sets }
	var many []controllers.Set
	for i := range 12 {
		many = append(many, set(fmt.Sprint("old-", i), 0, 2, 3, annotated(revision, fmt.Sprint(20-i))))
	}
	for _, test := range []struct {
		name                         string
		replicas, surge, unavailable int
		change                       func(d *appsv1.Deployment)
		sets                         []controllers.Set
		want                         string
	}{
		{"is new", 3, 1, 0, nil, nil, "new 3 of 3/4 rev 1"},
		{"is new and recreated", 3, 0, 3, recreate, nil, "new 3 of 3/3 rev 1"},
		{"is new and paused", 3, 1, 0, paused, nil, ""},
		{"is complete", 3, 1, 0, nil, list(set("a", 3, 3, 4, current)), ""},
		{"has the last revision", 3, 1, 0, nil, list(set("a", 3, 3, 4, current), set("b", 0, 3, 4, annotated(revision, "7"))), "a 3 of 3/4 rev 8"},
		{"has an invalid revision", 3, 1, 0, nil, list(set("a", 3, 3, 4, current, annotated(revision, "x")), set("b", 0, 3, 4)), ""},
		{"is updated with surge", 3, 1, 0, nil, list(set("a", 3, 3, 4)), "new 1 of 3/4 rev 2"},
		{"is updated after ten revisions", 3, 1, 0, nil, list(set("a", 3, 3, 4, annotated(revision, "10"))), "new 1 of 3/4 rev 11"},
		{"is updated without surge", 3, 0, 1, nil, list(set("a", 3, 3, 3)), "new 0 of 3/3 rev 2; a 2 of 3/3 rev 1"},
		{"is updated with both", 4, 1, 1, nil, list(set("a", 4, 4, 5)), "new 1 of 4/5 rev 2; a 3 of 4/5 rev 1"},
		{"grows", 3, 1, 0, nil, list(set("a", 2, 3, 4), set("b", 1, 3, 4, current)), "b 2 of 3/4 rev 2"},
		{"grows no further than its replicas", 3, 3, 0, nil, list(set("a", 1, 3, 6), set("b", 2, 3, 6, current)), "b 3 of 3/6 rev 2"},
		{"shrinks, since it has too many", 3, 1, 0, nil, list(set("b", 5, 3, 4, current)), "b 3 of 3/4 rev 2"},
		{"waits for the new pod", 3, 1, 0, nil, list(set("a", 3, 3, 4), set("b", 1, 3, 4, current, available(0))), ""},
		{"takes an old pod for the new one", 3, 1, 0, nil, list(set("a", 3, 3, 4), set("b", 1, 3, 4, current)), "a 2 of 3/4 rev 1"},
		{"takes those that are not available first", 4, 0, 2, nil, list(set("a", 2, 4, 4), set("b", 2, 4, 4, available(1)), set("c", 0, 4, 4, current)), "b 1 of 4/4 rev 1; a 1 of 4/4 rev 1"},
		{"takes all from the oldest", 4, 0, 2, nil, list(set("a", 2, 4, 4), set("b", 2, 4, 4), set("c", 0, 4, 4, current)), "a 0 of 4/4 rev 1"},
		{"takes no more than may be unavailable", 4, 4, 1, nil, list(set("a", 4, 4, 8, available(1)), set("b", 4, 4, 8, current, available(1))), "a 2 of 4/8 rev 1"},
		{"does not grow and shrink at once", 4, 1, 1, nil, list(set("a", 3, 4, 5), set("b", 1, 4, 5, current)), "b 2 of 4/5 rev 2"},
		{"does not count pods that are left of a ReplicaSet without replicas", 3, 1, 0, nil, list(set("a", 0, 3, 4, pods(2)), set("b", 2, 3, 4, available(1)), set("c", 2, 3, 4, current)), "b 1 of 3/4 rev 1"},
		{"waits for a ReplicaSet that is late", 2, 2, 0, nil, list(set("a", 1, 2, 4, pods(2)), set("b", 2, 2, 4, current)), ""},
		{"has no replicas", 0, 1, 1, nil, list(set("a", 2, 0, 1), set("b", 0, 0, 1, current)), "a 0 of 0/1 rev 1"},
		{"of two with its template takes the older one", 2, 1, 0, nil, list(set("a", 1, 2, 3, current), set("b", 1, 2, 3, current)), "a 2 of 2/3 rev 3"},

		{"takes nothing from one that has nothing left", 4, 0, 4, nil, list(set("a", 2, 4, 4, available(0)), set("b", 2, 4, 4), set("c", 0, 4, 4, current)), "a 0 of 4/4 rev 1; b 0 of 4/4 rev 1"},

		{"takes replicas without pods", 2, 0, 2, recreate, list(set("a", 2, 2, 2, pods(0))), "a 0 of 2/2 rev 1"},
		{"is recreated", 2, 0, 2, recreate, list(set("a", 2, 2, 2), set("b", 0, 2, 2, current)), "a 0 of 2/2 rev 1"},
		{"waits for old pods", 2, 0, 2, recreate, list(set("a", 0, 2, 2, pods(1))), ""},
		{"waits for old pods that are being deleted", 2, 0, 2, recreate, list(set("a", 0, 2, 2, func(s *controllers.Set) { s.IsRunning = true })), ""},
		{"has no old pods", 2, 0, 2, recreate, list(set("a", 0, 2, 2)), "new 2 of 2/2 rev 2"},
		{"gets further pods beside new ones", 3, 0, 3, recreate, list(set("a", 0, 3, 3), set("b", 2, 3, 3, current)), "b 3 of 3/3 rev 2"},
		{"gets its pods back", 2, 0, 2, recreate, list(set("a", 0, 2, 2, current)), "a 2 of 2/2 rev 2"},

		{"is scaled", 5, 2, 1, nil, list(set("a", 3, 3, 4, current)), "a 5 of 5/7 rev 2"},
		{"is scaled before it is updated", 5, 2, 1, nil, list(set("a", 3, 3, 4)), "a 5 of 5/7 rev 1"},
		{"was scaled before what has no replicas", 3, 1, 0, nil, list(set("a", 0, 2, 3), set("b", 3, 3, 4)), "new 1 of 3/4 rev 2"},
		{"is scaled in proportion to replicas, not to pods", 10, 0, 1, nil, list(set("a", 4, 6, 6, pods(1)), set("b", 2, 6, 6, current)), "a 7 of 10/10 rev 1; b 3 of 10/10 rev 2"},
		{"is scaled in proportion although new pods are missing", 10, 0, 1, nil, list(set("a", 4, 6, 6), set("b", 2, 6, 6, current, pods(0))), "a 7 of 10/10 rev 1; b 3 of 10/10 rev 2"},
		{"is not complete without having been scaled", 3, 1, 0, nil, list(set("a", 3, 5, 6), set("b", 3, 5, 6, current)), "a 2 of 3/4 rev 1; b 2 of 3/4 rev 2"},
		{"is scaled in proportion", 10, 3, 2, nil, list(set("a", 3, 5, 7), set("b", 4, 5, 7, current)), "b 7 of 10/13 rev 2; a 6 of 10/13 rev 1"},
		{"the largest gets what is left over", 6, 1, 0, nil, list(set("a", 1, 2, 3), set("b", 1, 2, 3), set("c", 1, 2, 3, current)), "c 3 of 6/7 rev 2; b 2 of 6/7 rev 1; a 2 of 6/7 rev 1"},
		{"shrinks in proportion", 3, 1, 0, nil, list(set("a", 4, 6, 8), set("b", 4, 6, 8, current)), "a 2 of 3/4 rev 1; b 2 of 3/4 rev 2"},
		{"shrinks to nothing", 0, 1, 0, nil, list(set("a", 2, 3, 4), set("b", 1, 3, 4, current)), "a 0 of 0/1 rev 1; b 0 of 0/1 rev 2"},
		{"has as many as it may have", 4, 1, 0, nil, list(set("a", 2, 3, 5), set("b", 3, 3, 5, current)), "b 3 of 4/5 rev 2; a 2 of 4/5 rev 1"},
		{"shares nothing out if it may have no more and no fewer", 10, 0, 1, nil, list(set("a", 4, 20, 20), set("b", 6, 20, 20, current)), "b 6 of 10/10 rev 2; a 4 of 10/10 rev 1"},
		{"is scaled without the number of pods at most", 6, 0, 1, nil, list(set("a", 2, 3, 3, annotated(controllers.MaxReplicas, "x")), set("b", 1, 3, 3, current)), "a 4 of 6/6 rev 1; b 2 of 6/6 rev 2"},
		{"is scaled with too large a number of pods at most", 6, 0, 1, nil, list(set("a", 2, 3, 3, annotated(controllers.MaxReplicas, "2147483648")), set("b", 1, 3, 3, current, annotated(controllers.MaxReplicas, "2147483648"))), "a 4 of 6/6 rev 1; b 2 of 6/6 rev 2"},
		{"has no pods, and none is known at most", 6, 0, 1, nil, list(set("a", 2, 3, 0, pods(0)), set("b", 1, 3, 0, current, pods(0))), "a 5 of 6/6 rev 1; b 1 of 6/6 rev 2"},
		{"shrinks without pods, and none is known at most", 1, 0, 1, nil, list(set("a", 2, 3, 0, pods(0)), set("b", 1, 3, 0, current, pods(0))), "a 0 of 1/1 rev 1; b 1 of 1/1 rev 2"},
		{"is scaled, which only the current one says", 6, 0, 1, nil, list(set("a", 2, 3, 3, annotated(controllers.DesiredReplicas, "x")), set("b", 1, 3, 3, current)), "a 4 of 6/6 rev 1; b 2 of 6/6 rev 2"},
		{"is scaled in proportion to more than nine", 12, 2, 0, nil, list(set("a", 8, 10, 12), set("b", 4, 10, 12, current)), "a 9 of 12/14 rev 1; b 5 of 12/14 rev 2"},
		{"shrinks to nothing from equal sizes", 0, 1, 0, nil, list(set("a", 3, 5, 6), set("b", 3, 5, 6, current)), "a 0 of 0/1 rev 1; b 0 of 0/1 rev 2"},
		{"is not complete with more than it wants", 3, 1, 0, nil, list(set("a", 2, 2, 4), set("b", 4, 3, 4, current, available(3))), "b 2 of 3/4 rev 2; a 2 of 3/4 rev 1"},
		{"takes old pods once it is complete", 3, 1, 0, nil, list(set("a", 2, 2, 3), set("b", 3, 3, 4, current)), "a 0 of 3/4 rev 1"},
		{"is not complete without all available", 3, 2, 0, nil, list(set("a", 2, 2, 3), set("b", 3, 3, 4, current, available(2))), "b 3 of 3/5 rev 2; a 2 of 3/5 rev 1"},
		{"an annotation that is no number does not count", 3, 1, 0, nil, list(set("a", 3, 3, 4, current, annotated(controllers.DesiredReplicas, "-1"))), ""},
		{"is recreated while two have pods", 4, 0, 4, recreate, list(set("a", 2, 3, 3), set("b", 1, 3, 3, current)), ""},
		{"the newest gets pods while it is paused", 2, 1, 0, paused, list(set("a", 0, 2, 3), set("b", 0, 2, 3)), "b 2 of 2/3 rev 1"},
		{"the current one gets pods while it is paused", 2, 1, 0, paused, list(set("a", 0, 2, 3, current), set("b", 0, 2, 3)), "a 2 of 2/3 rev 2"},
		{"notes its revision while it is paused", 3, 1, 0, paused, list(set("a", 3, 3, 4, current), set("b", 0, 3, 4, annotated(revision, "7"))), "a 3 of 3/4 rev 8"},
		{"stays as it is while it is paused", 2, 1, 0, paused, list(set("a", 1, 2, 3), set("b", 2, 2, 3, current, available(1))), ""},

		{"keeps its history", 3, 1, 0, history(1), list(set("a", 0, 3, 4), set("b", 3, 3, 4, current)), ""},
		{"keeps the history whose revisions are numbers", 3, 1, 0, history(1), list(set("a", 0, 3, 4), set("c", 0, 3, 4, annotated(revision, "9223372036854775808")), set("b", 3, 3, 4, current)), "delete c"},
		{"keeps no history", 3, 1, 0, history(0), list(set("a", 0, 3, 4), set("b", 3, 3, 4, current)), "delete a"},
		{"keeps no history, if it wants less than none", 3, 1, 0, history(math.MinInt32), list(set("a", 0, 3, 4), set("b", 3, 3, 4, current)), "delete a"},
		{"keeps its history until it is complete", 3, 1, 0, history(0), list(set("a", 0, 3, 4), set("b", 3, 3, 4, current, available(2))), ""},
		{"keeps what has pods", 3, 1, 0, history(0), list(set("a", 0, 3, 4, pods(1)), set("b", 3, 3, 4, current, pods(2))), ""},
		{"keeps its history while pods of it stand in for new ones", 3, 1, 0, history(0), list(set("a", 0, 3, 4), set("b", 0, 3, 4, pods(1)), set("c", 3, 3, 4, current, pods(2))), ""},
		{"keeps its history while a pod of it is left that is not available", 3, 1, 0, history(0), list(set("a", 0, 3, 4), set("b", 0, 3, 4, pods(1), available(0)), set("c", 3, 3, 4, current)), ""},
		{"keeps what has pods while it is paused", 3, 1, 0, func(d *appsv1.Deployment) { paused(d); history(0)(d) }, list(set("a", 0, 3, 4, pods(1)), set("b", 3, 3, 4, current)), ""},
		{"counts what has pods for its history", 3, 1, 0, func(d *appsv1.Deployment) { paused(d); history(1)(d) }, list(set("a", 0, 3, 4), set("b", 0, 3, 4, pods(1)), set("c", 3, 3, 4, current)), "delete a"},
		{"keeps what was not observed", 3, 1, 0, history(0), list(set("a", 0, 3, 4, func(s *controllers.Set) { s.Generation = 1 }), set("b", 3, 3, 4, current)), ""},
		{"keeps what is being deleted", 3, 1, 0, history(0), list(set("a", 0, 3, 4, func(s *controllers.Set) { s.DeletionTimestamp = &metav1.Time{Time: time.Unix(1, 0)} }), set("b", 3, 3, 4, current)), ""},
		{"keeps ten revisions", 2, 1, 0, nil, append(list(set("b", 2, 2, 3, current, annotated(revision, "30"))), many...), "delete old-11; delete old-10"},
		{"drops history while it is paused", 3, 1, 0, func(d *appsv1.Deployment) { paused(d); history(0)(d) }, list(set("a", 0, 3, 4), set("b", 3, 3, 4, current, available(0))), "delete a"},
		{"drops what it scales at the same time, as upstream does", 2, 1, 0, func(d *appsv1.Deployment) { paused(d); history(0)(d) }, list(set("a", 0, 2, 3)), "a 2 of 2/3 rev 1; delete a"},
		{"drops history when it is recreated", 2, 0, 2, func(d *appsv1.Deployment) { recreate(d); history(0)(d) }, list(set("a", 0, 2, 2), set("b", 2, 2, 2, current)), "delete a"},
	} {
		replicas := int32(test.replicas)
		d := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: &replicas}}
		if test.change != nil {
			test.change(d)
		}
		before := testkit.Fingerprint(test.sets)
		testkit.Equal(t, tell(controllers.Deployment(d, test.surge, test.unavailable, test.sets)), test.want, test.name)
		testkit.Equal(t, testkit.Fingerprint(test.sets), before, test.name)
	}
}

// A new ReplicaSet has what its Deployment says, and shares no replicas with it.
func TestNewReplicaSet(t *testing.T) {
	replicas := int32(2)
	d := &appsv1.Deployment{Spec: appsv1.DeploymentSpec{Replicas: &replicas, MinReadySeconds: 5, Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}
	d.Spec.Template = corev1.PodTemplateSpec{Spec: corev1.PodSpec{NodeName: "a"}}
	rs := controllers.Deployment(d, 1, 0, nil).Create
	*rs.Spec.Replicas = 9
	testkit.Equal(t, *d.Spec.Replicas, 2)
	testkit.Equal(t, rs.Spec.MinReadySeconds, 5)
	testkit.Equal(t, rs.Spec.Template.Spec.NodeName, "a")
	testkit.NoDiff(t, maps.Clone(rs.Spec.Selector.MatchLabels), map[string]string{"app": "web"})
	testkit.Equal(t, controllers.Current(nil) == nil, true)
}
