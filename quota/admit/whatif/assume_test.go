package whatif_test

import (
	"fmt"
	"regexp"
	"slices"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// withStatus returns a copy of a workload whose status counts its pods.
func withStatus(o admit.APIObject, pods int32) admit.APIObject {
	own := o.DeepCopyObject().(admit.APIObject)
	switch own := own.(type) {
	case *appsv1.ReplicaSet:
		own.Status.Replicas = pods
	case *corev1.ReplicationController:
		own.Status.Replicas = pods
	case *appsv1.StatefulSet:
		own.Status.Replicas = pods
	case *batchv1.Job:
		own.Status.Active = pods
	case *appsv1.DaemonSet:
		own.Status.CurrentNumberScheduled, own.Status.DesiredNumberScheduled, own.Status.ObservedGeneration = pods, 1, 1
	}
	return own
}

// dumpOf returns the objects of a cluster as kubectl get prints them, with and without its pods.
func dumpOf(c *whatif.Cluster) (whole, withoutPods []admit.APIObject) {
	pods := map[string]int32{}
	for _, o := range whatif.ObjectsOf(c, "shop") {
		if ref := metav1.GetControllerOf(o); ref != nil {
			pods[ref.Kind+ref.Name]++
		}
	}
	for _, o := range whatif.ObjectsOf(c, "shop") {
		switch o := o.(type) {
		case *corev1.ResourceQuota:
		case *corev1.Pod:
			p, _ := c.Pod(inShop(o.Name))
			whole = append(whole, on(p.Node, o.DeepCopy()))
		default:
			kind := regexp.MustCompile(`\.(\w+)$`).FindStringSubmatch(fmt.Sprintf("%T", o))[1]
			with := withStatus(o, pods[kind+o.GetName()])
			whole, withoutPods = append(whole, with), append(withoutPods, with)
		}
	}
	for _, q := range c.Namespace("shop").Quotas() {
		whole, withoutPods = append(whole, q), append(withoutPods, q)
	}
	return whole, withoutPods
}

var drawnNames = regexp.MustCompile(`-\d+`)

// unnamed writes a result without places and the names of pods.
func unnamed(r outcome) (lines []string) {
	for _, o := range slices.Concat(r.Objects, r.Others) {
		lines = append(lines, drawnNames.ReplaceAllString(fmt.Sprint(o.Source, o.Action, o.Reason.Message, o.Missing.Message, o.Wanted, o.Pods, o.Outdated), "-"))
	}
	for _, q := range r.Quotas {
		lines = append(lines, fmt.Sprint(q.Name, testkit.Texts(q.Status.Used)))
	}
	return lines
}

// If no pods are read, the status of workloads stands in for them.
func TestWithoutPods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var objects, updates []admit.APIObject
		for range rapid.IntRange(0, 6).Draw(t, "objects") {
			o := drawUnlocated(t)
			_, isPod := o.(*corev1.Pod)
			_, isDeployment := o.(*appsv1.Deployment)
			isGated := specOf(o) != nil && len(specOf(o).SchedulingGates) > 0
			switch {
			case isPod || isGated: // of which nothing is known
			case isDeployment:
				updates = append(updates, o)
			default: // the pods of others may stay as they were before an update
				objects = append(objects, o)
			}
		}
		objects = append(distinct(objects), updates...)
		c := did(read(t, whatif.Options{}).Apply(objects...)).After
		for _, o := range did(c.Apply(objects...)).Objects {
			if o.Outdated > 0 && o.Kind != "Deployment" {
				return // pods of two templates, of which the status tells nothing
			}
		}
		whole, withoutPods := dumpOf(c)
		if flip(t, "nodes", 2) { // of which the loads are not known
			withoutPods = append(withoutPods, node("a", "1"))
		}
		with, without := read(t, whatif.Options{}, whole...), read(t, whatif.Options{}, withoutPods...)
		if len(without.Nodes()) > 0 {
			return // it has no pods
		}
		for range rapid.IntRange(1, 4).Draw(t, "changes") {
			obj := drawUnlocated(t)
			if _, isPod := obj.(*corev1.Pod); isPod {
				continue
			}
			change := func(c *whatif.Cluster) outcome { return did(c.Apply(obj)) }
			if flip(t, "delete", 5) {
				change = func(c *whatif.Cluster) outcome { return did(c.Delete(obj)) }
			}
			got, want := change(without), change(with)
			testkit.NoDiff(t, unnamed(got), unnamed(want), testkit.Fingerprint(obj))
			testkit.Equal(t, len(got.Nodes)+len(got.After.Nodes()), 0)
			with, without = want.After, got.After
		}
	})
}

// What stands in for pods is as many as the status says, and is replaced like pods.
func TestAssumed(t *testing.T) {
	web := deployment("web", 3, "1")
	web.Spec.Template.Labels = map[string]string{"app": "web"}
	web.Status = appsv1.DeploymentStatus{Replicas: 4, UpdatedReplicas: 1} // an update is on its way
	full := resourceQuota("q", "requests.cpu", "4", "pods", "10")
	c := read(t, whatif.Options{}, node("a", "9"), web, full)
	testkit.Equal(t, fmt.Sprint(c.Nodes(), len(c.Pods("")), c.Pods("")[0].Assumed, testkit.Texts(c.Namespace("shop").Quotas()[0].Status.Used)), "[] 4 true map[pods:4 DecimalSI requests.cpu:4 DecimalSI]")
	again := did(c.Apply(web))
	testkit.Equal(t, fmt.Sprint(again.Objects[0].Action, again.Objects[0].Pods, again.Objects[0].Outdated, len(again.Pods)), "Unchanged1 3 0")
	updated := web.DeepCopy()
	updated.Spec.Template = template("500m")
	r := did(c.Apply(updated))
	testkit.Equal(t, fmt.Sprint(r.Objects[0].Pods, r.Objects[0].Outdated, r.Objects[0].Missing.Cause == "", r.Pods[0].Assumed, len(r.Nodes)), "3 0 true true 0")
	testkit.Equal(t, len(did(c.Apply(node("b", "9"))).After.Nodes()), 0) // the pods are still not known

	// A pod that has ended is one of its Job: that it is the only one is known.
	ended := owned(podOf("import-x", "1"), "Job", "import")
	ended.Status.Phase = corev1.PodSucceeded
	imports := job("import", 2, "1")
	imports.Status.Active = 2
	c = read(t, whatif.Options{}, node("a", "9"), imports, ended)
	testkit.Equal(t, fmt.Sprint(c.Nodes(), len(c.Pods("")), len(c.Pods("a"))), "[a] 0 0")
	// If there are other pods, places are known as far as they go.
	c = read(t, whatif.Options{}, node("a", "9"), imports, on("a", podOf("bare", "1")))
	testkit.Equal(t, fmt.Sprint(c.Nodes(), len(c.Pods("")), len(c.Pods("a"))), "[a] 0 3")
	hostile := imports.DeepCopy()
	hostile.Status.Active = -1
	testkit.Equal(t, len(read(t, whatif.Options{}, hostile).Pods("")), 0)
	// They get the defaults of LimitRanges, and a DaemonSet wants a pod on each node that its controller has found.
	agent, bounds, memory := daemonSet("agent", "1"), &corev1.LimitRange{ObjectMeta: meta("bounds")}, resourceQuota("q", "requests.memory", "9Gi")
	bounds.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("memory", "1Gi")}}
	agent.Status = appsv1.DaemonSetStatus{CurrentNumberScheduled: 2, DesiredNumberScheduled: 3}
	c = read(t, whatif.Options{}, agent, bounds, memory)
	testkit.Equal(t, fmt.Sprint(did(c.Apply(agent)).Objects[0].Wanted, testkit.Texts(c.Namespace("shop").Quotas()[0].Status.Used)), "3 map[requests.memory:2Gi BinarySI]")
	none := daemonSet("none", "1")
	none.Status.ObservedGeneration = 1 // no node matches
	testkit.Equal(t, did(read(t, whatif.Options{}, none).Apply(none)).Objects[0].Wanted, 0)
}

// What stands in for the pods of a StatefulSet has their ordinals.
func TestAssumedOrdinals(t *testing.T) {
	db := statefulSet("db", 2, "1")
	db.Spec.Ordinals, db.Status.Replicas = &appsv1.StatefulSetOrdinals{Start: 5}, 2
	more := db.DeepCopy()
	more.Spec.Replicas = pointer[int32](3)
	wantStory(t, did(read(t, whatif.Options{}, db).Apply(more)), `
		StatefulSet db Updated 3/3/0
		  db-7 >
		`)
}

// All pods of a controller use quotas, whether they are ready or not.
func TestAssumedAreNotOnlyReady(t *testing.T) {
	controller := &corev1.ReplicationController{ObjectMeta: meta("w"), Spec: corev1.ReplicationControllerSpec{Template: pointer(template("1"))}}
	controller.Status = corev1.ReplicationControllerStatus{Replicas: 3, ReadyReplicas: 1, AvailableReplicas: 1, FullyLabeledReplicas: 2}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("w"), Spec: appsv1.ReplicaSetSpec{Template: template("1")}}
	set.Status = appsv1.ReplicaSetStatus{Replicas: 3, ReadyReplicas: 1, AvailableReplicas: 1, FullyLabeledReplicas: 2}
	web, db, agent, once := deployment("w", 3, "1"), statefulSet("w", 3, "1"), daemonSet("w", "1"), job("w", 3, "1")
	web.Status = appsv1.DeploymentStatus{Replicas: 3, UpdatedReplicas: 2, ReadyReplicas: 1, AvailableReplicas: 1}
	db.Status = appsv1.StatefulSetStatus{Replicas: 3, ReadyReplicas: 1, CurrentReplicas: 2, UpdatedReplicas: 2, AvailableReplicas: 1}
	agent.Status = appsv1.DaemonSetStatus{CurrentNumberScheduled: 3, DesiredNumberScheduled: 4, NumberReady: 1, NumberAvailable: 1, UpdatedNumberScheduled: 2}
	once.Status = batchv1.JobStatus{Active: 3, Ready: pointer[int32](1), Succeeded: 5, Failed: 6}
	for _, w := range []admit.APIObject{controller, set, web, db, agent, once} {
		testkit.Equal(t, len(read(t, whatif.Options{}, w).Pods("")), 3, fmt.Sprintf("%T", w))
	}
}

// The usage of a quota of a cluster is not known if neither its status nor any pod of its namespace is.
func TestUnknownUsage(t *testing.T) {
	q := resourceQuota("q", "requests.cpu", "1")
	q.UID = "u"
	c := read(t, whatif.Options{}, q)
	testkit.Equal(t, did(c.Apply(podOf("p", "9"))).Objects[0].Reason.Message, "")
	lower := resourceQuota("q", "requests.cpu", "0")
	testkit.Equal(t, did(c.Apply(lower, podOf("p", "9"))).Objects[1].Reason.Message, "")
	testkit.Equal(t, did(read(t, whatif.Options{}, q, podOf("o", "1")).Apply(podOf("p", "9"))).Objects[0].Reason.Cause != "", true)
	testkit.Equal(t, did(read(t, whatif.Options{}).Apply(q, podOf("p", "9"))).Objects[1].Reason.Cause != "", true)
}

// What is blocked is what the next pod is refused for; if one could be created, the reason is not known.
func TestBlocked(t *testing.T) {
	web, cron := deployment("web", 2, "1"), &batchv1.CronJob{ObjectMeta: meta("cron")}
	cron.Spec.JobTemplate.Spec = job("", 1, "3").Spec
	for hard, want := range map[string]string{
		"0": `pods "web-1-1" is forbidden: exceeded quota: q, requested: requests.cpu=1, used: requests.cpu=0, limited: requests.cpu=0`,
		"1": "", "2": "",
	} {
		r := did(read(t, whatif.Options{RunCronJobs: true}, web, cron, resourceQuota("q", "requests.cpu", hard)).Apply(web, cron))
		testkit.Equal(t, r.Objects[0].Missing.Message, want, hard)
		testkit.Equal(t, fmt.Sprint(r.Objects[0].Action, len(r.Pods), len(r.Quotas), r.Objects[1].Missing.Cause != ""), "Unchanged0 0 true")
	}
	r := did(read(t, whatif.Options{}, cron, resourceQuota("q", "requests.cpu", "0")).Apply(cron))
	testkit.Equal(t, r.Objects[0].Missing.Message, "")
}

// An update that a quota stops in a dump is blocked, although no pod is missing.
func TestBlockedUpdate(t *testing.T) {
	web := deployment("web", 2, "600m")
	c := did(read(t, whatif.Options{}, resourceQuota("q", "requests.cpu", "2")).Apply(deployment("web", 2, "1"), web)).After
	dump, _ := dumpOf(c)
	wantStory(t, did(read(t, whatif.Options{}, dump...).Apply(web)), `
		Deployment web Unchanged 2/0/0 outdated 2: pods "web-2-1" is forbidden: exceeded quota: q, requested: requests.cpu=600m, used: requests.cpu=2, limited: requests.cpu=2
		`)
}

// After an update, the current revision is that of the update. Its pods are of the template, whatever LimitRanges gave them.
func TestRevisionAfterUpdate(t *testing.T) {
	db, p := statefulSet("db", 1, "0"), owned(on("a", podOf("db-0", "500m")), "StatefulSet", "db")
	db.Spec.Template.Spec.Containers[0].Resources.Requests = nil
	db.Status = appsv1.StatefulSetStatus{Replicas: 1, CurrentRevision: "db-2", UpdateRevision: "db-2"}
	p.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: "db-2"}
	wantStory(t, did(read(t, whatif.Options{}, node("a", "9"), db, p).Apply(db)), `
		StatefulSet db Unchanged 1/1/1
		`)
}
