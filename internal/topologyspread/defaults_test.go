package topologyspread_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/topologyspread"
)

func service(selector map[string]string) *corev1.Service {
	return &corev1.Service{Spec: corev1.ServiceSpec{Selector: selector}}
}

func controlledBy(apiVersion, kind string) *corev1.Pod {
	pod, isController := podOf("web,version=2"), true
	pod.OwnerReferences = []metav1.OwnerReference{{APIVersion: apiVersion, Kind: kind, Name: "web", Controller: &isController}}
	return pod
}

func TestDefaultSelector(t *testing.T) {
	app := map[string]string{"app": "web"}
	selector := &metav1.LabelSelector{MatchLabels: app, MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "DoesNotExist"}}}
	set, stateful := &appsv1.ReplicaSet{}, &appsv1.StatefulSet{}
	set.Spec.Selector, stateful.Spec.Selector = selector, selector
	rc := &corev1.ReplicationController{Spec: corev1.ReplicationControllerSpec{Selector: app}}
	invalid := &appsv1.ReplicaSet{}
	invalid.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}}
	owned := controlledBy("apps/v1", "ReplicaSet")
	notControlled := controlledBy("apps/v1", "ReplicaSet")
	notControlled.OwnerReferences[0].Controller = nil
	byVersion := []*corev1.Service{service(map[string]string{"version": "2"})}
	for _, test := range []struct {
		name       string
		pod        *corev1.Pod
		services   []*corev1.Service
		controller metav1.Object
		want       string
	}{
		{"no pod", nil, byVersion, set, ""},
		{"a bare pod", podOf("web"), nil, nil, ""},
		{"a service", podOf("web"), []*corev1.Service{service(app)}, nil, "app=web"},
		{"a service of other pods", podOf("db"), []*corev1.Service{service(app)}, nil, ""},
		{"services without selectors", podOf("web"), []*corev1.Service{nil, service(nil), service(map[string]string{})}, nil, ""},
		{"two services", podOf("web,version=2"), append(byVersion, service(app)), nil, "app=web,version=2"},
		{"a ReplicaSet", owned, nil, set, "app=web,!x"},
		{"a ReplicaSet and a service", owned, byVersion, set, "app=web,version=2,!x"},
		{"a ReplicaSet that is not the controller", notControlled, byVersion, set, "version=2"},
		{"a ReplicaSet that is not found", owned, byVersion, nil, "version=2"},
		{"a nil ReplicaSet", owned, byVersion, (*appsv1.ReplicaSet)(nil), "version=2"},
		{"a ReplicaSet without a selector", owned, byVersion, &appsv1.ReplicaSet{}, "version=2"},
		{"a ReplicaSet with an invalid selector", owned, byVersion, invalid, "version=2"},
		{"a ReplicaSet of an unknown version", controlledBy("apps/v2", "ReplicaSet"), byVersion, set, "version=2"},
		{"another kind", controlledBy("apps/v1", "StatefulSet"), byVersion, set, "version=2"},
		{"a StatefulSet", controlledBy("apps/v1", "StatefulSet"), byVersion, stateful, "app=web,version=2,!x"},
		{"a nil StatefulSet", controlledBy("apps/v1", "StatefulSet"), byVersion, (*appsv1.StatefulSet)(nil), "version=2"},
		{"a StatefulSet of another group", controlledBy("v1", "StatefulSet"), byVersion, stateful, "version=2"},
		{"a ReplicationController", controlledBy("v1", "ReplicationController"), byVersion, rc, "app=web,version=2"},
		{"a nil ReplicationController", controlledBy("v1", "ReplicationController"), byVersion, (*corev1.ReplicationController)(nil), "version=2"},
		{"a ReplicationController of another group", controlledBy("apps/v1", "ReplicationController"), byVersion, rc, "version=2"},
		{"a DaemonSet", controlledBy("apps/v1", "DaemonSet"), byVersion, &appsv1.DaemonSet{}, "version=2"},
	} {
		got := topologyspread.DefaultSelector(test.pod, test.services, test.controller)
		testkit.Equal(t, got.String(), test.want, test.name)
	}
}

// A pod without constraints is spread by those of the system, which score nodes without a zone, too, or by those of the
// scheduler's configuration, which require their labels.
func TestDefaults(t *testing.T) {
	listed := topologyspread.Defaults{IsList: true, Constraints: []corev1.TopologySpreadConstraint{
		{MaxSkew: 1, TopologyKey: zone, WhenUnsatisfiable: corev1.DoNotSchedule}, {MaxSkew: 1, TopologyKey: zone, WhenUnsatisfiable: corev1.ScheduleAnyway},
	}}
	own := web(soft(host, 1))
	fourThreeTwoOne := []string{"a: web web web web", "b: web web web", "c: web web", "d: web"}
	app := labels.SelectorFromSet(labels.Set{"app": "web"})
	for _, test := range []struct {
		name            string
		pod             *corev1.Pod
		selector        labels.Selector
		defaults        topologyspread.Defaults
		nodes           []string
		refused, scores string
	}{
		{"no zones", podOf("web"), app, topologyspread.Defaults{}, fourThreeTwoOne, "yes yes yes yes", "[44 66 77 100]"}, // upstream
		{"constraints that are not used", podOf("web"), app, topologyspread.Defaults{Constraints: listed.Constraints}, fourThreeTwoOne, "yes yes yes yes", "[44 66 77 100]"},
		// Two nodes and two zones, one of them without a name: a is 2+ln 4 + 4+ln 4, b is 2.
		{"one node without a zone", podOf("web"), app, topologyspread.Defaults{}, []string{"a zone=east: web", "b"}, "yes yes", "[22 100]"},
		// b and c share the zone without a name: b is 2+4+ln 4, c is 2+ln 5, d is 2+4.
		{"a zone with an empty name", podOf("web"), app, topologyspread.Defaults{}, []string{"b zone=", "c: web", "d zone=east"}, "yes yes yes", "[57 100 71]"},
		{"a node without any label", podOf("web"), app, topologyspread.Defaults{}, []string{"a: web", "b host=-: web"}, "yes yes", "[0 100]"},
		{"listed", podOf("web"), app, listed, []string{"a zone=east: web", "b zone=west", "c"}, "no yes label", "[0 100 0]"},
		{"listed, but it has its own", own, app, listed, []string{"a zone=east: web", "b zone=west"}, "yes yes", "[0 100]"},
		{"none listed", podOf("web"), app, topologyspread.Defaults{IsList: true}, fourThreeTwoOne, "yes yes yes yes", "skipped"},
		{"selected by nothing", podOf("web"), labels.Everything(), topologyspread.Defaults{}, fourThreeTwoOne, "yes yes yes yes", "skipped"},
		{"no selector", podOf("web"), nil, topologyspread.Defaults{}, fourThreeTwoOne, "yes yes yes yes", "skipped"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := clusterOf(test.nodes...)
			constraints, err := topologyspread.Of(test.pod, test.selector, test.defaults, release.Rules{})
			testkit.OK(t, err)
			s := constraints.On(c.nodes, c.podsOn)
			testkit.Equal(t, refusals(t, c, s), test.refused)
			got, scores := "skipped", make([]int64, len(c.nodes))
			if s.Scores(all(c), scores) {
				got = fmt.Sprint(scores)
			}
			testkit.Equal(t, got, test.scores)
		})
	}
}

func TestIsRequired(t *testing.T) {
	for _, test := range []struct {
		pod  *corev1.Pod
		want bool
	}{{podOf("web"), false}, {web(soft(zone, 1)), false}, {web(hard(zone, 1)), true}, {web(soft(zone, 1), hard(host, 1)), true}} {
		constraints, err := topologyspread.Of(test.pod, nil, topologyspread.Defaults{}, release.Rules{})
		testkit.OK(t, err)
		testkit.Equal(t, constraints.IsRequired(), test.want)
	}
}
