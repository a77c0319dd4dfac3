package whatif_test

import (
	"fmt"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	nodev1 "k8s.io/api/node/v1"
	schedulingv1 "k8s.io/api/scheduling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// stored returns a pod as it is stored.
func stored(t *testing.T, c *whatif.Cluster, name string) *corev1.PodSpec {
	t.Helper()
	p, err := c.Pod(inShop(name))
	testkit.OK(t, err)
	return &p.Object.Spec
}

// A pod may set what its classes say, and nothing is there twice. Of several default classes, that with the lowest value and
// then the first name counts.
func TestCompletedPodsKeepTheirOwn(t *testing.T) {
	class := func(name string, value int32, isDefault bool) *schedulingv1.PriorityClass {
		return &schedulingv1.PriorityClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Value: value, GlobalDefault: isDefault}
	}
	gentle := class("gentle", 9, false)
	gentle.PreemptionPolicy = pointer(corev1.PreemptNever)
	kata := &nodev1.RuntimeClass{ObjectMeta: metav1.ObjectMeta{Name: "kata"}, Overhead: &nodev1.Overhead{PodFixed: testkit.List("cpu", "1")},
		Scheduling: &nodev1.Scheduling{Tolerations: []corev1.Toleration{{Operator: corev1.TolerationOpExists}}}}
	own := podOf("own", "1")
	own.Spec.RuntimeClassName, own.Spec.Overhead = pointer("kata"), testkit.List("cpu", "1")
	own.Spec.Tolerations = []corev1.Toleration{{Operator: corev1.TolerationOpExists}}
	for range 20 { // the order of a map
		c := did(read(t, whatif.Options{}, class("b", 5, true), class("a", 5, true), class("c", 5, true), kata, node("a", "9")).Apply(own)).After
		spec := stored(t, c, "own")
		testkit.Equal(t, spec.PriorityClassName, "a")
		testkit.Equal(t, spec.Overhead.Cpu().String(), "1")
		testkit.Equal(t, len(spec.Tolerations), 1) // it tolerates nodes that are not ready as well
	}
	polite := podOf("polite", "1")
	polite.Spec.PriorityClassName = "gentle"
	wantStory(t, did(read(t, whatif.Options{}, gentle, node("a", "1"), on("a", podOf("low", "1"))).Apply(polite)), `
		Pod polite Created
		  polite: 0/1 nodes are available: 1 Insufficient cpu.
		`)
}

// The pods of DaemonSets with a node of their own, preferences, the network of the host and tolerations; on nodes whose
// labels change, or that are made after their namespace is gone.
func TestDaemonsInDetail(t *testing.T) {
	agent := daemonSet("agent", "1")
	agent.Spec.Template.Spec.NodeSelector = map[string]string{"name": "a"}
	agent.Spec.Template.Spec.HostNetwork = true
	agent.Spec.Template.Spec.Tolerations = []corev1.Toleration{{Key: corev1.TaintNodeNotReady, Operator: corev1.TolerationOpExists, Effect: corev1.TaintEffectNoExecute}}
	agent.Spec.Template.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{Weight: 1}}}}
	offline := node("a", "2")
	offline.Spec.Taints = []corev1.Taint{{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}}
	c := wantStory(t, did(read(t, whatif.Options{}, offline, node("b", "2")).Apply(agent)), `
		DaemonSet agent Created 1/1/1
		  agent-1 >a
		`).After
	testkit.Equal(t, len(stored(t, c, "agent-1").Tolerations), 7)
	other := offline.DeepCopy()
	other.Labels = map[string]string{"name": "c"}
	wantStory(t, did(c.Apply(other)), `
		Node a Updated
		  agent-1 a>
		`)
	named := daemonSet("named", "1")
	named.Spec.Template.Spec.NodeName = "b"
	testkit.Equal(t, did(read(t, whatif.Options{}, node("a", "2"), node("b", "2")).Apply(named)).Objects[0].Wanted, 1)
	shop := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "shop"}}
	gone := did(did(read(t, whatif.Options{}, shop, node("a", "2")).Apply(daemonSet("agent", "1"))).After.Delete(shop)).After
	wantStory(t, did(gone.Apply(node("b", "2"))), `
		Node b Created
		`)
}

// What belongs to several owners goes with the last of them, and what is made by a controller is made again, under another
// name.
func TestOwners(t *testing.T) {
	shared := &corev1.ConfigMap{ObjectMeta: meta("shared")}
	shared.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "a"}, {APIVersion: "apps/v1", Kind: "Deployment", Name: "b"}}
	c := read(t, whatif.Options{}, deployment("a", 0, "1"), deployment("b", 0, "1"), shared)
	first := did(c.Delete(deployment("b", 0, "1"))).After
	testkit.Equal(t, len(whatif.ObjectsOf(first, "shop")), 3) // with the ReplicaSet of a
	one := did(c.Delete(deployment("a", 0, "1"))).After
	testkit.Equal(t, len(whatif.ObjectsOf(one, "shop")), 3) // with the ReplicaSet of b
	testkit.Equal(t, len(whatif.ObjectsOf(did(one.Delete(deployment("b", 0, "1"))).After, "shop")), 0)
	changed := &corev1.ConfigMap{ObjectMeta: meta("shared"), Data: map[string]string{"a": "b"}}
	testkit.Equal(t, len(whatif.ObjectsOf(did(did(one.Apply(changed)).After.Delete(deployment("b", 0, "1"))).After, "shop")), 0)

	set := &appsv1.ReplicaSet{ObjectMeta: meta("web-1"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("2")}}
	web := did(read(t, whatif.Options{}, node("a", "9")).Apply(deployment("web", 1, "1"))).After
	again := wantStory(t, did(web.Delete(set)), `
		ReplicaSet web-1 Deleted
		  web-1-1 a>
		  web-2-1 >a
		`).After
	wantStory(t, did(again.Apply(set, deployment("web", 2, "1"))), `
		ReplicaSet web-1 Created 1/1/1
		Deployment web Updated 2/2/2
		  web-1-1 >a
		  web-2-2 >a
		`)
	// A manifest does not take an object from its owner.
	own := set.DeepCopy()
	own.Spec.Template = template("1")
	own.Labels = map[string]string{"team": "a"}
	wantStory(t, did(did(web.Apply(own)).After.Delete(deployment("web", 1, "1"))), `
		Deployment web Deleted
		  web-1-1 a>
		`)
}

// What a dump has is counted as controllers do: pods that are being deleted are replaced, the oldest ReplicaSet of the template
// is the current one (FindNewReplicaSet of pkg/controller/deployment/util), and the LimitRanges are those by name.
func TestReadInDetail(t *testing.T) {
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("1")}}
	leaving := owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web")
	leaving.OwnerReferences[0].APIVersion = "apps/v1"
	leaving.DeletionTimestamp = &metav1.Time{}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), set, leaving).Apply(resourceQuota("q", "configmaps", "1"))), `
		ResourceQuota q Created
		  web-1 >a
		`)
	first, second := set.DeepCopy(), set.DeepCopy()
	first.Name, second.Name = "web-a", "web-b"
	in := func(rs *appsv1.ReplicaSet, kind, name string) *appsv1.ReplicaSet { return owned(rs, kind, name) }
	pod := owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b")
	more := did(read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), in(first, "Deployment", "web"), in(second, "Deployment", "web"), pod).Apply(deployment("web", 2, "1")))
	wantStory(t, more, `
		Deployment web Updated 2/2/2
		  web-a-1 >a
		  web-a-2 >a
		  web-b-x a>
		`)
	urgent := podOf("urgent", "2")
	urgent.Spec.Priority = pointer[int32](9)
	full := read(t, whatif.Options{}, node("a", "2"), on("a", podOf("p", "1")), urgent) // which preempts nobody yet
	testkit.Equal(t, len(full.Pods("a"))+len(full.Pods("")), 2)
	foreign := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), owned(on("a", podOf("p", "1")), "ReplicaSet", "web"))
	if _, err := did(foreign.Delete(deployment("web", 1, "1"))).After.Pod(inShop("p")); err != nil {
		t.Error("the pod of a ReplicaSet that is not there is gone with a Deployment of its name")
	}
}

// A Deployment whose new ReplicaSet is refused still has as many pods of the old one as it wants.
func TestScaledWithoutReplicaSet(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "count/replicasets.apps", "1")).Apply(deployment("web", 2, "1"))).After
	const refused = `: replicasets.apps "web-2" is forbidden: exceeded quota: q, requested: count/replicasets.apps=1, used: count/replicasets.apps=1, limited: count/replicasets.apps=1`
	wantStory(t, did(c.Apply(deployment("web", 1, "2"))), `
		Deployment web Updated 1/0/0 outdated 1`+refused+`
		  web-1-2 a>
		`)
	wantStory(t, did(c.Apply(deployment("web", 3, "2"))), `
		Deployment web Updated 3/0/0 outdated 3`+refused+`
		  web-1-3 >a
		`)
}

// A pod that takes the resources and the host port of a node is preempted for both.
func TestPreemptionForPortsAndResources(t *testing.T) {
	withPort := func(priority int32) func(spec *corev1.PodSpec) {
		return func(spec *corev1.PodSpec) {
			spec.Priority = &priority
			spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 80, HostPort: 80, Protocol: corev1.ProtocolTCP}}
		}
	}
	c := read(t, whatif.Options{}, node("a", "1"), on("a", withSpec(podOf("old", "1"), withPort(0))))
	result, _ := c.Apply(withSpec(podOf("new", "1"), withPort(100)))
	testkit.Equal(t, len(result.Pods), 2)
	for _, p := range result.Pods {
		testkit.Equal(t, p.Preempted, p.Object.Name == "old", p.Object.Name)
		testkit.Equal(t, p.Node == "a", p.Object.Name == "new", p.Waits.Message)
	}
}

// The update of a DaemonSet goes on after it was read.
func TestReadDaemonSetOfTwoGenerations(t *testing.T) {
	daemons := daemonSet("log", "1")
	daemons.Annotations = map[string]string{appsv1.DeprecatedTemplateGeneration: "2"}
	pod := func(node, generation, cpu string) *corev1.Pod {
		p := owned(on(node, podOf("log-"+node, cpu)), "DaemonSet", "log")
		p.Labels = map[string]string{"pod-template-generation": generation}
		return p
	}
	c := read(t, whatif.Options{}, node("a", "4"), node("b", "4"), daemons, pod("a", "2", "1"), pod("b", "1", "2"))
	changed := daemons.DeepCopy()
	changed.Labels = map[string]string{"seen": "again"}
	result, _ := c.Apply(changed)
	testkit.Equal(t, len(result.Pods), 2)
	testkit.Equal(t, result.Pods[0].Object.Name, "log-b")
	testkit.Equal(t, result.Pods[0].Gone, true)
	testkit.Equal(t, result.Pods[1].Node, "b")
}

// Of two pods of a StatefulSet that wait, the last one is not removed before the first one is ready.
func TestSmallerStatefulSetWaits(t *testing.T) {
	for _, test := range []struct {
		policy  appsv1.PodManagementPolicyType
		waiting []string
		want    string
	}{
		{appsv1.OrderedReadyPodManagement, []string{"db-1", "db-2"}, "[]"},
		{appsv1.OrderedReadyPodManagement, []string{"db-2"}, "[db-2 db-1]"},
		{appsv1.OrderedReadyPodManagement, []string{"db-1"}, "[db-2 db-1]"},
		{appsv1.ParallelPodManagement, []string{"db-1", "db-2"}, "[db-2 db-1]"},
	} {
		set := statefulSet("db", 3, "1")
		set.Spec.PodManagementPolicy = test.policy
		objects := []admit.APIObject{node("a", "9"), set}
		for i := range 3 {
			p := owned(podOf(fmt.Sprint("db-", i), "1"), "StatefulSet", "db")
			if slices.Contains(test.waiting, p.Name) {
				p.Spec.NodeSelector = map[string]string{"no": "node"}
			} else {
				on("a", p)
			}
			objects = append(objects, p)
		}
		result, _ := read(t, whatif.Options{}, objects...).Apply(func() admit.APIObject {
			own := set.DeepCopy()
			own.Spec.Replicas = pointer(int32(1))
			return own
		}())
		var gone []string
		for _, p := range result.Pods {
			gone = append(gone, p.Object.Name)
		}
		testkit.Equal(t, fmt.Sprint(gone), test.want, fmt.Sprint(test.policy, test.waiting))
	}
}

// Pods that are read stay, even if their controller wants fewer and a pod that waits finds a node at once.
func TestReadDeletesNoPods(t *testing.T) {
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer(int32(0)), Template: template("1")}}
	c := read(t, whatif.Options{}, node("a", "9"), set, owned(podOf("web-1", "1"), "ReplicaSet", "web"))
	p, err := c.Pod(inShop("web-1"))
	testkit.OK(t, err)
	testkit.Equal(t, p.Node, "a")
}

// A Deployment that is made smaller while its update is stuck has no more new pods than it wants.
func TestSmallerWhileStuck(t *testing.T) {
	c := did(did(read(t, whatif.Options{}, node("a", "4")).Apply(deployment("web", 4, "1"))).After.Apply(deployment("web", 4, "1500m")))
	testkit.Equal(t, c.Objects[0].Pods > 1 && c.Objects[0].Outdated > 1, true)
	less := did(c.After.Apply(deployment("web", 1, "1500m"))).Objects[0]
	testkit.Equal(t, fmt.Sprint(less.Wanted, less.Pods, less.Outdated), "1 1 0")
}

// What a quota does not admit stops an update: of a StatefulSet before it begins, of a Deployment when it has taken as many old
// pods away as it may.
func TestUpdatesStoppedByQuotas(t *testing.T) {
	set := statefulSet("db", 3, "1")
	set.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	c := did(read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "pods", "2")).Apply(set)).After
	set.Spec.Template = template("2")
	testkit.Equal(t, did(c.Apply(set)).Objects[0].Outdated, 2)

	larger := did(did(read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "requests.cpu", "4")).Apply(deployment("web", 3, "1"))).After.Apply(deployment("web", 4, "1"))).After
	stuck := did(larger.Apply(deployment("web", 4, "2500m")))
	testkit.Equal(t, fmt.Sprint(stuck.Objects[0].Outdated, stuck.Objects[0].Pods), "3 0")
}

// A paused Deployment creates no ReplicaSet, and does not update its pods.
func TestPausedDeployments(t *testing.T) {
	web := deployment("web", 1, "1")
	web.Spec.Paused = true
	c := read(t, whatif.Options{}, node("a", "9"))
	wantStory(t, did(c.Apply(web)), `
		Deployment web Created 1/0/0
		`)
	running := did(c.Apply(deployment("web", 1, "1"))).After
	web.Spec.Template = template("2")
	wantStory(t, did(running.Apply(web)), `
		Deployment web Updated 1/0/0 outdated 1
		`)
	old, present := &appsv1.ReplicaSet{ObjectMeta: meta("web-1")}, &appsv1.ReplicaSet{ObjectMeta: meta("web-2")}
	old.Spec.Template, present.Spec.Template = template("1"), template("2")
	halfway := read(t, whatif.Options{}, node("a", "9"), web, owned(old, "Deployment", "web"), owned(present, "Deployment", "web"), owned(on("a", podOf("web-1-1", "1")), "ReplicaSet", "web-1"))
	wantStory(t, did(halfway.Apply(resourceQuota("q", "configmaps", "1"))), `
		ResourceQuota q Created
		`)
	web.Spec.Template = template("1")
	web.Spec.Template.Spec.Priority = pointer[int32](9)
	important := did(c.Apply(func() *appsv1.Deployment { d := web.DeepCopy(); d.Spec.Paused = false; return d }())).After
	pods := did(important.Apply(deployment("web", 1, "1"))).Pods // of another template
	testkit.Equal(t, len(pods) > 0 && pods[0].Object.Spec.Priority == nil, true)
}

// The room of workloads: claims count, a DaemonSet has one pod on a node, and a pod that names a node has only that.
func TestRoomInDetail(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "9"), node("b", "9"), resourceQuota("q", "persistentvolumeclaims", "2", "pods", "9"))
	testkit.Equal(t, c.Room(statefulSet("db", 0, "1", "data")).Replicas, 2)
	testkit.Equal(t, c.Room(daemonSet("agent", "1")).Replicas, 2)
	cordoned := node("c", "4")
	cordoned.Spec.Unschedulable = true
	testkit.Equal(t, did(c.Apply(cordoned)).After.Room(daemonSet("agent", "1")).Replicas, 3, "daemons tolerate a cordon")
	half := did(did(c.Apply(node("b", "0"), daemonSet("agent", "1"))).After.Apply(node("b", "9"))).After
	testkit.Equal(t, half.Room(daemonSet("agent", "1")).Replicas, 0)
	testkit.Equal(t, c.Room(on("b", podOf("p", "4"))).Replicas, 2)
	urgent := podOf("p", "4")
	urgent.Spec.PriorityClassName = "high"
	testkit.NoDiff(t, c.Room(urgent).Unknown, []string{`PriorityClass "high"`})
}

// An update of a StatefulSet stops at a pod that waits, and a claim takes the place of a volume.
func TestStatefulSetsInDetail(t *testing.T) {
	set := statefulSet("db", 2, "1", "data")
	set.Spec.Template.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	c := did(read(t, whatif.Options{}, node("a", "2")).Apply(set)).After
	testkit.Equal(t, len(stored(t, c, "db-0").Volumes), 1)
	set.Spec.Template = template("1500m")
	wantStory(t, did(c.Apply(set)), `
		StatefulSet db Updated 2/1/0 outdated 1
		  db-1: 0/1 nodes are available: 1 Insufficient cpu. ?spec.volumes
		`)
}

// What an update leaves out stays: what a Job has done, and the limits of a pod. The usage of a new quota is that of the
// objects, whatever its manifest says.
func TestUpdatesInDetail(t *testing.T) {
	done := job("import", 3, "1")
	done.Spec.Completions, done.Status.Succeeded = pointer[int32](5), 4
	c := read(t, whatif.Options{}, node("a", "9"), done)
	changed := job("import", 2, "1")
	changed.Spec.Completions = pointer[int32](5)
	testkit.Equal(t, did(c.Apply(changed)).Objects[0].Wanted, 1)

	c = read(t, whatif.Options{}, node("a", "9"))
	limited := podOf("p", "1")
	limited.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
	tolerant := podOf("p", "1")
	tolerant.Spec.Tolerations = []corev1.Toleration{{Key: "t"}}
	updated := did(did(c.Apply(limited)).After.Apply(tolerant)).After
	testkit.Equal(t, stored(t, updated, "p").Containers[0].Resources.Limits.Cpu().String(), "2")
	testkit.Equal(t, len(stored(t, updated, "p").Tolerations), 3)

	quota := resourceQuota("q", "pods", "9")
	quota.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("pods", "9"), Used: testkit.List("pods", "7")}
	testkit.Equal(t, did(updated.Apply(quota)).Quotas[0].Status.Used.Pods().Value(), 1)
}

// A node that has its pods back is no changed one.
func TestUnchangedNodes(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "9"), node("b", "0"))
	r := did(c.Apply(deployment("web", 1, "1"), deployment("web", 0, "1")))
	testkit.Equal(t, fmt.Sprint(r.Nodes, len(r.Pods)), "[] 0")
}

// A pod that is placed after an uncertain one depends on it.
func TestPlacementsDepend(t *testing.T) {
	ranges := func(name, cpu string) *corev1.LimitRange {
		return &corev1.LimitRange{ObjectMeta: meta(name), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", cpu)}}}}
	}
	unsure := podOf("unsure", "1")
	unsure.Spec.Containers[0].Resources.Requests = nil
	waiting := podOf("waiting", "2")
	waiting.Namespace = "other"
	c := did(read(t, whatif.Options{}, node("a", "1"), ranges("a", "1"), ranges("b", "2")).Apply(waiting)).After
	r := did(c.Apply(unsure, node("a", "4")))
	testkit.Equal(t, fmt.Sprint(r.Pods[1].Object.Name, r.Pods[1].Node, r.Pods[1].Depends), "waitingatrue")
}

// Preemption follows what happens before it in the same list: pods that have come, have gone, or made room.
func TestPreemptionAfterOthers(t *testing.T) {
	with := func(priority int32, p *corev1.Pod) *corev1.Pod {
		p.Spec.Priority = &priority
		return p
	}
	at := func(p *corev1.Pod, name string) *corev1.Pod {
		p.Spec.NodeSelector = map[string]string{"name": name}
		return p
	}
	full := read(t, whatif.Options{}, node("a", "2"), node("b", "2"), on("a", podOf("small-1", "1")), on("a", podOf("small-2", "1")), on("b", podOf("large", "2")))
	wantStory(t, did(full.Apply(with(10, podOf("first", "2")), with(20, at(podOf("second", "2"), "b")))), `
		Pod first Created
		Pod second Created
		  large b>preempted
		  second >b
		`)
	// A pod of a low priority that came after a first failure is a victim as well.
	room := read(t, whatif.Options{}, node("a", "3"), on("a", podOf("there", "2")))
	wantStory(t, did(room.Apply(podOf("none", "2"), with(-5, podOf("low", "1")), with(-1, podOf("mid", "1")))), `
		Pod none Created
		Pod low Created
		Pod mid Created
		  none: 0/1 nodes are available: 1 Insufficient cpu.
		  mid >a
		`)
	// What did not help before helps once a more important pod has gone.
	busy := deployment("busy", 2, "1")
	busy.Spec.Template.Spec.Priority = pointer[int32](20)
	less := busy.DeepCopy()
	less.Spec.Replicas = pointer[int32](1)
	crowded := did(read(t, whatif.Options{}, node("a", "3")).Apply(busy, podOf("low", "1"))).After
	wantStory(t, did(crowded.Apply(with(10, podOf("high", "2")), less)), `
		Pod high Created
		Deployment busy Updated 1/1/1
		  high >a
		  busy-1-2 a>
		  low a>preempted
		`)
}

// Of a DaemonSet with the limits zero, one pod may be missing.
func TestDaemonSetWithoutLimits(t *testing.T) {
	agent := daemonSet("agent", "1")
	c := did(read(t, whatif.Options{}, node("a", "2"), node("b", "2")).Apply(agent)).After
	agent.Spec.Template = template("2")
	agent.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateDaemonSet{MaxUnavailable: pointer(intstr.FromInt32(0))}
	testkit.Equal(t, did(c.Apply(agent)).Objects[0].Outdated, 0)
}

// Evicted pods are marked, whoever owns them, and so are those that a controller replaces with the same name.
func TestEvictedByOwner(t *testing.T) {
	tainted := node("a", "9")
	tainted.Spec.Taints = []corev1.Taint{{Key: "t", Effect: corev1.TaintEffectNoExecute}}
	c := read(t, whatif.Options{}, node("a", "9"), node("b", "1"), on("a", podOf("bare", "1")), owned(on("a", podOf("pg-1", "1")), "Cluster", "pg"),
		statefulSet("db", 1, "1"), owned(on("a", podOf("db-0", "1")), "StatefulSet", "db"))
	for _, r := range []outcome{did(c.Apply(tainted)), did(c.Drain("a")), did(c.Delete(node("a", "9")))} {
		var got []string
		for _, p := range r.Pods {
			got = append(got, fmt.Sprintf("%s of %s: gone %t, evicted %t, preempted %t, %s>%s", p.Object.Name, p.Owner.Name, p.Gone, p.Evicted, p.Preempted, p.Before, p.Node))
		}
		testkit.NoDiff(t, got, []string{
			"bare of : gone true, evicted true, preempted false, a>",
			"db-0 of db: gone false, evicted true, preempted false, a>b",
			"pg-1 of pg: gone true, evicted true, preempted false, a>",
		})
	}
}

// A pod whose affinity names a node preempts pods there, and no pods of other nodes: those are refused for good.
func TestPodOfANamedNode(t *testing.T) {
	p := podOf("named", "2")
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: "In", Values: []string{"a"}}}}},
	}}}
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "2"), on("a", podOf("low", "1")))
	next := c.Room(p).Next
	testkit.Equal(t, next.Cause, corev1.PodReasonUnschedulable)
	testkit.NoDiff(t, next.FitError.Reasons, []noderesources.FitReason{
		{Message: "Insufficient cpu", Nodes: 1},
		{Message: "node(s) didn't satisfy plugin(s) [NodeAffinity]", Nodes: 1, Unresolvable: 1},
	})
	p.Spec.Priority = pointer[int32](9)
	wantStory(t, did(c.Apply(p)), `
		Pod named Created
		  named >a
		  low a>preempted
		`)
}

// A manifest leaves out what the API server has set; an affinity to pods is none to nodes.
func TestManifestsLeaveOut(t *testing.T) {
	created := metav1.NewTime(testkit.Now())
	stored := deployment("web", 1, "1")
	stored.CreationTimestamp, stored.UID = created, "7"
	stored.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	stored.Spec.Template.Labels = map[string]string{"app": "web"}
	manifest := stored.DeepCopy()
	manifest.CreationTimestamp, manifest.UID, manifest.Spec.Selector = metav1.Time{}, "", nil
	r := did(read(t, whatif.Options{}, node("a", "9"), stored).Apply(manifest))
	if len(r.Objects) > 0 && r.Objects[0].Reason.Cause != "" {
		t.Errorf("%v", r.Objects[0].Reason.Message)
	}
	for _, o := range whatif.ObjectsOf(r.After, "shop") {
		if d, ok := o.(*appsv1.Deployment); ok {
			testkit.NoDiff(t, d.Spec.Selector, stored.Spec.Selector)
			testkit.Equal(t, d.CreationTimestamp, created)
			testkit.Equal(t, d.UID, "7")
		}
	}
	p := podOf("apart", "1")
	p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{}}
	testkit.Equal(t, read(t, whatif.Options{}, node("a", "9")).Room(p).Replicas, 9)
}

// A pod without a controller has no owner. What is unknown are classes first, then fields.
func TestAnswerOnABarePod(t *testing.T) {
	p := podOf("bare", "1")
	p.Spec.RuntimeClassName = pointer("kata")
	p.Spec.SchedulerName = "other"
	got, err := did(read(t, whatif.Options{}, node("a", "9")).Apply(p)).After.Pod(inShop("bare"))
	testkit.OK(t, err)
	testkit.Equal(t, got.Owner, computeresources.Source{})
	testkit.NoDiff(t, got.Unknown, []string{`RuntimeClass "kata"`, "spec.schedulerName"})
}

// A LimitRange sets nothing after it is gone, and a DaemonSet creates no pods.
func TestNothingAfterADeletion(t *testing.T) {
	bounds := &corev1.LimitRange{ObjectMeta: meta("bounds"), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
		{Type: corev1.LimitTypeContainer, Default: testkit.List("memory", "1Gi")},
	}}}
	c := read(t, whatif.Options{}, node("a", "9"), bounds)
	testkit.Equal(t, len(stored(t, did(c.Apply(podOf("p", "1"))).After, "p").Containers[0].Resources.Limits), 1)
	testkit.Equal(t, len(stored(t, did(did(c.Delete(bounds)).After.Apply(podOf("p", "1"))).After, "p").Containers[0].Resources.Limits), 0)

	agent := daemonSet("agent", "1")
	gone := did(did(read(t, whatif.Options{}, node("a", "9")).Apply(agent)).After.Delete(agent)).After
	wantStory(t, did(gone.Apply(node("b", "9"))), `
		Node b Created
		`)
}

// A manifest may change the images of a pod that is there, also of its init containers, and not its limits.
func TestPodsThatChange(t *testing.T) {
	p := podOf("p", "1")
	p.Spec.Containers[0].Image = "app:1"
	p.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "init:1"}}
	p.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "2")
	c := read(t, whatif.Options{}, node("a", "9"), on("a", p))
	image, limit := p.DeepCopy(), p.DeepCopy()
	image.Spec.Containers[0].Image, image.Spec.InitContainers[0].Image = "app:2", "init:2"
	testkit.Equal(t, did(c.Apply(image)).Objects[0].Reason.Message, "")
	limit.Spec.Containers[0].Resources.Limits = testkit.List("cpu", "3")
	testkit.Equal(t, did(c.Apply(limit)).Objects[0].Reason.Cause != "", true)
}

// A manifest that was read from the cluster names the node that the scheduler has chosen. No other one can be named.
func TestManifestsThatNameTheNode(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "9"), node("b", "1")).Apply(podOf("p", "2"))).After
	testkit.Equal(t, did(c.Apply(on("a", podOf("p", "2")))).Objects[0].Action, whatif.Unchanged)
	testkit.Equal(t, did(c.Apply(on("b", podOf("p", "2")))).Objects[0].Action, whatif.Refused)
}

// There is no room for a workload that is refused itself.
func TestRoomOfARefusedWorkload(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "count/deployments.apps", "0"))
	room := c.Room(deployment("web", 1, "1"))
	testkit.Equal(t, room.Replicas, 0)
	testkit.Equal(t, room.Next.Message, `deployments.apps "web" is forbidden: exceeded quota: q, requested: count/deployments.apps=1, used: count/deployments.apps=0, limited: count/deployments.apps=0`)
}

// A rolling update without a partition updates all pods.
func TestRollingUpdateWithoutPartition(t *testing.T) {
	set := statefulSet("db", 1, "1")
	c := did(read(t, whatif.Options{}, node("a", "9")).Apply(set)).After
	set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{}
	set.Spec.Template = template("2")
	testkit.Equal(t, did(c.Apply(set)).Objects[0].Outdated, 0)
}

// Pods of a StatefulSet go by ordinal, and not by name, the last one first.
func TestScaleDownByOrdinal(t *testing.T) {
	c := did(read(t, whatif.Options{}, node("a", "99")).Apply(statefulSet("web", 12, "1"))).After
	var gone []string
	for _, p := range did(c.Apply(statefulSet("web", 8, "1"))).Pods {
		gone = append(gone, p.Object.Name)
	}
	testkit.NoDiff(t, gone, []string{"web-11", "web-10", "web-9", "web-8"})
}

// Where nothing is said about places, no node changes.
func TestNoPlacesNoNodes(t *testing.T) {
	counted := deployment("web", 2, "1")
	counted.Status.Replicas, counted.Status.UpdatedReplicas = 2, 2
	c := read(t, whatif.Options{}, node("a", "4"), counted)
	testkit.Equal(t, len(c.Nodes()), 0)
	testkit.Equal(t, len(did(c.Apply(node("a", "8"))).Nodes), 0)
}

// What comes after an uncertain pod depends on it, also if it waits or names its node.
func TestOthersDepend(t *testing.T) {
	ranges := func(name, cpu string) *corev1.LimitRange {
		return &corev1.LimitRange{ObjectMeta: meta(name), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", cpu)}}}}
	}
	unsure, huge, named := podOf("unsure", "1"), podOf("huge", "99"), on("a", podOf("named", "1"))
	unsure.Spec.Containers[0].Resources.Requests = nil
	huge.Namespace, named.Namespace = "other", "other"
	c := read(t, whatif.Options{}, node("a", "9"), ranges("a", "1"), ranges("b", "2"))
	for _, p := range did(c.Apply(huge, named)).Pods {
		testkit.Equal(t, p.Depends, false, p.Object.Name)
	}
	after := did(c.Apply(unsure)).After
	for _, p := range did(after.Apply(huge, named)).Pods {
		testkit.Equal(t, p.Depends, true, p.Object.Name)
	}
	testkit.Equal(t, len(did(after.Apply(huge)).Pods), 1)
}

// Only three namespaces may not be deleted.
//
// Source: NewLifecycle of k8s.io/apiserver v0.37 pkg/admission/plugin/namespace/lifecycle.
func TestNamespaceThatMayBeDeleted(t *testing.T) {
	leases := namespace("kube-node-lease")
	wantStory(t, did(read(t, whatif.Options{}, leases).Delete(leases)), `
		Namespace kube-node-lease Deleted
		`)
}

// A drain also deletes daemons that have ended.
//
// Source: daemonSetFilter of k8s.io/kubectl v0.37 pkg/drain.
func TestDrainOfADaemonThatHasEnded(t *testing.T) {
	ended, running := owned(on("a", podOf("agent-x", "1")), "DaemonSet", "agent"), owned(on("a", podOf("agent-y", "1")), "DaemonSet", "agent")
	ended.Status.Phase = corev1.PodSucceeded
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), ended, running).Drain("a")), `
		Node a Updated
		  agent-x a>
		`)
}

// What belongs to an object without a namespace as well stays, as long as that is there.
//
// Source: attemptToDeleteItem of k8s.io/kubernetes v1.37 pkg/controller/garbagecollector.
func TestOwnerWithoutANamespace(t *testing.T) {
	volume, config := localVolume("v", "local", "1Gi", "a"), &corev1.ConfigMap{ObjectMeta: meta("config")}
	config.OwnerReferences = []metav1.OwnerReference{{APIVersion: "apps/v1", Kind: "Deployment", Name: "web"}, {APIVersion: "v1", Kind: "PersistentVolume", Name: "v"}}
	web := deployment("web", 0, "1")
	c := read(t, whatif.Options{}, volume, web, config)
	testkit.Equal(t, did(did(c.Delete(web)).After.Apply(config)).Objects[0].Action, whatif.Unchanged)
	testkit.Equal(t, did(did(c.Delete(volume, web)).After.Apply(config)).Objects[0].Action, whatif.Created)
}

// A volume is deleted with its claim if it says so. Without a policy, it stays.
//
// Source: reclaimVolume of k8s.io/kubernetes v1.37 pkg/controller/volume/persistentvolume.
func TestVolumesOfDeletedClaims(t *testing.T) {
	for policy, action := range map[corev1.PersistentVolumeReclaimPolicy]whatif.Action{
		corev1.PersistentVolumeReclaimDelete: whatif.Created, corev1.PersistentVolumeReclaimRetain: whatif.Updated, "": whatif.Updated,
	} {
		data, volume := claim("data", "local"), localVolume("v", "local", "1Gi", "a")
		volume.Spec.PersistentVolumeReclaimPolicy = policy
		c := read(t, whatif.Options{}, cluster(classes(), boundTo(data, volume), namespace("shop"))...)
		larger := localVolume("v", "local", "2Gi", "a")
		for _, gone := range []admit.APIObject{data, namespace("shop")} {
			testkit.Equal(t, did(did(c.Delete(gone)).After.Apply(larger)).Objects[0].Action, action, policy, gone.GetName())
		}
	}
}

// Further pods of a ReplicaSet whose pods do not start are ready if it gets another template: one of them may be evicted.
func TestBrokenReplicaSetWithAnotherTemplate(t *testing.T) {
	rs := func(replicas int32, cpu string) *appsv1.ReplicaSet {
		return &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: webOf(1, cpu).Spec.Template}}
	}
	broken := with(owned(on("a", podOf("web-x", "1")), "ReplicaSet", "web"), notStarting)
	c := read(t, whatif.Options{}, node("a", "9"), rs(1, "1"), broken)
	budget := budgetOf("web", minAvailable("1"))
	wantStory(t, did(did(c.Apply(rs(3, "1"), budget)).After.Drain("a")), `
		Node a Updated
		  web-x a>
		  web-3: 0/1 nodes are available: 1 node(s) were unschedulable.
		  web-1: Cannot evict pod as it would violate the pod's disruption budget.
		  web-2: Cannot evict pod as it would violate the pod's disruption budget.
		`)
	wantStory(t, did(did(c.Apply(rs(3, "2"), budget)).After.Drain("a")), `
		Node a Updated
		  web-1 a>
		  web-x a>
		  web-3: 0/1 nodes are available: 1 node(s) were unschedulable.
		  web-4: 0/1 nodes are available: 1 node(s) were unschedulable.
		  web-2: Cannot evict pod as it would violate the pod's disruption budget.
		`)
}

// The answer about a Deployment depends on the order of LimitRanges if that decides about its pods, although it has none.
func TestDeploymentWithoutPodsDepends(t *testing.T) {
	web := withSpec(webOf(1, "1"), func(spec *corev1.PodSpec) { spec.Containers[0].Resources.Requests = nil })
	c := read(t, whatif.Options{}, node("a", "9"), limitRange("x", "1"), limitRange("y", "2"), resourceQuota("q", "requests.cpu", "0"))
	wantStory(t, did(c.Apply(web)), `
		Deployment web Created 1/0/0: pods "web-1-1" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=0, limited: requests.cpu=0 depends
		`)
}

// Of the pods that the status of a Deployment counts, all may be updated, but no more.
func TestMoreUpdatedPodsThanPods(t *testing.T) {
	web := webOf(3, "1")
	web.Status = appsv1.DeploymentStatus{Replicas: 2, UpdatedReplicas: 3}
	testkit.Equal(t, len(read(t, whatif.Options{}, web).Pods("")), 2)
}

// A refusal in a namespace that is being deleted names the cause, by which controllers know it. What is there is updated.
//
// Source: Admit of k8s.io/apiserver v0.37 pkg/admission/plugin/namespace/lifecycle.
func TestCauseOfATerminatingNamespace(t *testing.T) {
	ending := namespace("shop")
	ending.Status.Phase = corev1.NamespaceTerminating
	r := did(read(t, whatif.Options{}, ending).Apply(podOf("p", "1")))
	testkit.NoDiff(t, r.Objects[0].Reason.Status.Details.Causes, []metav1.StatusCause{
		{Type: "NamespaceTerminating", Message: "namespace shop is being terminated", Field: "metadata.namespace"}})
	wantStory(t, did(read(t, whatif.Options{}, ending, podOf("p", "1")).Apply(labelled(podOf("p", "1")))), `
		Pod p Updated
		  p >
		`)
}

// Of the fields of a Job that its controller reads, these are not considered.
func TestUnknownFieldsOfJobs(t *testing.T) {
	for field, change := range map[string]func(spec *batchv1.JobSpec){
		"activeDeadlineSeconds": func(spec *batchv1.JobSpec) { spec.ActiveDeadlineSeconds = pointer[int64](9) },
		"podFailurePolicy":      func(spec *batchv1.JobSpec) { spec.PodFailurePolicy = &batchv1.PodFailurePolicy{} },
		"successPolicy":         func(spec *batchv1.JobSpec) { spec.SuccessPolicy = &batchv1.SuccessPolicy{} },
	} {
		own := job("j", 1, "1")
		change(&own.Spec)
		testkit.Equal(t, fmt.Sprint(did(read(t, whatif.Options{}, node("a", "9")).Apply(own)).Pods[0].Unknown), "[Job spec."+field+"]")
	}
}

// A quota counts LimitRanges if its status bounds them, those that are there if that does not say how many are used: the next
// one is refused, also where a new quota comes before it.
func TestQuotaWithoutUsageOfLimitRanges(t *testing.T) {
	q := resourceQuota("q", "count/limitranges", "1")
	q.Status = corev1.ResourceQuotaStatus{Hard: testkit.List("count/limitranges", "1"), Used: testkit.List("pods", "1")}
	wantStory(t, did(read(t, whatif.Options{}, q, limitRange("there", "1")).Apply(resourceQuota("new", "pods", "1"), limitRange("x", "1"))), `
		ResourceQuota new Created
		LimitRange x Refused: limitranges "x" is forbidden: exceeded quota: q, requested: count/limitranges=1, used: count/limitranges=1, limited: count/limitranges=1
		`)
}
