package qos_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/qos"
)

func quantity(n int64) resource.Quantity { return *resource.NewQuantity(n, resource.BinarySI) }

func TestReasonAndAdviceInWords(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	tests := []struct {
		name   string
		spec   corev1.PodSpec
		reason string
		advice []string
	}{
		{
			name:   "Guaranteed",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", both, both)}},
			reason: "requests equal limits for cpu and memory",
		},
		{
			name:   "nothing stated",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", nil, nil)}},
			reason: "no container requests or limits cpu or memory",
			advice: []string{
				"container app: choose an amount of cpu, for request and limit",
				"container app: choose an amount of memory, for request and limit",
			},
		},
		{
			name:   "nothing stated for the pod as a whole",
			spec:   corev1.PodSpec{Resources: &corev1.ResourceRequirements{}, Containers: []corev1.Container{container("app", both, both)}},
			reason: "the pod as a whole requests and limits neither cpu nor memory",
			advice: []string{
				"pod: choose an amount of cpu, for request and limit",
				"pod: choose an amount of memory, for request and limit",
			},
		},
		{
			name:   "no limit",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "500m", "memory", "1Gi"), list("memory", "1Gi"))}},
			reason: "container app has no cpu limit",
			advice: []string{"container app: set the cpu limit to the request, 500m"},
		},
		{
			name:   "no request",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "1"), both)}},
			reason: "container app has a memory limit of 1Gi, but no request",
			advice: []string{"container app: set the memory request to the limit, 1Gi"},
		},
		{
			name: "another request, in the first container to start",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", both, both), sidecar("proxy", list("cpu", "100m", "memory", "1Gi"), both)},
				Containers:     []corev1.Container{container("app", list("cpu", "2", "memory", "512Mi"), both)},
			},
			reason: "sidecar proxy requests cpu 100m, but its limit is 1",
			advice: []string{
				"sidecar proxy: raise the cpu request from 100m to the limit, 1",
				"container app: lower the cpu request from 2 to the limit, 1",
				"container app: raise the memory request from 512Mi to the limit, 1Gi",
			},
		},
		{
			name: "what adds up is left alone",
			spec: corev1.PodSpec{Containers: []corev1.Container{
				container("a", list("cpu", "1.5", "memory", "1Gi"), both), container("b", list("cpu", "500m", "memory", "1"), both),
			}},
			reason: "container b requests memory 1, but its limit is 1Gi",
			advice: []string{"container b: raise the memory request from 1 to the limit, 1Gi"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := qos.Explain(&test.spec).String(); got != test.reason {
				t.Errorf("reason %q, want %q", got, test.reason)
			}
			var advice []string
			for _, c := range qos.GuaranteedChanges(&test.spec) {
				advice = append(advice, c.String())
			}
			if diff := cmp.Diff(test.advice, advice); diff != "" {
				t.Errorf("advice (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnknownCause(t *testing.T) {
	if got := (qos.Reason{Blocker: 99}).String(); got != "unknown" {
		t.Errorf("%q, want unknown", got)
	}
}
