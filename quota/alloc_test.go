package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

var usageSink corev1.ResourceList

func TestAllocs(t *testing.T) {
	object := quota.Pod(testkit.StandardPod(false), time.Time{}, quota.PodOptions{})
	withStorage := testkit.StandardPod(false)
	withStorage.Spec.Containers[0].Resources.Requests["ephemeral-storage"] = testkit.List("x", "1Gi")["x"]
	storage := quota.Pod(withStorage, time.Time{}, quota.PodOptions{})
	decimals := testkit.StandardPod(false)
	for i := range decimals.Spec.Containers {
		decimals.Spec.Containers[i].Resources.Requests = list("cpu", "0.5", "memory", "1.5Gi")
	}
	fractions := quota.Pod(decimals, time.Time{}, quota.PodOptions{})
	reused := corev1.ResourceList{}
	storage.UsageInto(reused)

	hard := list("requests.cpu", "10", "requests.memory", "20.5Gi", "limits.cpu", "20", "limits.memory", "40Gi")
	used := list("requests.cpu", "2500m", "requests.memory", "3.5Gi", "limits.cpu", "5", "limits.memory", "6Gi")
	requested := list("requests.cpu", "100m", "requests.memory", "1.5Gi", "limits.cpu", "200m", "limits.memory", "256Mi")
	plain := withStatus("plain", hard, used)
	scoped := selecting(withStatus("scoped", hard, used), scope{ScopeName: "Terminating", Operator: "Exists"})
	service := quota.Service(&corev1.Service{})
	matches := func(o quota.Object, q *corev1.ResourceQuota) func() {
		return func() {
			if _, err := o.Matches(q); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, test := range []struct {
		name string
		want float64
		call func()
	}{
		{"usage of a pod", 2, func() { usageSink = object.Usage() }},
		{"from the pod on", 2, func() {
			usageSink = quota.Pod(withStorage, time.Time{}, quota.PodOptions{}).UsageInto(reused)
			usageSink = object.Usage()
		}},
		{"usage into a used list", 0, func() { usageSink = object.UsageInto(reused) }},
		{"usage with storage, into a used list", 0, func() { usageSink = storage.UsageInto(reused) }},
		{"usage with decimals, into a used list", 0, func() { usageSink = fractions.UsageInto(reused) }},
		{"fit of 4 resources", 0, func() { quota.WithinHard(requested, used, hard) }},
		{"a quota that matches", 0, matches(object, plain)},
		{"a quota without scopes that does not match", 0, matches(service, plain)},
		{"a quota whose scope does not match", 0, matches(object, scoped)},
		{"4 resources that fit, with failures", 0, func() { quota.FailuresOf(requested, used, hard, "q") }},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := testing.AllocsPerRun(100, test.call); got > test.want {
				t.Errorf("%v allocations, want %v", got, test.want)
			}
		})
	}
}
