package quota_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota"
)

// Up to 1.34, what a pod requests of a device class by its implicit name does not count.
func TestImplicitNamesByRelease(t *testing.T) {
	devices := testkit.List("deviceclass.resource.kubernetes.io/gold", "2", "example.com/gpu", "3")
	pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("app", devices, devices)}}}
	for release, counts := range map[string]bool{"1.33": false, "1.34": false, "1.35": true, "": true, "1.38": true} {
		usage := quota.Pod(pod, testkit.Now(), quota.PodOptions{Kubernetes: computeresources.Kubernetes{Release: release}}).Usage()
		_, got := usage["requests.deviceclass.resource.kubernetes.io/gold"]
		testkit.Equal(t, got, counts, release)
		gpus := usage["requests.example.com/gpu"]
		testkit.Equal(t, gpus.String(), "3", release)
		hard := testkit.List("requests.deviceclass.resource.kubernetes.io/gold", "1", "pods", "5")
		q := &corev1.ResourceQuota{Spec: corev1.ResourceQuotaSpec{Hard: hard}, Status: corev1.ResourceQuotaStatus{Hard: hard, Used: testkit.List("requests.deviceclass.resource.kubernetes.io/gold", "0", "pods", "0")}}
		object := quota.Pod(pod, testkit.Now(), quota.PodOptions{Kubernetes: computeresources.Kubernetes{Release: release}})
		charged, err := object.UsageIn(q)
		testkit.OK(t, err)
		_, got = charged["requests.deviceclass.resource.kubernetes.io/gold"]
		testkit.Equal(t, got, counts, release)
	}
}
