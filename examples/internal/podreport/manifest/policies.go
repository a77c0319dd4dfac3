package manifest

import (
	"cmp"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// A policy is an object that constrains all others of its namespace: a LimitRange or a
// ResourceQuota.
type policy interface{ meta() metav1.Object }

// indexOf returns which of the policies has the namespace and the name of an object, or -1.
func indexOf[P policy](policies []P, object metav1.Object) int {
	return slices.IndexFunc(policies, func(p P) bool {
		return p.meta().GetNamespace() == object.GetNamespace() && p.meta().GetName() == object.GetName()
	})
}

// ByNamespace returns the policies of each namespace, in the order of their names.
func ByNamespace[P policy](policies []P) map[string][]P {
	of := map[string][]P{}
	for _, p := range policies {
		of[p.meta().GetNamespace()] = append(of[p.meta().GetNamespace()], p)
	}
	for _, list := range of {
		slices.SortStableFunc(list, func(a, b P) int { return cmp.Compare(a.meta().GetName(), b.meta().GetName()) })
	}
	return of
}
