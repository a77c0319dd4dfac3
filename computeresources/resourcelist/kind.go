package resourcelist

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation"
)

// IsNative reports whether a resource belongs to Kubernetes itself: its name has no domain, or
// contains kubernetes.io/. Nothing is said about whether there is such a resource.
//
// Source: IsNativeResource of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsNative(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// IsExtended reports whether a resource is an extended one, such as nvidia.com/gpu: it is not
// native, does not begin with requests., and is valid behind that prefix.
//
// Source: IsExtendedResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsExtended(name corev1.ResourceName) bool {
	if IsNative(name) || strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) {
		return false
	}
	return len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// IsOvercommitAllowed reports whether the request of a resource may be less than its limit:
// those of native resources but hugepages.
//
// Source: IsOvercommitAllowed of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsOvercommitAllowed(name corev1.ResourceName) bool { return IsNative(name) && !IsHugePages(name) }

// IsInteger reports whether amounts of a resource have to be whole numbers: those of extended
// resources, and numbers of objects, such as pods.
//
// Source: IsIntegerResourceName of k8s.io/kubernetes/pkg/apis/core/helper.
func IsInteger(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices,
		corev1.ResourceReplicationControllers, corev1.ResourceSecrets, corev1.ResourceConfigMaps,
		corev1.ResourcePersistentVolumeClaims, corev1.ResourceServicesNodePorts,
		corev1.ResourceServicesLoadBalancers:
		return true
	}
	return IsExtended(name)
}

// IsStandardQuotaName reports whether quotas know a resource by a name without a domain: cpu,
// requests.cpu, limits.cpu and those of memory and ephemeral-storage, hugepages and
// requests.hugepages of any size, requests.storage, pods, and the kinds of objects that have been
// counted from the beginning, such as services. It is false for count/pods, which has a domain.
//
// Source: IsStandardQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/helper.
func IsStandardQuotaName(name corev1.ResourceName) bool {
	return isStandard(name) && name != corev1.ResourceStorage
}

// isStandard reports whether a name without a domain is known to the API server.
func isStandard(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage,
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage, corev1.ResourceRequestsStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
		corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices,
		corev1.ResourceReplicationControllers, corev1.ResourceSecrets, corev1.ResourceConfigMaps,
		corev1.ResourcePersistentVolumeClaims, corev1.ResourceServicesNodePorts,
		corev1.ResourceServicesLoadBalancers:
		return true
	}
	return IsHugePages(name) || strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}

// isOfContainers reports whether containers may name a resource without a domain.
func isOfContainers(name corev1.ResourceName) bool {
	return isCompute(name) || IsHugePages(name)
}
