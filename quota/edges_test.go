package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/quota"
)

// What is wrong with a quota is named before one that is exceeded, and of two such the first by
// quota, whatever it is.
func TestReportedComesByStage(t *testing.T) {
	of := func(cause quota.FailureCause, name string) quota.Failure {
		return quota.Failure{Cause: cause, Source: computeresources.Source{Kind: "ResourceQuota", Name: name}}
	}
	for _, test := range []struct {
		failures quota.Failures
		want     quota.FailureCause
	}{
		{quota.Failures{of(quota.ExceededQuota, "a"), of(quota.MustSpecify, "b")}, quota.MustSpecify},
		{quota.Failures{of(quota.StatusUnknown, "a"), of(quota.InvalidScope, "b")}, quota.StatusUnknown},
		{quota.Failures{of(quota.MustSpecify, "a"), of(quota.InvalidScope, "b")}, quota.MustSpecify},
		{quota.Failures{of(quota.ExceededQuota, "a"), of(quota.StatusUnknown, "b")}, quota.StatusUnknown},
	} {
		if got := test.failures.Reported(); got.Cause != test.want {
			t.Errorf("of %v is named %q, want %q", test.failures, got.Cause, test.want)
		}
	}
}

// A quota whose status is not known yet covers what its spec limits: its own failure is enough.
func TestAQuotaOfUnknownStatusCovers(t *testing.T) {
	unknown := withStatus("q", list("requests.cpu", "10"), nil)
	opts := quota.AdmitOptions{Limited: []quota.LimitedResource{{Resource: "pods", MatchContains: []string{"requests.cpu"}}}}
	_, failures := quota.Admit(podOf(container("app", list("cpu", "1"), nil)), []*corev1.ResourceQuota{unknown}, opts)
	if len(failures) != 1 || failures[0].Cause != quota.StatusUnknown {
		t.Errorf("failures %v, want the unknown status alone", failures)
	}
}

// What a pod used under a name is not deducted from what a claim is to use under it.
func TestAnUpdateOfAnotherKindDeductsNothing(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", ResourceVersion: "7"}}
	pod.Spec.Containers = []corev1.Container{container("app", list("example.com/gpu", "3"), nil)}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "shop"}}
	claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{exactly("gold", exact, 3)}
	after, failures := quota.AdmitUpdate(
		quota.Pod(pod, time.Time{}, quota.PodOptions{}),
		quota.ResourceClaim(claim, quota.ResourceClaimOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": "example.com/gpu"}}),
		[]*corev1.ResourceQuota{withStatus("q", list("requests.example.com/gpu", "9"), list("requests.example.com/gpu", "0"))},
		quota.AdmitOptions{},
	)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	wantList(t, after[0].Status.Used, list("requests.example.com/gpu", "3"))
}
