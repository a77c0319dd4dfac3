package resourcename

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// IsHugePages reports whether a name is that of hugepages of some size: hugepages-2Mi. The
// size need not be a valid one.
//
// Source: IsHugePageResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func IsHugePages(name corev1.ResourceName) bool {
	return strings.HasPrefix(string(name), corev1.ResourceHugePagesPrefix)
}

// HugePageSize returns the page size in bytes from the name of a hugepages resource, as the API
// server parses it. Ok is false if the name is not that of hugepages, or if its size is not a
// quantity above zero. The size may be a fraction.
//
// An exponent of more than three characters is refused, its sign included: no page is that
// large or small, and resource.ParseQuantity would write out all zeros of 1e-1000000000.
//
// Source: HugePageSizeFromResourceName of k8s.io/kubernetes/pkg/apis/core/v1/helper.
func HugePageSize(name corev1.ResourceName) (size resource.Quantity, ok bool) {
	text, ok := strings.CutPrefix(string(name), corev1.ResourceHugePagesPrefix)
	if i := strings.IndexAny(text, "eE"); !ok || i >= 0 && len(text)-i > 4 {
		return resource.Quantity{}, false
	}
	size, err := resource.ParseQuantity(text)
	if err != nil || size.Sign() <= 0 {
		return resource.Quantity{}, false
	}
	return size, true
}
