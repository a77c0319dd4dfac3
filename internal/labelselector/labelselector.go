// Package labelselector reads label selectors of the API, with an error in a fixed order.
package labelselector

import (
	"maps"
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"
)

// Of is metav1.LabelSelectorAsSelector, which ranges over a map: of several labels that are invalid, the error is that
// of the first by name.
func Of(s *metav1.LabelSelector) (labels.Selector, error) {
	selector, err := metav1.LabelSelectorAsSelector(s)
	if err == nil {
		return selector, nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.MatchLabels)) {
		if _, err := labels.NewRequirement(name, selection.In, []string{s.MatchLabels[name]}); err != nil {
			return nil, err
		}
	}
	return nil, err
}
