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

// InvalidObject is returned for a LimitRange or ResourceQuota that the API server would not
// store, or that is of another namespace than others; or for a configuration that it would not start
// with.
type InvalidObject struct {
	// Source is the object, with the field that is invalid. Its Kind is
	// "ResourceQuotaConfiguration" for what is limited by default.
	Source computeresources.Source
	// Value is what the field is set to.
	Value string
	// Detail says what is wrong, in the words of the API server where it is the server that objects.
	Detail string
}

// Error names object, field and value: `LimitRange shop/bounds: spec.limits[0].min[cpu]: "2": min
// value 2 is greater than max value 1`.
func (e *InvalidObject) Error() string {
	return fmt.Sprintf("%v: %s: %q: %s", e.Source, e.Source.Field, e.Value, e.Detail)
}

// validate returns what is wrong with the objects of a namespace, which may leave its name out.
// Other metadata is not looked at.
func validate(name string, ranges []*corev1.LimitRange, quotas []*corev1.ResourceQuota, limited []quota.LimitedResource) error {
	var found []*InvalidObject
	for _, lr := range ranges {
		source := computeresources.Source{Kind: "LimitRange", Namespace: lr.Namespace, Name: lr.Name}
		found = appendInvalid(appendForeign(found, name, source), source, limitrange.ValidateObject(lr))
	}
	for _, q := range quotas {
		source := computeresources.Source{Kind: "ResourceQuota", Namespace: q.Namespace, Name: q.Name}
		found = appendInvalid(appendForeign(found, name, source), source, quota.ValidateObject(q))
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

// valueText returns what a field is set to, such as 100m of a quantity.
func valueText(value any) string {
	if q, ok := value.(resource.Quantity); ok {
		return quantity.Text(&q)
	}
	return fmt.Sprint(value)
}

// validateSelectors returns the scopes whose operator and values make no selector.
func validateSelectors(scopes []corev1.ScopedResourceSelectorRequirement, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	pod, claim := quota.Pod(&corev1.Pod{}, time.Time{}, quota.PodOptions{}), quota.PersistentVolumeClaim(&corev1.PersistentVolumeClaim{})
	for i, scope := range scopes {
		for _, object := range []quota.Object{pod, claim} {
			if _, err := object.InScope(scope); err != nil {
				errs = append(errs, field.Invalid(path.Index(i), fmt.Sprintf("%s %s %v", scope.ScopeName, scope.Operator, scope.Values), err.Error()))
				break // both say the same
			}
		}
	}
	return errs
}
