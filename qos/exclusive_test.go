package qos_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

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
		opts computeresources.Gates
		of   map[string]int64
		all  int64
	}{
		{name: "whole CPUs", pod: corev1.Pod{Spec: apps(even("a", "2"), even("b", "1000m"))}, of: map[string]int64{"a": 2, "b": 1}, all: 3},
		{name: "a fraction of a CPU", pod: corev1.Pod{Spec: apps(even("a", "2"), even("b", "1500m"))}, of: map[string]int64{"a": 2, "b": 0}, all: 2},
		{name: "rounded up to milli-units first", pod: corev1.Pod{Spec: apps(even("a", "1999.9999m"))}, of: map[string]int64{"a": 2}, all: 2},
		{name: "Burstable", pod: corev1.Pod{Spec: apps(even("a", "2"), container("b", nil, nil))}, of: map[string]int64{"a": 0, "b": 0}},
		{name: "the class of the status", pod: corev1.Pod{Spec: apps(even("a", "2")), Status: corev1.PodStatus{QOSClass: corev1.PodQOSBurstable}}, of: map[string]int64{"a": 0}},
		{name: "Guaranteed by its status", pod: corev1.Pod{Spec: apps(container("a", list("cpu", "2"), nil), container("b", nil, nil)), Status: corev1.PodStatus{QOSClass: corev1.PodQOSGuaranteed}}, of: map[string]int64{"a": 2, "b": 0}, all: 2},
		{name: "pod level", pod: corev1.Pod{Spec: podLevel}, of: map[string]int64{"a": 0}},
		{name: "pod level ignored", pod: corev1.Pod{Spec: podLevel}, opts: computeresources.Gates{IgnorePodLevel: true}, of: map[string]int64{"a": 2}, all: 2},
		{name: "init containers and sidecars, at one time", pod: corev1.Pod{Spec: corev1.PodSpec{
			InitContainers: []corev1.Container{beside("s", "1"), even("i", "5"), even("half", "7500m")},
			Containers:     []corev1.Container{even("a", "2")},
		}}, of: map[string]int64{"s": 1, "i": 5, "half": 0, "a": 2}, all: 6},
		{name: "below zero", pod: corev1.Pod{Spec: apps(container("a", list("cpu", "-2"), nil)), Status: corev1.PodStatus{QOSClass: corev1.PodQOSGuaranteed}}, of: map[string]int64{"a": 0}},
		{name: "more than fits", pod: corev1.Pod{Spec: apps(even("a", "100E"))}, of: map[string]int64{"a": math.MaxInt64}, all: math.MaxInt64},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, containers := range [][]corev1.Container{test.pod.Spec.Containers, test.pod.Spec.InitContainers} {
				for i := range containers {
					c := &containers[i]
					testkit.Equal(t, qos.ExclusiveCPUs(&test.pod, c, test.opts), test.of[c.Name], "ExclusiveCPUs of", c.Name)
				}
			}
			testkit.Equal(t, qos.PodExclusiveCPUs(&test.pod, test.opts), test.all, "PodExclusiveCPUs")
		})
	}
	testkit.Equal(t, qos.ExclusiveCPUs(nil, nil, computeresources.Gates{})+qos.PodExclusiveCPUs(nil, computeresources.Gates{})+qos.ExclusiveCPUs(&tests[0].pod, nil, computeresources.Gates{}), 0, "of nothing")
}
