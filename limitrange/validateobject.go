package limitrange

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/objectmeta"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// ValidateObject returns why the API server rejects a LimitRange, with its paths and texts: invalid
// metadata, unknown or repeated types, invalid names of resources, and values of an item that
// contradict each other. The errors of labels and annotations are sorted by message, and those of items
// by item, then by field, then by resource. The result is nil if the object is valid, or nil.
//
// The server sets defaults of the items first (see WithDefaults), so an error may be about a value
// that the object does not contain. Negative amounts are valid. Conflicts with other LimitRanges
// are not errors of the object: see Conflicts.
//
// Source: ValidateLimitRange of k8s.io/kubernetes/pkg/apis/core/validation.
func ValidateObject(lr *corev1.LimitRange) field.ErrorList {
	if lr == nil {
		return nil
	}
	errs := objectmeta.Validate(&lr.ObjectMeta)
	seen := map[corev1.LimitType]bool{}
	for i := range lr.Spec.Limits {
		item, path := &lr.Spec.Limits[i], field.NewPath("spec", "limits").Index(i)
		errs = append(errs, validateType(item.Type, path.Child("type"))...)
		if seen[item.Type] {
			errs = append(errs, field.Duplicate(path.Child("type"), item.Type))
		}
		seen[item.Type] = true
		errs = append(errs, validateItem(item, path)...)
	}
	if len(errs) == 0 {
		return nil
	}
	return errs
}

func validateType(limitType corev1.LimitType, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	for _, message := range utilvalidation.IsQualifiedName(string(limitType)) {
		errs = append(errs, field.Invalid(path, limitType, message))
	}
	if len(errs) > 0 || strings.Contains(string(limitType), "/") {
		return errs
	}
	switch limitType {
	case corev1.LimitTypeContainer, corev1.LimitTypePod, corev1.LimitTypePersistentVolumeClaim:
		return nil
	}
	return field.ErrorList{field.Invalid(path, limitType, "must be a standard limit type or fully qualified")}
}

func validateItem(item *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	lists := []corev1.ResourceList{item.Max, item.Min, item.MaxLimitRequestRatio}
	validateNames := func(list corev1.ResourceList, path *field.Path) {
		for _, name := range quantity.Names(list) {
			errs = append(errs, validateName(item.Type, name, path.Key(string(name)))...)
		}
	}
	validateNames(item.Max, path.Child("max"))
	validateNames(item.Min, path.Child("min"))
	withDefaults := item.Type != corev1.LimitTypePod
	if withDefaults {
		validateNames(item.Default, path.Child("default"))
		validateNames(item.DefaultRequest, path.Child("defaultRequest"))
		lists = append(lists, item.Default, item.DefaultRequest)
	} else {
		errs = append(errs, forbidDefaults(item, path)...)
	}
	if item.Type == corev1.LimitTypePersistentVolumeClaim && quantity.Find(item.Min, corev1.ResourceStorage) == nil &&
		quantity.Find(item.Max, corev1.ResourceStorage) == nil {
		errs = append(errs, field.Required(path.Child("limits"),
			"either minimum or maximum storage value is required, but neither was provided"))
	}
	validateNames(item.MaxLimitRequestRatio, path.Child("maxLimitRequestRatio"))
	for _, name := range quantity.Names(lists...) {
		v := itemValues{name: name, path: path, min: quantity.Find(item.Min, name), max: quantity.Find(item.Max, name),
			ratio: quantity.Find(item.MaxLimitRequestRatio, name)}
		if withDefaults {
			v.limit, v.request = quantity.Find(item.Default, name), quantity.Find(item.DefaultRequest, name)
		}
		errs = append(errs, v.validateBounds()...)
		errs = append(errs, v.validateRatio()...)
		errs = append(errs, v.validateOvercommit()...)
	}
	return errs
}

func validateName(limitType corev1.LimitType, name corev1.ResourceName, path *field.Path) field.ErrorList {
	if limitType == corev1.LimitTypeContainer || limitType == corev1.LimitTypePod {
		return resourcename.ValidateOfContainer(name, path)
	}
	return resourcename.Validate(name, path)
}

func forbidDefaults(item *corev1.LimitRangeItem, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	if len(item.Default) > 0 {
		errs = append(errs, field.Forbidden(path.Child("default"), "may not be specified when `type` is 'Pod'"))
	}
	if len(item.DefaultRequest) > 0 {
		errs = append(errs, field.Forbidden(path.Child("defaultRequest"), "may not be specified when `type` is 'Pod'"))
	}
	return errs
}

// itemValues are copies of the values of one item for one resource; nil ones are not set. Limit and
// request are the defaults.
type itemValues struct {
	name                            corev1.ResourceName
	path                            *field.Path // of the item
	min, max, limit, request, ratio *resource.Quantity
}

// validateBounds finds values in the wrong order. Some errors show the other value of the
// two, as the server does.
func (v itemValues) validateBounds() field.ErrorList {
	var errs field.ErrorList
	check := func(lower, upper *resource.Quantity, list string, shown *resource.Quantity, format string) {
		if lower != nil && upper != nil && lower.Cmp(*upper) > 0 {
			errs = append(errs, v.invalid(list, shown, fmt.Sprintf(format, text(lower), text(upper))))
		}
	}
	check(v.min, v.max, "min", v.min, "min value %s is greater than max value %s")
	check(v.min, v.request, "defaultRequest", v.request, "min value %s is greater than default request value %s")
	check(v.request, v.max, "defaultRequest", v.request, "default request value %s is greater than max value %s")
	check(v.request, v.limit, "defaultRequest", v.request,
		"default request value %s is greater than default limit value %s")
	check(v.min, v.limit, "default", v.min, "min value %s is greater than default value %s")
	check(v.limit, v.max, "default", v.max, "default value %s is greater than max value %s")
	return errs
}

// invalid is an error at an entry of the item.
func (v itemValues) invalid(list string, shown *resource.Quantity, detail string) *field.Error {
	return field.Invalid(v.path.Child(list).Key(string(v.name)), shown.DeepCopy(), detail)
}

func (v itemValues) validateRatio() field.ErrorList {
	if v.ratio == nil {
		return nil
	}
	var errs field.ErrorList
	if v.ratio.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 {
		errs = append(errs, v.invalid("maxLimitRequestRatio", v.ratio, fmt.Sprintf("ratio %s is less than 1", text(v.ratio))))
	}
	if v.min == nil || v.max == nil {
		return errs
	}
	if ratio, widest := limitranger.Widest(*v.ratio, *v.min, *v.max); ratio > widest {
		errs = append(errs, v.invalid("maxLimitRequestRatio", v.ratio,
			fmt.Sprintf("ratio %s is greater than max/min = %f", text(v.ratio), widest)))
	}
	return errs
}

func (v itemValues) validateOvercommit() field.ErrorList {
	if resourcename.IsOvercommitAllowed(v.name) || v.limit == nil || v.request == nil || v.limit.Cmp(*v.request) == 0 {
		return nil
	}
	return field.ErrorList{v.invalid("defaultRequest", v.request,
		fmt.Sprintf("default value %s must equal to defaultRequest value %s in %s", text(v.limit), text(v.request), v.name))}
}
