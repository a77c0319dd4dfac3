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

// onlyOn returns a selector of nodes that have all of these names.
func onlyOn(names ...string) *corev1.NodeSelector {
	term := corev1.NodeSelectorTerm{}
	for _, name := range names {
		term.MatchFields = append(term.MatchFields, corev1.NodeSelectorRequirement{Key: "metadata.name", Operator: "In", Values: []string{name}})
	}
	return &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}
}

// A node has one pod of a DaemonSet, also if the pods name their nodes and are placed one after the other.
func TestRoomOfDaemonsThatNameNodes(t *testing.T) {
	pod := plainPod("d")
	pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 5, TopologyKey: "name", WhenUnsatisfiable: corev1.DoNotSchedule,
		LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: onlyOn("a")}}
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

// A node has room for one pod that uses a disk.
func TestRoomOfADisk(t *testing.T) {
	pod := plainPod("p")
	pod.Spec.Volumes = []corev1.Volume{{Name: "disk", VolumeSource: corev1.VolumeSource{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{PDName: "disk"}}}}
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "9", nil), plainNode("b", "9", nil)}, nil)
	n, full := p.Room(p.ShapeOf(pod, around), 9)
	testkit.Equal(t, fmt.Sprint(n, " ", full), "2 0/2 nodes are available: 2 node(s) had no available disk.")
}
