package admit

import (
	"fmt"
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

// InvalidObject is the error for a LimitRange or ResourceQuota that the API server would not store,
// or that is in another namespace than the others, and for a configuration that the API server
// would not accept.
type InvalidObject struct {
	// Source is the object and its invalid field. Its Kind is "ResourceQuotaConfiguration" for
	// Options.Limited.
	Source computeresources.Source
	// Value is the value of the field.
	Value string
	// Detail says what is wrong: the message of the API server, if it validates the field.
	Detail string
}

// Error returns object, field and value: `LimitRange shop/bounds: spec.limits[0].min[cpu]: "2": min
// value 2 is greater than max value 1`.
func (e *InvalidObject) Error() string {
	return fmt.Sprintf("%v: %s: %q: %s", e.Source, e.Source.Field, e.Value, e.Detail)
}

// validate returns what is wrong with the objects of a namespace. Their namespace may be empty. Other
// metadata is not validated.
func validate(name string, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, limited []quota.LimitedResource) error {
	var found []*InvalidObject
	for _, lr := range ranges {
		source := computeresources.Source{Kind: "LimitRange", Namespace: lr.Namespace, Name: lr.Name}
		found = appendInvalid(appendForeign(found, name, source), source, limitrange.ValidateObject(lr))
	}
	for _, q := range quotas {
		source := computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name}
		found = appendInvalid(appendForeign(found, name, source), source, quota.ValidateObject(nil, q))
	}
	for i := range limited {
		path := field.NewPath("limitedResources").Index(i).Child("matchScopes")
		found = appendInvalid(found, computeresources.Source{Kind: "ResourceQuotaConfiguration"}, validateSelectors(limited[i].MatchScopes, path))
	}
	return aggregate.Of(found)
}

func appendInvalid(found []*InvalidObject, source computeresources.Source, errs field.ErrorList) []*InvalidObject {
	for _, err := range errs {
		if strings.HasPrefix(err.Field, "metadata") {
			continue
		}
		of := source
		of.Field = err.Field
		found = append(found, &InvalidObject{Source: of, Value: valueText(err.BadValue), Detail: err.Detail})
	}
	return found
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
	pod, claim := quota.Pod(&corev1.Pod{}, time.Time{}, quota.PodOptions{}), quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	for i, scope := range scopes {
		for _, object := range []quota.Object{pod, claim} {
			if _, err := object.InScope(scope); err != nil {
				errs = append(errs, field.Invalid(path.Index(i), fmt.Sprintf("%s %s %v", scope.ScopeName, scope.Operator, scope.Values), err.Error()))
				break // both have the same meaning
			}
		}
	}
	return errs
}
