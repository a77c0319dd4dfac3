package resourcelist

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// ResourceNames returns the names of the resources of a list, sorted.
//
// Source: ResourceNames of k8s.io/apiserver/pkg/quota/v1.
func ResourceNames(resources corev1.ResourceList) []corev1.ResourceName {
	if len(resources) == 0 {
		return []corev1.ResourceName{}
	}
	return quantity.Names(resources)
}

// Contains reports whether a name is among others.
//
// Source: Contains of k8s.io/apiserver/pkg/quota/v1.
func Contains(items []corev1.ResourceName, item corev1.ResourceName) bool {
	return slices.Contains(items, item)
}

// ContainsPrefix reports whether a name begins with one of the prefixes. Every name
// begins with the empty one.
//
// Source: ContainsPrefix of k8s.io/apiserver/pkg/quota/v1.
func ContainsPrefix(prefixSet []string, item corev1.ResourceName) bool {
	return slices.ContainsFunc(prefixSet, func(prefix string) bool { return strings.HasPrefix(string(item), prefix) })
}

// Intersection returns the names that are in both a and b, sorted, each once.
//
// Source: Intersection of k8s.io/apiserver/pkg/quota/v1.
func Intersection(a, b []corev1.ResourceName) []corev1.ResourceName {
	return sortedWhere(a, func(name corev1.ResourceName) bool { return slices.Contains(b, name) })
}

// Difference returns the names that are in a and not in b, sorted, each once.
//
// Source: Difference of k8s.io/apiserver/pkg/quota/v1.
func Difference(a, b []corev1.ResourceName) []corev1.ResourceName {
	return sortedWhere(a, func(name corev1.ResourceName) bool { return !slices.Contains(b, name) })
}

func sortedWhere(names []corev1.ResourceName, keep func(corev1.ResourceName) bool) []corev1.ResourceName {
	kept := []corev1.ResourceName{}
	for _, name := range names {
		if keep(name) {
			kept = append(kept, name)
		}
	}
	slices.Sort(kept)
	return slices.Compact(kept)
}
