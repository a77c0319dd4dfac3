package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
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
		opts   computeresources.Kubernetes
	}{
		{
			name:   "Guaranteed",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", both, both)}},
			reason: "requests equal limits for cpu and memory",
		},
		{
			name:   "no requests and no limits",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", nil, nil)}},
			reason: "no container requests or limits cpu or memory",
			advice: []string{
				"container app: set the cpu request and limit to the same amount",
				"container app: set the memory request and limit to the same amount",
			},
		},
		{
			name:   "empty pod-level resources",
			spec:   corev1.PodSpec{Resources: &corev1.ResourceRequirements{}, Containers: []corev1.Container{container("app", both, list("cpu", "1"))}},
			reason: "container app has no memory limit",
			advice: []string{"container app: set the memory limit to 1Gi"},
		},
		{
			name:   "pod-level resources of zero",
			spec:   corev1.PodSpec{Resources: &corev1.ResourceRequirements{Limits: list("hugepages-2Mi", "0")}, Containers: []corev1.Container{container("app", both, both)}},
			reason: "spec.resources requests and limits neither cpu nor memory",
			advice: []string{
				"pod: set the cpu request and limit to the same amount",
				"pod: set the memory request and limit to the same amount",
			},
		},
		{
			name:   "empty pod-level resources in 1.36",
			opts:   computeresources.Kubernetes{Release: "1.36"},
			spec:   corev1.PodSpec{Resources: &corev1.ResourceRequirements{}, Containers: []corev1.Container{container("app", both, both)}},
			reason: "spec.resources requests and limits neither cpu nor memory",
			advice: []string{
				"pod: set the cpu request and limit to the same amount",
				"pod: set the memory request and limit to the same amount",
			},
		},
		{
			name:   "no limit",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "500m", "memory", "1Gi"), list("memory", "1Gi"))}},
			reason: "container app has no cpu limit",
			advice: []string{"container app: set the cpu limit to 500m"},
		},
		{
			name:   "no request",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "1"), both)}},
			reason: "container app has a memory limit of 1Gi, but no request",
			advice: []string{"container app: set the memory request to 1Gi"},
		},
		{
			name:   "a request of zero",
			spec:   corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "1", "memory", "0"), both)}},
			reason: "container app has a memory limit of 1Gi, but no request",
			advice: []string{"container app: change the memory request from 0 to 1Gi"},
		},
		{
			name: "a request that differs from the limit, in the first container to start",
			spec: corev1.PodSpec{
				InitContainers: []corev1.Container{container("setup", both, both), sidecar("proxy", list("cpu", "100m", "memory", "1Gi"), both)},
				Containers:     []corev1.Container{container("app", list("cpu", "2", "memory", "512Mi"), both)},
			},
			reason: "sidecar proxy requests cpu 100m, but its limit is 1",
			advice: []string{
				"sidecar proxy: change the cpu request from 100m to 1",
				"container app: change the cpu request from 2 to 1",
				"container app: change the memory request from 512Mi to 1Gi",
			},
		},
		{
			name: "resources that match in total",
			spec: corev1.PodSpec{Containers: []corev1.Container{
				container("a", list("cpu", "1.5", "memory", "1Gi"), both), container("b", list("cpu", "500m", "memory", "1"), both),
			}},
			reason: "container a requests cpu 1500m, but its limit is 1",
			advice: []string{
				"container a: change the cpu request from 1500m to 1", "container b: change the cpu request from 500m to 1",
				"container b: change the memory request from 1 to 1Gi",
			},
		},
		{
			name: "resources that match in total are not changed in 1.36",
			opts: computeresources.Kubernetes{Release: "1.36"},
			spec: corev1.PodSpec{Containers: []corev1.Container{
				container("a", list("cpu", "1.5", "memory", "1Gi"), both), container("b", list("cpu", "500m", "memory", "1"), both),
			}},
			reason: "container b requests memory 1, but its limit is 1Gi",
			advice: []string{"container b: change the memory request from 1 to 1Gi"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, qos.Explain(&test.spec, test.opts).String(), test.reason, "reason")
			var advice []string
			changes, unset := qos.GuaranteedChanges(&test.spec, test.opts)
			for _, c := range changes {
				advice = append(advice, c.String())
			}
			for _, u := range unset {
				advice = append(advice, u.String())
			}
			testkit.NoDiff(t, advice, test.advice, "advice")
		})
	}
}

func TestReasonOfNoClass(t *testing.T) {
	testkit.Equal(t, (qos.Reason{Class: "other"}).String(), "unknown")
	testkit.Equal(t, qos.Reason{}.String(), "unknown")
}

// Changes are typed, and a container that has a limit of zero gets one from its request.
func TestGuaranteedChanges(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{
		container("app", list("cpu", "2", "memory", "1Gi"), list("cpu", "0", "memory", "2Gi")),
		container("idle", nil, list("memory", "1Gi")),
	}}
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	idle := computeresources.Ref{Kind: computeresources.App, Index: 1, Name: "idle"}
	amount := func(s string) *resource.Quantity { q := resource.MustParse(s); return &q }
	wantChanges := []computeresources.Change{
		{Ref: app, List: computeresources.Limits, Resource: "cpu", From: amount("0"), To: amount("2")},
		{Ref: app, List: computeresources.Requests, Resource: "memory", From: amount("1Gi"), To: amount("2Gi")},
		{Ref: idle, List: computeresources.Requests, Resource: "memory", To: amount("1Gi")},
	}
	changes, unset := qos.GuaranteedChanges(spec, computeresources.Kubernetes{})
	testkit.NoDiff(t, changes, wantChanges)
	testkit.NoDiff(t, unset, []qos.Unset{{Ref: idle, Resource: "cpu"}})
}

// Without the gate, spec.resources neither decides nor counts.
func TestIgnorePodLevel(t *testing.T) {
	both := list("cpu", "1", "memory", "1Gi")
	ofContainers := corev1.PodSpec{Containers: []corev1.Container{container("app", list("cpu", "100m"), nil)}}
	spec := *ofContainers.DeepCopy()
	spec.Resources = &corev1.ResourceRequirements{Requests: both, Limits: both}
	pod := &corev1.Pod{Spec: spec}
	without := computeresources.Kubernetes{PodLevelResources: new(bool)}
	testkit.Equal(t, qos.Class(&spec, computeresources.Kubernetes{}), guaranteed, "Class")
	testkit.Equal(t, qos.Class(&spec, without), burstable, "Class without pod level")
	testkit.Equal(t, qos.PodClass(pod, without), burstable, "PodClass without pod level")
	testkit.NoDiff(t, qos.Explain(&spec, without), qos.Explain(&ofContainers, computeresources.Kubernetes{}), "Explain")
	wantChanges, wantUnset := qos.GuaranteedChanges(&ofContainers, computeresources.Kubernetes{})
	changes, unset := qos.GuaranteedChanges(&spec, without)
	testkit.NoDiff(t, []any{changes, unset}, []any{wantChanges, wantUnset}, "GuaranteedChanges")
	testkit.Equal(t, qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 16<<30, without), 999, "OOMScoreAdj without pod level")
	testkit.NoDiff(t, qos.TierTotals([]*corev1.Pod{pod}, without), qos.Tiers{Burstable: computeresources.Totals{MilliCPU: 100}}, "TierTotals without pod level")
	if spec.Resources == nil {
		t.Error("the spec has changed")
	}
}
