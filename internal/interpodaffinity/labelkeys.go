package interpodaffinity

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// WithLabelKeys returns the affinity with which the API server stores a new pod with these labels: it adds a
// requirement to the label selector of a term for each of its matchLabelKeys and mismatchLabelKeys that the pod has. A
// term without a label selector, which selects nothing, stays as it is. If there is nothing to add, the result is the
// argument. Pods that were read from a cluster have these requirements.
//
// Source: mutatePodAffinity of k8s.io/kubernetes/pkg/registry/core/pod; KEP-3633.
func WithLabelKeys(affinity *corev1.Affinity, podLabels map[string]string) *corev1.Affinity {
	if !slices.ContainsFunc(termPointers(affinity), hasLabelKeys) {
		return affinity
	}
	stored := affinity.DeepCopy()
	for _, t := range termPointers(stored) {
		if hasLabelKeys(t) {
			addRequirements(t.LabelSelector, t.MatchLabelKeys, metav1.LabelSelectorOpIn, podLabels)
			addRequirements(t.LabelSelector, t.MismatchLabelKeys, metav1.LabelSelectorOpNotIn, podLabels)
		}
	}
	return stored
}

// termPointers returns pointers to all terms.
func termPointers(a *corev1.Affinity) (all []*corev1.PodAffinityTerm) {
	with, without := podAffinities(a)
	for _, part := range []corev1.PodAffinity{with, without} {
		for i := range part.RequiredDuringSchedulingIgnoredDuringExecution {
			all = append(all, &part.RequiredDuringSchedulingIgnoredDuringExecution[i])
		}
		for i := range part.PreferredDuringSchedulingIgnoredDuringExecution {
			all = append(all, &part.PreferredDuringSchedulingIgnoredDuringExecution[i].PodAffinityTerm)
		}
	}
	return all
}

func hasLabelKeys(t *corev1.PodAffinityTerm) bool {
	return t.LabelSelector != nil && len(t.MatchLabelKeys)+len(t.MismatchLabelKeys) > 0
}

func addRequirements(
	selector *metav1.LabelSelector, keys []string, op metav1.LabelSelectorOperator, podLabels map[string]string,
) {
	for _, key := range keys {
		if value, isSet := podLabels[key]; isSet {
			selector.MatchExpressions = append(selector.MatchExpressions,
				metav1.LabelSelectorRequirement{Key: key, Operator: op, Values: []string{value}})
		}
	}
}
