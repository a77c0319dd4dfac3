package quota

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// LimitedResource is a resource that is limited by default: an element of limitedResources in the
// configuration resourcequota.admission.k8s.io/v1.
type LimitedResource struct {
	// APIGroup and Resource select the objects that MatchContains applies to.
	APIGroup string `json:"apiGroup,omitempty"`
	Resource string `json:"resource"`

	// MatchContains are substrings of resource names. If an object uses more than zero of a
	// resource whose name contains one of them, a quota has to cover that resource.
	MatchContains []string `json:"matchContains,omitempty"`

	// MatchScopes are scopes. If an object of any kind is within one of them, a quota with a scope
	// of the same name has to match the object.
	MatchScopes []corev1.ScopedResourceSelectorRequirement `json:"matchScopes,omitempty"`
}

// limitedScopes returns the scopes of the configuration that the object is within, regardless of the
// resource that they belong to.
func (a *decision) limitedScopes() (scopes []corev1.ScopedResourceSelectorRequirement) {
	for _, limited := range a.opts.Limited {
		in, err := a.object.MatchingScopes(limited.MatchScopes)
		if err != nil {
			a.failures = append(a.failures, Failure{Cause: InvalidScope, Detail: err.Error()})
		}
		scopes = append(scopes, in...)
	}
	return scopes
}

// requireCover fails for resources that the object uses, and scopes that it is within, that are limited
// by default and that no quota covers. Nothing has to be covered if no usage grows: that of the quotas that count the
// object, or, without one, that of a quota that would.
func (a *decision) requireCover(limitedScopes []corev1.ScopedResourceSelectorRequirement) {
	if !a.grows && (len(a.increases) > 0 || resourcelist.IsZero(a.increase)) {
		return
	}
	if uncovered := a.uncoveredNames(); len(uncovered) > 0 {
		a.failures = append(a.failures, Failure{Cause: UncoveredResources, Resources: uncovered})
	}
	var uncoveredScopes []corev1.ScopedResourceSelectorRequirement
	for _, scope := range limitedScopes {
		if !slices.Contains(a.coveredScopes, scope.ScopeName) {
			uncoveredScopes = append(uncoveredScopes, scope)
		}
	}
	if len(uncoveredScopes) > 0 {
		a.failures = append(a.failures, Failure{Cause: UncoveredScopes, Scopes: uncoveredScopes})
	}
}

// uncoveredNames returns what the object uses more than zero of, is limited by default, and no quota
// covers, sorted, each once.
func (a *decision) uncoveredNames() (names []corev1.ResourceName) {
	for _, limited := range a.opts.Limited {
		if (schema.GroupResource{Group: limited.APIGroup, Resource: limited.Resource}) != a.object.resource {
			continue
		}
		for name, q := range a.usage {
			contains := func(part string) bool { return strings.Contains(string(name), part) }
			if q.Sign() > 0 && slices.ContainsFunc(limited.MatchContains, contains) && !slices.Contains(a.covered, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
