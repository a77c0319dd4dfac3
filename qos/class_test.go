package qos_test

import (
	"math"
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
	testkit.Equal(t, qos.Class(nil, computeresources.Kubernetes{}), bestEffort, "Class(nil)")
	testkit.Equal(t, qos.PodClass(nil, computeresources.Kubernetes{}), bestEffort, "PodClass(nil)")
	if got := qos.Explain(nil, computeresources.Kubernetes{}); got.Class != bestEffort || got.Ref != (computeresources.Ref{}) {
		t.Errorf("Explain(nil) = %v", got)
	}
	if changes, unset := qos.GuaranteedChanges(nil, computeresources.Kubernetes{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges(nil) = %v, %v", changes, unset)
	}
	if changes, unset := qos.GuaranteedChanges(&corev1.PodSpec{}, computeresources.Kubernetes{}); changes != nil || unset != nil {
		t.Errorf("GuaranteedChanges of no containers = %v, %v", changes, unset)
	}
	testkit.NoDiff(t, qos.TierTotals([]*corev1.Pod{nil}, computeresources.Kubernetes{}), qos.Tiers{}, "totals of a nil pod")
}

func TestPodClassPrefersStatus(t *testing.T) {
	pod := testkit.StandardPod(true)
	testkit.Equal(t, qos.PodClass(pod, computeresources.Kubernetes{}), guaranteed, "PodClass without a status")
	pod.Status.QOSClass = burstable
	testkit.Equal(t, qos.PodClass(pod, computeresources.Kubernetes{}), burstable, "PodClass")
}

// An empty spec.resources decides on the class only without the gate, whatever the default of the release is.
func TestClassOfEmptyPodLevel(t *testing.T) {
	pod := testkit.StandardPod(true)
	pod.Spec.Resources = &corev1.ResourceRequirements{}
	for _, test := range []struct {
		kubernetes computeresources.Kubernetes
		want       corev1.PodQOSClass
	}{
		{computeresources.Kubernetes{}, guaranteed},
		{computeresources.Kubernetes{PodLevelResourcesFixKubeletQOSClass: testkit.Off()}, bestEffort},
		{computeresources.Kubernetes{Release: "1.36"}, bestEffort},
		{computeresources.Kubernetes{Release: "1.36", PodLevelResourcesFixKubeletQOSClass: testkit.On()}, guaranteed},
	} {
		testkit.Equal(t, qos.Class(&pod.Spec, test.kubernetes), test.want)
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
			computeresources.ApplyRequestDefaults(spec, computeresources.Kubernetes{})
			testkit.Equal(t, qos.Class(spec, computeresources.Kubernetes{}), test.want, "Class")
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
			testkit.Equal(t, qos.Class(spec, computeresources.Kubernetes{}), test.want, "Class")
		})
	}
}

func TestExclusiveCPUs(t *testing.T) {
	even := func(name, cpu string) corev1.Container {
		return container(name, list("cpu", cpu, "memory", "1Gi"), list("cpu", cpu, "memory", "1Gi"))
	}
	always := corev1.ContainerRestartPolicyAlways
	beside := func(name, cpu string) corev1.Container {
		c := even(name, cpu)
		c.RestartPolicy = &always
		return c
	}
	apps := func(cs ...corev1.Container) corev1.PodSpec { return corev1.PodSpec{Containers: cs} }
	podLevel := apps(even("a", "2"))
	podLevel.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "2", "memory", "1Gi"), Limits: list("cpu", "2", "memory", "1Gi")}
	tests := []struct {
		name string
		pod  corev1.Pod
		opts computeresources.Kubernetes
		of   map[string]int64
	}{
		{name: "whole CPUs", pod: corev1.Pod{Spec: apps(even("a", "2"), even("b", "1000m"))}, of: map[string]int64{"a": 2, "b": 1}},
		{name: "a fraction of a CPU", pod: corev1.Pod{Spec: apps(even("a", "2"), even("b", "1500m"))}, of: map[string]int64{"a": 2, "b": 0}},
		{name: "rounded up to milli-units first", pod: corev1.Pod{Spec: apps(even("a", "1999.9999m"))}, of: map[string]int64{"a": 2}},
		{name: "Burstable", pod: corev1.Pod{Spec: apps(even("a", "2"), container("b", nil, nil))}, of: map[string]int64{"a": 0, "b": 0}},
		{name: "the class of the status", pod: corev1.Pod{Spec: apps(even("a", "2")), Status: corev1.PodStatus{QOSClass: corev1.PodQOSBurstable}}, of: map[string]int64{"a": 0}},
		{name: "Guaranteed by its status", pod: corev1.Pod{Spec: apps(container("a", list("cpu", "2"), nil), container("b", nil, nil)), Status: corev1.PodStatus{QOSClass: corev1.PodQOSGuaranteed}}, of: map[string]int64{"a": 2, "b": 0}},
		{name: "pod level", pod: corev1.Pod{Spec: podLevel}, of: map[string]int64{"a": 0}},
		{name: "pod level ignored", pod: corev1.Pod{Spec: podLevel}, opts: computeresources.Kubernetes{PodLevelResources: new(bool)}, of: map[string]int64{"a": 2}},
		{name: "init containers and sidecars", pod: corev1.Pod{Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{beside("s", "1"), even("i", "5"), even("half", "7500m")},
			Containers:     []corev1.Container{even("a", "2")},
		}}, of: map[string]int64{"s": 1, "i": 5, "half": 0, "a": 2}},
		{name: "below zero", pod: corev1.Pod{Spec: apps(container("a", list("cpu", "-2"), nil)), Status: corev1.PodStatus{QOSClass: corev1.PodQOSGuaranteed}}, of: map[string]int64{"a": 0}},
		{name: "more than fits", pod: corev1.Pod{Spec: apps(even("a", "100E"))}, of: map[string]int64{"a": math.MaxInt64}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, containers := range [][]corev1.Container{test.pod.Spec.Containers, test.pod.Spec.InitContainers} {
				for i := range containers {
					c := &containers[i]
					testkit.Equal(t, qos.ExclusiveCPUs(&test.pod, c, test.opts), test.of[c.Name], "ExclusiveCPUs of", c.Name)
				}
			}
		})
	}
	for _, test := range []struct {
		name      string
		container corev1.Container
		want      int64
	}{
		{"whole CPUs", even("a", "2"), 2},
		{"a fraction of a CPU", even("a", "1500m"), 0},
		{"no limit of memory", container("a", list("cpu", "2", "memory", "1Gi"), list("cpu", "2")), 0},
		{"a higher limit", container("a", list("cpu", "2", "memory", "1Gi"), list("cpu", "3", "memory", "1Gi")), 0},
		{"a sidecar", beside("a", "1"), 1},
		{"nothing", container("a", nil, nil), 0},
	} {
		testkit.Equal(t, qos.ExclusiveCPUs(nil, &test.container, computeresources.Kubernetes{}), test.want, "ExclusiveCPUs without the pod:", test.name)
	}
	testkit.Equal(t, qos.ExclusiveCPUs(nil, nil, computeresources.Kubernetes{})+qos.ExclusiveCPUs(&tests[0].pod, nil, computeresources.Kubernetes{}), 0, "of nothing")
}
