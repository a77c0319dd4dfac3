package quota_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// Nil quotas are ignored, and stay nil in their places.
func TestNilQuotas(t *testing.T) {
	q := withStatus("q", list("pods", "2"), list("pods", "1"))
	admitted := withStatus("q", list("pods", "2"), list("pods", "2"))
	for name, decide := range map[string]func([]*corev1.ResourceQuota) ([]*corev1.ResourceQuota, computeresources.Problems[*quota.Failure]){
		"admit": func(quotas []*corev1.ResourceQuota) ([]*corev1.ResourceQuota, computeresources.Problems[*quota.Failure]) {
			return admit(quota.Object{}, podOf(), quotas, quota.AdmitOptions{})
		},
		"update": func(quotas []*corev1.ResourceQuota) ([]*corev1.ResourceQuota, computeresources.Problems[*quota.Failure]) {
			return admit(podOf(), podOf(), quotas, quota.AdmitOptions{Subresource: "resize"})
		},
	} {
		after, failures := decide([]*corev1.ResourceQuota{nil, q, nil})
		if diff := cmp.Diff([]*corev1.ResourceQuota{nil, admitted, nil}, after); diff != "" || len(failures) > 0 {
			t.Errorf("%s: %v, -want +got:\n%s", name, failures, diff)
		}
	}
	full := withStatus("full", list("pods", "1"), list("pods", "1"))
	if after, failures := admit(quota.Object{}, podOf(), []*corev1.ResourceQuota{nil, full}, quota.AdmitOptions{}); after != nil || len(failures) != 1 {
		t.Errorf("beside a full quota: %v, %v", after, failures)
	}
	after, failures := admit(quota.Object{}, quota.Object{}, []*corev1.ResourceQuota{nil, q}, quota.AdmitOptions{})
	if diff := cmp.Diff([]*corev1.ResourceQuota{nil, q}, after); diff != "" || len(failures) > 0 {
		t.Errorf("no object: %v, -want +got:\n%s", failures, diff)
	}
	if len(after) == 2 && after[1] == q {
		t.Error("no object: the quota is returned itself, and not a copy")
	}
}
