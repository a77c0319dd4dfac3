package testkit

import (
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Parse returns the quantity that a fuzzer wrote, and whether it is valid and small enough for
// arithmetic: resource.ParseQuantity writes out all zeros of 1e-1000000000.
func Parse(s string) (resource.Quantity, bool) {
	if i := strings.IndexAny(s, "eE"); len(s) > 60 || i >= 0 && len(s)-i > 4 {
		return resource.Quantity{}, false
	}
	q, err := resource.ParseQuantity(s)
	return q, err == nil
}
