package whatif_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// New nodes are those that the pods need by the filters of the scheduler, not only by their requests.
func TestEstimate(t *testing.T) {
	labels := map[string]string{"app": "web"}
	web := func(change func(spec *corev1.PodSpec)) (pods []*corev1.Pod) {
		for i := range 3 {
			p := podOf(fmt.Sprint("web-", i), "1")
			p.Labels = labels
			change(&p.Spec)
			pods = append(pods, on("gone", p)) // where pods are does not matter
		}
		return pods
	}
	selector := &metav1.LabelSelector{MatchLabels: labels}
	apart := func(topology string) func(spec *corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
				{TopologyKey: topology, LabelSelector: selector}}}}
		}
	}
	spread := func(skew int32) func(spec *corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: skew, TopologyKey: "kubernetes.io/hostname", WhenUnsatisfiable: "DoNotSchedule", LabelSelector: selector}}
		}
	}
	port := func(spec *corev1.PodSpec) {
		spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, ContainerPort: 80}}
	}
	daemon := podOf("daemon", "500m")
	port(&daemon.Spec)
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	volume.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "shop", Name: "data"}
	volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{
		{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "In", Values: []string{"other"}}}}}}}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: meta("data"), Spec: corev1.PersistentVolumeClaimSpec{VolumeName: "v"}, Status: corev1.PersistentVolumeClaimStatus{Phase: "Bound"}}
	claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
	like := node("like", "4")
	like.Labels = map[string]string{"zone": "z"}
	for name, test := range map[string]struct {
		pods    []*corev1.Pod
		daemons []*corev1.Pod
		want    string // new nodes, lower bound, nodes of pods, pods without
	}{
		"by requests":            {web(func(*corev1.PodSpec) {}), nil, "1 1 [0 0 0] map[]"},
		"a node each":            {web(apart("kubernetes.io/hostname")), nil, "3 1 [0 1 2] map[]"},
		"a zone each":            {web(apart("zone")), nil, "1 1 [0 -1 -1] map[1:node(s) didn't match pod anti-affinity rules 2:node(s) didn't match pod anti-affinity rules]"},
		"a port each":            {web(port), nil, "3 1 [0 1 2] map[]"},
		"the port of a daemon":   {web(port), []*corev1.Pod{daemon}, "0 0 [-1 -1 -1] map[0:node(s) didn't have free ports for the requested pod ports 1:node(s) didn't have free ports for the requested pod ports 2:node(s) didn't have free ports for the requested pod ports]"},
		"beside a daemon":        {web(func(*corev1.PodSpec) {}), []*corev1.Pod{daemon}, "1 1 [0 0 0] map[]"},
		"spread over one node":   {web(spread(1)), nil, "1 1 [0 0 0] map[]"}, // the others are not there
		"another selector":       {web(func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"zone": "y"} })[:1], nil, "0 0 [-1] map[0:node(s) didn't match Pod's node affinity/selector]"},
		"an invalid requirement": {web(func(spec *corev1.PodSpec) { spec.NodeSelector = map[string]string{"kubernetes.io/hostname": "like"} })[:1], nil, "0 0 [-1] map[0:node(s) didn't match Pod's node affinity/selector]"},
		"too large":              {[]*corev1.Pod{podOf("large", "5")}, nil, "0 0 [-1] map[]"},
		"a volume elsewhere": {web(func(spec *corev1.PodSpec) {
			spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
		})[:1], nil, "0 0 [-1] map[0:node(s) didn't match PersistentVolume's node affinity]"},
	} {
		c := read(t, whatif.Options{}, []admit.APIObject{node("a", "4"), volume, claim}...)
		e, refused := c.Estimate(test.pods, like, test.daemons)
		testkit.Equal(t, fmt.Sprint(e.Nodes, " ", e.LowerBound, " ", e.Placed, " ", refused), test.want, name)
	}
	testkit.NoDiff(t, like.Labels, map[string]string{"zone": "z"})
}
