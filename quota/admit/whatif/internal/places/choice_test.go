package places_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

func plainNode(name, cpu string, labels map[string]string) *corev1.Node {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: labels}}
	n.Status.Allocatable = testkit.List("cpu", cpu, "pods", "10")
	return n
}

func plainPod(name string) *corev1.Pod {
	p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "ns", Name: name, Labels: map[string]string{"app": "web"}}}
	p.Spec.Containers = []corev1.Container{testkit.Container("c", testkit.List("cpu", "1"), nil)}
	return p
}

// Of a list of named nodes, as many are compared as of a cluster of that size.
func TestChoiceAmongNamedNodes(t *testing.T) {
	p := places.New(places.Options{})
	var nodes []*corev1.Node
	pod := plainPod("p")
	required := &corev1.NodeSelector{}
	for i := range 1000 {
		name := fmt.Sprintf("n-%03d", i)
		nodes = append(nodes, plainNode(name, "4", nil))
		if i < 150 {
			required.NodeSelectorTerms = append(required.NodeSelectorTerms, corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{name}}}})
		}
	}
	p.Load(nodes, nil)
	_, choice := p.Find(p.ShapeOf(pod, around))
	testkit.Equal(t, fmt.Sprint(choice.Equal, choice.Feasible, choice.Scored, len(choice.Nodes)), "1000 1000 420 100")
	pod = plainPod("p")
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
	node, choice := p.Find(p.ShapeOf(pod, around))
	testkit.Equal(t, fmt.Sprint(node, " ", choice.Equal, choice.Feasible, choice.Scored), "n-000 150 150 100") // 48 % of 150 are fewer
}

// Of very many nodes, 5 % are compared: 50 - 6000/125 would be 2. A configuration may say less, but not less than 100 nodes.
//
// Source: numFeasibleNodesToFind of k8s.io/kubernetes v1.37 pkg/scheduler/schedule_one.go.
func TestLeastPortionOfNodes(t *testing.T) {
	var nodes []*corev1.Node
	for i := range 6000 {
		nodes = append(nodes, plainNode(fmt.Sprintf("n-%04d", i), "4", nil))
	}
	for percent, want := range map[int32]string{0: "6000 300", 3: "6000 180", 1: "6000 100"} {
		p := places.New(places.Options{PercentageOfNodesToScore: percent})
		p.Load(nodes, nil)
		_, choice := p.Find(p.ShapeOf(plainPod("p"), around))
		testkit.Equal(t, fmt.Sprint(choice.Feasible, choice.Scored), want, percent)
	}
}

// What is known of pods holds if nodes come or go, also in forks.
func TestPodsOfNodesThatMove(t *testing.T) {
	pod := plainPod("asks")
	pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: "name", LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}}}}}
	named := func(name string) *corev1.Node { return plainNode(name, "4", map[string]string{"name": name}) }
	on := func(p *places.Places, name, node string) {
		object := plainPod(name)
		p.Add(&places.Pod{NamespacedName: types.NamespacedName{Namespace: "ns", Name: name}, Object: object, Node: node})
	}
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{named("a"), named("c")}, nil)
	on(p, "one", "c")
	find := func(p *places.Places) string { return nameOf(p.Find(p.ShapeOf(pod, around))) }
	testkit.Equal(t, find(p), "a")
	on(p, "two", "a")
	fork := p.Fork()
	testkit.Equal(t, find(fork), "", "a pod that came after the index was asked")
	fork.SetNode(named("d"))
	testkit.Equal(t, find(fork), "d", "the last node is new")
	on(fork, "three", "d")
	fork.SetNode(named("b"))
	testkit.Equal(t, find(fork), "b", "another one is new")
	fork.Remove(&places.Pod{NamespacedName: types.NamespacedName{Namespace: "ns", Name: "two"}, Object: fork.On("a")[0].Object, Node: "a"})
	fork.RemoveNode("b")
	testkit.Equal(t, find(fork), "a")
	fork.RemoveNode("a")
	testkit.Equal(t, find(fork), "", "c and d have pods")
	on(fork, "four", "z")
	fork.SetNode(named("z"))
	testkit.Equal(t, find(fork), "", "the last node is new, with a pod that named it")
}

func TestUntried(t *testing.T) {
	pod := plainPod("gated")
	pod.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
	p := places.New(places.Options{})
	testkit.Equal(t, p.WhyWaiting(p.ShapeOf(pod, around)).Error(), "Scheduling is blocked due to non-empty scheduling gates")
	// A preferred term that is invalid matters once the gates are gone.
	p.Load([]*corev1.Node{plainNode("a", "9", nil), plainNode("b", "9", nil)}, nil)
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
		Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "Gt", Values: []string{"east"}}}}}}}}
	free := pod.DeepCopy()
	free.Spec.SchedulingGates = nil
	for want, pod := range map[string]*corev1.Pod{"SchedulingGated": pod, "SchedulerError": free} {
		testkit.Equal(t, p.WhyWaiting(p.ShapeOf(pod, around)).(*places.Untried).Reason, want)
	}
}

// A node may refuse a pod for two reasons of its volumes: one is bound elsewhere, and there is none for another claim.
func TestTwoReasonsOfVolumes(t *testing.T) {
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	volume.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: onlyOn()}
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	class := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "local"}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &mode}
	data, log := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data"}}, &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "log"}}
	data.Spec.VolumeName, data.Annotations = "v", map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
	log.Spec.StorageClassName = &class.Name
	known := func(*corev1.Pod) placement.Around {
		return placement.Around{Volumes: podvolumes.Objects{
			Claim: func(_, name string) *corev1.PersistentVolumeClaim {
				return map[string]*corev1.PersistentVolumeClaim{"data": data, "log": log}[name]
			},
			Volume: func(string) *corev1.PersistentVolume { return volume }, Class: func(string) *storagev1.StorageClass { return class },
		}}
	}
	pod := plainPod("p")
	for _, name := range []string{"data", "log"} {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
	}
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "9", nil)}, nil)
	testkit.Equal(t, p.WhyWaiting(p.ShapeOf(pod, known)).Error(), "0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind, "+
		"1 node(s) didn't match PersistentVolume's node affinity.")
	p = places.New(places.Options{})
	_, refused := p.Estimate([]*places.Shape{p.ShapeOf(pod, known)}, plainNode("like", "9", nil), nil)
	testkit.Equal(t, refused[0], "node(s) didn't match PersistentVolume's node affinity, node(s) didn't find available persistent volumes to bind")
}

// Each answer owns its reasons.
func TestWhyWaitingOwnsItsReasons(t *testing.T) {
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "0", nil)}, nil)
	s := p.ShapeOf(plainPod("p"), around)
	p.WhyWaiting(s).(*noderesources.FitError).Reasons[0].Message = "changed"
	testkit.Equal(t, p.WhyWaiting(s).Error(), "0/1 nodes are available: 1 Insufficient cpu.")
}

// The scheduler asks NodeAffinity before it looks at volumes.
func TestNamesThatContradictComeFirst(t *testing.T) {
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{plainNode("a", "9", nil)}, nil)
	for want, required := range map[string]*corev1.NodeSelector{
		`persistentvolumeclaim "x" not found`: onlyOn("a"), "pod affinity terms conflict": onlyOn("a", "b"),
	} {
		pod := plainPod("p")
		pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "x"}}}}
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: required}}
		testkit.Equal(t, p.WhyWaiting(p.ShapeOf(pod, around)).Error(), "0/1 nodes are available: "+want+".")
	}
}

// Daemons are on each new node, also for anti-affinity.
func TestEstimateBesideDaemons(t *testing.T) {
	pod, daemon, other := plainPod("p"), plainPod("d"), plainPod("other")
	daemon.Labels = map[string]string{"app": "agent"}
	pod.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: daemon.Labels}}}}}
	p := places.New(places.Options{})
	e, refused := p.Estimate([]*places.Shape{p.ShapeOf(pod, around)}, plainNode("like", "4", nil), []*corev1.Pod{daemon})
	testkit.Equal(t, fmt.Sprint(e.Placed, refused), "[-1] map[0:node(s) didn't match pod anti-affinity rules]")
	p = places.New(places.Options{})
	_, refused = p.Estimate([]*places.Shape{p.ShapeOf(pod, around)}, plainNode("like", "4", nil), []*corev1.Pod{other, daemon})
	testkit.Equal(t, fmt.Sprint(refused), "map[0:node(s) didn't match pod anti-affinity rules]", "the second daemon")
}

// A node that is not for the pod at all says so first.
func TestEstimateNamesTheFirstFilter(t *testing.T) {
	pod, other := plainPod("p"), plainPod("q")
	pod.Spec.NodeSelector = map[string]string{"zone": "east"}
	pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}}
	other.Spec.TopologySpreadConstraints = pod.Spec.TopologySpreadConstraints
	p := places.New(places.Options{})
	e, refused := p.Estimate([]*places.Shape{p.ShapeOf(pod, around), p.ShapeOf(other, around)}, plainNode("like", "4", nil), nil)
	testkit.Equal(t, fmt.Sprint(e.Placed, refused), "[-1 -1] map[0:node(s) didn't match Pod's node affinity/selector 1:node(s) didn't match pod topology spread constraints (missing required label)]")
}
