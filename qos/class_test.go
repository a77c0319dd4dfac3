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

func TestClass(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	tests := []struct {
		name string
		spec corev1.PodSpec
		want corev1.PodQOSClass
	}{
		{"no containers", corev1.PodSpec{}, bestEffort},
		{"no requests and no limits", corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}}, bestEffort},
		{"zero and below do not count", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "0"), list("memory", "-1"))}}, bestEffort},
		{"other resources do not count", corev1.PodSpec{Containers: []corev1.Container{container("a", list("ephemeral-storage", "1Gi", "example.com/gpu", "1"), nil)}}, bestEffort},
		{"requests equal limits", corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}}, guaranteed},
		{"equal in another unit", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1000m", "memory", "1.5Gi"), list("cpu", "1", "memory", "1536Mi"))}}, guaranteed},
		{"limits alone, before the API server has seen them", corev1.PodSpec{Containers: []corev1.Container{container("a", nil, both)}}, burstable},
		{"requests alone", corev1.PodSpec{Containers: []corev1.Container{container("a", both, nil)}}, burstable},
		{"no memory limit", corev1.PodSpec{Containers: []corev1.Container{container("a", both, list("cpu", "1"))}}, burstable},
		{"a request below its limit", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "999m", "memory", "1Gi"), both)}}, burstable},
		{"a request a nano-CPU below its limit", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "999999999n", "memory", "1Gi"), both)}}, burstable},
		{"negative requests with limits", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "-1", "memory", "-1Gi"), both)}}, burstable},
		{"requests of zero with limits", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "0", "memory", "0"), both)}}, burstable},
		{"a request below zero makes up for one above its limit", corev1.PodSpec{Containers: []corev1.Container{
			container("a", list("cpu", "-1", "memory", "1Gi"), both), container("b", list("cpu", "2", "memory", "1Gi"), both),
		}}, guaranteed},
		{"a request above its limit", corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "2", "memory", "1Gi"), both)}}, burstable},
		{"one of two containers sets nothing", corev1.PodSpec{Containers: []corev1.Container{container("a", both, both), container("b", nil, nil)}}, burstable},
		{"init containers count", corev1.PodSpec{Containers: []corev1.Container{container("a", both, both)}, InitContainers: []corev1.Container{container("i", nil, nil)}}, burstable},
		{"sidecars count", corev1.PodSpec{Containers: []corev1.Container{container("a", nil, nil)}, InitContainers: []corev1.Container{sidecar("s", list("cpu", "1m"), nil)}}, burstable},
		{
			"sums decide, not containers", corev1.PodSpec{Containers: []corev1.Container{
				container("a", list("cpu", "1.5", "memory", "1Gi"), both), container("b", list("cpu", "500m", "memory", "1Gi"), both),
			}}, guaranteed,
		},
		{
			"for each resource", corev1.PodSpec{Containers: []corev1.Container{
				container("a", list("cpu", "2", "memory", "1Gi"), both), container("b", list("cpu", "1", "memory", "0"), both),
			}}, burstable,
		},
		{
			"the pod level decides alone", corev1.PodSpec{
				Containers: []corev1.Container{container("a", nil, nil)},
				Resources:  &corev1.ResourceRequirements{Requests: both, Limits: both},
			}, guaranteed,
		},
		{
			"even if it states nothing", corev1.PodSpec{
				Containers: []corev1.Container{container("a", both, both)},
				Resources:  &corev1.ResourceRequirements{},
			}, bestEffort,
		},
		{
			"or too little", corev1.PodSpec{
				Containers: []corev1.Container{container("a", both, both)},
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "1")},
			}, burstable,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := qos.Class(&test.spec, computeresources.Gates{}); got != test.want {
				t.Errorf("Class = %s, want %s", got, test.want)
			}
			if got := slowClass(&test.spec); got != test.want {
				t.Errorf("the slow twin says %s, want %s", got, test.want)
			}
		})
	}
}

func TestClassOfNothing(t *testing.T) {
	if got := qos.Class(nil, computeresources.Gates{}); got != bestEffort {
		t.Errorf("Class(nil) = %s", got)
	}
	if got := qos.PodClass(nil, computeresources.Gates{}); got != bestEffort {
		t.Errorf("PodClass(nil) = %s", got)
	}
	if got := qos.Explain(nil, computeresources.Gates{}); got.Class != bestEffort || got.Blocker != "nothing set" {
		t.Errorf("Explain(nil) = %v", got)
	}
	if changes, unset := qos.GuaranteedChanges(nil, computeresources.Gates{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges(nil) = %v, %v", changes, unset)
	}
	if changes, unset := qos.GuaranteedChanges(&corev1.PodSpec{}, computeresources.Gates{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges of no containers = %v, %v", changes, unset)
	}
	if got := qos.TierTotals([]*corev1.Pod{nil}, computeresources.Gates{}); got != (qos.Tiers{}) {
		t.Errorf("totals of a nil pod: %v", got)
	}
}

func TestPodClassPrefersStatus(t *testing.T) {
	pod := testkit.StandardPod(true)
	if got := qos.PodClass(pod, computeresources.Gates{}); got != guaranteed {
		t.Errorf("PodClass without a status = %s", got)
	}
	pod.Status.QOSClass = burstable
	if got := qos.PodClass(pod, computeresources.Gates{}); got != burstable {
		t.Errorf("PodClass = %s, want the one in the status", got)
	}
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
			if got := qos.Class(spec, computeresources.Gates{}); got != test.want {
				t.Errorf("Class = %s, want %s", got, test.want)
			}
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
			if got := qos.Class(spec, computeresources.Gates{}); got != test.want {
				t.Errorf("Class = %s, want %s", got, test.want)
			}
		})
	}
}
