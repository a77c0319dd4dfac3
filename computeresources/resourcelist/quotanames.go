package resourcelist

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

const limitsPrefix = "limits."

// RequestQuotaNames returns the names under which quotas count requests of a resource: the name
// with the prefix requests. and, for cpu, memory, ephemeral-storage and hugepages, also the bare
// name. For extended resources and those of device classes, only the name with the prefix counts,
// such as requests.nvidia.com/gpu, and bare is "". Quotas do not count requests of any other
// resource: both names are "".
//
// Pods themselves are counted as pods and count/pods.
//
// Source: podComputeUsageHelper of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func RequestQuotaNames(name corev1.ResourceName) (prefixed, bare corev1.ResourceName) {
	switch name {
	case corev1.ResourceCPU:
		return corev1.ResourceRequestsCPU, name
	case corev1.ResourceMemory:
		return corev1.ResourceRequestsMemory, name
	case corev1.ResourceEphemeralStorage:
		return corev1.ResourceRequestsEphemeralStorage, name
	}
	switch {
	case resourcename.IsHugePages(name):
		return corev1.DefaultResourceRequestsPrefix + name, name
	case isDevice(name):
		return corev1.DefaultResourceRequestsPrefix + name, ""
	}
	return "", ""
}

// LimitQuotaName returns the name under which quotas count to what pods are limited of a
// resource: limits.cpu, limits.memory or limits.ephemeral-storage. Of any other resource,
// quotas count no limits: "".
//
// Source: podComputeUsageHelper of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func LimitQuotaName(name corev1.ResourceName) corev1.ResourceName {
	switch name {
	case corev1.ResourceCPU:
		return corev1.ResourceLimitsCPU
	case corev1.ResourceMemory:
		return corev1.ResourceLimitsMemory
	case corev1.ResourceEphemeralStorage:
		return corev1.ResourceLimitsEphemeralStorage
	}
	return ""
}

// RequestOfQuota returns the resource whose requests a quota counts under a name: cpu for
// requests.cpu and for cpu. It is the inverse of RequestQuotaNames; ok is false for a name under
// which no requests of pods are counted, such as limits.cpu, pods or requests.storage.
func RequestOfQuota(quotaName corev1.ResourceName) (name corev1.ResourceName, ok bool) {
	request, prefixed := strings.CutPrefix(string(quotaName), corev1.DefaultResourceRequestsPrefix)
	name = corev1.ResourceName(request)
	if resourcename.IsCompute(name) || resourcename.IsHugePages(name) || prefixed && isDevice(name) {
		return name, true
	}
	return "", false
}

// LimitOfQuota returns the resource of which a quota counts the limits of pods: cpu of
// limits.cpu. It is the inverse of LimitQuotaName; ok is false for a name under which no
// limits of pods are counted, such as cpu or limits.nvidia.com/gpu.
func LimitOfQuota(quotaName corev1.ResourceName) (name corev1.ResourceName, ok bool) {
	limit, prefixed := strings.CutPrefix(string(quotaName), limitsPrefix)
	if prefixed && resourcename.IsCompute(corev1.ResourceName(limit)) {
		return corev1.ResourceName(limit), true
	}
	return "", false
}

// isDevice reports whether containers may request the resource of a device plugin, or of a
// device class, by this name.
func isDevice(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), resourcev1.ResourceDeviceClassPrefix) || resourcename.IsExtended(name)
}
