package places_test

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

func loaded(opts places.Options, nodes []*corev1.Node, pods ...*places.Pod) *places.Places {
	p := places.New(opts)
	p.Load(nodes, pods)
	return p
}

// onNode returns a pod with a required node affinity, as pods of a DaemonSet have it.
func onNode(name string) *corev1.Pod {
	pod := plainPod("p")
	pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: onlyOn(name)}}
	return pod
}

// preferring returns a preferred node affinity, which nodes cannot be compared by if the value is no number.
func preferring(operator corev1.NodeSelectorOperator, value string) *corev1.Affinity {
	return &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
		Weight: 100, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: operator, Values: []string{value}}}}}}}}
}

// A resource that the scheduler ignores is short nowhere: neither where one pod has room, nor for many, nor for victims.
func TestIgnoredResources(t *testing.T) {
	opts := places.Options{Fit: noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/fpga"}}}
	node := plainNode("a", "2", nil)
	needs := func(pod *corev1.Pod) *corev1.Pod {
		pod.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "1", "example.com/fpga", "1")
		return pod
	}
	p := loaded(opts, []*corev1.Node{node})
	s := p.ShapeOf(needs(plainPod("p")), around)
	testkit.Equal(t, nameOf(p.Find(s)), "a")
	testkit.Equal(t, nameOf(p.Find(p.ShapeOf(needs(onNode("a")), around))), "a")
	n, full := p.Fork().Room(s, 9)
	testkit.Equal(t, fmt.Sprint(n, " ", full), "2 0/1 nodes are available: 1 Insufficient cpu.")
	e, refused := places.New(opts).Estimate([]*places.Shape{s, s, s}, node, nil)
	testkit.Equal(t, fmt.Sprint(e.Placed, refused), "[0 0 1] map[]")

	low := withPriority("low", "a", 0)
	p = loaded(opts, []*corev1.Node{plainNode("a", "1", nil)}, low)
	waits := withPriority("waits", "", 5)
	waits.Shape = p.ShapeOf(needs(waits.Object), around)
	testkit.Equal(t, p.WhyWaiting(waits.Shape).Error(), "0/1 nodes are available: 1 Insufficient cpu.")
	found, victims := p.Preempt(waits, noBudgets)
	testkit.Equal(t, fmt.Sprint(found, names(victims)), "a[ns/low]")
}

// Without pod-level resources, containers count, also those of the daemons on new nodes. Overhead counts as well.
func TestRequestsOfACluster(t *testing.T) {
	off := false
	opts := places.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: &off}}
	pod, daemon := plainPod("p"), plainPod("d")
	for _, pod := range []*corev1.Pod{pod, daemon} {
		pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "4")}
	}
	daemon.Spec.Overhead = testkit.List("cpu", "500m")
	p := loaded(opts, []*corev1.Node{plainNode("a", "3", nil)})
	s := p.ShapeOf(pod, around)
	testkit.Equal(t, nameOf(p.Find(s)), "a")
	e, refused := places.New(opts).Estimate([]*places.Shape{s, s}, plainNode("like", "3", nil), []*corev1.Pod{daemon})
	testkit.Equal(t, fmt.Sprint(e.Placed, refused), "[0 1] map[]")
}

// Scores of resources follow the profile, and do not count without it; those of other plugins always count.
func TestScores(t *testing.T) {
	east, west := map[string]string{"zone": "east"}, map[string]string{"zone": "west"}
	nodes := []*corev1.Node{plainNode("a", "2", east), plainNode("b", "9", west), plainNode("c", "9", west)}
	most, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	testkit.OK(t, err)
	packed := noderesources.Profile{{Scorer: most}}
	for _, test := range []struct {
		name     string
		opts     places.Options
		affinity *corev1.Affinity
		want     string // the node, and how many have the highest score
	}{
		{"default", places.Options{}, nil, "b [b c] 2 3 3"},
		{"profile", places.Options{Scorers: packed}, nil, "a"},
		{"no scores", places.Options{NoScores: true}, nil, "a [a b c] 3 3 3"},
		{"no scores of resources", places.Options{NoScores: true}, preferring("In", "west"), "b [b c] 2 3 3"},
		{"a single node with a score", places.Options{NoScores: true}, preferring("NotIn", "west"), "a"},
	} {
		pod := plainPod("p")
		pod.Spec.Affinity = test.affinity
		p := loaded(test.opts, nodes)
		s := p.ShapeOf(pod, around)
		for _, find := range []func() (string, *places.Choice){
			func() (string, *places.Choice) { return p.Find(s) },
			func() (string, *places.Choice) { return p.FindAgain(s, []string{"a", "b", "c"}) },
		} {
			got, choice := find()
			if choice != nil {
				got = fmt.Sprint(got, " ", choice.Nodes, choice.Equal, choice.Feasible, choice.Scored)
			}
			testkit.Equal(t, got, test.want, test.name)
		}
	}
}

// A pod whose nodes cannot be compared is placed if it may be on one node alone. On several, it waits, and preempts
// nobody; neither does a gated one.
func TestNodesThatCannotBeCompared(t *testing.T) {
	low := withPriority("low", "a", 0)
	p := loaded(places.Options{}, []*corev1.Node{plainNode("a", "1", nil), plainNode("b", "1", nil)}, low)
	waits := withPriority("waits", "", 5)
	waits.Object.Spec.Affinity = preferring("Gt", "east")
	waits.Shape = p.ShapeOf(waits.Object, around)
	testkit.Equal(t, nameOf(p.Find(waits.Shape)), "b")
	p.SetNode(plainNode("c", "1", nil))
	testkit.Equal(t, nameOf(p.Find(waits.Shape)), "")
	node, victims := p.Preempt(waits, noBudgets)
	testkit.Equal(t, fmt.Sprint(node, victims), "[]")

	gated := withPriority("gated", "", 5)
	gated.Object.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
	gated.Shape = p.ShapeOf(gated.Object, around)
	node, victims = p.Preempt(gated, noBudgets)
	testkit.Equal(t, fmt.Sprint(node, victims), "[]")
	n, full := p.Room(gated.Shape, 9)
	testkit.Equal(t, fmt.Sprint(n, " ", full), "0 Scheduling is blocked due to non-empty scheduling gates")
}

// A pod of a DaemonSet that names no node is not placed where there is one. No more have room than were asked for.
func TestTakenNodes(t *testing.T) {
	p := loaded(places.Options{}, []*corev1.Node{plainNode("a", "9", nil), plainNode("b", "2", nil)})
	pod := plainPod("p")
	s := p.ShapeOf(pod, around)
	testkit.Equal(t, nameOf(p.Find(s)), "a")
	taken := s.Exclusive(placement.Of(pod, placement.Around{}), map[string]bool{"a": true})
	testkit.Equal(t, nameOf(p.Find(taken)), "b")
	testkit.Equal(t, nameOf(p.FindAgain(taken, []string{"a", "b"})), "b")
	n, full := p.Fork().Room(taken, 9)
	testkit.Equal(t, fmt.Sprint(n, " ", full), "1 0/2 nodes are available: 2 node(s) had a pod of the DaemonSet.")

	pod = plainPod("spread")
	pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 9, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule}}
	p.SetNode(plainNode("a", "9", map[string]string{"zone": "east"}))
	n, full = p.Room(p.ShapeOf(pod, around), 2)
	testkit.Equal(t, fmt.Sprint(n, " ", full), "2 <nil>")
}

// Pods share their shape if all is equal that decides where they may be.
func TestPodsThatAskTheSame(t *testing.T) {
	owned := func(kind, name string) func(*corev1.Pod) {
		controls := true
		return func(pod *corev1.Pod) {
			pod.OwnerReferences = []metav1.OwnerReference{{Kind: kind, Name: name, Controller: &controls}}
		}
	}
	first := plainPod("first")
	owned("ReplicaSet", "web")(first)
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod)
		want   bool
	}{
		{"another name and UID", func(pod *corev1.Pod) { pod.Name, pod.UID = "second", "2" }, true},
		{"another namespace", func(pod *corev1.Pod) { pod.Namespace = "other" }, false},
		{"other labels", func(pod *corev1.Pod) { pod.Labels = map[string]string{"app": "db"} }, false},
		{"another controller", owned("ReplicaSet", "db"), false},
		{"a controller of another kind", owned("Job", "web"), false},
		{"no controller", func(pod *corev1.Pod) { pod.OwnerReferences = nil }, false},
		{"another spec", func(pod *corev1.Pod) { pod.Spec.NodeSelector = map[string]string{"zone": "east"} }, false},
	} {
		second := first.DeepCopy()
		test.change(second)
		for _, pods := range [][2]*corev1.Pod{{first, second}, {second, first}} {
			p := places.New(places.Options{})
			testkit.Equal(t, p.ShapeOf(pods[0], around) == p.ShapeOf(pods[1], around), test.want, test.name)
		}
	}
}

// A required node affinity is the node of a DaemonSet only if it names one node and nothing else.
func TestNodesOfDaemons(t *testing.T) {
	nodes := []*corev1.Node{plainNode("a", "9", map[string]string{"zone": "east"}), plainNode("b", "4", map[string]string{"zone": "west"}), plainNode("c", "2", nil)}
	for _, test := range []struct {
		name   string
		change func(*corev1.Pod, *corev1.NodeSelectorTerm)
		want   string
	}{
		{"one name", func(*corev1.Pod, *corev1.NodeSelectorTerm) {}, "c"},
		{"two names, which are invalid", func(_ *corev1.Pod, term *corev1.NodeSelectorTerm) {
			term.MatchFields[0].Values = []string{"c", "b"}
		}, ""},
		{"all but one", func(_ *corev1.Pod, term *corev1.NodeSelectorTerm) { term.MatchFields[0].Operator = "NotIn" }, "a"},
		{"a label as well", func(_ *corev1.Pod, term *corev1.NodeSelectorTerm) {
			term.MatchExpressions = []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "Exists"}}
		}, ""},
		// Of the zones, only that of the nodes that are named counts. In it, there is one pod already.
		{"a constraint", func(pod *corev1.Pod, term *corev1.NodeSelectorTerm) {
			term.MatchFields[0].Values = []string{"b"}
			pod.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule,
				LabelSelector: &metav1.LabelSelector{MatchLabels: pod.Labels}}}
		}, "b"},
	} {
		pod := onNode("c")
		test.change(pod, &pod.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0])
		p := loaded(places.Options{}, nodes, withPriority("there", "b", 0))
		testkit.Equal(t, nameOf(p.Find(p.ShapeOf(pod, around))), test.want, test.name)
	}
}

// Pods wait by priority, then by age, then by namespace and name.
func TestQueue(t *testing.T) {
	pod := func(name string, priority int32, age int64) *places.Pod {
		p := withPriority(name, "", priority)
		p.Object.CreationTimestamp = metav1.NewTime(time.Unix(age, 0))
		return p
	}
	other := pod("d", 1, 2)
	other.NamespacedName = types.NamespacedName{Namespace: "before", Name: "z"}
	pods := []*places.Pod{pod("d", 1, 2), pod("c", 1, 2), pod("b", 1, 1), pod("old", 0, 0), other, pod("urgent", 2, 9)}
	p := loaded(places.Options{}, nil, pods...)
	want := []string{"ns/urgent", "ns/b", "before/z", "ns/c", "ns/d", "ns/old"}
	testkit.NoDiff(t, names(p.Waiting()), want)
	added := places.New(places.Options{})
	for _, pod := range pods {
		added.Add(pod)
	}
	testkit.NoDiff(t, names(added.Waiting()), want)
}

// What a fork has told of its nodes, others have yet to tell.
func TestForksFreeTheirOwnNodes(t *testing.T) {
	p := loaded(places.Options{}, []*corev1.Node{plainNode("b", "1", nil), plainNode("a", "1", nil)})
	testkit.NoDiff(t, p.Fork().Freed(), []string{"a", "b"})
	fork := p.Fork()
	p.Freed()
	testkit.NoDiff(t, fork.Freed(), []string{"a", "b"})
}

// Volumes that are not known matter without a node as well.
func TestUnknownVolumesWithoutNodes(t *testing.T) {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Annotations: map[string]string{"pv.kubernetes.io/bind-completed": "yes"}}}
	claim.Spec.VolumeName = "v"
	known := func(*corev1.Pod) placement.Around {
		return placement.Around{Volumes: podvolumes.Objects{
			Claim:  func(string, string) *corev1.PersistentVolumeClaim { return claim },
			Volume: func(string) *corev1.PersistentVolume { return nil }, Incomplete: []podvolumes.Kind{podvolumes.PersistentVolume},
		}}
	}
	pod := plainPod("p")
	pod.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
	p := places.New(places.Options{})
	testkit.Equal(t, p.MayDependOnUnknown(p.ShapeOf(pod, known)), true)
}

// Why no node is added is told of a pod that is invalid, and of one that is too large as well. Each new node has a
// hostname of its own.
func TestWhyNoNodeIsAdded(t *testing.T) {
	p := places.New(places.Options{})
	invalid, large, alone := plainPod("invalid"), plainPod("large"), plainPod("alone")
	invalid.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "x"}}}}
	large.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "9")
	large.Spec.NodeSelector = map[string]string{"zone": "east"}
	alone.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: alone.Labels}}}}}
	s := p.ShapeOf(alone, around)
	e, refused := p.Estimate([]*places.Shape{s, p.ShapeOf(invalid, around), p.ShapeOf(large, around), s},
		plainNode("like", "4", map[string]string{corev1.LabelHostname: "like"}), nil)
	testkit.Equal(t, fmt.Sprint(e.Placed, refused),
		`[0 -1 -1 1] map[1:persistentvolumeclaim "x" not found 2:node(s) didn't match Pod's node affinity/selector]`)
}
