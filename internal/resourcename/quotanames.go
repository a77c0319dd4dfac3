package resourcename

import corev1 "k8s.io/api/core/v1"

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
	case IsHugePages(name):
		return corev1.DefaultResourceRequestsPrefix + name, name
	case IsDevice(name):
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
