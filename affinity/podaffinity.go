package affinity

import (
	"reflect"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placeholder"
)

// TaskAffinity returns the affinity of a task's pod: the given one, and the requirement to run on
// the node of the placeholder. An empty assistant requires nothing. A requirement that is present
// already is not repeated, so applying TaskAffinity to its result changes nothing. The given
// affinity, which may be nil, is only read; the result owns its memory, and is nil if it would be
// empty.
func TaskAffinity(given *corev1.Affinity, assistant string) *corev1.Affinity {
	merged := given.DeepCopy()
	if assistant == "" {
		return merged
	}
	if merged == nil {
		merged = &corev1.Affinity{}
	}
	if merged.PodAffinity == nil {
		merged.PodAffinity = &corev1.PodAffinity{}
	}
	required := &merged.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution
	*required = withTerm(*required, onNodeOf(map[string]string{placeholder.ComponentLabel: placeholder.Component,
		placeholder.InstanceLabel: assistant}))
	return merged
}

// PlaceholderAffinity returns the affinity of a placeholder: the given one, and anti-affinity to
// other placeholders, which is required with PerRunIsolated and preferred otherwise. A term that
// is already present is not repeated. The given affinity, which may be nil, is only read; the result
// owns its memory, and is never nil.
//
// Source: getAssistantAffinityMergedWithPodTemplateAffinity of Tekton.
func PlaceholderAffinity(given *corev1.Affinity, b Behavior) *corev1.Affinity {
	merged := given.DeepCopy()
	if merged == nil {
		merged = &corev1.Affinity{}
	}
	if merged.PodAntiAffinity == nil {
		merged.PodAntiAffinity = &corev1.PodAntiAffinity{}
	}
	anti, others := merged.PodAntiAffinity, onNodeOf(map[string]string{placeholder.ComponentLabel: placeholder.Component})
	if b == PerRunIsolated {
		required := &anti.RequiredDuringSchedulingIgnoredDuringExecution
		*required = withTerm(*required, others)
		return merged
	}
	preferred := &anti.PreferredDuringSchedulingIgnoredDuringExecution
	*preferred = withTerm(*preferred, corev1.WeightedPodAffinityTerm{Weight: 100, PodAffinityTerm: others})
	return merged
}

// onNodeOf is the term for the nodes of pods with the given labels.
func onNodeOf(labels map[string]string) corev1.PodAffinityTerm {
	return corev1.PodAffinityTerm{
		LabelSelector: &metav1.LabelSelector{MatchLabels: labels},
		TopologyKey:   corev1.LabelHostname,
	}
}

// withTerm appends a term unless the list already has it.
func withTerm[T any](terms []T, term T) []T {
	for _, t := range terms {
		if reflect.DeepEqual(t, term) {
			return terms
		}
	}
	return append(terms, term)
}
