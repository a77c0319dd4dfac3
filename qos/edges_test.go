package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/qos"
)

// A container that sets neither a request nor a limit is reported as lacking a limit first.
func TestNeitherRequestNorLimitLacksALimit(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "1"), list("cpu", "1"))}}
	reason := qos.Explain(spec, computeresources.Gates{})
	if reason.Blocker != "no limit" || reason.Resource != corev1.ResourceMemory {
		t.Errorf("Explain = %v (%v of %s), want no limit of memory", reason, reason.Blocker, reason.Resource)
	}
}

// The class in the status of a pod counts, even if the spec now sets other pod-level resources.
func TestClassOfStatusBesidePodLevel(t *testing.T) {
	pod := &corev1.Pod{Status: corev1.PodStatus{QOSClass: corev1.PodQOSBurstable}}
	pod.Spec.Resources = &corev1.ResourceRequirements{Limits: list("cpu", "1", "memory", "1Gi"), Requests: list("cpu", "1", "memory", "1Gi")}
	if got := qos.PodClass(pod, computeresources.Gates{}); got != corev1.PodQOSBurstable {
		t.Errorf("PodClass = %s, want %s", got, corev1.PodQOSBurstable)
	}
}

// A class that does not exist counts as Burstable.
func TestUnknownClassIsOfTheBurstableTier(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("memory", "1Gi"), nil)}}}
	pod.Status.QOSClass = "Platinum"
	got := qos.TierTotals([]*corev1.Pod{pod}, computeresources.Gates{})
	if want := (qos.Tiers{Burstable: qos.Tier{Pods: 1, Memory: gi}}); got != want {
		t.Errorf("TierTotals = %+v, want %+v", got, want)
	}
}

// A thousand times the request may need more than 64 bits.
func TestOOMScoreOfAnExbibyte(t *testing.T) {
	const half = 1 << 61
	request := corev1.ResourceList{corev1.ResourceMemory: *resource.NewQuantity(half, resource.BinarySI)}
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", request, nil)}}}
	if got := qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 2*half, computeresources.Gates{}); got != 500 {
		t.Errorf("OOMScoreAdj = %d, want 500", got)
	}
}
