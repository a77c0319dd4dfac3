package whatif_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

func TestStatefulSet(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "2"), resourceQuota("q", "persistentvolumeclaims", "3", "pods", "9"))
	wantStory(t, did(c.Apply(statefulSet("db", 2, "1", "data", "log"))), `
		StatefulSet db Created 2/1/1: persistentvolumeclaims "log-db-1" is forbidden: exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=3, limited: persistentvolumeclaims=3
		  db-0 >a ?spec.volumes
		`)
	set := statefulSet("db", 3, "1")
	set.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 5}
	created := wantStory(t, did(c.Apply(set)), `
		StatefulSet db Created 3/3/2
		  db-5 >a
		  db-6 >a
		  db-7: 0/1 nodes are available: 1 Insufficient cpu.
		`).After
	// The first pod that waits stops those after it, and the update.
	waiting := set.DeepCopy()
	waiting.Spec.Replicas, waiting.Spec.Template = pointer[int32](9), template("900m")
	wantStory(t, did(created.Apply(waiting)), `
		StatefulSet db Updated 9/0/0 outdated 3
		`)
	waiting.Spec.Replicas = pointer[int32](2)
	wantStory(t, did(created.Apply(waiting)), `
		StatefulSet db Updated 2/2/2
		  db-7 >
		  db-6 a>a
		  db-5 a>a
		`)
	waiting.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer[int32](1)}
	wantStory(t, did(created.Apply(waiting)), `
		StatefulSet db Updated 2/1/1 outdated 1
		  db-7 >
		  db-6 a>a
		`)
	waiting.Spec.UpdateStrategy.Type = appsv1.OnDeleteStatefulSetStrategyType
	wantStory(t, did(created.Apply(waiting)), `
		StatefulSet db Updated 2/0/0 outdated 2
		  db-7 >
		`)
	parallel := statefulSet("log", 3, "2")
	parallel.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
	wantStory(t, did(c.Apply(parallel)), `
		StatefulSet log Created 3/3/1
		  log-0 >a
		  log-1: 0/1 nodes are available: 1 Insufficient cpu.
		  log-2: 0/1 nodes are available: 1 Insufficient cpu.
		`)
}

// Claims stay when their pods are deleted, and a pod that has ended is replaced by one of its name.
func TestStatefulSetInADump(t *testing.T) {
	ended := owned(on("a", podOf("db-0", "1")), "StatefulSet", "db")
	ended.Status.Phase = corev1.PodFailed
	c := read(t, whatif.Options{}, node("a", "2"), statefulSet("db", 2, "1", "data"), ended, owned(on("a", podOf("db-1", "1")), "StatefulSet", "db"))
	again := wantStory(t, did(c.Delete(podOf("db-1", "1"))), `
		Pod db-1 Deleted
		  db-1 a>a ?spec.volumes
		  db-0 a>a ?spec.volumes
		`).After
	less := did(again.Apply(statefulSet("db", 1, "1", "data"))).After
	testkit.Equal(t, len(whatif.ObjectsOf(less, "shop")), 4) // the set, a pod and two claims
	counted := did(did(again.Apply(resourceQuota("q", "persistentvolumeclaims", "9"))).After.Delete(podOf("db-0", "1"))).After.Namespace("shop").Quotas()[0]
	testkit.Equal(t, fmt.Sprint(testkit.Texts(counted.Status.Used)), "map[persistentvolumeclaims:2 DecimalSI]")
}

func TestJobs(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "9"))
	j := job("import", 3, "1")
	j.Spec.Completions, j.Status.Succeeded = pointer[int32](5), 3
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), j).Apply(j, resourceQuota("q", "pods", "9"))), `
		Job import Unchanged 2/2/2
		ResourceQuota q Created
		  import-1 >a
		  import-2 >a
		`)
	created := wantStory(t, did(c.Apply(job("import", 2, "1"))), `
		Job import Created 2/2/2
		  import-1 >a
		  import-2 >a
		`).After
	suspended := job("import", 2, "1")
	suspended.Spec.Suspend = pointer(true)
	wantStory(t, did(created.Apply(suspended)), `
		Job import Updated
		  import-2 a>
		  import-1 a>
		`)
	blocked := statefulSet("import", 1, "1")
	blocked.Spec.Ordinals = &appsv1.StatefulSetOrdinals{Start: 1}
	wantStory(t, did(did(created.Apply(blocked)).After.Delete(job("import", 1, "1"))), `
		Job import Deleted
		  import-1 a>a
		  import-2 a>
		`)
	complete := job("import", 2, "1")
	complete.Status.Conditions = []batchv1.JobCondition{{Type: batchv1.JobComplete, Status: corev1.ConditionTrue}}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), complete).Apply(resourceQuota("q", "pods", "9"))), `
		ResourceQuota q Created
		`)
	nightly := &batchv1.CronJob{ObjectMeta: meta("nightly"), Spec: batchv1.CronJobSpec{JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: template("1")}}}}
	wantStory(t, did(c.Apply(nightly)), `
		CronJob nightly Created
		`)
	runs := read(t, whatif.Options{RunCronJobs: true}, node("a", "9"))
	ran := wantStory(t, did(runs.Apply(nightly)), `
		CronJob nightly Created
		  nightly-1-1 >a
		`).After
	nightly.Labels = map[string]string{"team": "web"}
	wantStory(t, did(ran.Apply(nightly)), `
		CronJob nightly Updated
		`)
	wantStory(t, did(ran.Delete(nightly)), `
		CronJob nightly Deleted
		  nightly-1-1 a>
		`)
	nightly.Spec.Suspend = pointer(true)
	waits := wantStory(t, did(runs.Apply(nightly)), `
		CronJob nightly Created
		`).After
	resumed := nightly.DeepCopy()
	resumed.Spec.Suspend = pointer(false)
	wantStory(t, did(waits.Apply(resumed)), `
		CronJob nightly Updated
		  nightly-1-1 >a
		`)
}

func TestReplicationController(t *testing.T) {
	p := template("1")
	rc := &corev1.ReplicationController{ObjectMeta: meta("old"), Spec: corev1.ReplicationControllerSpec{Replicas: pointer[int32](1), Template: &p}}
	c := wantStory(t, did(read(t, whatif.Options{}, node("a", "9")).Apply(rc)), `
		ReplicationController old Created 1/1/1
		  old-1 >a
		`).After
	wantStory(t, did(c.Delete(podOf("old-1", "1"))), `
		Pod old-1 Deleted
		  old-1 a>
		  old-2 >a
		`)
	// What decides about its nodes counts as applied before, so that a manifest that omits it removes it.
	chosen := rc.DeepCopy()
	chosen.Spec.Template.Spec.NodeSelector = map[string]string{"pool": "b"}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), chosen).Apply(rc)), `
		ReplicationController old Updated 1/1/1
		  old-1 >a
		`)
}

// However many replicas somebody writes, there are 32,768 pods, and nothing is as long as the number.
func TestTooManyPods(t *testing.T) {
	const most, message = 1<<31 - 1, "2147483647 32768 TooManyPods whatif: more than 32768 pods of "
	for text, obj := range map[string]admit.APIObject{
		"Job shop/large":      job("large", most, "1"),
		"StatefulSet shop/db": statefulSet("db", most, "1"),
		"StatefulSet shop/parallel": with(statefulSet("parallel", most, "1"), func(s *appsv1.StatefulSet) {
			s.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		}),
		"ReplicaSet shop/web-1": deployment("web", most, "1"),
	} {
		o := did(read(t, whatif.Options{}).Apply(obj)).Objects[0]
		testkit.Equal(t, fmt.Sprint(o.Wanted, " ", o.Pods, " ", o.Missing.Cause, " ", o.Missing.Message), message+text)
	}
}

// Pods of a dump belong to Deployments, with their ReplicaSets or without.
func TestOwnersInADump(t *testing.T) {
	web := deployment("web", 2, "1")
	rs := owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-5d9"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}}, "Deployment", "web")
	rs.Spec.Template.Labels = map[string]string{"pod-template-hash": "5d9"}
	rs.Spec.Template.Spec.DNSPolicy = corev1.DNSClusterFirst // that the server has set
	var pods []admit.APIObject
	for _, name := range []string{"web-5d9-x", "web-5d9-y"} {
		p := owned(on("a", podOf(name, "1")), "ReplicaSet", "web-5d9")
		p.Labels = map[string]string{"pod-template-hash": "5d9"}
		pods = append(pods, p)
	}
	for name, objects := range map[string][]admit.APIObject{"with its ReplicaSet": {rs}, "without": nil} {
		t.Run(name, func(t *testing.T) {
			c := read(t, whatif.Options{}, append(append(objects, web, node("a", "9")), pods...)...)
			wantStory(t, did(c.Apply(web)), `
				Deployment web Unchanged 2/2/2
				`)
			r := wantStory(t, did(c.Apply(deployment("web", 1, "1"))), `
				Deployment web Updated 1/1/1
				  web-5d9-y a>
				`)
			testkit.Equal(t, r.Pods[0].Owner.String(), "Deployment shop/web")
			wantStory(t, did(c.Delete(web)), `
				Deployment web Deleted
				  web-5d9-x a>
				  web-5d9-y a>
				`)
		})
	}
	// Without its Deployment, the ReplicaSet is on its own.
	wantStory(t, did(read(t, whatif.Options{}, append(pods, rs, node("a", "9"))...).Delete(pods[0])), `
		Pod web-5d9-x Deleted
		  web-5d9-x a>
		  web-5d9-1 >a
		`)
	// So it is if it belongs to an object of another kind, with which it is deleted.
	rollout, service, extra := &unstructured.Unstructured{}, &unstructured.Unstructured{}, &unstructured.Unstructured{}
	for obj, version := range map[*unstructured.Unstructured]string{rollout: "argoproj.io/v1", service: "serving.knative.dev/v1", extra: "mesh.x-k8s.io/v1"} {
		obj.SetAPIVersion(version)
		obj.SetKind(map[bool]string{true: "Rollout", false: "Service"}[obj == rollout])
		obj.SetNamespace("shop")
		obj.SetName("web")
	}
	other := rs.DeepCopy()
	other.OwnerReferences[0].APIVersion, other.OwnerReferences[0].Kind = "argoproj.io/v1", "Rollout"
	wantStory(t, did(read(t, whatif.Options{}, append(pods, other, rollout, service, extra, &corev1.Service{ObjectMeta: meta("web")}, node("a", "9"))...).Delete(service, extra, pods[0], rollout)), `
		Service.serving.knative.dev web Deleted
		Service.mesh.x-k8s.io web Deleted
		Pod web-5d9-x Deleted
		Rollout.argoproj.io web Deleted
		  web-5d9-x a>
		  web-5d9-y a>
		`)
	newest := pods[0].(*corev1.Pod)
	newest.CreationTimestamp, pods[1].(*corev1.Pod).Annotations = metav1.NewTime(testkit.Now()), map[string]string{"controller.kubernetes.io/pod-deletion-cost": "-1"}
	wantStory(t, did(read(t, whatif.Options{}, append(pods, rs, web, node("a", "9"))...).Apply(deployment("web", 1, "1"))), `
		Deployment web Updated 1/1/1
		  web-5d9-y a>
		`)
}

// Pods have the labels and annotations of their template, and a reference to their controller with its API version.
func TestPodsOfTemplates(t *testing.T) {
	of := template("1")
	of.Labels, of.Annotations = map[string]string{"app": "web"}, map[string]string{"a": "b"}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("set"), Spec: appsv1.ReplicaSetSpec{Template: of}}
	controller := &corev1.ReplicationController{ObjectMeta: meta("controller"), Spec: corev1.ReplicationControllerSpec{Template: &of}}
	once := &batchv1.Job{ObjectMeta: meta("once"), Spec: batchv1.JobSpec{Template: of}}
	after := did(read(t, whatif.Options{}, node("a", "9")).Apply(set, controller, once)).After
	for name, version := range map[string]string{"set-1": "apps/v1", "controller-1": "v1", "once-1": "batch/v1"} {
		pod, _ := after.Pod(inShop(name))
		testkit.NoDiff(t, pod.Object.Labels, of.Labels, name)
		testkit.NoDiff(t, pod.Object.Annotations, of.Annotations, name)
		testkit.Equal(t, pod.Object.OwnerReferences[0].APIVersion, version, name)
	}
}

// The pod that costs less to delete goes first. The costs are decimal.
func TestDeletionCost(t *testing.T) {
	pod := func(name, cost string) *corev1.Pod {
		p := owned(on("a", podOf(name, "1")), "ReplicaSet", "web")
		p.Annotations = map[string]string{"controller.kubernetes.io/pod-deletion-cost": cost}
		return p
	}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](2), Template: template("1")}}
	for _, costs := range [][2]string{{"1000", "2000"}, {"2000", "1000"}} {
		c := read(t, whatif.Options{}, node("a", "4"), set, pod("web-x", costs[0]), pod("web-y", costs[1]))
		scaled := set.DeepCopy()
		scaled.Spec.Replicas = pointer[int32](1)
		gone := "web-x"
		if costs[1] < costs[0] {
			gone = "web-y"
		}
		wantStory(t, did(c.Apply(scaled)), `
		ReplicaSet web Updated 1/1/1
		  `+gone+` a>
		`)
	}
}

// An ended pod that belongs to nobody keeps its name.
func TestStatefulSetBesideAPodOfItsName(t *testing.T) {
	ended := podOf("web-0", "1")
	ended.Status.Phase = corev1.PodSucceeded
	wantStory(t, did(read(t, whatif.Options{}, node("a", "4"), ended).Apply(statefulSet("web", 1, "1"))), `
		StatefulSet web Created 1/0/0: pods "web-0" already exists
		`)
	labelled := ended.DeepCopy()
	labelled.Labels = map[string]string{"a": "b"}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "4"), ended).Apply(labelled)), `
		Pod web-0 Updated
		  web-0 >
		`)
}

// Workloads get room by namespace, kind and name.
func TestOrderOfWorkloads(t *testing.T) {
	other := daemonSet("a", "1")
	other.Namespace = "store"
	c := read(t, whatif.Options{}, daemonSet("z", "1"), other)
	wantStory(t, did(c.Apply(node("n", "1"))), `
		Node n Created
		  z-1 >n
		  a-1: 0/1 nodes are available: 1 Insufficient cpu.
		`)
	set := &appsv1.ReplicaSet{ObjectMeta: meta("z"), Spec: appsv1.ReplicaSetSpec{Template: template("1")}}
	full := did(read(t, whatif.Options{}, node("n", "9"), resourceQuota("q", "pods", "0")).Apply(statefulSet("a", 1, "1"), set)).After
	wantStory(t, did(full.Apply(resourceQuota("q", "pods", "1"))), `
		ResourceQuota q Updated
		StatefulSet a 1/0/0: pods "a-0" is forbidden: exceeded quota: q, requested: pods=1, used: pods=1, limited: pods=1
		  z-1 >n
		`)
}

// Objects of the cluster have no namespace, nor have those of kinds that are not known.
func TestObjectsOfTheCluster(t *testing.T) {
	foreign := &unstructured.Unstructured{}
	foreign.SetAPIVersion("example.com/v1")
	foreign.SetKind("Zone")
	foreign.SetName("north")
	for _, obj := range []admit.APIObject{foreign, &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: "n"}}} {
		testkit.Equal(t, did(read(t, whatif.Options{}).Apply(obj)).Objects[0].Namespace, "")
	}
}
