package whatif_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestDeployment(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "2"))
	created := wantStory(t, did(c.Apply(deployment("web", 3, "1"))), `
		Deployment web Created 3/3/3
		  web-1-1 >a
		  web-1-2 >b
		  web-1-3 >a
		`)
	// One pod more than the replicas may be there, and none may be missing. Of pods that share a node, one goes first.
	wantStory(t, did(created.After.Apply(deployment("web", 3, "900m"))), `
		Deployment web Updated 3/3/3
		  web-2-1 >b
		  web-1-3 a>
		  web-2-2 >a
		  web-1-2 b>
		  web-2-3 >b
		  web-1-1 a>
		`)
	wantStory(t, did(created.After.Apply(deployment("web", 1, "1"))), `
		Deployment web Updated 1/1/1
		  web-1-3 a>
		  web-1-1 a>
		`)
	wantStory(t, did(created.After.Apply(deployment("web", 3, "1"))), `
		Deployment web Unchanged 3/3/3
		`)
	withoutReplicas := deployment("web", 3, "1")
	withoutReplicas.Spec.Replicas, withoutReplicas.Labels = nil, map[string]string{"team": "web"}
	wantStory(t, did(created.After.Apply(withoutReplicas)), `
		Deployment web Updated 3/3/3
		`)
	paused := deployment("web", 4, "900m")
	paused.Spec.Paused = true
	wantStory(t, did(created.After.Apply(paused)), `
		Deployment web Updated 4/0/0 outdated 4
		  web-1-4 >b
		`)
	invalid := deployment("web", 3, "900m")
	invalid.Spec.Strategy.Type = "Sideways"
	sideways := wantStory(t, did(created.After.Apply(invalid)), `
		Deployment web Updated 3/0/0 outdated 3: quota: rollout: unknown strategy "Sideways"
		`)
	testkit.Equal(t, sideways.Objects[0].Missing.Cause, string(metav1.StatusReasonInvalid))
}

func TestRolloutGetsStuck(t *testing.T) {
	full := did(read(t, whatif.Options{}, node("a", "4")).Apply(deployment("web", 4, "1"))).After
	larger := deployment("web", 4, "2")
	stuck := wantStory(t, did(full.Apply(larger)), `
		Deployment web Updated 4/2/0 outdated 3
		  web-2-1: 0/1 nodes are available: 1 Insufficient cpu.
		  web-1-4 a>
		  web-2-2: 0/1 nodes are available: 1 Insufficient cpu.
		`).After
	wantStory(t, did(stuck.Apply(node("b", "4"), larger)), `
		Node b Created
		Deployment web Unchanged 4/4/4
		  web-2-1 >b
		  web-2-2 >b
		  web-1-3 a>
		  web-1-2 a>
		  web-2-3 >a
		  web-2-4 >a
		  web-1-1 a>
		`)
	// Back to the first template: what waits goes first.
	wantStory(t, did(stuck.Apply(deployment("web", 4, "1"))), `
		Deployment web Updated 4/4/4
		  web-2-2 >
		  web-2-1 >
		  web-1-5 >a
		`)
	recreate := `
		Deployment web Updated 4/4/2
		  web-1-4 a>
		  web-1-3 a>
		  web-1-2 a>
		  web-1-1 a>
		  web-2-1 >a
		  web-2-2 >a
		  web-2-3: 0/1 nodes are available: 1 Insufficient cpu.
		  web-2-4: 0/1 nodes are available: 1 Insufficient cpu.
		`
	larger.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
	wantStory(t, did(full.Apply(larger)), recreate)
	atOnce := did(read(t, whatif.Options{AtOnce: true}, node("a", "4")).Apply(deployment("web", 4, "1"))).After
	wantStory(t, did(atOnce.Apply(deployment("web", 4, "2"))), recreate)
}

// Pods that wait get the room of old ones before any new pod does.
func TestRecreateAmongWaitingPods(t *testing.T) {
	web := deployment("web", 2, "2")
	web.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
	full := did(read(t, whatif.Options{}, node("a", "4")).Apply(web, podOf("first", "3"))).After
	web.Spec.Template = template("1")
	wantStory(t, did(full.Apply(web)), `
		Deployment web Updated 2/2/1
		  web-1-2 a>
		  web-1-1 a>
		  first >a
		  web-2-1 >a
		  web-2-2: 0/1 nodes are available: 1 Insufficient cpu.
		`)
}

// Of old pods, the one that shares its node with pods of the Deployment goes first, old or new.
func TestOrderOfDeletion(t *testing.T) {
	set := func(name, cpu string) *appsv1.ReplicaSet {
		return owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Template: template(cpu)}}, "Deployment", "web")
	}
	pod := func(set, name, node string) *corev1.Pod {
		return owned(on(node, podOf(set+"-"+name, "1")), "ReplicaSet", set)
	}
	c := read(t, whatif.Options{}, node("a", "2"), node("b", "2"), deployment("web", 1, "2"), set("old", "1"), set("new", "2"),
		pod("old", "x", "a"), pod("old", "y", "b"), pod("new", "z", "a"))
	wantStory(t, did(c.Apply(deployment("web", 2, "2"))), `
		Deployment web Updated 2/2/1 outdated 1
		  old-x a>
		  new-1: 0/2 nodes are available: 2 Insufficient cpu.
		`)
}

func TestQuotaOfReplicaSets(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "9"), resourceQuota("q", "count/replicasets.apps", "1", "pods", "2"))
	created := wantStory(t, did(c.Apply(deployment("web", 3, "1"))), `
		Deployment web Created 3/2/2: pods "web-1-3" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2
		  web-1-1 >a
		  web-1-2 >a
		`).After
	refused := did(created.Apply(deployment("web", 3, "2")))
	wantStory(t, refused, `
		Deployment web Updated 3/0/0 outdated 2: replicasets.apps "web-2" is forbidden: exceeded quota: q, requested: count/replicasets.apps=1, used: count/replicasets.apps=1, limited: count/replicasets.apps=1
		`)
	// The ReplicaSet is created, but none of its pods: two of three are there, and none may be missing.
	more := did(refused.After.Apply(resourceQuota("q", "count/replicasets.apps", "2", "pods", "2")))
	wantStory(t, more, `
		ResourceQuota q Updated
		Deployment web 3/0/0: pods "web-2-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=2, limited: pods=2
		`)
	// Both ReplicaSets lack a pod: the first by name gets it. Then one pod more may be there, but the quota has no room.
	first := did(more.After.Apply(resourceQuota("q", "count/replicasets.apps", "2", "pods", "3")))
	wantStory(t, first, `
		ResourceQuota q Updated
		Deployment web 3/0/0: pods "web-2-1" is forbidden: exceeded quota: q, requested: pods=1, used: pods=3, limited: pods=3
		  web-1-3 >a
		`)
	wantStory(t, did(first.After.Apply(resourceQuota("q", "count/replicasets.apps", "2", "pods", "4"))), `
		ResourceQuota q Updated
		  web-2-1 >a
		  web-1-3 a>
		  web-2-2 >a
		  web-1-2 a>
		  web-2-3 >a
		  web-1-1 a>
		`)
	wantStory(t, did(created.Delete(deployment("web", 0, "1"), deployment("web", 0, "1"))), `
		Deployment web Deleted
		Deployment web NotFound
		  web-1-1 a>
		  web-1-2 a>
		`)
}

// A manifest without what the API server has set is of the last revision that it may be of, and not of an older one that a
// Deployment keeps without pods. Once a template is stored as it is, the oldest ReplicaSet with it is the current one.
func TestCurrentReplicaSetOfAManifest(t *testing.T) {
	set := func(name, revision string, replicas int32, pull corev1.PullPolicy) *appsv1.ReplicaSet {
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: template("1")}}, "Deployment", "web")
		rs.Annotations = map[string]string{"deployment.kubernetes.io/revision": revision, "deployment.kubernetes.io/desired-replicas": "1", "deployment.kubernetes.io/max-replicas": "2"}
		rs.Spec.Template.Spec.Containers[0].ImagePullPolicy = pull
		return rs
	}
	live := deployment("web", 1, "1")
	live.Spec.Template.Spec.Containers[0].ImagePullPolicy = corev1.PullIfNotPresent
	c := read(t, whatif.Options{}, node("a", "9"), live, set("web-a", "1", 0, corev1.PullAlways), set("web-b", "12", 1, corev1.PullIfNotPresent), set("web-c", "3", 0, corev1.PullNever),
		owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	scaled := wantStory(t, did(c.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	wantStory(t, did(scaled.After.Apply(deployment("web", 1, "1"))), `
		Deployment web Updated 1/1/1
		  web-b-1 a>
		`)
	const byDefault = corev1.PullIfNotPresent
	manifest := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), set("web-a", "1", 0, byDefault), set("web-b", "12", 1, byDefault), set("web-c", "3", 0, byDefault),
		owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(manifest.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	older, newer := set("web-a", "", 0, corev1.PullAlways), set("web-b", "", 1, corev1.PullIfNotPresent)
	without := read(t, whatif.Options{}, node("a", "9"), live, older, newer, owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(without.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	older = set("web-a", "", 0, byDefault)
	unnumbered := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), older, newer, owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(unnumbered.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	bare := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), set("web-a", "1", 0, corev1.PullAlways), set("web-b", "12", 1, corev1.PullIfNotPresent), set("web-c", "3", 0, corev1.PullNever),
		owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(bare.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	back := live.DeepCopy()
	back.Spec.Template.Spec.Containers[0].ImagePullPolicy = corev1.PullAlways
	wantStory(t, did(c.Apply(back)), `
		Deployment web Updated 1/1/1
		  web-a-1 >a
		  web-b-x a>
		`)
	// What a webhook has added to the Deployment is in its ReplicaSet alone.
	added := set("web-b", "1", 1, corev1.PullIfNotPresent)
	added.Spec.Template.Spec.Containers[0].Env = []corev1.EnvVar{{Name: "TZ", Value: "UTC"}}
	later := added.DeepCopy()
	later.Name, later.Spec.Replicas, later.Annotations["deployment.kubernetes.io/revision"] = "web-c", pointer[int32](0), "12"
	same := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), later, set("web-b", "3", 1, corev1.PullIfNotPresent), owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(same.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
	mutated := read(t, whatif.Options{}, node("a", "9"), deployment("web", 1, "1"), added, owned(on("a", podOf("web-b-x", "1")), "ReplicaSet", "web-b"))
	wantStory(t, did(mutated.Apply(deployment("web", 2, "1"))), `
		Deployment web Updated 2/2/2
		  web-b-1 >a
		`)
}

// A pod that is adopted refers to its controller, and one that is released to none.
func TestOwnerReferencesOfAdoptedPods(t *testing.T) {
	labels := map[string]string{"app": "web"}
	set := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web", UID: "u"}, Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1)}}
	set.Spec.Selector, set.Spec.Template = &metav1.LabelSelector{MatchLabels: labels}, template("1")
	set.Spec.Template.Labels = labels
	bare := on("a", podOf("bare", "1"))
	bare.Labels, bare.OwnerReferences = labels, []metav1.OwnerReference{{Kind: "Config", Name: "other", BlockOwnerDeletion: pointer(true)}}
	c := did(read(t, whatif.Options{}, node("a", "9"), bare).Apply(set)).After
	adopted, err := c.Pod(inShop("bare"))
	testkit.OK(t, err)
	testkit.NoDiff(t, adopted.Object.OwnerReferences, append(bare.OwnerReferences, metav1.OwnerReference{APIVersion: "apps/v1", Kind: "ReplicaSet", Name: "web", UID: "u", Controller: pointer(true), BlockOwnerDeletion: pointer(true)}))
	other := podOf("bare", "1")
	other.Labels = map[string]string{"app": "debug"}
	released, err := did(c.Apply(other)).After.Pod(inShop("bare"))
	testkit.OK(t, err)
	testkit.NoDiff(t, released.Object.OwnerReferences, bare.OwnerReferences)
	testkit.Equal(t, released.Owner.Name, "")
}

// A pod that two controllers select belongs to the first by kind, then by name.
func TestFirstOfTwoAdopters(t *testing.T) {
	labels := map[string]string{"app": "web"}
	db, web := statefulSet("db", 1, "1"), &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("1")}}
	db.Spec.Template.Labels, web.Spec.Template.Labels = labels, labels
	db.Spec.Selector, web.Spec.Selector = &metav1.LabelSelector{MatchLabels: labels}, &metav1.LabelSelector{MatchLabels: labels}
	last := web.DeepCopy()
	last.Name = "web-2"
	bare := podOf("db-0", "1")
	bare.Labels = labels
	for name, objects := range map[string][]admit.APIObject{"ReplicaSet web": {db, last, web}, "StatefulSet db": {db}} {
		p, err := did(read(t, whatif.Options{}, objects...).Apply(bare)).After.Pod(inShop("db-0"))
		testkit.OK(t, err)
		testkit.Equal(t, p.Owner.Kind+" "+p.Owner.Name, name)
	}
}

// A container that is about to start becomes ready. One that has failed to start does not, be it an init container.
func TestContainersThatFailToStart(t *testing.T) {
	for reason, fails := range map[string]bool{
		"CrashLoopBackOff": true, "CreateContainerConfigError": true, "CreateContainerError": true, "ErrImageNeverPull": true, "ErrImagePull": true,
		"ImageInspectError": true, "ImagePullBackOff": true, "InvalidImageName": true, "PostStartHookError": true, "RunContainerError": true,
		"ContainerCreating": false, "PodInitializing": false, "": false,
	} {
		for _, isInit := range []bool{false, true} {
			statuses := []corev1.ContainerStatus{{Name: "app", State: corev1.ContainerState{Waiting: &corev1.ContainerStateWaiting{Reason: reason}}}, {Name: "side"}}
			objects := brokenRollout()
			p := objects[4].(*corev1.Pod)
			p.Status.ContainerStatuses = statuses
			if isInit {
				p.Status.ContainerStatuses, p.Status.InitContainerStatuses = nil, statuses
			}
			r := did(read(t, whatif.Options{}, objects...).Apply(labelled(webOf(2, "2"))))
			testkit.Equal(t, r.Objects[0].Outdated > 0, fails, reason, isInit)
		}
	}
}

// ReplicaSets that were not read were scaled for the surge, too: 4 and 1 pods of at most 5 become 7 and 2 of at most 9. The
// new ones do not start.
func TestScaledWithoutReplicaSets(t *testing.T) {
	web := webOf(4, "2")
	one, none := intstr.FromInt32(1), intstr.FromInt32(0)
	web.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{MaxSurge: &one, MaxUnavailable: &none}
	larger := web.DeepCopy()
	larger.Spec.Replicas = pointer[int32](8)
	r := did(read(t, whatif.Options{}, node("a", "32"), web, with(ofHash("b", "x", "2"), notStarting),
		ofHash("a", "w", "1"), ofHash("a", "x", "1"), ofHash("a", "y", "1"), ofHash("a", "z", "1")).Apply(larger))
	testkit.Equal(t, fmt.Sprint(r.Objects[0].Outdated, r.Objects[0].Pods), "7 2")
}

// A ReplicaSet of which only one pod fails to start gets others that start, so that a rollout of 4 replicas goes on.
func TestOnePodFailsToStart(t *testing.T) {
	set := func(name, cpu string, replicas int32) *appsv1.ReplicaSet {
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: webOf(4, cpu).Spec.Template}}, "Deployment", "web")
		rs.Annotations = map[string]string{"deployment.kubernetes.io/desired-replicas": "4", "deployment.kubernetes.io/max-replicas": "5"}
		return rs
	}
	of := func(name, set, cpu string) *corev1.Pod { return owned(on("a", podOf(name, cpu)), "ReplicaSet", set) }
	c := read(t, whatif.Options{}, node("a", "32"), webOf(4, "2"), set("web-a", "1", 3), set("web-b", "2", 2), with(of("web-b-x", "web-b", "2"), notStarting),
		of("web-b-y", "web-b", "2"), of("web-a-x", "web-a", "1"), of("web-a-y", "web-a", "1"), of("web-a-z", "web-a", "1"))
	r := did(c.Apply(labelled(webOf(4, "2"))))
	testkit.Equal(t, fmt.Sprint(r.Objects[0].Outdated, r.Objects[0].Pods), "0 4")
}

// A pod that waits for a node does not start either once it has one, if none of its ReplicaSet that has a node does.
func TestPodOfABrokenReplicaSetGetsANode(t *testing.T) {
	set := func(name, cpu string, replicas int32) *appsv1.ReplicaSet {
		rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta(name), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: webOf(4, cpu).Spec.Template}}, "Deployment", "web")
		rs.Annotations = map[string]string{"deployment.kubernetes.io/desired-replicas": "4", "deployment.kubernetes.io/max-replicas": "5"}
		return rs
	}
	of := func(name, set, cpu string) *corev1.Pod { return owned(on("a", podOf(name, cpu)), "ReplicaSet", set) }
	c := read(t, whatif.Options{}, node("a", "6"), labelled(webOf(4, "2")), set("web-a", "1", 3), set("web-b", "2", 2), with(of("web-b-x", "web-b", "2"), notStarting),
		owned(podOf("web-b-y", "2"), "ReplicaSet", "web-b"), of("web-a-x", "web-a", "1"), of("web-a-y", "web-a", "1"), of("web-a-z", "web-a", "1"))
	r := did(c.Apply(node("b", "9")))
	testkit.NoDiff(t, placesOf(r), []string{"b"})
	testkit.Equal(t, fmt.Sprint(r.Others[0].Outdated, r.Others[0].Pods, r.Others[0].Placed), "3 2 2") // 3 of 4 have to be available
}

// Amounts of an init container that a manifest leaves out are another template.
func TestInitContainersWithoutAmounts(t *testing.T) {
	web := deployment("web", 1, "1")
	web.Spec.Template.Spec.InitContainers = []corev1.Container{testkit.Container("init", testkit.List("cpu", "2"), nil)}
	without := web.DeepCopy()
	without.Spec.Template.Spec.InitContainers[0].Resources = corev1.ResourceRequirements{}
	wantStory(t, did(did(read(t, whatif.Options{}, node("a", "9")).Apply(web)).After.Apply(without)), `
		Deployment web Updated 1/1/1
		  web-2-1 >a
		  web-1-1 a>
		`)
}

// A ReplicaSet selects the pods of its own template.
//
// Source: getNewReplicaSet of k8s.io/kubernetes v1.37.2 pkg/controller/deployment/sync.go.
func TestLabelsOfAReplicaSet(t *testing.T) {
	web := webOf(1, "1")
	web.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "web"}}
	before := web.DeepCopy()
	hashed := map[string]string{"app": "web", appsv1.DefaultDeploymentUniqueLabelKey: "1"}
	for _, o := range whatif.ObjectsOf(did(read(t, whatif.Options{}).Apply(web)).After, "shop") {
		if rs, ok := o.(*appsv1.ReplicaSet); ok {
			testkit.NoDiff(t, []map[string]string{rs.Labels, rs.Spec.Template.Labels, rs.Spec.Selector.MatchLabels}, []map[string]string{hashed, hashed, hashed})
		}
	}
	testkit.NoDiff(t, web, before)
}

// A ReplicaSet whose pods fail to start stays so if something else than its template changes.
func TestBrokenReplicaSetIsLabelled(t *testing.T) {
	objects := brokenRollout()
	c := did(read(t, whatif.Options{}, objects...).Apply(labelled(objects[3].DeepCopyObject().(*appsv1.ReplicaSet)))).After
	c = did(c.Delete(podOf("web-b-x", "2"))).After
	testkit.Equal(t, did(c.Apply(labelled(webOf(2, "2")))).Objects[0].Outdated, 2)
}
