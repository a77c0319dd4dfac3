package resourcename

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation"
)

// IsNative reports whether a resource belongs to Kubernetes itself: its name has no domain, or
// contains kubernetes.io/. Whether such a resource exists is not checked.
//
// Source: IsNativeResource of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsNative(name corev1.ResourceName) bool {
	return !strings.Contains(string(name), "/") || strings.Contains(string(name), corev1.ResourceDefaultNamespacePrefix)
}

// IsExtended reports whether a resource is an extended one, such as nvidia.com/gpu: it is not
// native, does not have the prefix requests., and is valid with that prefix.
//
// Source: IsExtendedResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsExtended(name corev1.ResourceName) bool {
	if IsNative(name) || strings.HasPrefix(string(name), corev1.DefaultResourceRequestsPrefix) {
		return false
	}
	return isPlain(string(name)) || len(validation.IsQualifiedName(corev1.DefaultResourceRequestsPrefix+string(name))) == 0
}

// isPlain reports whether a name is a domain of lower-case letters, digits and single dots, a
// slash, and a name of letters and digits, such as nvidia.com/gpu, both short enough to be
// valid after a prefix. Other names may be valid, too; this check avoids the regular expressions
// and allocations of the complete validation for most names.
func isPlain(name string) bool {
	const longest = 63 // of a name, and more than enough for a domain
	domain, name, found := strings.Cut(name, "/")
	if !found || len(domain) == 0 || len(domain) > longest || len(name) == 0 || len(name) > longest {
		return false
	}
	afterDot := true
	for _, c := range []byte(domain) {
		isDot := c == '.'
		if !isDot && !isLower(c) && !isDigit(c) || isDot && afterDot {
			return false
		}
		afterDot = isDot
	}
	for _, c := range []byte(name) {
		if !isLower(c) && !isLower(c|' ') && !isDigit(c) {
			return false
		}
	}
	return !afterDot
}

func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

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

// IsStandard reports whether a name without a domain is known to the API server.
func IsStandard(name corev1.ResourceName) bool {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage,
		corev1.ResourceRequestsCPU, corev1.ResourceRequestsMemory, corev1.ResourceRequestsEphemeralStorage,
		corev1.ResourceRequestsStorage,
		corev1.ResourceLimitsCPU, corev1.ResourceLimitsMemory, corev1.ResourceLimitsEphemeralStorage,
		corev1.ResourcePods, corev1.ResourceQuotas, corev1.ResourceServices,
		corev1.ResourceReplicationControllers, corev1.ResourceSecrets, corev1.ResourceConfigMaps,
		corev1.ResourcePersistentVolumeClaims, corev1.ResourceServicesNodePorts,
		corev1.ResourceServicesLoadBalancers:
		return true
	}
	return IsHugePages(name) || strings.HasPrefix(string(name), corev1.ResourceRequestsHugePagesPrefix)
}

// IsOfContainers reports whether containers may name a resource without a domain.
func IsOfContainers(name corev1.ResourceName) bool {
	return IsCompute(name) || IsHugePages(name)
}

// IsCompute reports whether a resource is one of those that every container uses.
func IsCompute(name corev1.ResourceName) bool {
	return name == corev1.ResourceCPU || name == corev1.ResourceMemory || name == corev1.ResourceEphemeralStorage
}

// HasDomain reports whether a name has a domain before a slash.
func HasDomain(name corev1.ResourceName) bool { return strings.Contains(string(name), "/") }

// Scale returns the power of ten of the smallest amount that is given to a container: milli-units of
// cpu, and units of everything else, such as one byte of memory.
func Scale(name corev1.ResourceName) resource.Scale {
	if name == corev1.ResourceCPU {
		return resource.Milli
	}
	return 0
}

// IsStandardOfQuota reports whether quotas know a resource by a name without a domain: cpu,
// requests.cpu, limits.cpu and those of memory and ephemeral-storage, hugepages and
// requests.hugepages of any size, requests.storage, pods, and the kinds of objects that have been
// counted from the beginning, such as services. It is false for count/pods, which has a domain.
//
// Source: IsStandardQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/helper.
func IsStandardOfQuota(name corev1.ResourceName) bool {
	return IsStandard(name) && name != corev1.ResourceStorage
}
