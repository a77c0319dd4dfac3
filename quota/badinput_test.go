package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// For any quotas and pods, no overflow admits an object, and every refusal has a reason.
func TestBadInput(t *testing.T) {
	const most = "9223372036854775807"
	cpu := func(amount string) *corev1.Pod {
		return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{container("a", list("cpu", amount), nil)}}}
	}
	quotas := func(list ...*corev1.ResourceQuota) []*corev1.ResourceQuota { return list }
	unknown := withStatus("q", list("pods", "1", "cpu", "1"), list("cpu", "0"))
	never := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: list("pods", "1", "misspelled", "0")}}
	never.Name = "q"
	for _, test := range []struct {
		name   string
		quotas []*corev1.ResourceQuota
		pod    *corev1.Pod
		want   []string
	}{
		{"negative usage increases the remaining amount", quotas(withStatus("q", list("cpu", "1"), list("cpu", "-1"))), cpu("2"), nil},
		{"a request above the remaining amount with negative usage", quotas(withStatus("q", list("cpu", "1"), list("cpu", "-1"))), cpu("2001m"), []string{"exceeded quota: q, requested: cpu=2001m, used: cpu=-1, limited: cpu=1"}},
		{"negative limit", quotas(withStatus("q", list("cpu", "-1"), list("cpu", "-2"))), cpu("1001m"), []string{"exceeded quota: q, requested: cpu=1001m, used: cpu=-2, limited: cpu=-1"}},
		{"negative limit, met", quotas(withStatus("q", list("cpu", "-1"), list("cpu", "-2"))), cpu("1"), nil},
		{"a negative limit requires nothing", quotas(withStatus("q", list("cpu", "-1"), list("cpu", "0"))), cpu("0"), nil},
		{"missing usage in the status", quotas(unknown), cpu("1"), []string{"status unknown for quota: q, resources: cpu,pods"}},
		{"no status", quotas(never), cpu("1"), nil},
		{"no resources at all", quotas(&corev1.ResourceQuota{}), cpu("1"), nil},
		{"name that no object uses", quotas(withStatus("q", list("misspelled", "0", "Pods", "0", "", "0"), nil)), cpu("1"), nil},
		{"maximum int64", quotas(withStatus("q", list("cpu", most), list("cpu", "0"))), cpu(most), nil},
		{"one milli-unit beyond", quotas(withStatus("q", list("cpu", most), list("cpu", "1m"))), cpu(most), []string{"exceeded quota: q, requested: cpu=" + most + ", used: cpu=1m, limited: cpu=" + most}},
		{"1E of CPU, which is 0 in milli-units", quotas(withStatus("q", list("cpu", "1"), list("cpu", "0"))), cpu("1E"), []string{"exceeded quota: q, requested: cpu=1E, used: cpu=0, limited: cpu=1"}},
		{"a billionth beyond", quotas(withStatus("q", list("cpu", "1"), list("cpu", "1"))), cpu("1n"), []string{"exceeded quota: q, requested: cpu=1n, used: cpu=1, limited: cpu=1"}},
		{"two quotas, one of them full", quotas(withStatus("b", list("cpu", "1", "pods", "9"), list("cpu", "1", "pods", "0")), withStatus("a", list("cpu", "5"), list("cpu", "0"))), cpu("1"), []string{"exceeded quota: b, requested: cpu=1, used: cpu=1, limited: cpu=1"}},
		{"two full quotas with the same name", quotas(withStatus("a", list("cpu", "1"), list("cpu", "1")), withStatus("a", list("pods", "1"), list("pods", "1"))), cpu("1"), []string{
			"exceeded quota: a, requested: cpu=1, used: cpu=1, limited: cpu=1", "exceeded quota: a, requested: pods=1, used: pods=1, limited: pods=1",
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			after, failures := admit(quota.Object{}, quota.Pod(test.pod, time.Time{}, quota.PodOptions{}), test.quotas, quota.AdmitOptions{})
			var got []string
			for _, f := range failures {
				got = append(got, f.Error())
			}
			testkit.NoDiff(t, got, test.want)
			if (after == nil) != (len(failures) > 0) {
				t.Errorf("quotas after: %v", after)
			}
		})
	}
}
