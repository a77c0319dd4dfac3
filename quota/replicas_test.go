package quota_test

import (
	"math"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

func wantAmounts(t *testing.T, what string, got, want corev1.ResourceList) {
	t.Helper()
	testkit.NoDiff(t, got, want, what)
}

func appOf(requests, limits corev1.ResourceList) quota.Object {
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("app", requests, limits)}}}
	return quota.Pod(pod, time.Time{}, quota.PodOptions{})
}

func TestRemaining(t *testing.T) {
	q := withStatus("q", list("cpu", "10", "memory", "2Gi", "pods", "1", "services", "5", "storage", "0"), list("cpu", "2500m", "memory", "0.5Gi", "pods", "3", "other", "1", "storage", "0"))
	wantAmounts(t, "some", quota.Remaining(q), list("cpu", "7500m", "memory", "1536Mi", "pods", "-2", "storage", "0"))
	wantAmounts(t, "nil", quota.Remaining(nil), list())
	wantAmounts(t, "without a status", quota.Remaining(&corev1.ResourceQuota{Spec: q.Spec}), list())
}

func TestReplicas(t *testing.T) {
	type quotas = []*corev1.ResourceQuota
	for _, test := range []struct {
		name      string
		quotas    quotas
		object    quota.Object
		opts      quota.AdmitOptions
		replicas  int64
		unbounded bool
		next      []string
	}{
		{"a subresource", quotas{withStatus("q", list("pods", "0"), list("pods", "0"))}, appOf(nil, nil), quota.AdmitOptions{Subresource: "eviction"}, math.MaxInt64, true, nil},
		{
			"two stop the next", quotas{withStatus("a", list("pods", "3", "limits.cpu", "3"), list("pods", "0", "limits.cpu", "0")), withStatus("b", list("count/pods", "9"), list("count/pods", "6"))},
			appOf(nil, list("cpu", "1")), quota.AdmitOptions{}, 3, false, []string{
				"exceeded quota: a, requested: limits.cpu=1,pods=1, used: limits.cpu=3,pods=3, limited: limits.cpu=3,pods=3",
				"exceeded quota: b, requested: count/pods=1, used: count/pods=9, limited: count/pods=9",
			},
		},
		{
			"usage that is written without a suffix", quotas{withStatus("a", list("requests.memory", "4Gi"), list("requests.memory", "0"))},
			quota.Pod(&corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
				testkit.Container("a", list("memory", "512Mi"), nil), testkit.Container("b", list("memory", "1e9"), nil),
			}}}, time.Time{}, quota.PodOptions{}), quota.AdmitOptions{}, 2, false, []string{
				"exceeded quota: a, requested: requests.memory=1536870912, used: requests.memory=3073741824, limited: requests.memory=4Gi",
			},
		},
		{"very many", quotas{withStatus("q", list("limits.memory", "9223372036854775807"), list("limits.memory", "7"))}, appOf(nil, list("memory", "1")), quota.AdmitOptions{}, math.MaxInt64 - 7, false, []string{
			"exceeded quota: q, requested: limits.memory=1, used: limits.memory=9223372036854775807, limited: limits.memory=9223372036854775807",
		}},
		{"beyond int64", quotas{withStatus("q", list("limits.memory", "1e30"), list("limits.memory", "7"))}, appOf(nil, list("memory", "1")), quota.AdmitOptions{}, math.MaxInt64, false, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			got := quota.Replicas(test.object, test.quotas, test.opts)
			if got.Replicas != test.replicas || got.Unbounded != test.unbounded {
				t.Errorf("%d replicas, unbounded %v", got.Replicas, got.Unbounded)
			}
			testkit.NoDiff(t, messages(got.Next), test.next, "next")
		})
	}
}
