package whatif_test

import (
	"fmt"
	"sync"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// What admission plugins set: priority and runtime class, and tolerations of nodes that are not ready.
func TestCompletedPods(t *testing.T) {
	class := func(name string, value int32, isDefault bool) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value, GlobalDefault: isDefault, PreemptionPolicy: pointer(corev1.PreemptNever)}
	}
	kata := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Overhead: &nodev1.Overhead{PodFixed: testkit.List("cpu", "1")}, Scheduling: &nodev1.Scheduling{
		NodeSelector: map[string]string{"name": "b"}, Tolerations: []corev1.Toleration{{Key: "kata", Operator: corev1.TolerationOpExists}},
	}}
	notReady, dedicated := node("a", "4"), node("b", "2")
	notReady.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute}}
	dedicated.Spec.Taints = []corev1.Taint{{Key: "kata", Effect: corev1.TaintEffectNoSchedule}}
	c := read(t, whatif.Options{}, class("low", 5, true), class("high", 10, false), class("other", 7, true), kata, notReady, dedicated)
	high, runs, second, set := podOf("high", "1"), podOf("kata", "1"), podOf("second", "1"), podOf("set", "1")
	high.Spec.PriorityClassName, set.Spec.Priority = "high", pointer[int32](3)
	runs.Spec.RuntimeClassName, second.Spec.RuntimeClassName = pointer("kata"), pointer("unknown")
	r := wantStory(t, did(c.Apply(high, runs, second, set)), `
		Pod high Created
		Pod kata Created
		Pod second Refused: pods "second" is forbidden: pod rejected: RuntimeClass "unknown" not found
		Pod set Refused: pods "set" is forbidden: the integer value of priority (3) must not be provided in pod spec; priority admission controller computed 5 from the given PriorityClass name
		  high >a
		  kata >b
		`)
	var priorities []string
	for _, p := range r.Pods {
		priorities = append(priorities, fmt.Sprint(p.Object.Spec.PriorityClassName, *p.Object.Spec.Priority))
	}
	testkit.Equal(t, fmt.Sprint(priorities), "[high10 low5]")
	testkit.Equal(t, freeCPU(r.After, "b"), "0")
}

// Classes that are applied count from then on, and are not all that there are; those of a cluster are all of it. What waits for
// one is admitted when it comes.
func TestClasses(t *testing.T) {
	high := &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: "high"}, Value: 10}
	kata := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Overhead: &nodev1.Overhead{PodFixed: testkit.List("cpu", "1")}}
	gold := &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: "gold", Annotations: map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}}}
	web := deployment("web", 1, "1")
	web.Spec.Template.Spec.PriorityClassName, web.Spec.Template.Spec.RuntimeClassName = "high", pointer("kata")
	wantStory(t, did(read(t, whatif.Options{}, node("a", "4")).Apply(web)), `
		Deployment web Created 1/1/1
		  web-1-1 >a ?PriorityClass "high" ?RuntimeClass "kata"
		`)
	wantStory(t, did(read(t, whatif.Options{}, node("a", "4"), kata).Apply(high, web)), `
		PriorityClass high Created
		Deployment web Created 1/1/1
		  web-1-1 >a
		`)
	c := wantStory(t, did(read(t, whatif.Options{}, node("a", "4"), gold, high, resourceQuota("gold", "gold.storageclass.storage.k8s.io/requests.storage", "5Gi"), &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "other"}}).Apply(web)), `
		Deployment web Created 1/0/0: pods "web-1-1" is forbidden: pod rejected: RuntimeClass "kata" not found
		`).After
	c = wantStory(t, did(c.Apply(kata)), `
		RuntimeClass kata Created
		  web-1-1 >a
		`).After
	testkit.Equal(t, freeCPU(c, "a"), "2")
	c = wantStory(t, did(did(c.Delete(kata)).After.Apply(statefulSet("db", 1, "1", "data"))), `
		StatefulSet db Created 1/1/1
		  db-0 >a ?spec.volumes
		`).After
	testkit.Equal(t, resourcelist.String(c.Namespace("shop").Quotas()[0].Status.Used), "gold.storageclass.storage.k8s.io/requests.storage=1Gi")
	web.Name = "later"
	wantStory(t, did(c.Apply(web)), `
		Deployment later Created 1/0/0: pods "later-1-1" is forbidden: pod rejected: RuntimeClass "kata" not found
		`)
}

// Pods that wait are tried by priority, then age, then name, and before any new pod.
func TestQueue(t *testing.T) {
	waiting := func(name string, priority int32, seconds int64) *corev1.Pod {
		p := podOf(name, "1")
		p.Spec.Priority = &priority
		if seconds > 0 {
			p.CreationTimestamp = metav1.Unix(seconds, 0)
		}
		return p
	}
	c := read(t, whatif.Options{}, node("a", "0"), waiting("b-new", 0, 0), waiting("a-new", 0, 0), waiting("young", 0, 9), waiting("old", 0, 1), waiting("important", 5, 99))
	var names []string
	for _, p := range c.Pods("") {
		names = append(names, p.Object.Name)
	}
	testkit.Equal(t, fmt.Sprint(names), "[important old young a-new b-new]")
	wantStory(t, did(c.Apply(node("a", "3"), podOf("late", "1"))), `
		Node a Updated
		Pod late Created
		  important >a
		  old >a
		  young >a
		  late: 0/1 nodes are available: 1 Insufficient cpu.
		`)
}

// Which nodes an affinity selects; internal/conformance compares with the scheduler.
func TestNodeAffinity(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	a.Labels["cores"] = "8"
	term := func(key string, op corev1.NodeSelectorOperator, values ...string) corev1.NodeSelectorTerm {
		r := []corev1.NodeSelectorRequirement{{Key: key, Operator: op, Values: values}}
		if key == "metadata.name" {
			return corev1.NodeSelectorTerm{MatchFields: r}
		}
		return corev1.NodeSelectorTerm{MatchExpressions: r}
	}
	const mismatch = "0/2 nodes are available: 2 node(s) didn't match Pod's node affinity/selector."
	for _, test := range []struct {
		name  string
		terms []corev1.NodeSelectorTerm
		want  string
	}{
		{"one of two terms", []corev1.NodeSelectorTerm{term("name", "In", "x"), term("name", "In", "b")}, "b"},
		{"a larger number", []corev1.NodeSelectorTerm{term("cores", "Gt", "7")}, "a"},
		{"a label that is missing", []corev1.NodeSelectorTerm{term("cores", "DoesNotExist")}, "b"},
		{"no terms", nil, mismatch},
		{"an empty term", []corev1.NodeSelectorTerm{{}}, mismatch},
		{"an unknown operator", []corev1.NodeSelectorTerm{term("name", "Like", "a")}, mismatch},
		{"a name", []corev1.NodeSelectorTerm{term("metadata.name", "In", "b")}, "b"},
		{"another name", []corev1.NodeSelectorTerm{term("metadata.name", "NotIn", "a")}, "b"},
		{"a name that is unknown", []corev1.NodeSelectorTerm{term("metadata.name", "In", "x")}, "0/2 nodes are available: 2 node(s) didn't satisfy plugin(s) [NodeAffinity]."},
		{"names that contradict each other", []corev1.NodeSelectorTerm{{MatchFields: append(term("metadata.name", "In", "a").MatchFields, term("metadata.name", "In", "b").MatchFields...)}},
			"0/2 nodes are available: pod affinity terms conflict."},
	} {
		p := podOf("p", "1")
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: test.terms}}}
		c := read(t, whatif.Options{}, a, b)
		got := did(c.Apply(p)).Pods[0]
		testkit.Equal(t, got.Waits.Message+got.Node, test.want, test.name)
		testkit.Equal(t, c.Room(p).Replicas > 0, got.Waits.Cause == "", test.name)
	}
}

// Both scores count: the nodes have the same part of their resources free with the pod, one of them more evenly.
func TestScores(t *testing.T) {
	a, b := node("a", "2"), node("b", "4")
	a.Status.Allocatable["memory"], b.Status.Allocatable["memory"] = resource.MustParse("8Gi"), resource.MustParse("2662Mi")
	p := podOf("p", "1")
	p.Spec.Containers[0].Resources.Requests["memory"] = resource.MustParse("1Gi")
	testkit.Equal(t, did(read(t, whatif.Options{}, a, b).Apply(p)).Pods[0].Node, "b")
}

// The plugins of the default profile that look at a node alone count as much as there: taints 3, node affinity 2, resources
// 1 each, images 1.
func TestPreferences(t *testing.T) {
	large, small := node("large", "8"), node("small", "4")
	preferring := func(name string) *corev1.Pod {
		p := podOf("p", "1")
		p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
			Weight: 1, Preference: corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{name}}}},
		}}}}
		return p
	}
	avoided, having := large.DeepCopy(), small.DeepCopy()
	avoided.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectPreferNoSchedule}}
	having.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 2000 << 20}}
	app := podOf("p", "1")
	app.Spec.Containers[0].Image = "app:1"
	for _, test := range []struct {
		name  string
		nodes []admit.APIObject
		pod   *corev1.Pod
		want  string
	}{
		{"resources", []admit.APIObject{large, small}, podOf("p", "1"), "large"},
		{"node affinity", []admit.APIObject{large, small}, preferring("small"), "small"},
		{"taints", []admit.APIObject{avoided, small}, podOf("p", "1"), "small"},
		{"taints before node affinity", []admit.APIObject{avoided, small}, preferring("large"), "small"},
		{"images", []admit.APIObject{large, having}, app, "small"},
	} {
		testkit.Equal(t, did(read(t, whatif.Options{}, test.nodes...).Apply(test.pod)).Pods[0].Node, test.want, test.name)
	}
}

// A node that only gets other images is updated, and scores by these.
func TestImagesOfNodeChange(t *testing.T) {
	large, small := node("large", "8"), node("small", "4")
	first, second := podOf("p", "1"), podOf("q", "1")
	first.Spec.Containers[0].Image, second.Spec.Containers[0].Image = "app:1", "app:1"
	having := small.DeepCopy()
	having.Status.Images = []corev1.ContainerImage{{Names: []string{"app:1"}, SizeBytes: 2000 << 20}}
	wantStory(t, did(read(t, whatif.Options{}, large, small).Apply(first, having, second, having)), `
		Pod p Created
		Node small Updated
		Pod q Created
		Node small Unchanged
		  p >large
		  q >small
		`)
}

// A node has one pod for each host port. Once it leaves, another one gets the node.
func TestHostPorts(t *testing.T) {
	web := deployment("web", 3, "1")
	web.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
	c := wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), node("b", "9")).Apply(web)), `
		Deployment web Created 3/3/2
		  web-1-1 >a
		  web-1-2 >b
		  web-1-3: 0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.
		`).After
	room := c.Room(web)
	testkit.Equal(t, fmt.Sprint(room.Replicas, " ", room.Next.Message), "0 0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.")
	other := podOf("other", "1")
	other.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 81}}
	room = c.Room(other)
	testkit.Equal(t, fmt.Sprint(room.Replicas, " ", room.Next.Message), "2 0/2 nodes are available: 2 node(s) didn't have free ports for the requested pod ports.")
	other.Spec.Containers[0].Ports[0].HostPort = 80
	testkit.Equal(t, did(c.Apply(other)).Pods[0].Node, "")
	web = web.DeepCopy()
	web.Spec.Replicas = pointer[int32](1)
	wantStory(t, did(did(c.Apply(other)).After.Apply(web)), `
		Deployment web Updated 1/1/1
		  web-1-3 >
		  web-1-2 b>
		  other >b
		`)
}

// A pod of a higher priority takes the port of a node from one of a lower priority, and of no other node.
func TestHostPortsArePreempted(t *testing.T) {
	of := func(name string, port, priority int32) *corev1.Pod {
		p := podOf(name, "1")
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: port}}
		p.Spec.Priority = &priority
		return p
	}
	c := read(t, whatif.Options{}, node("a", "9"), node("b", "9"), node("c", "9"), on("a", of("same", 80, 5)), on("c", of("lower", 80, 1)), on("c", of("least", 81, 0)), on("b", of("other", 81, 0)), on("b", of("higher", 80, 9)))
	wantStory(t, did(c.Apply(of("more", 80, 5))), `
		Pod more Created
		  more >c
		  lower c>preempted
		`)
}

func selectedBy(d *appsv1.Deployment, labels map[string]string) *appsv1.Deployment {
	d.Spec.Selector, d.Spec.Template.Labels = &metav1.LabelSelector{MatchLabels: labels}, labels
	return d
}

func placesOf(r outcome) (names []string) {
	for _, p := range r.Pods {
		names = append(names, p.Node)
	}
	return names
}

// The system's default constraints spread the pods of a ReplicaSet, and of a Service, over nodes; those of a bare pod are
// on the node with the most room. A real scheduler put six such pods on a and b in turn.
func TestDefaultSpread(t *testing.T) {
	a, b := node("a", "32"), node("b", "4")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	c := read(t, whatif.Options{}, a, b)
	count := func(names []string) (ofA int) {
		for _, name := range names {
			if name == "a" {
				ofA++
			}
		}
		return ofA
	}
	first := did(c.Apply(selectedBy(deployment("web", 6, "500m"), app)))
	testkit.Equal(t, count(placesOf(first)), 3)
	larger := node("b", "32") // as much room as on a, where all pods of the former hash are
	larger.Labels = b.Labels
	old := did(read(t, whatif.Options{}, a).Apply(selectedBy(deployment("web", 6, "10m"), app), larger)).After
	atOnce := selectedBy(deployment("web", 6, "20m"), app)
	atOnce.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: pointer(intstr.FromInt32(6)), MaxUnavailable: pointer(intstr.FromInt32(0))}
	var after []string
	for _, p := range did(old.Apply(atOnce)).Pods {
		if !p.Gone {
			after = append(after, p.Node)
		}
	}
	testkit.Equal(t, len(after), 6)
	testkit.Equal(t, count(after), 3)

	bare := func(name string) *corev1.Pod {
		p := podOf(name, "500m")
		p.Labels = app
		return p
	}
	service := &corev1.Service{ObjectMeta: meta("web"), Spec: corev1.ServiceSpec{Selector: app}}
	testkit.NoDiff(t, placesOf(did(c.Apply(bare("p"), bare("q")))), []string{"a", "a"})
	testkit.NoDiff(t, placesOf(did(c.Apply(service, bare("p"), bare("q")))), []string{"a", "b"})
	testkit.NoDiff(t, placesOf(did(c.Apply(bare("p"), service, bare("q")))), []string{"a", "b"})
}

// A pod that waits is spread like the others of the controller that has adopted it.
func TestAdoptedPodIsSpread(t *testing.T) {
	a, b := node("a", "32"), node("b", "4")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name, "zone": "east"}
	}
	app, alone := map[string]string{"app": "web"}, map[string]string{"app": "alone"}
	there, waits, other := on("a", podOf("there", "1")), podOf("waits", "1"), on("a", podOf("other", "1"))
	there.Labels, waits.Labels, other.Labels = app, app, alone
	waits.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: "zone", LabelSelector: &metav1.LabelSelector{MatchLabels: alone}},
	}}}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web")}
	set.Spec.Replicas, set.Spec.Selector, set.Spec.Template = pointer[int32](2), &metav1.LabelSelector{MatchLabels: app}, template("1")
	set.Spec.Template.Labels = app
	c := did(read(t, whatif.Options{}, a, b, there, other).Apply(waits)).After
	testkit.NoDiff(t, placesOf(did(c.Delete(other)))[1:], []string{"a"}, "without a controller")
	testkit.NoDiff(t, placesOf(did(did(c.Apply(set)).After.Delete(other)))[1:], []string{"b"}, "beside another pod of its controller")
}

// Of pods with one spec, those of another namespace, with other labels or of another controller ask something else.
func TestPodsThatAskTheSame(t *testing.T) {
	a, b := node("a", "32"), node("b", "4")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	service := &corev1.Service{ObjectMeta: meta("web"), Spec: corev1.ServiceSpec{Selector: app}}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("set"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](0), Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"of": "set"}}}}
	set.Spec.Template.Labels = set.Spec.Selector.MatchLabels
	pod := func(name string, change func(pod *corev1.Pod)) *corev1.Pod {
		p := podOf(name, "500m")
		if change != nil {
			change(p)
		}
		return p
	}
	selected := func(p *corev1.Pod) { p.Labels = app }
	elsewhere := func(p *corev1.Pod) { p.Labels, p.Namespace = app, "team" }
	plain := func(p *corev1.Pod) { // with a controller that is not known, so that the set does not adopt it
		p.Labels = map[string]string{"of": "set"}
		owned(p, "Workflow", "w")
	}
	ofSet := func(p *corev1.Pod) { plain(p); owned(p, "ReplicaSet", "set").OwnerReferences[0].APIVersion = "apps/v1" }
	ofNone := func(p *corev1.Pod) { ofSet(p); p.OwnerReferences[0].Name = "none" }
	ofStatefulSet := func(p *corev1.Pod) { ofSet(p); p.OwnerReferences[0].Kind = "StatefulSet" }
	for name, test := range map[string]struct {
		pods []func(pod *corev1.Pod)
		want []string
	}{
		"labels":        {[]func(*corev1.Pod){selected, nil, selected}, []string{"a", "a", "b"}},
		"no labels":     {[]func(*corev1.Pod){selected, selected, nil}, []string{"a", "b", "a"}},
		"namespaces":    {[]func(*corev1.Pod){selected, elsewhere, selected}, []string{"a", "a", "b"}},
		"a controller":  {[]func(*corev1.Pod){plain, plain, ofSet}, []string{"a", "a", "b"}},
		"no controller": {[]func(*corev1.Pod){ofSet, plain}, []string{"a", "a"}},
		"another one":   {[]func(*corev1.Pod){ofSet, ofNone, ofSet}, []string{"a", "a", "b"}},
		"another kind":  {[]func(*corev1.Pod){ofSet, ofStatefulSet, ofSet}, []string{"a", "a", "b"}},
	} {
		c := read(t, whatif.Options{}, a, b, service, set)
		var got []string
		for i, change := range test.pods {
			r := did(c.Apply(pod(fmt.Sprint("p-", i), change)))
			got, c = append(got, placesOf(r)[0]), r.After
		}
		testkit.NoDiff(t, got, test.want, name)
		var all []admit.APIObject
		for i, change := range test.pods {
			all = append(all, pod(fmt.Sprint("p-", i), change))
		}
		testkit.NoDiff(t, placesOf(did(read(t, whatif.Options{}, a, b, service, set).Apply(all...)))[:len(all)], test.want, name, "at once")
	}
}

// Pods that keep each other away have a node each; those that wait get one once another leaves. Room counts them.
func TestAntiAffinity(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	web := selectedBy(deployment("web", 3, "1"), app)
	web.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: app}},
	}}}
	empty := read(t, whatif.Options{}, a, b)
	room := empty.Room(web)
	const message = "0/2 nodes are available: 2 node(s) didn't match pod anti-affinity rules."
	testkit.Equal(t, fmt.Sprint(room.Replicas, " ", room.Next.Message), "2 "+message)
	c := wantStory(t, did(empty.Apply(web)), `
		Deployment web Created 3/3/2
		  web-1-1 >a
		  web-1-2 >b
		  web-1-3: `+message+`
		`).After
	other := podOf("other", "1")
	other.Labels = app
	testkit.Equal(t, did(c.Apply(other)).Pods[0].Waits.Message, "0/2 nodes are available: 2 node(s) didn't satisfy existing pods anti-affinity rules.")
	wantStory(t, did(c.Delete(podOf("web-1-1", "1"))), `
		Pod web-1-1 Deleted
		  web-1-1 a>
		  web-1-3 >a
		  web-1-4: `+message+`
		`)
}

// A pod waits for another one that it has to be near, and one that spreads for its turn.
func TestPodsOpenNodes(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	near := podOf("near", "1")
	near.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
		{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}},
	}}}
	db := podOf("db", "1")
	db.Labels, db.Spec.NodeSelector = map[string]string{"app": "db"}, map[string]string{corev1.LabelHostname: "b"}
	c := wantStory(t, did(read(t, whatif.Options{}, a, b).Apply(near)), `
		Pod near Created
		  near: 0/2 nodes are available: 2 node(s) didn't match pod affinity rules.
		`).After
	testkit.Equal(t, c.Room(near).Replicas, 0)
	wantStory(t, did(c.Apply(db)), `
		Pod db Created
		  db >b
		  near >b
		`)
}

// A pod that leaves its node opens another one of the zone, because there is no room on its own.
func TestPodsOpenOtherNodes(t *testing.T) {
	a, b := node("a", "2"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelTopologyZone: "east"}
	}
	app := map[string]string{"app": "web"}
	web := func(name, cpu string) *corev1.Pod {
		p := podOf(name, cpu)
		p.Labels = app
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{TopologyKey: corev1.LabelTopologyZone, LabelSelector: &metav1.LabelSelector{MatchLabels: app}},
		}}}
		return p
	}
	c := did(read(t, whatif.Options{}, a, b, on("a", web("first", "1"))).Apply(web("second", "3"))).After
	wantStory(t, did(c.Delete(web("first", "1"))), `
		Pod first Deleted
		  first a>
		  second >b
		`)
}

// Pods that have to spread take nodes in turn, each counted once.
func TestRequiredSpread(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	web := selectedBy(deployment("web", 6, "1"), app)
	web.Spec.Template.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: app},
	}}
	c := read(t, whatif.Options{}, a, b)
	testkit.NoDiff(t, placesOf(did(c.Apply(web))), []string{"a", "b", "a", "b", "a", "b"})
	b.Status.Allocatable = testkit.List("cpu", "2", "memory", "1Ti", "pods", "110")
	testkit.Equal(t, read(t, whatif.Options{}, a, b).Room(web).Replicas, 5)
}

// Once a node is gone, another one may be open: the zone of the one that is gone no longer counts for the spread, or the
// scheduler has no nodes to compare. Source: isSchedulableAfterNodeChange of podtopologyspread.
func TestDeletedNodeOpensAnother(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	a.Labels, b.Labels = map[string]string{"zone": "east"}, map[string]string{"zone": "west"}
	web := func(name string) *corev1.Pod {
		p := podOf(name, "1")
		p.Labels = map[string]string{"app": "web"}
		p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
			MaxSkew: 1, TopologyKey: "zone", WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: p.Labels},
		}}
		return p
	}
	tainted := b.DeepCopy()
	tainted.Spec.Taints = []corev1.Taint{{Key: "special", Effect: corev1.TaintEffectNoSchedule}}
	odd := podOf("odd", "1")
	odd.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
		{Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "size", Operator: "Gt", Values: []string{"large"}}}}}}}}
	for _, test := range []struct {
		c     *whatif.Cluster
		waits *corev1.Pod
		want  string
	}{
		{read(t, whatif.Options{}, a, tainted, on("a", web("first"))), web("second"), `
			Node b Deleted
			  second >a
			`},
		{read(t, whatif.Options{}, a, tainted, on("a", web("first")), on("b", podOf("other", "1"))), web("second"), `
			Node b Deleted
			  other b>
			  second >a
			`},
		{read(t, whatif.Options{}, a, b), odd, `
			Node b Deleted
			  odd >a
			`},
	} {
		waiting := did(test.c.Apply(test.waits))
		testkit.Equal(t, waiting.Pods[0].Node, "", test.waits.Name)
		wantStory(t, did(waiting.After.Delete(b)), test.want)
	}
}

// Ports are free again after all pods of a kind have left, also within one change.
func TestPortsAreFreeAgain(t *testing.T) {
	web := func(replicas int32) *appsv1.Deployment {
		d := deployment("web", replicas, "1")
		d.Spec.Template.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
		return d
	}
	r := did(read(t, whatif.Options{}, node("a", "9"), node("b", "9")).Apply(web(2), web(0), web(2)))
	testkit.Equal(t, r.Objects[2].Placed, 2)
}

// A pod for a node of its own counts only pods there; other requirements of its term hold as well.
func TestPodsWithANodeOfTheirOwn(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	there := on("b", podOf("there", "1"))
	there.Labels = app
	own := podOf("own", "1")
	own.Labels = app
	term := corev1.NodeSelectorTerm{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"b"}}}}
	own.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{term}}}}
	own.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: app},
	}}
	c := read(t, whatif.Options{}, a, b, there)
	testkit.Equal(t, did(c.Apply(own)).Pods[0].Node, "b")
	own.Spec.TopologySpreadConstraints = nil
	testkit.Equal(t, did(c.Apply(own)).Pods[0].Node, "b")
	own.Spec.Affinity.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution.NodeSelectorTerms[0].MatchExpressions = []corev1.NodeSelectorRequirement{{Key: "gpu", Operator: "Exists"}}
	testkit.Equal(t, did(c.Apply(own)).Pods[0].Node, "")
}

// Pods of a template that only keep off their own kind may be beside those of the former template.
func TestAntiAffinityOfATemplate(t *testing.T) {
	a, b := node("a", "9"), node("b", "9")
	for _, n := range []*corev1.Node{a, b} {
		n.Labels = map[string]string{corev1.LabelHostname: n.Name}
	}
	app := map[string]string{"app": "web"}
	web := func(cpu string) *appsv1.Deployment {
		d := selectedBy(deployment("web", 2, cpu), app)
		d.Spec.Template.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{
			{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{MatchLabels: app}, MatchLabelKeys: []string{"pod-template-hash"}},
		}}}
		return d
	}
	wantStory(t, did(did(read(t, whatif.Options{}, a, b).Apply(web("1"))).After.Apply(web("2"))), `
		Deployment web Updated 2/2/2
		  web-2-1 >a
		  web-1-1 a>
		  web-2-2 >b
		  web-1-2 b>
		`)
}

// A namespace that gets a label opens nodes for a pod that has to be near pods of such namespaces. Of a pod with an invalid
// selector, no node is tried.
func TestSelectorsOfNamespacesAndInvalidOnes(t *testing.T) {
	a := node("a", "9")
	a.Labels = map[string]string{corev1.LabelHostname: "a"}
	namespace := func(labels map[string]string) *corev1.Namespace {
		return &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "team", Labels: labels}}
	}
	near := podOf("near", "1")
	term := corev1.PodAffinityTerm{TopologyKey: corev1.LabelHostname, LabelSelector: &metav1.LabelSelector{}, NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"env": "prod"}}}
	near.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{term}}}
	db := on("a", podOf("db", "1"))
	db.Namespace = "team"
	shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	c := wantStory(t, did(read(t, whatif.Options{}, a, shop, namespace(nil), db).Apply(near)), `
		Pod near Created
		  near: 0/1 nodes are available: 1 node(s) didn't match pod affinity rules.
		`).After
	wantStory(t, did(c.Apply(namespace(map[string]string{"env": "prod"}))), `
		Namespace team Updated
		  near >a
		`)
	term.NamespaceSelector.MatchLabels = map[string]string{corev1.LabelMetadataName: "team"}
	testkit.Equal(t, did(read(t, whatif.Options{}, a, shop, namespace(nil), db).Apply(near)).Pods[0].Node, "a")

	term.LabelSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "x", Operator: "Like"}}
	testkit.Equal(t, did(c.Apply(near, withName(near, "invalid"))).Pods[0].Waits.Message, `0/1 nodes are available: parsing pod: requiredAffinityTerms: "Like" is not a valid label selector operator.`)
}

// The API server admits invalid values in preferred terms, "as they can success when cluster has only one node"
// (ValidatePreferredSchedulingTerms); the scheduler does not compare several nodes by them, nor preempts others.
func TestInvalidPreferredTerms(t *testing.T) {
	p := podOf("p", "1")
	p.Spec.Priority = pointer[int32](5)
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{
		{Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "size", Operator: "Gt", Values: []string{"large"}}}}}}}}
	a, b := node("a", "2"), node("b", "2")
	want := whatif.Reason{Cause: "SchedulerError",
		Message: `running PreScore plugin "NodeAffinity": [0].matchExpressions[0].values[0]: Invalid value: "large": for 'Gt', 'Lt' operators, the value must be an integer`}

	one := read(t, whatif.Options{}, a)
	testkit.Equal(t, did(one.Apply(p)).Pods[0].Node, "a")
	testkit.Equal(t, one.Room(p).Replicas, 2)
	testkit.Equal(t, one.Room(p).Next.Message, "0/1 nodes are available: 1 Insufficient cpu.")

	both := read(t, whatif.Options{}, a, b, on("a", podOf("low", "1")))
	waits := did(both.Apply(p))
	testkit.NoDiff(t, waits.Pods[0].Waits, want)
	testkit.NoDiff(t, both.Room(p), whatif.Room{Next: want})
	wantStory(t, did(waits.After.Apply(podOf("last", "1"), podOf("large", "1"))), `
		Pod last Created
		Pod large Created
		  last >b
		  large >a
		  p >b
		`) // a is full, so that b is the only node
	other := read(t, whatif.Options{Profile: &whatif.Profile{Weights: map[string]int32{"NodeAffinity": 0}, NoFilters: []string{"NodeAffinity"}}}, a, b)
	testkit.Equal(t, did(other.Apply(p)).Pods[0].Node, "a")
	full := read(t, whatif.Options{}, a, b, on("a", podOf("low", "2")), on("b", podOf("lower", "2")))
	testkit.Equal(t, did(full.Apply(p)).Pods[0].Waits, whatif.Reason{}, "it preempts, because it may be on no node")
}

func withName(p *corev1.Pod, name string) *corev1.Pod {
	own := p.DeepCopy()
	own.Name = name
	return own
}

// A pod that found no node does not keep others of its kind from one, once there is room.
func TestRoomInBetween(t *testing.T) {
	suspended := job("j", 1, "2")
	suspended.Spec.Suspend = pointer(true)
	full := did(read(t, whatif.Options{}, node("a", "2")).Apply(job("j", 1, "2"))).After
	wantStory(t, did(full.Apply(podOf("first", "1"), suspended, podOf("second", "1"))), `
		Pod first Created
		Job j Updated
		Pod second Created
		  first >a
		  j-1 a>
		  second >a
		`)
}

// The ledger of a node has what the scheduler counts of a pod while it is resized in place: the largest of what the spec
// requests, and what is allocated. An update changes neither: only the subresource resize does.
func TestLedgerOfUpdatedPods(t *testing.T) {
	tolerates := []corev1.Toleration{{Key: "t", Operator: "Exists"}}
	resized := on("a", podOf("resized", "1"))
	resized.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: testkit.List("cpu", "3"),
		Resources: &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3")}}}
	changed := func(p *corev1.Pod, change func(spec *corev1.PodSpec)) *corev1.Pod {
		p = p.DeepCopy()
		p.Status = corev1.PodStatus{}
		change(&p.Spec)
		return p
	}
	tolerating := func(spec *corev1.PodSpec) { spec.Tolerations = tolerates }
	for name, test := range map[string]struct {
		there, applied *corev1.Pod
		action         whatif.Action
		before, after  string
	}{
		"resized in place":    {resized, changed(resized, tolerating), whatif.Updated, "3", "3"},
		"with other requests": {resized, changed(resized, func(spec *corev1.PodSpec) { spec.Containers[0].Resources.Requests = testkit.List("cpu", "2") }), whatif.Refused, "3", "3"},
	} {
		c := read(t, whatif.Options{}, node("a", "9"), test.there)
		testkit.Equal(t, requestedCPU(c, "a"), test.before, name)
		r := did(c.Apply(test.applied))
		testkit.Equal(t, r.Objects[0].Action, test.action, name, r.Objects[0].Reason.Message)
		testkit.Equal(t, requestedCPU(r.After, "a"), test.after, name)
	}
}

func requestedCPU(c *whatif.Cluster, node string) string {
	cpu := ledgerOf(c, node).Requested()["cpu"]
	return cpu.String()
}

func TestUnknownFields(t *testing.T) {
	p := podOf("p", "1")
	p.Spec.Affinity = &corev1.Affinity{PodAffinity: &corev1.PodAffinity{}, PodAntiAffinity: &corev1.PodAntiAffinity{}}
	p.Spec.TopologySpreadConstraints, p.Spec.ResourceClaims = []corev1.TopologySpreadConstraint{{}}, []corev1.PodResourceClaim{{}}
	p.Spec.SchedulerName = "other"
	p.Spec.Volumes = []corev1.Volume{{VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "data"}}}}
	p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}}
	c := read(t, whatif.Options{}, node("a", "9"))
	want := "[spec.resourceClaims spec.schedulerName spec.volumes]"
	testkit.Equal(t, fmt.Sprint(did(c.Apply(p)).Pods[0].Unknown), want)
	testkit.Equal(t, fmt.Sprint(c.Room(p).Unknown), want)
	known := podOf("known", "1")
	known.Spec.Affinity, known.Spec.SchedulerName = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{}}, "default-scheduler"
	known.Spec.Volumes = []corev1.Volume{{}, {VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}},
		{VolumeSource: corev1.VolumeSource{CSI: &corev1.CSIVolumeSource{}}}, {VolumeSource: corev1.VolumeSource{NFS: &corev1.NFSVolumeSource{}}}}
	known.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80}}
	testkit.Equal(t, len(did(c.Apply(known)).Pods[0].Unknown), 0)
}

func TestGatedPods(t *testing.T) {
	p := podOf("p", "1")
	p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}}
	c := read(t, whatif.Options{}, node("a", "9"), p)
	wantStory(t, did(c.Apply(node("b", "9"))), `
		Node b Created
		`)
	got, _ := c.Pod(inShop("p"))
	for _, reason := range []whatif.Reason{got.Waits, c.Room(p).Next} {
		testkit.Equal(t, reason, whatif.Reason{Cause: corev1.PodReasonSchedulingGated, Message: "Scheduling is blocked due to non-empty scheduling gates"})
	}
}

// Extended resources of DeviceClasses are left to dynamic resource allocation.
func TestDeviceClasses(t *testing.T) {
	class := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gold"}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: pointer("example.com/gpu")}}
	p := podOf("p", "1")
	p.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: testkit.List("example.com/gpu", "1"), Limits: testkit.List("example.com/gpu", "1")}
	const short = "0/1 nodes are available: 1 Insufficient example.com/gpu."
	for _, test := range []struct {
		opts    whatif.Options
		objects []admit.APIObject
		want    string
	}{
		{whatif.Options{}, nil, short},
		{whatif.Options{}, []admit.APIObject{class}, ""},
		{whatif.Options{Admission: admit.Options{ExtendedResources: map[string]corev1.ResourceName{}}}, []admit.APIObject{class}, short},
		{whatif.Options{IgnoredResources: []corev1.ResourceName{"example.com/gpu"}}, nil, ""},
		{whatif.Options{IgnoredGroups: []string{"example.com"}}, nil, ""},
	} {
		c := read(t, test.opts, append(test.objects, node("a", "9"))...)
		testkit.Equal(t, did(c.Apply(p)).Pods[0].Waits.Message, test.want)
	}
	limited := p.DeepCopy()
	limited.Spec.Containers[0].Resources.Requests = nil // the API server sets it
	for _, pod := range []*corev1.Pod{p, limited} {
		c := read(t, whatif.Options{}, class, node("a", "9"))
		unknown := []string{"spec.containers[*].resources.requests[example.com/gpu]"}
		testkit.NoDiff(t, c.Room(pod).Unknown, unknown)
		testkit.NoDiff(t, did(c.Apply(pod)).Pods[0].Unknown, unknown)
	}
}

// A node without the resource is one on which the scheduler claims devices, which nothing is known of. A node that has it,
// from a device plugin, has as much as it says.
func TestClaimedDevicesAreUnknown(t *testing.T) {
	class := &resourcev1.DeviceClass{ObjectMeta: metav1.ObjectMeta{Name: "gold"}, Spec: resourcev1.DeviceClassSpec{ExtendedResourceName: pointer("example.com/gpu")}}
	with := func(name, gpus string) *corev1.Node {
		n := node(name, "9")
		n.Status.Allocatable["example.com/gpu"] = resource.MustParse(gpus)
		return n
	}
	asking := func(name string) *corev1.Pod {
		p := podOf("p", "1")
		p.Spec.Containers[0].Resources = corev1.ResourceRequirements{Requests: testkit.List(name, "8"), Limits: testkit.List(name, "8")}
		return p
	}
	early := func(p *corev1.Pod) *corev1.Pod {
		p.Spec.InitContainers, p.Spec.Containers = p.Spec.Containers, podOf("p", "1").Spec.Containers
		p.Spec.InitContainers[0].Name = "setup"
		return p
	}
	const gpu, implicit = "example.com/gpu", "deviceclass.resource.kubernetes.io/gold"
	for name, test := range map[string]struct {
		pod     *corev1.Pod
		objects []admit.APIObject
		release string
		node    string
		waits   string
		unknown string
	}{
		"of a device plugin":           {asking(gpu), []admit.APIObject{class, with("a", "8")}, "", "a", "", "[]"},
		"too few of a device plugin":   {asking(gpu), []admit.APIObject{class, with("a", "7")}, "", "", "0/1 nodes are available: 1 Insufficient example.com/gpu.", "[]"},
		"of devices":                   {asking(gpu), []admit.APIObject{class, node("a", "9")}, "", "a", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"of devices, at the start":     {early(asking(gpu)), []admit.APIObject{class, node("a", "9")}, "", "a", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"of none":                      {asking(gpu), []admit.APIObject{class, with("a", "0")}, "", "a", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"of devices, by its own name":  {asking(implicit), []admit.APIObject{class, node("a", "9")}, "", "a", "", "[spec.containers[*].resources.requests[deviceclass.resource.kubernetes.io/gold]]"},
		"of both":                      {asking(gpu), []admit.APIObject{class, with("b", "8"), node("a", "9")}, "", "a", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"of both, too few of a plugin": {asking(gpu), []admit.APIObject{class, with("a", "7"), node("b", "9")}, "", "b", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"of another class":             {asking("example.com/fpga"), []admit.APIObject{class, node("a", "9")}, "", "", "0/1 nodes are available: 1 Insufficient example.com/fpga.", "[]"},
		"of no class":                  {podOf("p", "1"), []admit.APIObject{class, node("a", "9")}, "", "a", "", "[]"},
		"of devices, in 1.36":          {asking(gpu), []admit.APIObject{class, node("a", "9")}, "1.36", "a", "", "[spec.containers[*].resources.requests[example.com/gpu]]"},
		"in 1.35, which claims none":   {asking(gpu), []admit.APIObject{class, node("a", "9")}, "1.35", "", "0/1 nodes are available: 1 Insufficient example.com/gpu.", "[]"},
		"in 1.35, of a device plugin":  {asking(gpu), []admit.APIObject{class, with("a", "8")}, "1.35", "a", "", "[]"},
	} {
		opts := whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: test.release}}}
		c := read(t, opts, test.objects...)
		got := did(c.Apply(test.pod)).Pods[0]
		testkit.Equal(t, got.Node, test.node, name)
		testkit.Equal(t, got.Waits.Message, test.waits, name)
		testkit.Equal(t, fmt.Sprint(got.Unknown), test.unknown, name)
		testkit.Equal(t, fmt.Sprint(c.Room(test.pod).Unknown), test.unknown, name)
	}
}

// A pod that finds no node preempts the fewest pods of a lower priority, whose controllers create others; it respects the
// budgets, its own policy, and what nodes it may be on.
func TestPreemption(t *testing.T) {
	important := func(name, cpu string) *corev1.Pod {
		p := podOf(name, cpu)
		p.Spec.Priority = pointer[int32](10)
		return p
	}
	at := func(p *corev1.Pod, name string) *corev1.Pod {
		p.Spec.NodeName = name
		return p
	}
	full := read(t, whatif.Options{}, node("a", "2"), node("b", "2"), at(podOf("small-1", "1"), "a"), at(podOf("small-2", "1"), "a"), at(podOf("large", "2"), "b"))
	wantStory(t, did(full.Apply(important("new", "2"))), `
	Pod new Created
	  new >b
	  large b>preempted
	`)
	wantStory(t, did(full.Apply(important("new", "1"))), `
	Pod new Created
	  new >a
	  small-2 a>preempted
	`)
	never, selective := important("new", "1"), important("new", "2")
	never.Spec.PreemptionPolicy = pointer(corev1.PreemptNever)
	selective.Spec.NodeSelector = map[string]string{"name": "a"}
	for _, waits := range []*corev1.Pod{podOf("new", "1"), never, important("new", "3")} {
		wantStory(t, did(full.Apply(waits)), `
	Pod new Created
	  new: 0/2 nodes are available: 2 Insufficient cpu.
	`)
	}
	small := `
	Pod new Created
	  new >a
	  small-1 a>preempted
	  small-2 a>preempted
	`
	wantStory(t, did(full.Apply(selective)), small)
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: meta("budget"), Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}}}
	large := at(podOf("large", "2"), "b")
	large.Labels = map[string]string{"app": "db"}
	guarded := read(t, whatif.Options{}, node("a", "2"), node("b", "2"), at(podOf("small-1", "1"), "a"), at(podOf("small-2", "1"), "a"), large, budget)
	wantStory(t, did(guarded.Apply(important("new", "2"))), small)
	// The second one finds no victims on the node of the first, and the controller of the victims creates others, which wait.
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("2")}}
	running := did(read(t, whatif.Options{}, node("a", "2"), node("b", "2")).Apply(set)).After
	wantStory(t, did(running.Apply(important("first", "2"), important("second", "2"), important("third", "2"))), `
	Pod first Created
	Pod second Created
	Pod third Created
	  first >a
	  web-1 a>preempted
	  web-3: 0/2 nodes are available: 2 Insufficient cpu.
	  second >b
	  web-2 b>preempted
	  web-4: 0/2 nodes are available: 2 Insufficient cpu.
	  third: 0/2 nodes are available: 2 Insufficient cpu.
	`)
	// The pod that a StatefulSet creates instead has the same name.
	running = did(read(t, whatif.Options{}, node("a", "2")).Apply(statefulSet("db", 2, "1"))).After
	wantStory(t, did(running.Apply(important("first", "1"))), `
	Pod first Created
	  first >a
	  db-1 a>preempted: 0/1 nodes are available: 1 Insufficient cpu.
	`)
}

// A budget of a manifest keeps the status that its controller has written.
func TestUpdatedBudget(t *testing.T) {
	labelled := func(name, node string) *corev1.Pod {
		p := on(node, podOf(name, "1"))
		p.Labels = map[string]string{"app": name}
		return p
	}
	budget := &policyv1.PodDisruptionBudget{ObjectMeta: meta("budget")}
	budget.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "one"}}
	applied := budget.DeepCopy()
	applied.Labels = map[string]string{"team": "db"}
	budget.Status.DisruptionsAllowed = 1
	urgent := podOf("urgent", "1")
	urgent.Spec.Priority = pointer[int32](9)
	c := read(t, whatif.Options{}, node("a", "1"), node("b", "1"), labelled("one", "a"), labelled("two", "b"), budget)
	testkit.Equal(t, did(c.Apply(applied, urgent)).Pods[1].Object.Name, "one")
	budget.Status.DisruptionsAllowed = 0
	c = read(t, whatif.Options{}, node("a", "1"), node("b", "1"), labelled("one", "a"), labelled("two", "b"), budget)
	testkit.Equal(t, did(c.Apply(applied, urgent)).Pods[1].Object.Name, "two")
}

// A cluster without pod-level resources counts pods by their containers, also those that have some.
func TestPlacesIgnorePodLevel(t *testing.T) {
	large := on("a", podOf("large", "1"))
	large.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "3")}
	old := whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: new(bool)}}}
	testkit.Equal(t, freeCPU(read(t, whatif.Options{}, node("a", "4"), large), "a"), "1")
	testkit.Equal(t, freeCPU(read(t, old, node("a", "4"), large), "a"), "3")
}

// A pod that names its node has room there only; a name that is two names is invalid.
func TestNamedNodes(t *testing.T) {
	named := func(names ...string) *corev1.Pod {
		pod := podOf("p", "1")
		field := corev1.NodeSelectorRequirement{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: names}
		pod.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{field}}},
		}}}
		return pod
	}
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "3"))
	testkit.Equal(t, c.Room(named("a")).Replicas, 2)
	testkit.Equal(t, c.Room(named("a", "b")).Replicas, 0)
}

// Amounts of the pod as a whole count since 1.34.
func TestPlaceByRelease(t *testing.T) {
	whole := podOf("web", "1")
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "4")}
	for release, want := range map[string]string{"1.33": "a", "1.37": ""} {
		opts := whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: release}}}
		p, err := read(t, opts, node("a", "2"), whole).Pod(inShop("web"))
		testkit.OK(t, err)
		testkit.Equal(t, p.Node, want, release)
	}
}

// Questions about pods that wait may be asked at the same time.
func TestConcurrentQuestions(t *testing.T) {
	objects := []admit.APIObject{node("a", "1")}
	for i := range 200 { // each of another shape
		objects = append(objects, podOf(fmt.Sprintf("p-%03d", i), fmt.Sprintf("%dm", 2000+i)))
	}
	c := read(t, whatif.Options{}, objects...)
	for range 10 { // a cluster that has been asked may know the answers
		_, fresh := c.Apply()
		if whatif.SharesPlaces(fresh) { // which the race below need not show
			t.Fatal("a question writes to the places of the cluster")
		}
		var all sync.WaitGroup
		begin := make(chan struct{})
		for range 4 {
			all.Go(func() {
				<-begin
				pods := fresh.Pods("")
				p, err := fresh.Pod(types.NamespacedName{Namespace: "shop", Name: "p-199"})
				if len(pods) != 200 || err != nil || p.Waits.Message != "0/1 nodes are available: 1 Insufficient cpu." || pods[7].Waits.Message != p.Waits.Message {
					t.Errorf("%d pods, %v: %v", len(pods), p.Waits, err)
				}
			})
		}
		close(begin)
		all.Wait()
	}
}
