package admit

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/aggregate"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/quota"
)

// validate returns an error for each field that the API server would not accept in the objects of a
// namespace and in the configuration, and for each unknown value of the options, as one. Their namespace may be empty.
// Other metadata is not validated.
func validate(name string, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, opts *Options) error {
	var found []error
	for _, lr := range ranges {
		source := computeresources.Source{Kind: "LimitRange", Namespace: lr.Namespace, Name: lr.Name}
		found = appendForeign(found, name, source)
		found = appendInvalid(found, source, limitrange.ValidateObject(lr))
	}
	for _, q := range quotas {
		source := quota.SourceOf(q, "")
		found = appendForeign(found, name, computeresources.Source{Kind: source.Kind, Namespace: q.Namespace, Name: q.Name})
		found = appendInvalid(found, source, quota.ValidateObject(nil, q, opts.Kubernetes))
	}
	for i := range opts.Limited {
		path := field.NewPath("limitedResources").Index(i).Child("matchScopes")
		found = appendInvalid(found, computeresources.Source{Kind: "ResourceQuotaConfiguration"},
			validateSelectors(opts.Limited[i].MatchScopes, path))
	}
	kinds := []string{priorityClass, runtimeClass, storageClass}
	for i, kind := range opts.Incomplete {
		if !slices.Contains(kinds, kind) {
			found = append(found, invalid(computeresources.Source{Kind: "Options"},
				field.NotSupported(field.NewPath("incomplete").Index(i), kind, kinds)))
		}
	}
	return aggregate.Of(found)
}

// appendForeign adds an error for an object that names another namespace than the others.
func appendForeign(found []error, name string, source computeresources.Source) []error {
	if source.Namespace == "" || source.Namespace == name {
		return found
	}
	return append(found, invalid(source, field.Invalid(field.NewPath("metadata", "namespace"), source.Namespace,
		"other objects are of namespace "+name)))
}

func appendInvalid(found []error, source computeresources.Source, errs field.ErrorList) []error {
	for _, err := range errs {
		if !strings.HasPrefix(err.Field, "metadata") {
			found = append(found, invalid(source, err))
		}
	}
	return found
}

// invalid returns an error with the object, the field and its value.
func invalid(source computeresources.Source, err *field.Error) error {
	source.Field = err.Field
	return fmt.Errorf("%v: %s: %q: %s", source, err.Field, valueText(err.BadValue), err.Detail)
}

// valueText returns the value of a field as text, such as 100m for a quantity.
func valueText(value any) string {
	if q, ok := value.(resource.Quantity); ok {
		return quantity.Text(&q)
	}
	return fmt.Sprint(value)
}

// validateSelectors returns the scopes whose operator and values are not a valid selector.
func validateSelectors(scopes []corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	pod, claim := quota.Pod(&corev1.Pod{}, time.Time{}, quota.PodOptions{}),
		quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	for i, scope := range scopes {
		for _, object := range []quota.Object{pod, claim} {
			if _, err := object.MatchingScopes(scopes[i : i+1]); err != nil {
				errs = append(errs, field.Invalid(path.Index(i),
					fmt.Sprintf("%s %s %v", scope.ScopeName, scope.Operator, scope.Values), errors.Unwrap(err).Error()))
				break // both have the same meaning
			}
		}
	}
	return errs
}
