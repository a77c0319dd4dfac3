package qos_test

import (
	"math"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func TestTierTotals(t *testing.T) {
	withStatus := testkit.StandardPod(true)
	withStatus.Status.QOSClass = bestEffort
	overhead := testkit.StandardPod(true)
	overhead.Spec.Overhead = list("cpu", "250m", "memory", "1Mi")
	whole := testkit.StandardPod(false)
	whole.Spec.Resources = &corev1.ResourceRequirements{Requests: list("cpu", "4"), Limits: list("memory", "8Gi")}
	storage := &corev1.Pod{Spec: corev1.PodSpec{
		Containers:     []corev1.Container{container("a", list("ephemeral-storage", "1Gi"), nil), container("b", list("ephemeral-storage", "1.5Gi", "example.com/gpu", "1"), nil)},
		InitContainers: []corev1.Container{sidecar("s", list("ephemeral-storage", "1Gi"), nil), container("i", list("ephemeral-storage", "8Gi"), nil)},
	}}
	fine := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "100n"), nil), container("b", list("cpu", "1500u"), nil)}}}
	pods := []*corev1.Pod{
		testkit.StandardPod(true),  // 3 × 200m and a sidecar: 800m, 1Gi
		testkit.StandardPod(false), // half of it
		{}, nil, withStatus, overhead, whole, storage,
		fine, fine, // 1500.1µ CPU: 2m each
	}
	want := qos.Tiers{
		Guaranteed: computeresources.Totals{MilliCPU: 800 + 1050, Memory: gi + gi + 1<<20},
		Burstable:  computeresources.Totals{MilliCPU: 400 + 4000 + 2 + 2, Memory: gi/2 + gi/2},
		BestEffort: computeresources.Totals{MilliCPU: 800, Memory: gi, EphemeralStorage: 9 * gi},
	}
	testkit.NoDiff(t, qos.TierTotals(pods, computeresources.Kubernetes{}), want)
}

// A single amount that is not small, at any place, disables the integer path.
func TestTierTotalsOfUnusualAmounts(t *testing.T) {
	unusual := func() *corev1.Container {
		c := container("c", list("cpu", "1500u", "memory", "1500m", "ephemeral-storage", "500m"), nil)
		return &c
	}
	want := qos.Tiers{Burstable: computeresources.Totals{MilliCPU: 2, Memory: 2, EphemeralStorage: 1}}
	for name, spec := range map[string]corev1.PodSpec{
		"app":     {Containers: []corev1.Container{*unusual()}},
		"init":    {InitContainers: []corev1.Container{*unusual()}},
		"sidecar": {InitContainers: []corev1.Container{sidecar("s", unusual().Resources.Requests, nil)}},
	} {
		testkit.NoDiff(t, qos.TierTotals([]*corev1.Pod{{Spec: spec}}, computeresources.Kubernetes{}), want, name)
	}
	for _, name := range []string{"cpu", "memory", "ephemeral-storage"} {
		one := list(name, "1500u")
		pod := &corev1.Pod{Spec: corev1.PodSpec{InitContainers: []corev1.Container{container("i", one, nil)}}}
		requests := computeresources.SpecTotals(&pod.Spec, computeresources.Requests, computeresources.Options{})
		got := qos.TierTotals([]*corev1.Pod{pod}, computeresources.Kubernetes{})
		tier := got.Burstable
		if name == "ephemeral-storage" {
			tier = got.BestEffort
		}
		want := computeresources.Totals{MilliCPU: requests.MilliCPU, Memory: requests.Memory, EphemeralStorage: requests.EphemeralStorage}
		if !reflect.DeepEqual(tier, want) || want.MilliCPU+want.Memory+want.EphemeralStorage == 0 {
			t.Errorf("%s: %v, want %v", name, tier, want)
		}
	}
}

// A sum beyond int64 is only clamped at the end, so negative requests are subtracted from the
// exact sum, in any order.
func TestTierTotalsDoNotDependOnOrder(t *testing.T) {
	var pods []*corev1.Pod
	for _, memory := range []string{"9223372036854775807", "5", "-5", "-1"} {
		pods = append(pods, &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1", "memory", memory), nil)}}})
	}
	want := computeresources.Totals{MilliCPU: 4000, Memory: math.MaxInt64 - 1}
	for range len(pods) {
		pods = append(pods[1:], pods[0])
		testkit.NoDiff(t, qos.TierTotals(pods, computeresources.Kubernetes{}).Burstable, want)
	}
}

func TestTierTotalsIgnoreEndedPods(t *testing.T) {
	want := qos.Tiers{Burstable: computeresources.Totals{MilliCPU: 1200, Memory: 3 * gi / 2}}
	var pods []*corev1.Pod
	for _, phase := range []corev1.PodPhase{corev1.PodRunning, corev1.PodSucceeded, corev1.PodPending, corev1.PodFailed, ""} {
		pod := testkit.StandardPod(false)
		pod.Status.Phase = phase
		pods = append(pods, pod)
	}
	testkit.NoDiff(t, qos.TierTotals(pods, computeresources.Kubernetes{}), want)
}

func TestTierTotalsSaturate(t *testing.T) {
	huge := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", "1E", "memory", "5E"), nil)}}}
	got := qos.TierTotals([]*corev1.Pod{huge, huge}, computeresources.Kubernetes{}).Burstable
	want := computeresources.Totals{MilliCPU: math.MaxInt64, Memory: math.MaxInt64}
	testkit.NoDiff(t, got, want, "TierTotals")
}

// The sum of small amounts may still exceed 64 bits.
func TestTierTotalsOfManyContainers(t *testing.T) {
	want := qos.Tiers{Guaranteed: computeresources.Totals{MilliCPU: 2500 << 48, Memory: math.MaxInt64, EphemeralStorage: math.MaxInt64}}
	for _, spec := range testkit.ManyContainers(2500, list("cpu", "281474976710656m", "memory", "4Pi", "ephemeral-storage", "4Pi")) {
		testkit.NoDiff(t, qos.TierTotals([]*corev1.Pod{{Spec: *spec}}, computeresources.Kubernetes{}), want)
	}
}

// A class that does not exist counts as Burstable.
func TestUnknownClassIsOfTheBurstableTier(t *testing.T) {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", list("memory", "1Gi"), nil)}}}
	pod.Status.QOSClass = "Platinum"
	got := qos.TierTotals([]*corev1.Pod{pod}, computeresources.Kubernetes{})
	testkit.NoDiff(t, got, qos.Tiers{Burstable: computeresources.Totals{Memory: gi}}, "TierTotals")
}
