package whatif_test

import (
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// The pod below the partition depends on which LimitRange is first, and the one that is created after it does not.
func TestOneReplicaDepends(t *testing.T) {
	ranges := func(name, cpu string) *corev1.LimitRange {
		return &corev1.LimitRange{ObjectMeta: meta(name), Spec: corev1.LimitRangeSpec{Limits: []corev1.LimitRangeItem{
			{Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("cpu", cpu)}}}}
	}
	set := statefulSet("db", 2, "1")
	set.Spec.Template.Spec.Containers[0].Resources = corev1.ResourceRequirements{}
	set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer[int32](1)}
	inTheWay := podOf("db-0", "1")
	c := did(read(t, whatif.Options{}, inTheWay, ranges("x", "1"), ranges("y", "2")).Apply(set)).After
	updated := set.DeepCopy()
	updated.Spec.Template = template("1")
	r, _ := did(c.Apply(updated)).After.Delete(inTheWay)
	o := r.Others[0]
	testkit.Equal(t, o.Pods, 1)
	testkit.Equal(t, o.Outdated, 1)
	testkit.Equal(t, o.Depends, true)
}

// A pod that is created preempts those of its set that are deleted next.
func TestReplicaPreemptsReplicas(t *testing.T) {
	set := statefulSet("db", 2, "1")
	set.Spec.PodManagementPolicy, set.Spec.Ordinals = appsv1.ParallelPodManagement, &appsv1.StatefulSetOrdinals{Start: 1}
	c := did(read(t, whatif.Options{}, node("a", "2")).Apply(set)).After
	set.Spec.Ordinals, set.Spec.Template = nil, template("2")
	set.Spec.Template.Spec.PriorityClassName = "system-cluster-critical"
	wantStory(t, did(c.Apply(set)), `
		StatefulSet db Updated 2/2/1
		  db-0 >a
		  db-1 a>preempted: 0/1 nodes are available: 1 Insufficient cpu.
		  db-2 a>preempted
		`)
}

// A pod below the partition of which only another one of its revision is known is created as that one was.
func TestReplicaLikeAnother(t *testing.T) {
	set := statefulSet("db", 2, "2")
	set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer[int32](2)}
	set.Status.CurrentRevision, set.Status.UpdateRevision = "db-old", "db-new"
	other := on("a", owned(podOf("db-1", "1"), "StatefulSet", "db"))
	other.Labels = map[string]string{"app": "db", appsv1.ControllerRevisionHashLabelKey: "db-old", appsv1.StatefulSetPodNameLabel: "db-1", appsv1.PodIndexLabel: "1"}
	other.Annotations = map[string]string{"note": "x"}
	other.Spec.Hostname, other.Spec.Subdomain = "db-1", "db"
	token := "kube-api-access-x7k2p"
	other.Spec.Volumes = []corev1.Volume{{Name: token}, {Name: "logs", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}}
	other.Spec.Containers[0].VolumeMounts = []corev1.VolumeMount{{Name: token, MountPath: "/token"}, {Name: "logs", MountPath: "/logs"}}
	other.Spec.InitContainers = []corev1.Container{testkit.Container("setup", nil, nil)}
	other.Spec.InitContainers[0].VolumeMounts = other.Spec.Containers[0].VolumeMounts
	first := on("a", owned(podOf("db-0", "1"), "StatefulSet", "db"))
	first.Labels = map[string]string{appsv1.ControllerRevisionHashLabelKey: "db-older"}
	r, _ := read(t, whatif.Options{}, node("a", "4"), node("b", "1"), set, other, first).Delete(first)
	p := r.Pods[0].Object
	testkit.Equal(t, p.Name, "db-0")
	testkit.NoDiff(t, p.Labels, map[string]string{"app": "db"})
	testkit.NoDiff(t, p.Annotations, other.Annotations)
	testkit.NoDiff(t, []string{p.Spec.NodeName, p.Spec.Hostname, p.Spec.Subdomain}, []string{"", "", ""})
	testkit.NoDiff(t, p.Spec.Volumes, other.Spec.Volumes[1:])
	testkit.NoDiff(t, p.Spec.Containers[0].VolumeMounts, other.Spec.Containers[0].VolumeMounts[1:])
	testkit.NoDiff(t, p.Spec.InitContainers[0].VolumeMounts, other.Spec.Containers[0].VolumeMounts[1:])
	testkit.NoDiff(t, p.Spec.Containers[0].Resources, other.Spec.Containers[0].Resources)
}

// Claims have the labels that their StatefulSet selects, besides those of their template.
//
// Source: getPersistentVolumeClaims of k8s.io/kubernetes v1.37.2 pkg/controller/statefulset/stateful_set_utils.go:408.
func TestLabelsOfClaims(t *testing.T) {
	set := statefulSet("db", 1, "1", "data", "log")
	set.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "db"}}
	set.Spec.Template.Labels = map[string]string{"app": "db"}
	set.Spec.VolumeClaimTemplates[0].Labels = map[string]string{"app": "other", "tier": "a"}
	before := set.DeepCopy()
	labelsOf := func(set *appsv1.StatefulSet) map[string]map[string]string {
		labels := map[string]map[string]string{}
		for _, o := range whatif.ObjectsOf(did(read(t, whatif.Options{}).Apply(set)).After, "shop") {
			if claim, ok := o.(*corev1.PersistentVolumeClaim); ok {
				labels[claim.Name] = claim.Labels
			}
		}
		return labels
	}
	testkit.NoDiff(t, labelsOf(set), map[string]map[string]string{"data-db-0": {"app": "db", "tier": "a"}, "log-db-0": {"app": "db"}})
	testkit.NoDiff(t, set, before)
	set.Spec.Selector = nil
	testkit.NoDiff(t, labelsOf(set), map[string]map[string]string{"data-db-0": {"app": "other", "tier": "a"}, "log-db-0": nil})
}

// Excess pods that have ended hold up the end of an update, so that pods below the partition are of the former revision.
//
// Source: completeUpdate of k8s.io/kubernetes v1.37.2 pkg/controller/statefulset/stateful_set_utils.go:645.
func TestEndedReplicasHoldUpTheUpdate(t *testing.T) {
	set := statefulSet("db", 2, "2")
	set.Spec.UpdateStrategy.RollingUpdate = &appsv1.RollingUpdateStatefulSetStrategy{Partition: pointer[int32](2)}
	set.Status.CurrentRevision, set.Status.UpdateRevision = "db-old", "db-new"
	former := owned(&appsv1.ControllerRevision{ObjectMeta: meta("db-old")}, "StatefulSet", "db")
	former.Data.Raw = []byte(`{"spec":{"template":{"spec":{"containers":[{"name":"app","resources":{"requests":{"cpu":"1"}}}]}}}}`)
	of := func(name string, phase corev1.PodPhase) *corev1.Pod {
		p := owned(on("a", podOf(name, "2")), "StatefulSet", "db")
		p.Labels, p.Status.Phase = map[string]string{appsv1.ControllerRevisionHashLabelKey: "db-new"}, phase
		return p
	}
	c := read(t, whatif.Options{}, node("a", "9"), set, former, of("db-0", ""), of("db-1", ""), of("db-2", corev1.PodFailed), of("db-3", corev1.PodFailed))
	r := did(did(c.Apply(labelled(set.DeepCopy()))).After.Delete(podOf("db-0", "2")))
	p, err := r.After.Pod(inShop("db-0"))
	testkit.OK(t, err)
	testkit.NoDiff(t, p.Object.Spec.Containers[0].Resources.Requests, testkit.List("cpu", "1"))
}
