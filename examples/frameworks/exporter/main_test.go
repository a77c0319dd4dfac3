package main

import (
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
)

// TestMetrics has a node of 4 cores with two pods of 1500m, of which one has ended, and a quota that is exceeded.
func TestMetrics(t *testing.T) {
	cpu := func(amount string) corev1.ResourceList {
		return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(amount)}
	}
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "worker"}}
	node.Status.Allocatable = cpu("4")
	node.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("110")
	pod := func(name string, phase corev1.PodPhase) *corev1.Pod {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name, UID: types.UID(name)}}
		p.Spec.NodeName, p.Status.Phase = "worker", phase
		p.Spec.Containers = []corev1.Container{{Name: "app", Resources: corev1.ResourceRequirements{Requests: cpu("1500m")}}}
		return p
	}
	quota := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "team"}}
	quota.Status.Hard = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1")}
	quota.Status.Used = corev1.ResourceList{corev1.ResourceRequestsCPU: resource.MustParse("1500m")}

	c := newCollector(fake.NewClientset(node, pod("web", corev1.PodRunning), pod("done", corev1.PodSucceeded), quota))
	want := `
# HELP kubemath_node_free What a node has for further pods, in cores, bytes or pods: what it can allocate without the requests of its pods.
# TYPE kubemath_node_free gauge
kubemath_node_free{node="worker",resource="cpu"} 2.5
kubemath_node_free{node="worker",resource="pods"} 109
# HELP kubemath_quota_remaining What remains of a ResourceQuota, in cores, bytes or objects. It is below zero if the quota is exceeded.
# TYPE kubemath_quota_remaining gauge
kubemath_quota_remaining{namespace="shop",resource="requests.cpu",resourcequota="team"} -0.5
`
	if err := testutil.CollectAndCompare(c, strings.NewReader(want)); err != nil {
		t.Error(err)
	}
}
