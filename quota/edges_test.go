package quota_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota"
)

// What a pod used under a name is not deducted from what a claim is to use under it.
func TestAnUpdateOfAnotherKindDeductsNothing(t *testing.T) {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "shop", ResourceVersion: "7"}}
	pod.Spec.Containers = []corev1.Container{container("app", list("example.com/gpu", "3"), nil)}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: "c", Namespace: "shop"}}
	claim.Spec.Devices.Requests = []resourcev1.DeviceRequest{exactly("gold", exact, 3)}
	after, failures := admit(
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
