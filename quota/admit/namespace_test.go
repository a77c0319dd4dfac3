package admit_test

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func list(pairs ...string) corev1.ResourceList { return testkit.List(pairs...) }

func limitRange(name string, items ...corev1.LimitRangeItem) *corev1.LimitRange {
	lr := &corev1.LimitRange{Spec: corev1.LimitRangeSpec{Limits: items}}
	lr.Namespace, lr.Name = "shop", name
	return lr
}

func resourceQuota(name string, hard, used corev1.ResourceList) *corev1.ResourceQuota {
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: used}}
	q.Namespace, q.Name = "shop", name
	return q
}

func compile(t testkit.TB, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, opts admit.Options) *admit.Namespace {
	t.Helper()
	namespace, err := admit.Compile(ranges, quotas, opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return namespace
}
