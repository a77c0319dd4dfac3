package resourcename

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
)

// LimitsPrefix is that of the names of quotas that count limits.
const LimitsPrefix = "limits."

// RequestOfQuota returns the resource whose requests a quota counts under a name: cpu for
// requests.cpu and for cpu. It is the inverse of RequestQuotaNames; ok is false for a name under
// which no requests of pods are counted, such as limits.cpu, pods or requests.storage.
func RequestOfQuota(quotaName corev1.ResourceName) (name corev1.ResourceName, ok bool) {
	request, prefixed := strings.CutPrefix(string(quotaName), corev1.DefaultResourceRequestsPrefix)
	name = corev1.ResourceName(request)
	if IsCompute(name) || IsHugePages(name) || prefixed && IsDevice(name) {
		return name, true
	}
	return "", false
}

// LimitOfQuota returns the resource of which a quota counts the limits of pods: cpu of
// limits.cpu. It is the inverse of LimitQuotaName; ok is false for a name under which no
// limits of pods are counted, such as cpu or limits.nvidia.com/gpu.
func LimitOfQuota(quotaName corev1.ResourceName) (name corev1.ResourceName, ok bool) {
	limit, prefixed := strings.CutPrefix(string(quotaName), LimitsPrefix)
	if prefixed && IsCompute(corev1.ResourceName(limit)) {
		return corev1.ResourceName(limit), true
	}
	return "", false
}

// IsDevice reports whether containers may request the resource of a device plugin, or of a
// device class, by this name.
func IsDevice(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), resourcev1.ResourceDeviceClassPrefix) || IsExtended(name)
}
