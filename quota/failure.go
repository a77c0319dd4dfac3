package quota

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// FailureCause says why an object is not admitted.
type FailureCause uint8

// The causes, in the order in which the API server looks for them.
const (
	// InvalidScope: the quota, or the configuration, has a scope selector that is none.
	InvalidScope FailureCause = iota + 1
	// MustSpecify: the quota limits cpu or memory, and not all containers state it.
	MustSpecify
	// StatusUnknown: the status of the quota does not say how much is used.
	StatusUnknown
	// NegativeUsage: the object asks for less than nothing.
	NegativeUsage
	// UncoveredResources: the object uses resources that are limited by default, and no
	// quota allows them.
	UncoveredResources
	// UncoveredScopes: the object is within scopes that are limited by default, and no
	// quota allows them.
	UncoveredScopes
	// ExceededQuota: the quota has too little left.
	ExceededQuota
)

// String returns the cause in words, and "unknown" for a value that is none of the
// constants.
func (c FailureCause) String() string {
	switch c {
	case InvalidScope:
		return "invalid scope"
	case MustSpecify:
		return "must specify"
	case StatusUnknown:
		return "status unknown"
	case NegativeUsage:
		return "negative cost"
	case UncoveredResources:
		return "uncovered resources"
	case UncoveredScopes:
		return "uncovered scopes"
	case ExceededQuota:
		return "exceeded quota"
	}
	return "unknown"
}

// Failure is one reason why an object is not admitted. Which fields say more depends on
// the cause; the others are empty. A *Failure is an error with the message of the API
// server, which puts `pods "web" is forbidden: ` before it.
type Failure struct {
	Cause FailureCause

	// Namespace and Quota name the quota that objects. They are empty where none does:
	// for NegativeUsage, UncoveredResources, UncoveredScopes, and the InvalidScope of a
	// configuration.
	Namespace, Quota string

	// Resources are those in question, sorted: the ones exceeded, unspecified, of unknown
	// status (all those of the quota that the object is charged for), negative, or
	// uncovered.
	Resources []corev1.ResourceName

	// Requested, Used and Limited are the amounts of Resources, for ExceededQuota.
	Requested, Used, Limited corev1.ResourceList

	// Unspecified says which containers lack what, for MustSpecify.
	MissingRequired []MissingResource

	// Scopes are those not covered, in the order of the configuration, for
	// UncoveredScopes.
	Scopes []corev1.ScopedResourceSelectorRequirement

	// Detail says what is wrong with the scope, for InvalidScope.
	Detail string
}

// Error returns the message of the API server, word for word.
func (f *Failure) Error() string {
	switch f.Cause {
	case ExceededQuota:
		return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", f.Quota, resourcelist.String(f.Requested), resourcelist.String(f.Used), resourcelist.String(f.Limited))
	case MustSpecify:
		var parts []string
		for _, u := range f.MissingRequired {
			parts = append(parts, u.String())
		}
		return fmt.Sprintf("failed quota: %s: must specify %s", f.Quota, strings.Join(parts, "; "))
	case StatusUnknown:
		return fmt.Sprintf("status unknown for quota: %s, resources: %s", f.Quota, joined(f.Resources))
	case InvalidScope:
		if f.Quota == "" {
			return f.Detail
		}
		return fmt.Sprintf("error matching scopes of quota %s, err: %s", f.Quota, f.Detail)
	case NegativeUsage:
		return "quota usage is negative for resource(s): " + joined(f.Resources)
	case UncoveredResources:
		return "insufficient quota to consume: " + joined(f.Resources)
	case UncoveredScopes:
		return fmt.Sprintf("insufficient quota to match these scopes: %v", f.Scopes)
	}
	return f.Cause.String()
}

// String returns the same message, also of a Failure that is not behind a pointer.
func (f Failure) String() string { return f.Error() }

// Shortfall returns how much more of each resource the quota would have to allow for the
// object to fit. It is empty for any other cause than ExceededQuota.
func (f *Failure) Shortfall() corev1.ResourceList {
	short := resourcelist.Subtract(resourcelist.Add(f.Requested, f.Used), f.Limited)
	return resourcelist.Mask(short, resourcelist.ResourceNames(f.Requested))
}

func joined(names []corev1.ResourceName) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, string(name))
	}
	return strings.Join(parts, ",")
}

// byQuota sorts failures by the namespace and name of their quota, those without one
// first, and by cause.
func byQuota(failures []Failure) {
	slices.SortStableFunc(failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Quota, b.Quota), cmp.Compare(a.Cause, b.Cause))
	})
}
