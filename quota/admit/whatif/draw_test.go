package whatif_test

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

var (
	cpus      = rapid.SampledFrom([]string{"500m", "1", "1", "2"})
	someNames = rapid.SampledFrom([]string{"x", "y"})
)

// drawNode draws a node a, b or c, often with a taint.
func drawNode(t *rapid.T) *corev1.Node {
	n := node(rapid.SampledFrom([]string{"a", "b", "c"}).Draw(t, "node"), rapid.SampledFrom([]string{"0", "2", "3", "4"}).Draw(t, "cpu of node"))
	n.Status.Allocatable["memory"] = resource.MustParse(rapid.SampledFrom([]string{"4Gi", "16Gi", "1Ti"}).Draw(t, "memory of node"))
	n.Spec.Unschedulable = flip(t, "unschedulable", 6)
	if flip(t, "tainted", 3) {
		n.Spec.Taints = []corev1.Taint{{Key: "t", Value: someNames.Draw(t, "value"), Effect: rapid.SampledFrom([]corev1.TaintEffect{
			corev1.TaintEffectNoSchedule, corev1.TaintEffectNoExecute, corev1.TaintEffectPreferNoSchedule,
		}).Draw(t, "effect")}}
	}
	return n
}

func flip(t *rapid.T, label string, n int) bool { return rapid.IntRange(1, n).Draw(t, label) == 1 }

// drawTemplate draws a pod template, which tolerates a taint or selects a node.
func drawTemplate(t *rapid.T) corev1.PodTemplateSpec {
	p := template(cpus.Draw(t, "cpu"))
	if flip(t, "memory", 2) {
		p.Spec.Containers[0].Resources.Requests["memory"] = resource.MustParse("2Gi")
	}
	if flip(t, "tolerates", 2) {
		p.Spec.Tolerations = []corev1.Toleration{{Key: "t", Value: someNames.Draw(t, "tolerated")}}
	}
	if flip(t, "selects", 6) {
		p.Spec.NodeSelector = map[string]string{"name": "a"}
	}
	if flip(t, "important", 4) {
		p.Spec.Priority = pointer[int32](10)
		if flip(t, "waits", 3) {
			p.Spec.PreemptionPolicy = pointer(corev1.PreemptNever)
		}
	}
	return p
}

// drawObject draws an object to apply, whose name is often that of another one of its kind.
func drawObject(t *rapid.T) admit.APIObject {
	name, replicas := someNames.Draw(t, "name"), rapid.Int32Range(0, 4).Draw(t, "replicas")
	p := drawTemplate(t)
	switch rapid.IntRange(0, 10).Draw(t, "kind") {
	case 0, 1:
		d := deployment(name, replicas, "1")
		d.Spec.Template = p
		if flip(t, "recreate", 4) {
			d.Spec.Strategy.Type = appsv1.RecreateDeploymentStrategyType
		} else if flip(t, "limits", 2) {
			d.Spec.Strategy.RollingUpdate = &appsv1.RollingUpdateDeployment{
				MaxSurge: pointer(intstr.FromInt32(rapid.Int32Range(0, 2).Draw(t, "surge"))), MaxUnavailable: pointer(intstr.FromInt32(rapid.Int32Range(0, 2).Draw(t, "unavailable"))),
			}
		}
		return d
	case 2:
		return &appsv1.ReplicaSet{ObjectMeta: meta(name + "r"), Spec: appsv1.ReplicaSetSpec{Replicas: &replicas, Template: p}}
	case 3:
		s := statefulSet(name+"s", replicas, "1", "data")
		s.Spec.Template = p
		if flip(t, "parallel", 2) {
			s.Spec.PodManagementPolicy = appsv1.ParallelPodManagement
		}
		return s
	case 4:
		d := daemonSet(name+"d", "1")
		d.Spec.Template = p
		return d
	case 5:
		j := job(name+"j", replicas, "1")
		j.Spec.Template = p
		return j
	case 6:
		pod := podOf(fmt.Sprint("pod-", rapid.IntRange(0, 9).Draw(t, "number")), "1")
		pod.Spec = p.Spec
		return pod
	case 7:
		return resourceQuota(name, "pods", fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "pods")), "requests.cpu", fmt.Sprint(rapid.IntRange(0, 12).Draw(t, "hard")),
			rapid.SampledFrom([]string{"count/replicasets.apps", "persistentvolumeclaims", "configmaps"}).Draw(t, "counted"), fmt.Sprint(rapid.IntRange(0, 5).Draw(t, "count")))
	case 8:
		return &corev1.ConfigMap{ObjectMeta: meta(name)}
	case 9:
		lr := &corev1.LimitRange{ObjectMeta: meta("bounds")}
		lr.Spec.Limits = []corev1.LimitRangeItem{{
			Type: corev1.LimitTypeContainer, DefaultRequest: testkit.List("memory", "1Gi"), Min: testkit.List("cpu", cpus.Draw(t, "min")), Max: testkit.List("memory", "4Gi"),
		}}
		return lr
	}
	return drawNode(t)
}

// drawObjects draws a list of objects, nodes first.
func drawObjects(t *rapid.T, most int) (objects []admit.APIObject) {
	for range rapid.IntRange(0, 3).Draw(t, "nodes") {
		objects = append(objects, drawNode(t))
	}
	for range rapid.IntRange(0, most).Draw(t, "objects") {
		objects = append(objects, drawObject(t))
	}
	return objects
}

// drawStored draws objects of all kinds with amounts of the whole range, as they are stored and changed.
func drawStored(t *rapid.T) (stored, updated admit.APIObject) {
	kind := rapid.SampledFrom(testkit.Kinds()).Draw(t, "kind of object")
	obj := testkit.Stored(t, kind, testkit.Ordinary())
	changed, _ := testkit.Mutated(t, obj.DeepCopyObject().(testkit.Object), testkit.Ordinary())
	changed.SetDeletionTimestamp((*metav1.Time)(nil))
	return obj, changed
}
