package resourcename_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/resourcename"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestQuotaNames(t *testing.T) {
	tests := []struct {
		name                  corev1.ResourceName
		prefixed, bare, limit corev1.ResourceName
	}{
		{"cpu", "requests.cpu", "cpu", "limits.cpu"},
		{"memory", "requests.memory", "memory", "limits.memory"},
		{"ephemeral-storage", "requests.ephemeral-storage", "ephemeral-storage", "limits.ephemeral-storage"},
		{"hugepages-2Mi", "requests.hugepages-2Mi", "hugepages-2Mi", ""},
		{"nvidia.com/gpu", "requests.nvidia.com/gpu", "", ""},
		{"deviceclass.resource.kubernetes.io/gold", "requests.deviceclass.resource.kubernetes.io/gold", "", ""},
		{"kubernetes.io/batch-cpu", "", "", ""},
		{"storage", "", "", ""},
		{"pods", "", "", ""},
		{"unknown", "", "", ""},
		{"requests.cpu", "", "", ""},
		{"example.com/not a name", "", "", ""},
		{"", "", "", ""},
	}
	for _, test := range tests {
		t.Run(string(test.name), func(t *testing.T) {
			if prefixed, bare := resourcename.RequestQuotaNames(test.name); prefixed != test.prefixed || bare != test.bare {
				t.Errorf("RequestQuotaNames = %q, %q, want %q, %q", prefixed, bare, test.prefixed, test.bare)
			}
			testkit.Equal(t, resourcename.LimitQuotaName(test.name), test.limit, "LimitQuotaName")
		})
	}
}

func TestOfQuota(t *testing.T) {
	tests := []struct {
		quota          corev1.ResourceName
		request, limit corev1.ResourceName // "" means none
	}{
		{"cpu", "cpu", ""},
		{"requests.cpu", "cpu", ""},
		{"limits.cpu", "", "cpu"},
		{"memory", "memory", ""},
		{"requests.memory", "memory", ""},
		{"limits.memory", "", "memory"},
		{"ephemeral-storage", "ephemeral-storage", ""},
		{"requests.ephemeral-storage", "ephemeral-storage", ""},
		{"limits.ephemeral-storage", "", "ephemeral-storage"},
		{"hugepages-2Mi", "hugepages-2Mi", ""},
		{"requests.hugepages-2Mi", "hugepages-2Mi", ""},
		{"limits.hugepages-2Mi", "", ""},
		{"nvidia.com/gpu", "", ""},
		{"requests.nvidia.com/gpu", "nvidia.com/gpu", ""},
		{"limits.nvidia.com/gpu", "", ""},
		{"requests.deviceclass.resource.kubernetes.io/gold", "deviceclass.resource.kubernetes.io/gold", ""},
		{"deviceclass.resource.kubernetes.io/gold", "", ""},
		{"requests.kubernetes.io/x", "", ""},
		{"requests.requests.cpu", "", ""},
		{"requests.limits.cpu", "", ""},
		{"limits.limits.cpu", "", ""},
		{"requests.storage", "", ""},
		{"gold.storageclass.storage.k8s.io/requests.storage", "", ""},
		{"pods", "", ""},
		{"count/pods", "", ""},
		{"requests.", "", ""},
		{"limits.", "", ""},
		{"", "", ""},
	}
	for _, test := range tests {
		t.Run(string(test.quota), func(t *testing.T) {
			if got, ok := resourcename.RequestOfQuota(test.quota); got != test.request || ok != (test.request != "") {
				t.Errorf("RequestOfQuota = %q, %v, want %q", got, ok, test.request)
			}
			if got, ok := resourcename.LimitOfQuota(test.quota); got != test.limit || ok != (test.limit != "") {
				t.Errorf("LimitOfQuota = %q, %v, want %q", got, ok, test.limit)
			}
		})
	}
}

// Every quota name maps back to its resource, and no name is used for both requests and limits.
func TestQuotaNamesLeadBack(t *testing.T) {
	parts := rapid.SampledFrom([]string{"cpu", "memory", "requests.", "limits.", "hugepages-", "2Mi", "example.com/", "gpu", "kubernetes.io/", "storage", "ephemeral-", "deviceclass.resource.kubernetes.io/", "pods", " "})
	rapid.Check(t, func(t *rapid.T) {
		var name corev1.ResourceName
		for _, part := range rapid.SliceOfN(parts, 0, 4).Draw(t, "parts") {
			name += corev1.ResourceName(part)
		}
		prefixed, bare := resourcename.RequestQuotaNames(name)
		for _, quota := range []corev1.ResourceName{prefixed, bare} {
			if back, ok := resourcename.RequestOfQuota(quota); quota != "" && (!ok || back != name) {
				t.Fatalf("requests of %q are counted as %q, which counts those of %q", name, quota, back)
			}
		}
		if quota := resourcename.LimitQuotaName(name); quota != "" {
			if back, ok := resourcename.LimitOfQuota(quota); !ok || back != name {
				t.Fatalf("limits of %q are counted as %q, which counts those of %q", name, quota, back)
			}
		}
		request, ofRequests := resourcename.RequestOfQuota(name)
		limit, ofLimits := resourcename.LimitOfQuota(name)
		if ofRequests && ofLimits {
			t.Fatalf("%q counts requests of %q and limits of %q", name, request, limit)
		}
		if ofRequests {
			if prefixed, bare := resourcename.RequestQuotaNames(request); name != prefixed && name != bare {
				t.Fatalf("%q counts requests of %q, which are counted as %q and %q", name, request, prefixed, bare)
			}
		}
		if ofLimits && resourcename.LimitQuotaName(limit) != name {
			t.Fatalf("%q counts limits of %q, which are counted as %q", name, limit, resourcename.LimitQuotaName(limit))
		}
	})
}
