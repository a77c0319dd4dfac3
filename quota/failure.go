package quota

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/enum"
)

// FailureCause says why an object is not admitted. The zero value is unspecified.
type FailureCause uint8

// The causes, in the order in which the API server looks for them.
const (
	// InvalidScope: the quota, or the configuration, has an invalid scope selector.
	InvalidScope FailureCause = iota + 1
	// MustSpecify: the quota limits cpu or memory, and not all containers set it.
	MustSpecify
	// StatusUnknown: the status of the quota does not say how much is used.
	StatusUnknown
	// NegativeUsage: the object requests a negative amount.
	NegativeUsage
	// UncoveredResources: the object uses resources that are limited by default, and no
	// quota allows them.
	UncoveredResources
	// UncoveredScopes: the object is within scopes that are limited by default, and no
	// quota allows them.
	UncoveredScopes
	// ExceededQuota: the quota has too little remaining.
	ExceededQuota
)

// String returns the cause in words, "unspecified" for the zero value, and "unknown" for any
// other value.
func (c FailureCause) String() string {
	switch c {
	case 0:
		return "unspecified"
	case InvalidScope:
		return "invalid scope"
	case MustSpecify:
		return "must specify"
	case StatusUnknown:
		return "status unknown"
	case NegativeUsage:
		return "negative usage"
	case UncoveredResources:
		return "uncovered resources"
	case UncoveredScopes:
		return "uncovered scopes"
	case ExceededQuota:
		return "exceeded quota"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (c FailureCause) MarshalText() ([]byte, error) { return enum.Marshal(c) }

// UnmarshalText sets c to the cause of that name. An unknown name is an error.
func (c *FailureCause) UnmarshalText(text []byte) error {
	return enum.Unmarshal(c, text, ExceededQuota)
}

// Failures are all reasons why an object is not admitted; none if it is.
type Failures []Failure

// Err returns the failures as one error: nil if there are none, else an aggregate (see
// k8s.io/apimachinery/pkg/util/errors) of a *Failure for each, in their order, which reads
// like the only one, or "[a, b]". errors.As finds the first. It shares no memory with f.
func (f Failures) Err() error {
	if len(f) == 0 {
		return nil
	}
	errs := make([]error, len(f))
	for i := range f {
		errs[i] = f[i].deepCopy()
	}
	return aggregate.Of(errs)
}

// ErrorList returns the failures as errors of the object at a path, in their order: see
// Failure.Field. It is nil if there are none.
func (f Failures) ErrorList(path *field.Path) field.ErrorList {
	var list field.ErrorList
	for i := range f {
		list = append(list, f[i].Field(path))
	}
	return list
}

// Reported returns the failure that the API server names, nil if there is none. It stops at
// the first: what is wrong with a quota or its status, and what it demands of containers, comes
// before anything else, in the order of causes for one quota; quotas are exceeded last. The
// server takes quotas in no fixed order; here they come by name. The result is a copy.
func (f Failures) Reported() *Failure {
	var first *Failure
	for i := range f {
		if first == nil || f[i].stage() < first.stage() {
			first = &f[i]
		}
	}
	if first == nil {
		return nil
	}
	return first.deepCopy()
}

// stage orders failures as the API server meets them, those of one stage by quota.
func (f *Failure) stage() FailureCause {
	if f.Cause == MustSpecify || f.Cause == StatusUnknown {
		return InvalidScope
	}
	return f.Cause
}

// sort sorts failures by the namespace and name of their quota, those without one first, and
// by cause.
func (f Failures) sort() {
	slices.SortStableFunc(f, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(a.Source.Namespace, b.Source.Namespace), cmp.Compare(a.Source.Name, b.Source.Name), cmp.Compare(a.Cause, b.Cause))
	})
}

// Failure is one reason why an object is not admitted. Which fields say more depends on
// the cause; the others are empty. A *Failure is an error with the message of the API
// server, which puts `pods "web" is forbidden: ` before it.
type Failure struct {
	Cause FailureCause `json:"cause"`

	// Source is the ResourceQuota that objects, and what of it: spec.hard for MustSpecify
	// and ExceededQuota (what counts is its copy in status.hard), spec.scopeSelector for
	// InvalidScope, and status for StatusUnknown. It is zero where no quota objects: for
	// NegativeUsage, UncoveredResources, UncoveredScopes, and the InvalidScope of a
	// configuration.
	Source computeresources.Source `json:"source,omitzero"`

	// Resources are those in question, sorted: the ones exceeded, not set, of unknown
	// status (all those of the quota that the object may use), negative, or uncovered.
	Resources []corev1.ResourceName `json:"resources,omitempty"`

	// Requested, Used and Limited are the amounts of Resources, for ExceededQuota.
	Requested corev1.ResourceList `json:"requested,omitempty"`
	Used      corev1.ResourceList `json:"used,omitempty"`
	Limited   corev1.ResourceList `json:"limited,omitempty"`

	// MissingRequired says which containers lack what, for MustSpecify.
	MissingRequired MissingResources `json:"missingRequired,omitempty"`

	// Scopes are those not covered, in the order of the configuration, for
	// UncoveredScopes.
	Scopes []corev1.ScopedResourceSelectorRequirement `json:"scopes,omitempty"`

	// Detail says what is wrong with the scope, for InvalidScope.
	Detail string `json:"detail,omitempty"`
}

// sourceOf returns a field of a quota as the source of a failure.
func sourceOf(quota *corev1.ResourceQuota, path string) computeresources.Source {
	return computeresources.Source{Kind: "ResourceQuota", Namespace: quota.Namespace, Name: quota.Name, Field: path}
}

// Error returns the message of the API server, word for word.
func (f *Failure) Error() string {
	switch f.Cause {
	case ExceededQuota:
		return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", f.Source.Name, resourcelist.String(f.Requested), resourcelist.String(f.Used), resourcelist.String(f.Limited))
	case MustSpecify:
		return fmt.Sprintf("failed quota: %s: %v", f.Source.Name, f.MissingRequired)
	case StatusUnknown:
		return fmt.Sprintf("status unknown for quota: %s, resources: %s", f.Source.Name, joined(f.Resources))
	case InvalidScope:
		if f.Source == (computeresources.Source{}) {
			return f.Detail
		}
		return fmt.Sprintf("error matching scopes of quota %s, err: %s", f.Source.Name, f.Detail)
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

// Field returns the failure as an error of the object at a path: Forbidden, with the message
// of the API server. That one names no field, since quotas look at the object and not at
// parts of it; path is what the caller knows the object by, such as spec.template of a
// workload. A nil path reads "<nil>", as in package field.
func (f *Failure) Field(path *field.Path) *field.Error { return field.Forbidden(path, f.Error()) }

// Shortfall returns how much more of each resource the quota would have to allow for the
// object to fit. It is empty for any other cause than ExceededQuota.
func (f *Failure) Shortfall() corev1.ResourceList {
	short := resourcelist.Subtract(resourcelist.Add(f.Requested, f.Used), f.Limited)
	return resourcelist.Mask(short, resourcelist.ResourceNames(f.Requested))
}

// deepCopy returns a copy that shares no memory with f.
func (f *Failure) deepCopy() *Failure {
	own := *f
	own.Resources = slices.Clone(f.Resources)
	own.Requested, own.Used, own.Limited = f.Requested.DeepCopy(), f.Used.DeepCopy(), f.Limited.DeepCopy()
	own.MissingRequired = slices.Clone(f.MissingRequired)
	for i := range own.MissingRequired {
		own.MissingRequired[i].Containers = slices.Clone(own.MissingRequired[i].Containers)
	}
	own.Scopes = slices.Clone(f.Scopes)
	for i := range own.Scopes {
		own.Scopes[i] = *own.Scopes[i].DeepCopy()
	}
	return &own
}

func joined(names []corev1.ResourceName) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, string(name))
	}
	return strings.Join(parts, ",")
}
