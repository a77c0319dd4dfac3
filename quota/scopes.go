package quota

import (
	"fmt"
	"iter"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kubemath/kubemath/qos"
)

// Scopes returns the scopes that an object has to be within for a quota to count it: spec.scopes,
// as expressions with the operator Exists, and then the scope selector. A quota without scopes
// counts all objects. The result owns its memory. A nil quota has no scopes.
func Scopes(quota *corev1.ResourceQuota) []corev1.ScopedResourceSelectorRequirement {
	if quota == nil {
		return nil
	}
	var list []corev1.ScopedResourceSelectorRequirement
	for scope := range scopes(quota) {
		list = append(list, *scope.DeepCopy())
	}
	return list
}

// scopes yields the scopes of a quota in their order. They share the quota's memory.
func scopes(quota *corev1.ResourceQuota) iter.Seq[corev1.ScopedResourceSelectorRequirement] {
	return func(yield func(corev1.ScopedResourceSelectorRequirement) bool) {
		for _, name := range quota.Spec.Scopes {
			if !yield(corev1.ScopedResourceSelectorRequirement{ScopeName: name, Operator: corev1.ScopeSelectorOpExists}) {
				return
			}
		}
		if selector := quota.Spec.ScopeSelector; selector != nil {
			for _, scope := range selector.MatchExpressions {
				if !yield(scope) {
					return
				}
			}
		}
	}
}

// MatchingScopes returns the scopes that an object is within, in their order, nil if there are none.
//
//   - Terminating is a pod with activeDeadlineSeconds of zero or more, NotTerminating any
//     other (it has nothing to do with deletion).
//   - BestEffort is a pod of that class, by qos.PodClass, NotBestEffort any other.
//   - CrossNamespacePodAffinity is a pod with a term of affinity or anti-affinity that
//     names namespaces, or selects some.
//   - PriorityClass compares the priority class name of a pod by the operator (In, NotIn, Exists,
//     DoesNotExist). A pod without a priority class matches NotIn and DoesNotExist.
//   - VolumeAttributesClass compares the current, desired and target class of a
//     PersistentVolumeClaim in the same way. One of them has to match.
//
// The operator of all other scopes is ignored; validation allows only Exists. Objects of other
// kinds are within no scope, and no object is within an unknown scope. An operator and values that
// are not a valid selector are an error for the last two scopes. It quotes the scope as the API server does and wraps
// the cause, and there are no scopes then.
//
// Source: MatchingScopes of the evaluators of k8s.io/kubernetes/pkg/quota/v1/evaluator/core.
func (o Object) MatchingScopes(
	scopes []corev1.ScopedResourceSelectorRequirement,
) (matching []corev1.ScopedResourceSelectorRequirement, err error) {
	for _, scope := range scopes {
		in, err := o.matchScope(scope)
		if err != nil {
			return nil, err
		}
		if in {
			matching = append(matching, *scope.DeepCopy())
		}
	}
	return matching, nil
}

// inScope reports whether an object is within a scope.
func (o *Object) inScope(scope corev1.ScopedResourceSelectorRequirement) (bool, error) {
	switch {
	case o.volumeClaim != nil && scope.ScopeName == corev1.ResourceQuotaScopeVolumeAttributesClass:
		return selects(&scope, volumeAttributesClasses(o.volumeClaim))
	case o.pod == nil:
		return false, nil
	}
	pod := o.pod
	switch scope.ScopeName {
	case corev1.ResourceQuotaScopeTerminating:
		return hasDeadline(pod), nil
	case corev1.ResourceQuotaScopeNotTerminating:
		return !hasDeadline(pod), nil
	case corev1.ResourceQuotaScopeBestEffort:
		return qos.PodClass(pod, o.podOptions.Kubernetes) == corev1.PodQOSBestEffort, nil
	case corev1.ResourceQuotaScopeNotBestEffort:
		return qos.PodClass(pod, o.podOptions.Kubernetes) != corev1.PodQOSBestEffort, nil
	case corev1.ResourceQuotaScopeCrossNamespacePodAffinity:
		return crossesNamespaces(pod.Spec.Affinity), nil
	case corev1.ResourceQuotaScopePriorityClass:
		if pod.Spec.PriorityClassName == "" {
			return selects(&scope, nil)
		}
		return selects(&scope, []string{pod.Spec.PriorityClassName})
	}
	return false, nil
}

func hasDeadline(pod *corev1.Pod) bool {
	return pod.Spec.ActiveDeadlineSeconds != nil && *pod.Spec.ActiveDeadlineSeconds >= 0
}

// selects reports whether the selector of a scope selects any of the names, or a missing name if there
// are none.
func selects(scope *corev1.ScopedResourceSelectorRequirement, names []string) (bool, error) {
	var operator selection.Operator
	switch scope.Operator {
	case corev1.ScopeSelectorOpExists:
		return len(names) > 0, nil // regardless of the values
	case corev1.ScopeSelectorOpIn:
		operator = selection.In
	case corev1.ScopeSelectorOpNotIn:
		operator = selection.NotIn
	case corev1.ScopeSelectorOpDoesNotExist:
		operator = selection.DoesNotExist
	default:
		return false, fmt.Errorf("failed to parse and convert selector: %q is not a valid scope selector operator",
			scope.Operator)
	}
	// The error of NewRequirement holds the given values. No values are null, as after an API server
	// has stored them.
	var values []string
	requirement, err := labels.NewRequirement(string(scope.ScopeName), operator, append(values, scope.Values...))
	if err != nil {
		return false, fmt.Errorf("failed to parse and convert selector: %w", err)
	}
	if len(names) == 0 {
		return requirement.Matches(labels.Set{}), nil
	}
	for _, name := range names {
		if requirement.Matches(labels.Set{string(scope.ScopeName): name}) {
			return true, nil
		}
	}
	return false, nil
}

// crossesNamespaces reports whether a term of affinity or anti-affinity names namespaces, or selects some.
func crossesNamespaces(affinity *corev1.Affinity) bool {
	if affinity == nil {
		return false
	}
	crosses := func(term corev1.PodAffinityTerm) bool {
		return len(term.Namespaces) > 0 || term.NamespaceSelector != nil
	}
	preferredCrosses := func(term corev1.WeightedPodAffinityTerm) bool { return crosses(term.PodAffinityTerm) }
	if with := affinity.PodAffinity; with != nil &&
		(slices.ContainsFunc(with.RequiredDuringSchedulingIgnoredDuringExecution, crosses) ||
			slices.ContainsFunc(with.PreferredDuringSchedulingIgnoredDuringExecution, preferredCrosses)) {
		return true
	}
	against := affinity.PodAntiAffinity
	return against != nil && (slices.ContainsFunc(against.RequiredDuringSchedulingIgnoredDuringExecution, crosses) ||
		slices.ContainsFunc(against.PreferredDuringSchedulingIgnoredDuringExecution, preferredCrosses))
}
