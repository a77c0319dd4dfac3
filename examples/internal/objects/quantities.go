package objects

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/examples/internal/quantity"
)

var (
	quantityType = reflect.TypeFor[resource.Quantity]()

	// In these types, negative amounts are allowed: the API server rejects them in containers and in the limits of quotas,
	// and allows them in LimitRanges.
	signedTypes = []reflect.Type{
		reflect.TypeFor[corev1.ResourceRequirements](), reflect.TypeFor[corev1.LimitRangeItem](),
		reflect.TypeFor[corev1.ResourceQuotaSpec](), reflect.TypeFor[corev1.ResourceQuotaStatus](),
	}
)

// quantitiesOf returns the errors in the quantities of a tree that will be decoded into a type. What does not match the type
// is left to the decoder.
func quantitiesOf(path *field.Path, typ reflect.Type, tree any, signed bool) (faults []Fault) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	object, _ := tree.(map[string]any)
	list, _ := tree.([]any)
	switch {
	case typ == quantityType:
		if err := checkQuantity(tree, signed); err != nil {
			faults = append(faults, Fault{Field: path.String(), Text: err.Error()})
		}
	case typ.Kind() == reflect.Struct:
		signed = signed || slices.Contains(signedTypes, typ)
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" && f.Anonymous {
				faults = append(faults, quantitiesOf(path, f.Type, tree, signed)...)
				continue
			}
			name = cmp.Or(name, strings.ToLower(f.Name[:1])+f.Name[1:])
			if value, found := object[name]; found {
				faults = append(faults, quantitiesOf(path.Child(name), f.Type, value, signed)...)
			}
		}
	case typ.Kind() == reflect.Map:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			faults = append(faults, quantitiesOf(path.Key(key), typ.Elem(), object[key], signed)...)
		}
	case typ.Kind() == reflect.Slice:
		for i, item := range list {
			faults = append(faults, quantitiesOf(path.Index(i), typ.Elem(), item, signed)...)
		}
	}
	return faults
}

// checkQuantity returns what is wrong with a quantity; null is zero.
func checkQuantity(value any, signed bool) error {
	switch value.(type) {
	case nil:
		return nil
	case map[string]any:
		return errors.New("want a quantity such as 500m or 2Gi, not a mapping")
	case []any:
		return errors.New("want a quantity such as 500m or 2Gi, not a list")
	case bool:
		return fmt.Errorf("want a quantity such as 500m or 2Gi, not %t", value)
	}
	text := fmt.Sprint(value) // of a string, or of a number of JSON
	q, err := quantity.Parse(text)
	if err == nil && q.Sign() < 0 && !signed {
		err = fmt.Errorf("%s is negative", text)
	}
	return err
}
