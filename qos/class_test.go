package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

var (
	list      = testkit.List
	container = testkit.Container
	sidecar   = testkit.Sidecar
)

const (
	guaranteed = corev1.PodQOSGuaranteed
	burstable  = corev1.PodQOSBurstable
	bestEffort = corev1.PodQOSBestEffort
)

func TestClassOfNothing(t *testing.T) {
	testkit.Equal(t, qos.Class(nil, computeresources.Gates{}), bestEffort, "Class(nil)")
	testkit.Equal(t, qos.PodClass(nil, computeresources.Gates{}), bestEffort, "PodClass(nil)")
	if got := qos.Explain(nil, computeresources.Gates{}); got.Class != bestEffort || got.Blocker != "nothing set" {
		t.Errorf("Explain(nil) = %v", got)
	}
	if changes, unset := qos.GuaranteedChanges(nil, computeresources.Gates{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges(nil) = %v, %v", changes, unset)
	}
	if changes, unset := qos.GuaranteedChanges(&corev1.PodSpec{}, computeresources.Gates{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges of no containers = %v, %v", changes, unset)
	}
	testkit.Equal(t, qos.TierTotals([]*corev1.Pod{nil}, computeresources.Gates{}), (qos.Tiers{}), "totals of a nil pod")
}

func TestPodClassPrefersStatus(t *testing.T) {
	pod := testkit.StandardPod(true)
	testkit.Equal(t, qos.PodClass(pod, computeresources.Gates{}), guaranteed, "PodClass without a status")
	pod.Status.QOSClass = burstable
	testkit.Equal(t, qos.PodClass(pod, computeresources.Gates{}), burstable, "PodClass")
}

// The pods of the kubelet's "Pod level resource management", once the API server has
// filled in their requests.
func TestKubeletDocumentPods(t *testing.T) {
	tests := []struct {
		name       string
		containers []corev1.Container
		want       corev1.PodQOSClass
	}{
		{"Pod1", []corev1.Container{container("foo", nil, list("cpu", "10m", "memory", "1Gi")), container("bar", nil, list("cpu", "100m", "memory", "2Gi"))}, guaranteed},
		{"Pod2", []corev1.Container{container("foo", nil, list("cpu", "20m", "memory", "2Gi"))}, guaranteed},
		{"Pod3", []corev1.Container{container("foo", list("cpu", "20m", "memory", "1Gi"), list("cpu", "50m", "memory", "2Gi")), container("bar", nil, list("cpu", "100m", "memory", "1Gi"))}, burstable},
		{"Pod4", []corev1.Container{container("foo", list("cpu", "10m", "memory", "1Gi"), list("cpu", "20m", "memory", "2Gi"))}, burstable},
		{"Pod5", []corev1.Container{container("foo", nil, nil), container("bar", nil, nil)}, bestEffort},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			spec := &corev1.PodSpec{Containers: test.containers}
			computeresources.ApplyRequestDefaults(spec, computeresources.Gates{})
			testkit.Equal(t, qos.Class(spec, computeresources.Gates{}), test.want, "Class")
		})
	}
}

// Tekton's "Compute Resources": BestEffort by default; Burstable with resources for any
// step or sidecar; Guaranteed with all for all, init containers included.
func TestTektonDocumentClasses(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	tests := []struct {
		name                string
		prepare, step, side corev1.ResourceList
		want                corev1.PodQOSClass
	}{
		{"default", nil, nil, nil, bestEffort},
		{"a step has resources", nil, both, nil, burstable},
		{"a sidecar has resources", nil, nil, both, burstable},
		{"all but the init container", nil, both, both, burstable},
		{"all", both, both, both, guaranteed},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			spec := &corev1.PodSpec{
				InitContainers: []corev1.Container{container("prepare", test.prepare, test.prepare)},
				Containers:     []corev1.Container{container("step-build", test.step, test.step), container("sidecar-db", test.side, test.side)},
			}
			testkit.Equal(t, qos.Class(spec, computeresources.Gates{}), test.want, "Class")
		})
	}
}
