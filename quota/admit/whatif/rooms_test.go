package whatif_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Room for each kind of object, worked by hand: what the node, the quota, or the quota of the workload itself leaves.
func TestRoomOfEachKind(t *testing.T) {
	const full = "Unschedulable: 0/1 nodes are available: 1 Insufficient cpu."
	exceeded := func(resource, name, requested, used, limited string) string {
		return fmt.Sprintf(`Forbidden: %[1]s %[2]q is forbidden: exceeded quota: q, requested: %[3]s, used: %[4]s, limited: %[5]s`, resource, name, requested, used, limited)
	}
	endless := fmt.Sprint(math.MaxInt64)
	controller := &corev1.ReplicationController{ObjectMeta: meta("web"), Spec: corev1.ReplicationControllerSpec{Template: pointer(template("1"))}}
	set := &appsv1.ReplicaSet{ObjectMeta: meta("web"), Spec: appsv1.ReplicaSetSpec{Template: template("1")}}
	five := []admit.APIObject{node("a", "5")}
	quotaOf := func(pairs ...string) []admit.APIObject {
		return append(slices.Clone(five), resourceQuota("q", pairs...))
	}
	for _, r := range []struct {
		name    string
		cluster []admit.APIObject
		obj     admit.APIObject
		want    string
	}{
		{"a pod", five, podOf("p", "1"), "5, " + full},
		{"a pod that is too large", five, podOf("p", "6"), "0, " + full},
		{"a pod in a quota", quotaOf("pods", "2"), podOf("p", "1"), "2, " + exceeded("pods", "p", "pods=1", "pods=2", "pods=2")},
		{"a pod that is refused", quotaOf("requests.cpu", "1"), podOf("p", "2"), "0, " + exceeded("pods", "p", "requests.cpu=2", "requests.cpu=0", "requests.cpu=1")},
		{"a pod without nodes", nil, podOf("p", "1"), endless},
		{"a pod without a namespace", []admit.APIObject{node("a", "5"), namespace("pay")}, podOf("p", "1"), `0, NotFound: namespaces "shop" not found`},
		{"a pod in a namespace that is being deleted", []admit.APIObject{node("a", "5"), with(namespace("shop"), func(n *corev1.Namespace) { n.Status.Phase = corev1.NamespaceTerminating })}, podOf("p", "1"),
			`0, Forbidden: pods "p" is forbidden: unable to create new content in namespace shop because it is being terminated`},
		{"a pod that waits already", []admit.APIObject{node("a", "5"), on("a", podOf("p", "2"))}, podOf("r", "1"), "3, " + full},
		{"a Deployment", five, deployment("web", 1, "1"), "5, " + full},
		{"a Deployment in a quota", quotaOf("pods", "2"), deployment("web", 1, "1"), "2, " + exceeded("pods", "web-", "pods=1", "pods=2", "pods=2")},
		{"a Deployment without a ReplicaSet", quotaOf("count/replicasets.apps", "0"), deployment("web", 1, "1"),
			"0, " + exceeded("replicasets.apps", "web-1", "count/replicasets.apps=1", "count/replicasets.apps=0", "count/replicasets.apps=0")},
		{"a Deployment whose ReplicaSet is there", append(quotaOf("count/replicasets.apps", "1"), deployment("web", 1, "1"), owned(&appsv1.ReplicaSet{ObjectMeta: meta("web-x"),
			Spec: appsv1.ReplicaSetSpec{Replicas: pointer[int32](1), Template: template("1")}}, "Deployment", "web")), deployment("web", 1, "1"), "5, " + full},
		{"a Deployment that is refused", quotaOf("count/deployments.apps", "0"), deployment("web", 1, "1"),
			"0, " + exceeded("deployments.apps", "web", "count/deployments.apps=1", "count/deployments.apps=0", "count/deployments.apps=0")},
		{"a ReplicaSet", five, set, "5, " + full},
		{"a ReplicationController", five, controller, "5, " + full},
		{"a StatefulSet", five, statefulSet("db", 1, "1"), "5, " + full},
		{"a StatefulSet with claims without nodes", nil, statefulSet("db", 1, "1", "data"), endless},
		{"a StatefulSet whose claims are refused without nodes", []admit.APIObject{resourceQuota("q", "persistentvolumeclaims", "2")}, statefulSet("db", 1, "1", "data"),
			"2, " + exceeded("persistentvolumeclaims", "data-db-2147483647", "persistentvolumeclaims=1", "persistentvolumeclaims=2", "persistentvolumeclaims=2")},
		{"a Job", five, job("j", 9, "2"), "2, " + full},
		{"a Job that is refused", quotaOf("count/jobs.batch", "0"), job("j", 1, "1"),
			"0, " + exceeded("jobs.batch", "j", "count/jobs.batch=1", "count/jobs.batch=0", "count/jobs.batch=0")},
		{"a CronJob", quotaOf("count/jobs.batch", "1"), cronJob("c", 1, "1"), "5, " + full},
		{"a CronJob without a Job", quotaOf("count/jobs.batch", "0"), cronJob("c", 1, "1"),
			"0, " + exceeded("jobs.batch", "c-1", "count/jobs.batch=1", "count/jobs.batch=0", "count/jobs.batch=0")},
		{"a ConfigMap", five, &corev1.ConfigMap{ObjectMeta: meta("c")}, "0"},
		{"a workload with overhead", []admit.APIObject{node("b", "5"), kata()},
			withSpec(deployment("web", 1, "1"), func(spec *corev1.PodSpec) { spec.RuntimeClassName = pointer("kata") }), "4, " + full},
		{"a workload with gates", five, withSpec(deployment("web", 1, "1"), func(spec *corev1.PodSpec) { spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "g"}} }),
			"0, SchedulingGated: Scheduling is blocked due to non-empty scheduling gates"},
		{"a cordoned node", []admit.APIObject{node("a", "5"), with(node("b", "5"), func(n *corev1.Node) { n.Spec.Unschedulable = true })}, podOf("p", "1"),
			"5, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) were unschedulable."},
		{"a pod that could preempt", []admit.APIObject{node("a", "5"), priorityClass("high", 10), on("a", podOf("low", "2"))},
			withSpec(podOf("p", "1"), hasClass("high")), "3, " + full},
		{"nothing", five, nil, "0"},
	} {
		t.Run(r.name, func(t *testing.T) {
			testkit.Equal(t, tellRoom(read(t, whatif.Options{}, r.cluster...).Room(r.obj)), r.want)
		})
	}
}

// The claims of a StatefulSet count for each replica, and a DaemonSet has one pod on each node that it matches.
func TestRoomOfReplicasWithClaimsAndDaemons(t *testing.T) {
	c := read(t, whatif.Options{}, node("a", "5"), resourceQuota("q", "requests.storage", "5Gi"))
	r := c.Room(with(statefulSet("db", 1, "1", "data"), func(s *appsv1.StatefulSet) {
		s.Spec.VolumeClaimTemplates[0].Spec.Resources.Requests = testkit.List("storage", "2Gi")
	}))
	testkit.Equal(t, r.Replicas, 2)
	testkit.Equal(t, r.Next.Cause, string(metav1.StatusReasonForbidden))

	nodes := []admit.APIObject{node("a", "5"), tainted(node("b", "5"), "dedicated", corev1.TaintEffectNoSchedule), node("c", "0")}
	testkit.Equal(t, read(t, whatif.Options{}, nodes...).Room(daemonSet("agent", "1")).Replicas, 1)
	applied := did(read(t, whatif.Options{}, append(nodes, node("d", "5"))...).Apply(daemonSet("agent", "1"))).After
	testkit.Equal(t, applied.Room(daemonSet("agent", "1")).Replicas, 0)
	testkit.Equal(t, applied.Room(daemonSet("other", "1")).Replicas, 2)
}

// What is unknown about one replica is unknown about all: the driver may attach no volume on the node a, where the first
// one is. The second one takes the volume of b, where no limit is known.
func TestRoomOfReplicasOnOtherNodes(t *testing.T) {
	limited := &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: "a"}}
	limited.Spec.Drivers = []storagev1.CSINodeDriver{{Name: "csi.example.com", Allocatable: &storagev1.VolumeNodeResources{Count: pointer[int32](0)}}}
	c := read(t, whatif.Options{}, cluster(node("a", "1"), node("b", "1"), classes(), in("other", claim("unused", "none")), limited,
		&storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: "unused"}}, localVolume("v", "later", "1Gi", "b"), resourceQuota("q", "pods", "2"))...)
	r := c.Room(ofClass("db", 0, "later"))
	testkit.Equal(t, fmt.Sprint(r.Replicas, r.Unknown, r.Next.Cause), "2 [spec.volumes]Forbidden")
}

// Objects that controllers create refer to them as those of a cluster do.
func TestControllerReferences(t *testing.T) {
	controller := &corev1.ReplicationController{ObjectMeta: meta("rc"), Spec: corev1.ReplicationControllerSpec{Template: pointer(template("1"))}}
	owner := with(deployment("web", 1, "1"), func(d *appsv1.Deployment) { d.UID = "u" })
	r := did(read(t, whatif.Options{RunCronJobs: true}, node("a", "9")).Apply(owner, statefulSet("db", 1, "1"), daemonSet("agent", "1"), job("j", 1, "1"), cronJob("c", 1, "1"), controller))
	var got []string
	for _, obj := range whatif.ObjectsOf(r.After, "shop") {
		for _, o := range obj.GetOwnerReferences() {
			got = append(got, strings.TrimSpace(fmt.Sprintf("%s: %s %s %s %t %s", obj.GetName(), o.APIVersion, o.Kind, o.Name, *o.Controller, o.UID)))
		}
	}
	slices.Sort(got)
	testkit.NoDiff(t, got, []string{
		"agent-1: apps/v1 DaemonSet agent true",
		"c-1-1: batch/v1 Job c-1 true",
		"c-1: batch/v1 CronJob c true",
		"db-0: apps/v1 StatefulSet db true",
		"j-1: batch/v1 Job j true",
		"rc-1: v1 ReplicationController rc true",
		"web-1-1: apps/v1 ReplicaSet web-1 true",
		"web-1: apps/v1 Deployment web true u",
	})
}

// tellRoom writes a Room: how many, and why no more.
func tellRoom(r whatif.Room) string {
	text := fmt.Sprint(r.Replicas)
	if r.Next.Cause != "" {
		text += ", " + tellReason(r.Next)
	}
	if r.Depends {
		text += "; depends"
	}
	return text
}
