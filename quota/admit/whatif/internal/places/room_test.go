package places_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// A node has one pod of a DaemonSet, also if the pods name their nodes and are placed one after the other.
func TestRoomOfDaemonsThatNameNodes(t *testing.T) {
	pod := plainPod("d")
	pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 5, TopologyKey: "name", WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}}}}}
	for _, test := range []struct {
		taken map[string]bool
		want  int
	}{{map[string]bool{}, 1}, {map[string]bool{"b": true}, 1}, {map[string]bool{"a": true}, 0}} {
		p := places.New(places.Options{})
		p.Load([]*corev1.Node{plainNode("a", "9", map[string]string{"name": "a"}), plainNode("b", "9", map[string]string{"name": "b"})}, nil)
		n, full := p.Room(p.ShapeOf(pod, around).Exclusive(placement.Of(pod, placement.Around{}), test.taken), 9)
		testkit.Equal(t, fmt.Sprint(n, " ", full), fmt.Sprint(test.want,
			" 0/2 nodes are available: 1 node(s) didn't satisfy plugin(s) [NodeAffinity], 1 node(s) had a pod of the DaemonSet."), test.taken)
	}
}
