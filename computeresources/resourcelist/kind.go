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
