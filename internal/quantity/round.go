package quantity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// RoundUp returns q rounded up, below zero away from zero, to milli-units, and whether that is
// q itself. The API server keeps no more of the amounts that it stores. The result may share
// a decimal with q, which is only read.
//
// Cost: decimals are written out, so that one such as 1e1000000000, or a scale of as many
// places, takes its time.
//
// Source: SetDefaults_ResourceList of k8s.io/kubernetes/pkg/apis/core/v1.
func RoundUp(q resource.Quantity) (rounded resource.Quantity, exact bool) {
	exact = q.RoundUp(resource.Milli)
	return q, exact
}

// RoundUpAll rounds the entries of a list with RoundUp. Exact entries are unchanged, and a list
// with only exact entries is not written to.
func RoundUpAll(list corev1.ResourceList) {
	for name, q := range list {
		if rounded, exact := RoundUp(q); !exact {
			list[name] = rounded
		}
	}
}

// AreRounded reports whether all entries of a list are exact, so that RoundUpAll would not change it.
func AreRounded(list corev1.ResourceList) bool {
	for _, q := range list {
		if _, exact := RoundUp(q); !exact {
			return false
		}
	}
	return true
}

// IsWhole reports whether a quantity is a whole number, at any scale.
func IsWhole(q resource.Quantity) bool {
	q = q.DeepCopy()
	return q.RoundUp(0)
}
