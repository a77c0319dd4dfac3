package resourcelist

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/resourcename"
)

// IsExtended reports whether a resource is an extended one, such as nvidia.com/gpu: it is not
// native, does not have the prefix requests., and is valid with that prefix.
//
// Source: IsExtendedResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsExtended(name corev1.ResourceName) bool { return resourcename.IsExtended(name) }

// IsHugePages reports whether a name is that of hugepages of some size: hugepages-2Mi. The
// size need not be a valid one.
//
// Source: IsHugePageResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsHugePages(name corev1.ResourceName) bool { return resourcename.IsHugePages(name) }

// IsStandardQuotaName reports whether quotas know a resource by a name without a domain: cpu,
// requests.cpu, limits.cpu and those of memory and ephemeral-storage, hugepages and
// requests.hugepages of any size, requests.storage, pods, and the kinds of objects that have been
// counted from the beginning, such as services. It is false for count/pods, which has a domain.
//
// Source: IsStandardQuotaResourceName of k8s.io/kubernetes/pkg/apis/core/helper.
func IsStandardQuotaName(name corev1.ResourceName) bool {
	return resourcename.IsStandard(name) && name != corev1.ResourceStorage
}
