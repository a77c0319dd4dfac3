package admit_test

import (
	"encoding/json"
	"testing"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// A request without a mode or a count is for one device, on creation and on an update; other modes and counts stay.
func TestDefaultsOfResourceClaims(t *testing.T) {
	claimOf := func(devices string) *resourcev1.ResourceClaim {
		var c resourcev1.ResourceClaim
		testkit.OK(t, json.Unmarshal([]byte(`{"metadata": {"name": "gpu", "namespace": "shop"}, "spec": {"devices": {"requests": [`+devices+`]}}}`), &c))
		return &c
	}
	hard := testkit.List("gold.deviceclass.resource.k8s.io/devices", "100")
	q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: testkit.List("gold.deviceclass.resource.k8s.io/devices", "0")}}
	q.Namespace, q.Name = "shop", "devices"
	namespace, err := admit.Compile(nil, []*corev1.ResourceQuota{q}, admit.Options{})
	testkit.OK(t, err)
	const exactly, first = `{"name": "a", "exactly": {"deviceClassName": "gold"`, `{"name": "a", "firstAvailable": [{"name": "b", "deviceClassName": "gold"`
	for _, test := range []struct{ written, stored, devices string }{
		{exactly + `}}`, exactly + `, "allocationMode": "ExactCount", "count": 1}}`, "1"},
		{exactly + `, "count": 3}}`, exactly + `, "allocationMode": "ExactCount", "count": 3}}`, "3"},
		{exactly + `, "allocationMode": "ExactCount"}}`, exactly + `, "allocationMode": "ExactCount", "count": 1}}`, "1"},
		{exactly + `, "allocationMode": "All"}}`, exactly + `, "allocationMode": "All"}}`, "32"},
		{first + `}, {"name": "c", "deviceClassName": "gold", "count": 2}]}`,
			first + `, "allocationMode": "ExactCount", "count": 1}, {"name": "c", "deviceClassName": "gold", "allocationMode": "ExactCount", "count": 2}]}`, "2"},
	} {
		written := claimOf(test.written)
		created := namespace.Create(written, admit.Attributes{})
		testkit.NoDiff(t, created.Object.(*resourcev1.ResourceClaim), claimOf(test.stored), test.written)
		testkit.NoDiff(t, written, claimOf(test.written), "the input", test.written)
		if len(created.Increases) != 1 {
			t.Fatalf("%s: %+v", test.written, created.Increases)
		}
		used := created.Increases[0].Usage["gold.deviceclass.resource.k8s.io/devices"]
		testkit.Equal(t, used.String(), test.devices, test.written)
		updated := namespace.Update(claimOf(test.stored), written, admit.Attributes{})
		testkit.NoDiff(t, updated.Object.(*resourcev1.ResourceClaim), claimOf(test.stored), "updated", test.written)
	}
}
