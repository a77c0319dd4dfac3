package places_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif/internal/places"
)

// world is places, and what their nodes and pods are.
type world struct {
	places *places.Places
	nodes  map[string]*corev1.Node
	pods   map[types.NamespacedName]*places.Pod
}

func newWorld() *world {
	return &world{places.New(places.Options{}), map[string]*corev1.Node{}, map[types.NamespacedName]*places.Pod{}}
}

// fork returns a copy, of which neither is influenced by the other from now on.
func (w *world) fork() *world {
	base := w.places
	w.places = base.Fork()
	return &world{base.Fork(), maps.Clone(w.nodes), maps.Clone(w.pods)}
}

// afresh returns the same world, to which everything was added at once.
func (w *world) afresh() *places.Places {
	fresh := places.New(places.Options{})
	var pods []*places.Pod
	for _, p := range w.pods {
		pods = append(pods, p)
	}
	fresh.Load(slices.Collect(maps.Values(w.nodes)), pods)
	return fresh
}

func around(*corev1.Pod) placement.Around { return placement.Around{} }

func drawNode(t *rapid.T, name string) *corev1.Node {
	n := &corev1.Node{}
	n.Name, n.Labels = name, map[string]string{"zone": rapid.SampledFrom([]string{"east", "west"}).Draw(t, "zone")}
	n.Spec.Unschedulable = rapid.IntRange(0, 5).Draw(t, "cordoned") == 0
	n.Status.Allocatable = testkit.List("cpu", rapid.SampledFrom([]string{"2", "3"}).Draw(t, "cpu"), "pods", "3")
	return n
}

func drawPod(t *rapid.T, name types.NamespacedName) *corev1.Pod {
	p := &corev1.Pod{}
	p.Namespace, p.Name, p.Labels = name.Namespace, name.Name, map[string]string{"app": rapid.SampledFrom([]string{"web", "db"}).Draw(t, "app")}
	c := testkit.Container("c", testkit.List("cpu", rapid.SampledFrom([]string{"500m", "1", "2"}).Draw(t, "cpu")), nil)
	priority := rapid.Int32Range(0, 2).Draw(t, "priority")
	p.Spec.Priority = &priority
	own := &metav1.LabelSelector{MatchLabels: p.Labels}
	switch rapid.IntRange(0, 8).Draw(t, "rule") {
	case 8: // several nodes are not compared
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
			Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "zone", Operator: "Gt", Values: []string{"east"}}}}}}}}
	case 0:
		c.Ports = []corev1.ContainerPort{{HostPort: 80, ContainerPort: 80}}
	case 1:
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: own}}
	case 2:
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: "zone", LabelSelector: own}}}}
	case 3:
		p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.WeightedPodAffinityTerm{{Weight: 50, PodAffinityTerm: corev1.PodAffinityTerm{TopologyKey: "zone", LabelSelector: own}}}}}
	case 4:
		p.Spec.NodeSelector = map[string]string{"zone": "east"}
	case 5:
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
			MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{"b"}}}}}}}}
	}
	if rapid.IntRange(0, 9).Draw(t, "gated") == 0 {
		p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "gate"}}
	}
	p.Spec.Containers = []corev1.Container{c}
	return p
}

// change changes a node or a pod.
func (w *world) change(t *rapid.T) {
	node := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "node")
	name := types.NamespacedName{Namespace: "ns", Name: rapid.SampledFrom([]string{"0", "1", "2", "3", "4", "5", "6"}).Draw(t, "pod")}
	switch rapid.IntRange(0, 7).Draw(t, "change") {
	case 0:
		w.nodes[node] = drawNode(t, node)
		w.places.SetNode(w.nodes[node])
	case 1:
		for _, p := range w.places.On(node) {
			w.places.Remove(p)
			delete(w.pods, p.NamespacedName)
		}
		w.places.RemoveNode(node)
		delete(w.nodes, node)
	default:
		if p := w.pods[name]; p != nil {
			w.places.Remove(p)
			delete(w.pods, name)
			return
		}
		object := drawPod(t, name)
		p := &places.Pod{NamespacedName: name, Object: object, Request: noderesources.PodRequest(object, computeresources.Options{}), Shape: w.places.ShapeOf(object, around)}
		if p.Node = node; rapid.IntRange(0, 2).Draw(t, "waits") == 0 {
			p.Node = ""
		}
		w.places.Add(p)
		w.pods[name] = p
	}
}

func names(pods []*places.Pod) (all []string) {
	for _, p := range pods {
		all = append(all, p.String())
	}
	return all
}

func noBudgets() []*policyv1.PodDisruptionBudget { return nil }

// answers are those about a pod, and about nodes.
func answers(p *places.Places, pod *places.Pod) (all []string) {
	found, choice := p.Find(pod.Shape)
	all = append(all, fmt.Sprint(p.Names(), names(p.Waiting())), "find "+found+testkit.Fingerprint(choice), fmt.Sprint("why ", p.WhyWaiting(pod.Shape)))
	for _, n := range p.Nodes() {
		l, err := p.Ledger(n.Name)
		all = append(all, fmt.Sprint(n.Name, " ", p.Node(n.Name) == n, names(p.On(n.Name)), testkit.Texts(l.Free()), err))
	}
	if found == "" {
		node, victims := p.Preempt(pod, noBudgets)
		list := names(victims)
		slices.Sort(list)
		all = append(all, fmt.Sprint("preempt ", node, list))
	}
	n, full := p.Fork().Room(pod.Shape, 9)
	return append(all, fmt.Sprint("room ", n, " ", full))
}

// Whatever has been asked before, answers are those of places that know nothing yet, also of forks.
func TestWhatIsKnownHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := []*world{newWorld()}
		object := drawPod(t, types.NamespacedName{Namespace: "ns", Name: "asks"})
		object.Name = "asks"
		for range rapid.IntRange(1, 40).Draw(t, "events") {
			w := rapid.SampledFrom(all).Draw(t, "world")
			pod := &places.Pod{NamespacedName: types.NamespacedName{Namespace: "ns", Name: "asks"}, Object: object}
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				if rapid.Bool().Draw(t, "closed") {
					w.places.Close()
				}
				all = append(all, w.fork())
			case 1, 2:
				pod.Shape = w.places.ShapeOf(object, around)
				got, fresh := answers(w.places, pod), w.afresh()
				pod.Shape = fresh.ShapeOf(object, around)
				testkit.NoDiff(t, got, answers(fresh, pod))
			default:
				w.change(t)
			}
		}
	})
}

// Among the nodes that may have room again, a pod that had none finds what it finds among all.
func TestFindAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w, name, had := newWorld(), types.NamespacedName{Namespace: "ns", Name: "asks"}, false
		object := drawPod(t, name)
		waits := &places.Pod{NamespacedName: name, Object: object, Shape: w.places.ShapeOf(object, around)}
		w.places.Add(waits)
		w.pods[name] = waits
		for range rapid.IntRange(1, 20).Draw(t, "events") {
			for range rapid.IntRange(1, 3).Draw(t, "changes") {
				w.change(t)
			}
			freed, found := w.places.Freed(), ""
			if had {
				found = nameOf(w.places.Find(waits.Shape))
			} else {
				found = nameOf(w.places.FindAgain(waits.Shape, freed))
			}
			fresh := w.afresh()
			want := nameOf(fresh.Find(fresh.ShapeOf(object, around)))
			testkit.Equal(t, found, want, freed)
			had = want != ""
		}
	})
}

// Nodes have changed if their object has, or their pods have.
func TestChanged(t *testing.T) {
	a, b := &corev1.Node{}, &corev1.Node{}
	a.Name, b.Name = "a", "b"
	pod := &places.Pod{NamespacedName: types.NamespacedName{Name: "p"}, Object: &corev1.Pod{}, Node: "a"}
	before := places.New(places.Options{})
	before.Load([]*corev1.Node{b, a}, []*places.Pod{pod})
	for _, test := range []struct {
		name   string
		change func(p *places.Places)
		want   []string
	}{
		{"nothing", func(*places.Places) {}, nil},
		{"a pod goes and comes back", func(p *places.Places) { p.Remove(pod); p.Add(pod) }, nil},
		{"a pod goes", func(p *places.Places) { p.Remove(pod) }, []string{"a"}},
		{"a node is another one", func(p *places.Places) { p.SetNode(b.DeepCopy()) }, []string{"b"}},
		{"a node comes", func(p *places.Places) { p.SetNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "c"}}) }, []string{"c"}},
		{"a node goes", func(p *places.Places) { p.RemoveNode("b"); p.RemoveNode("x") }, nil},
	} {
		after := before.Fork()
		test.change(after)
		testkit.NoDiff(t, after.Changed(before), test.want, test.name)
	}
}

// A node that comes has the pods that named it before, and those of namespaces with odd names are not mixed up.
func TestPodsOfANodeThatComes(t *testing.T) {
	p := places.New(places.Options{})
	odd := []types.NamespacedName{{Namespace: "a", Name: "b/c"}, {Namespace: "a/b", Name: "c"}, {Namespace: "a%2Fb", Name: "c"}}
	var pods []*places.Pod
	for _, name := range odd {
		pods = append(pods, &places.Pod{NamespacedName: name, Object: &corev1.Pod{}, Node: "n"})
		p.Add(pods[len(pods)-1])
	}
	testkit.Equal(t, fmt.Sprint(p.Names(), len(p.On("n"))), "[] 3")
	p.SetNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n"}})
	for i, pod := range pods {
		l, err := p.Ledger("n")
		testkit.OK(t, err)
		testkit.Equal(t, l.Pods(), 3-i)
		p.Remove(pod)
	}
}

// A pod that one fork adds to an unknown node is not in another fork.
func TestForksOfANodeThatIsNotKnown(t *testing.T) {
	of := func(name string) *places.Pod {
		return &places.Pod{NamespacedName: types.NamespacedName{Name: name}, Object: &corev1.Pod{}, Node: "n"}
	}
	base := places.New(places.Options{})
	base.Load(nil, []*places.Pod{of("a"), of("b"), of("c")}) // a list with room for one more
	names := func(p *places.Places) (names string) {
		for _, pod := range p.On("n") {
			names += pod.Name
		}
		return names
	}
	first, second := base.Fork(), base.Fork()
	first.Add(of("x"))
	second.Add(of("y"))
	testkit.Equal(t, names(first)+" "+names(second)+" "+names(base), "abcx abcy abc")
	second.Remove(of("a"))
	testkit.Equal(t, names(first)+" "+names(second)+" "+names(base), "abcx bcy abc")
}

// The nodes that may have room for others are those that pods leave, that change or come, or all.
func TestFreed(t *testing.T) {
	p := places.New(places.Options{})
	p.Load([]*corev1.Node{{ObjectMeta: metav1.ObjectMeta{Name: "b"}}, {ObjectMeta: metav1.ObjectMeta{Name: "a"}}}, nil)
	testkit.NoDiff(t, p.Freed(), []string{"a", "b"})
	pod := &places.Pod{NamespacedName: types.NamespacedName{Name: "p"}, Object: &corev1.Pod{}, Node: "a"}
	p.Add(pod)
	testkit.Equal(t, len(p.Freed()), 0)
	p.Remove(pod)
	testkit.NoDiff(t, p.Freed(), []string{"a"})
	p.SetNode(&corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "b"}})
	testkit.NoDiff(t, p.Freed(), []string{"b"})
	p.Free()
	testkit.NoDiff(t, p.Freed(), []string{"a", "b"})
}

// The last pod whose anti-affinity keeps another one off a zone is on a, where the other one has no room. It keeps it off
// its node as well.
func TestFreedByAntiAffinity(t *testing.T) {
	zone := map[string]string{"zone": "east"}
	for name, change := range map[string]func(p *places.Places, there *places.Pod){
		"the pod leaves":           func(p *places.Places, there *places.Pod) { p.Remove(there) },
		"its node leaves the zone": func(p *places.Places, _ *places.Pod) { p.SetNode(plainNode("a", "1", nil)) },
		"its node is in another one": func(p *places.Places, _ *places.Pod) {
			p.SetNode(plainNode("a", "1", map[string]string{"zone": "west"}))
		},
	} {
		there, waits := withPriority("there", "a", 0), withPriority("waits", "", 0)
		own := &metav1.LabelSelector{MatchLabels: there.Object.Labels}
		there.Object.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{TopologyKey: corev1.LabelHostname, LabelSelector: own}, {TopologyKey: "zone", LabelSelector: own}}}}
		waits.Object.Spec.Containers[0].Resources.Requests = testkit.List("cpu", "2")
		p := places.New(places.Options{})
		p.Load([]*corev1.Node{plainNode("a", "1", zone), plainNode("b", "4", zone), plainNode("c", "1", nil)}, []*places.Pod{there, waits})
		waits.Shape = p.ShapeOf(waits.Object, around)
		testkit.Equal(t, nameOf(p.FindAgain(waits.Shape, p.Freed())), "", name)
		change(p, there)
		freed := p.Freed()
		testkit.NoDiff(t, freed, []string{"a", "b"}, name)
		testkit.Equal(t, nameOf(p.FindAgain(waits.Shape, freed)), "b", name)
	}
}

// A pod counts in several budgets by the rules of the release. Up to 1.36, both pods of a violate one; since 1.37, a pod
// counts up to the first that it violates, so that other is left for the next.
func TestBudgetsOfARelease(t *testing.T) {
	budget := func(name, label string, left int32) *policyv1.PodDisruptionBudget {
		return &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: left},
			Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{label: ""}}}}
	}
	budgets := func() []*policyv1.PodDisruptionBudget {
		return []*policyv1.PodDisruptionBudget{budget("p1", "x", 0), budget("p2", "y", 1), budget("p3", "z", 0)}
	}
	pod := func(name, node, cpu string, priority int32, labels ...string) *places.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{}}}
		for _, label := range labels {
			p.Labels[label] = ""
		}
		p.Spec.Priority, p.Spec.Containers = &priority, []corev1.Container{testkit.Container("c", testkit.List("cpu", cpu), nil)}
		return &places.Pod{NamespacedName: types.NamespacedName{Name: name}, Object: p, Node: node, Request: noderesources.PodRequest(p, computeresources.Options{})}
	}
	var nodes []*corev1.Node
	for _, name := range []string{"a", "b"} {
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name}}
		n.Status.Allocatable = testkit.List("cpu", "2", "pods", "9")
		nodes = append(nodes, n)
	}
	for release, want := range map[string]string{"1.36": "b", "1.37": "a"} {
		p := places.New(places.Options{Kubernetes: computeresources.Kubernetes{Release: release}})
		p.Load(nodes, []*places.Pod{pod("one", "a", "1", 0, "x", "y"), pod("two", "a", "1", 0, "y"), pod("three", "b", "2", 1, "z")})
		urgent := pod("urgent", "", "2", 9)
		urgent.Shape = p.ShapeOf(urgent.Object, around)
		node, _ := p.Preempt(urgent, budgets)
		testkit.Equal(t, node, want, release)
	}
}

// Pods that ask the same share their shape, unless they have claims of their own. Limits of volumes that are not known
// matter on nodes alone.
func TestShapesOfVolumes(t *testing.T) {
	volume := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: "v"}}
	volume.Spec.CSI = &corev1.CSIPersistentVolumeSource{Driver: "csi.example.com", VolumeHandle: "v"}
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Name: "data", Annotations: map[string]string{"pv.kubernetes.io/bind-completed": "yes"}}}
	claim.Spec.VolumeName = "v"
	known := func(*corev1.Pod) placement.Around {
		return placement.Around{Volumes: podvolumes.Objects{
			Claim:  func(string, string) *corev1.PersistentVolumeClaim { return claim },
			Volume: func(string) *corev1.PersistentVolume { return volume }, Incomplete: []podvolumes.Kind{podvolumes.CSINode},
		}}
	}
	p := places.New(places.Options{})
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	n.Status.Allocatable = testkit.List("pods", "9")
	p.Load([]*corev1.Node{n}, nil)
	for _, test := range []struct {
		volume                  corev1.VolumeSource
		shares, dependsOnA, may bool
	}{
		{corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}, true, false, false},
		{corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}, true, true, true},
		{corev1.VolumeSource{Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{}}}, false, false, false},
	} {
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
		pod.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: test.volume}}
		first := p.ShapeOf(pod, known)
		testkit.Equal(t, first == p.ShapeOf(pod, known), test.shares, test.volume)
		if test.volume.Ephemeral != nil {
			continue
		}
		testkit.Equal(t, p.DependsOnUnknown(first, "a"), test.dependsOnA, test.volume)
		testkit.Equal(t, p.DependsOnUnknown(first, ""), false, test.volume)
		testkit.Equal(t, p.MayDependOnUnknown(first), test.may, test.volume)
		gated := pod.DeepCopy()
		gated.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}}
		testkit.Equal(t, p.MayDependOnUnknown(p.ShapeOf(gated, known)), false, test.volume)
	}
}

// A fork takes the index of closed places, however many pods there are.
func TestForksShareTheIndex(t *testing.T) {
	allocations := func(pods int) float64 {
		p := places.New(places.Options{})
		n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
		n.Status.Allocatable = testkit.List("pods", "9999")
		var there []*places.Pod
		for i := range pods {
			name := types.NamespacedName{Namespace: fmt.Sprint("ns-", i), Name: "p"}
			there = append(there, &places.Pod{NamespacedName: name, Object: &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: name.Namespace, Name: "p"}}, Node: "a"})
		}
		p.Load([]*corev1.Node{n}, there)
		p.Close()
		object := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "asks"}}
		return testing.AllocsPerRun(10, func() {
			fork := p.Fork()
			testkit.Equal(t, nameOf(fork.Find(fork.ShapeOf(object, around))), "a")
			fork.Close()
			again := fork.Fork()
			testkit.Equal(t, nameOf(again.Find(again.ShapeOf(object, around))), "a")
		})
	}
	if few, many := allocations(10), allocations(1000); many > few+5 {
		t.Errorf("%v allocations with 1000 pods, %v with 10", many, few)
	}
}

func nameOf(node string, _ *places.Choice) string { return node }
