package qos_test

import (
	"math"
	"math/big"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

const gi = 1 << 30

func TestOOMScoreAdj(t *testing.T) {
	memory := func(requests ...string) (containers []corev1.Container) {
		for _, request := range requests {
			containers = append(containers, container("c", list("memory", request), nil))
		}
		return containers
	}
	priority := func(n int32) *int32 { return &n }
	critical := func(annotations map[string]string, p *int32) corev1.Pod {
		pod := corev1.Pod{Spec: corev1.PodSpec{PriorityClassName: "system-node-critical", Priority: p, Containers: memory("1Gi")}}
		pod.Annotations = annotations
		return pod
	}
	tests := []struct {
		name       string
		pod        corev1.Pod
		of         func(*corev1.PodSpec) *corev1.Container // nil: the first app container
		capacity   int64
		kubernetes computeresources.Kubernetes
		want       int
	}{
		{name: "Guaranteed", pod: *testkit.StandardPod(true), capacity: 10 * gi, want: -997},
		{name: "BestEffort", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("c", nil, nil)}}}, capacity: 10 * gi, want: 1000},
		{name: "a tenth of the node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}}, capacity: 10 * gi, want: 900},
		{name: "rounding favours the kernel", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1999")}}, capacity: 1000000, want: 999},
		{name: "0.2% of the node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("2000")}}, capacity: 1000000, want: 998},
		{name: "no request in a Burstable pod", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("c", list("cpu", "1"), nil)}}}, capacity: 10 * gi, want: 999},
		{name: "nearly the whole node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("9.99Gi")}}, capacity: 10 * gi, want: 3},
		{name: "99.7% of the node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("997")}}, capacity: 1000, want: 3},
		{name: "99.6% of the node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("996")}}, capacity: 1000, want: 4},
		{name: "the whole node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("10Gi")}}, capacity: 10 * gi, want: 3},
		{name: "half of 2^62, of which a thousand times is beyond 64 bits", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("2305843009213693952")}}, capacity: 1 << 62, want: 500},
		{name: "more than the node", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1E")}}, capacity: 10 * gi, want: 3},
		{name: "a negative request", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi", "-1Gi")}}, of: func(s *corev1.PodSpec) *corev1.Container { return &s.Containers[1] }, capacity: 10 * gi, want: 999},
		{name: "no memory at all", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}}, capacity: 0, want: 999},
		{name: "negative requests", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}}, capacity: -1, want: 999},
		{name: "no container", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}}, of: func(*corev1.PodSpec) *corev1.Container { return nil }, capacity: 10 * gi, want: 999},
		{name: "no container, and next to no capacity", pod: corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}}, of: func(*corev1.PodSpec) *corev1.Container { return nil }, capacity: 1, want: 999},
		{
			name: "a sidecar counts the smallest of the app containers",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers:     memory("3Gi", "2Gi", "4Gi"),
				InitContainers: []corev1.Container{sidecar("s", list("memory", "1Gi"), nil)},
			}},
			of: firstInit, capacity: 10 * gi, want: 800,
		},
		{
			name: "the smallest of the app containers is the last",
			pod:  corev1.Pod{Spec: corev1.PodSpec{Containers: memory("3Gi", "2Gi"), InitContainers: []corev1.Container{sidecar("s", nil, nil)}}},
			of:   firstInit, capacity: 10 * gi, want: 800,
		},
		{
			name: "a sidecar that requests more than the app containers counts its own request",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers:     memory("3Gi", "2Gi"),
				InitContainers: []corev1.Container{sidecar("s", list("memory", "5Gi"), nil)},
			}},
			of: firstInit, capacity: 10 * gi, want: 500,
		},
		{
			name: "no app containers to count",
			pod:  corev1.Pod{Spec: corev1.PodSpec{InitContainers: []corev1.Container{sidecar("s", list("memory", "1Gi"), nil)}}},
			of:   firstInit, capacity: 10 * gi, want: 900,
		},
		{
			name: "init container is not a sidecar",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers:     memory("3Gi"),
				InitContainers: []corev1.Container{container("i", list("memory", "1Gi"), nil)},
			}},
			of: firstInit, capacity: 10 * gi, want: 900,
		},
		{
			name: "a container that always restarts, but is not in the pod, is not a sidecar",
			pod:  corev1.Pod{Spec: corev1.PodSpec{Containers: memory("3Gi")}},
			of: func(*corev1.PodSpec) *corev1.Container {
				c := sidecar("s", list("memory", "1Gi"), nil)
				return &c
			},
			capacity: 10 * gi, want: 900,
		},
		{
			name: "the excess of the pod-level request is spread over all containers",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers:     memory("1Gi", "1Gi"),
				InitContainers: []corev1.Container{container("i", nil, nil)},
				Overhead:       list("memory", "8Gi"),
				Resources:      &corev1.ResourceRequirements{Requests: list("memory", "5Gi")},
			}},
			capacity: 10 * gi, want: 800,
		},
		{
			name: "the excess of the pod-level request is spread over a sidecar, too",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers:     memory("2Gi"),
				InitContainers: []corev1.Container{sidecar("s", nil, nil)},
				Resources:      &corev1.ResourceRequirements{Requests: list("memory", "4Gi")},
			}},
			of: firstInit, capacity: 10 * gi, want: 700,
		},
		{
			name: "without a pod-level memory request there is no excess",
			pod: corev1.Pod{Spec: corev1.PodSpec{
				Containers: memory("1Gi"),
				Resources:  &corev1.ResourceRequirements{Requests: list("cpu", "1")},
			}},
			capacity: 10 * gi, want: 900,
		},
		{
			name:     "a pod-level memory request of zero has no excess",
			pod:      corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi"), Resources: &corev1.ResourceRequirements{Requests: list("cpu", "1", "memory", "0")}}},
			capacity: 10 * gi, want: 900,
		},
		{
			name:     "a pod-level request below the sum of the containers",
			pod:      corev1.Pod{Spec: corev1.PodSpec{Containers: memory("5Gi"), Resources: &corev1.ResourceRequirements{Requests: list("memory", "1Gi")}}},
			capacity: 10 * gi, want: 500,
		},
		{
			name:     "a pod-level request below the sum of the containers in 1.36",
			pod:      corev1.Pod{Spec: corev1.PodSpec{Containers: memory("5Gi"), Resources: &corev1.ResourceRequirements{Requests: list("memory", "1Gi")}}},
			capacity: 10 * gi, kubernetes: computeresources.Kubernetes{Release: "1.36"}, want: 900,
		},
		{
			name: "no containers to spread over",
			pod:  corev1.Pod{Spec: corev1.PodSpec{Resources: &corev1.ResourceRequirements{Requests: list("memory", "1Gi")}}},
			of:   func(*corev1.PodSpec) *corev1.Container { return nil }, capacity: 10 * gi, want: 999,
		},
		{name: "node-critical by priority", pod: critical(nil, priority(2000000000)), capacity: 10 * gi, want: -997},
		{name: "node-critical class without the priority", pod: critical(nil, priority(1999999999)), capacity: 10 * gi, want: 900},
		{name: "no priority and no annotation", pod: critical(nil, nil), capacity: 10 * gi, want: 900},
		{name: "node-critical as a static pod", pod: critical(map[string]string{"kubernetes.io/config.source": "file"}, nil), capacity: 10 * gi, want: -997},
		{name: "from the API server", pod: critical(map[string]string{"kubernetes.io/config.source": "api"}, nil), capacity: 10 * gi, want: 900},
		{name: "node-critical as a mirror pod", pod: critical(map[string]string{"kubernetes.io/config.mirror": "x"}, nil), capacity: 10 * gi, want: -997},
		{
			name:     "priority without the class",
			pod:      corev1.Pod{Spec: corev1.PodSpec{PriorityClassName: "system-cluster-critical", Priority: priority(2000000000), Containers: memory("1Gi")}},
			capacity: 10 * gi, want: 900,
		},
		{
			name:     "the class in the status counts",
			pod:      corev1.Pod{Spec: corev1.PodSpec{Containers: memory("1Gi")}, Status: corev1.PodStatus{QOSClass: guaranteed}},
			capacity: 10 * gi, want: -997,
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			of := test.of
			if of == nil {
				of = func(s *corev1.PodSpec) *corev1.Container { return &s.Containers[0] }
			}
			testkit.Equal(t, qos.OOMScoreAdj(&test.pod, of(&test.pod.Spec), test.capacity, test.kubernetes), test.want, "OOMScoreAdj")
		})
	}
	testkit.Equal(t, qos.OOMScoreAdj(nil, nil, gi, computeresources.Kubernetes{}), 1000, "OOMScoreAdj of nothing")
}

func firstInit(s *corev1.PodSpec) *corev1.Container { return &s.InitContainers[0] }

// The score equals that of arbitrary precision for all amounts, including those far beyond 64
// bits.
func TestOOMScoreAdjIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		request := rapid.OneOf(rapid.Int64Range(0, 2000), rapid.Int64Range(0, math.MaxInt64)).Draw(t, "request")
		capacity := rapid.OneOf(rapid.Int64Range(1, 2000), rapid.Int64Range(1, math.MaxInt64)).Draw(t, "capacity")
		pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("c", list("cpu", "1"), nil)}}}
		pod.Spec.Containers[0].Resources.Requests["memory"] = quantity(request)
		share := new(big.Int).Mul(big.NewInt(1000), big.NewInt(request))
		score := new(big.Int).Sub(big.NewInt(1000), share.Quo(share, big.NewInt(capacity)))
		want := 3
		if score.IsInt64() {
			want = int(min(max(score.Int64(), 3), 999))
		}
		testkit.Equal(t, qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], capacity, computeresources.Kubernetes{}), want, "OOMScoreAdj")
	})
}
