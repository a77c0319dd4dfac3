package pool

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Namespaces returns the sorted names of the namespaces that may claim from a pool: those whose
// labels match at least one selector. An empty selector matches none, as in Capsule, and neither
// does an invalid one (ValidatePool reports it). Namespaces that are being deleted and nil
// namespaces are not included. If the pool is being deleted or nil, the result is empty.
//
// Cost: every selector once for every namespace.
func Namespaces(p *ResourcePool, namespaces []*corev1.Namespace) []string {
	if p == nil || p.DeletionTimestamp != nil {
		return nil
	}
	selectors := parse(p.Spec.Selectors)
	var names []string
	for _, ns := range namespaces {
		if ns == nil || ns.DeletionTimestamp != nil || ns.Status.Phase == corev1.NamespaceTerminating {
			continue
		}
		if slices.ContainsFunc(selectors, func(s labels.Selector) bool { return s.Matches(labels.Set(ns.Labels)) }) {
			names = append(names, ns.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func parse(selectors []metav1.LabelSelector) []labels.Selector {
	var parsed []labels.Selector
	for i := range selectors {
		if len(selectors[i].MatchLabels) == 0 && len(selectors[i].MatchExpressions) == 0 {
			continue
		}
		if s, err := metav1.LabelSelectorAsSelector(&selectors[i]); err == nil {
			parsed = append(parsed, s)
		}
	}
	return parsed
}
