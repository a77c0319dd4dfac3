package quota

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// FailureCause is the reason why an object is not admitted. The zero value is unspecified.
type FailureCause string

// The causes, in the order in which the API server checks them.
const (
	// InvalidScope: the quota, or the configuration, has an invalid scope selector.
	InvalidScope FailureCause = "InvalidScope"
	// MustSpecify: the quota limits cpu or memory, and some containers do not set it.
	MustSpecify FailureCause = "MustSpecify"
	// StatusUnknown: the status of the quota has a limit, and not how much of it is used. See also
	// Assessment.Unenforced.
	StatusUnknown FailureCause = "StatusUnknown"
	// NegativeUsage: the object requests a negative amount.
	NegativeUsage FailureCause = "NegativeUsage"
	// UncoveredResources: the object uses resources that are limited by default, and no quota
	// covers them.
	UncoveredResources FailureCause = "UncoveredResources"
	// UncoveredScopes: the object is within scopes that are limited by default, and no quota covers
	// them.
	UncoveredScopes FailureCause = "UncoveredScopes"
	// ExceededQuota: the quota has too little remaining.
	ExceededQuota FailureCause = "ExceededQuota"
)

// sortFailures sorts failures by the turn of their quota, its namespace and name, those without one first. Those of one
// quota are in the order of their causes before.
func sortFailures(failures []Failure) {
	slices.SortStableFunc(failures, func(a, b Failure) int {
		return cmp.Or(cmp.Compare(turn(a.Source.Kind), turn(b.Source.Kind)),
			cmp.Compare(a.Source.Namespace, b.Source.Namespace), cmp.Compare(a.Source.Name, b.Source.Name))
	})
}

// Failure is one reason why an object is not admitted. The cause determines which other fields are
// set. A *Failure is an error with the message of the API server, without its prefix `pods "web" is
// forbidden: `.
type Failure struct {
	Cause FailureCause `json:"cause"`

	// Source is the ResourceQuota and the field in it: spec.hard for MustSpecify and ExceededQuota
	// (its copy in status.hard counts), spec.scopeSelector for InvalidScope, and status for
	// StatusUnknown. Of a ClusterQuota, it has that kind, no namespace, and spec.quota or status.total in the field. It is
	// zero if the failure is not about a quota: for NegativeUsage, UncoveredResources, UncoveredScopes, and an
	// InvalidScope of the configuration.
	Source computeresources.Source `json:"source,omitzero"`

	// Resources are the affected resources, sorted: those that are exceeded, not set, of unknown
	// status (all resources of the quota that the object may use), negative, or not covered.
	Resources []corev1.ResourceName `json:"resources,omitempty"`

	// Requested, Used and Hard are the amounts of Resources, for ExceededQuota. The message calls Hard "limited".
	Requested corev1.ResourceList `json:"requested,omitempty"`
	Used      corev1.ResourceList `json:"used,omitempty"`
	Hard      corev1.ResourceList `json:"hard,omitempty"`

	// MissingRequired lists the containers that lack each resource, for MustSpecify; those of a GlobalResourceQuota in
	// the order of the spec, app containers first.
	MissingRequired []MissingResource `json:"missingRequired,omitempty"`

	// Scopes are the scopes that are not covered, in the order of the configuration, for
	// UncoveredScopes.
	Scopes []corev1.ScopedResourceSelectorRequirement `json:"scopes,omitempty"`

	// Detail is what is wrong with the scope, for InvalidScope.
	Detail string `json:"detail,omitempty"`
}

// SourceOf returns a quota, and a field of it such as spec.hard, as messages refer to them. One that presents a
// ClusterQuota has its kind, no namespace, and a field such as spec.quota.hard. It is zero for nil.
func SourceOf(quota *corev1.ResourceQuota, path string) computeresources.Source {
	if quota == nil {
		return computeresources.Source{}
	}
	if kind := clusterKind(quota.Kind); kind != "" {
		part, rest, _ := strings.Cut(path, ".")
		within := map[string]string{"spec": "spec.quota.", "status": "status.total."}[part]
		return computeresources.Source{Kind: quota.Kind, Name: quota.Name, Field: strings.TrimSuffix(within+rest, ".")}
	}
	return computeresources.Source{Kind: "ResourceQuota", Namespace: quota.Namespace, Name: quota.Name, Field: path}
}

// Error returns the message of the API server, word for word.
func (f *Failure) Error() string {
	if f == nil {
		return "<nil>"
	}
	if f.Source.Kind == string(GlobalResourceQuota) {
		return f.ofWebhook()
	}
	switch f.Cause {
	case ExceededQuota:
		return fmt.Sprintf("exceeded quota: %s, requested: %s, used: %s, limited: %s", f.Source.Name,
			resourcelist.String(f.Requested), resourcelist.String(f.Used), resourcelist.String(f.Hard))
	case MustSpecify:
		return fmt.Sprintf("failed quota: %s: %s", f.Source.Name, mustSpecify(f.MissingRequired))
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
	return string(f.Cause)
}

// ofWebhook returns the message of the webhook of Capsule.
//
// Source: reserveForGlobalResourceQuota and formatExceededResources of
// projectcapsule/capsule/internal/webhook/globalresourcequota.
func (f *Failure) ofWebhook() string {
	if f.Cause == ExceededQuota {
		var parts []string
		for _, name := range f.Resources {
			projected, over := f.Used[name].DeepCopy(), f.Requested[name]
			projected.Add(over)
			current := quantity.Minus(projected, over)
			over = quantity.Minus(projected, f.Hard[name])
			parts = append(parts, fmt.Sprintf("%s (requested=%s, current=%s, projected=%s, hard=%s, exceededBy=%s)", name,
				text(f.Requested[name]), text(current), text(projected), text(f.Hard[name]), text(over)))
		}
		return fmt.Sprintf("resource exceeds GlobalResourceQuota %q: %s", f.Source.Name, strings.Join(parts, "; "))
	}
	detail := f.Detail
	if f.Cause == MustSpecify {
		detail = mustSpecify(f.MissingRequired)
	}
	return fmt.Sprintf("resource cannot be evaluated against GlobalResourceQuota %q: %s", f.Source.Name, detail)
}

// text formats a copy of a quantity.
func text(q resource.Quantity) string { return quantity.Text(&q) }

// Field returns the failure as an error of the object at a path: Forbidden, with the message of the
// API server. The server's message has no field, because a quota applies to the whole object; path
// is the caller's path of the spec of the object, such as spec.template.spec of a workload. Nil means spec.
func (f *Failure) Field(path *field.Path) *field.Error {
	if f == nil {
		return nil
	}
	if path == nil {
		path = field.NewPath("spec")
	}
	return field.Forbidden(path, f.Error())
}

// Shortfall returns how much more of each resource the quota would have to allow for the object to
// fit. It is empty unless the cause is ExceededQuota.
func (f *Failure) Shortfall() corev1.ResourceList {
	if f == nil {
		return corev1.ResourceList{}
	}
	short := make(corev1.ResourceList, len(f.Requested))
	for name, needed := range f.Requested {
		needed = needed.DeepCopy()
		needed.Add(f.Used[name])
		short[name] = quantity.Minus(needed, f.Hard[name])
	}
	return short
}

// mustSpecify returns which containers lack what: "must specify limits.cpu for: app; memory for:
// app,proxy".
func mustSpecify(missing []MissingResource) string {
	var parts []string
	for _, m := range missing {
		parts = append(parts, fmt.Sprintf("%s for: %s", m.Resource, strings.Join(m.Containers, ",")))
	}
	return "must specify " + strings.Join(parts, "; ")
}

func joined(names []corev1.ResourceName) string {
	var parts []string
	for _, name := range names {
		parts = append(parts, string(name))
	}
	return strings.Join(parts, ",")
}
