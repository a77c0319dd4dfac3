package applied

import (
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// comparedElsewhere are the fields that LeavesOut does not compare: amounts, and ports of the host.
var comparedElsewhere = [...]string{"Resources", "HostPort"}

// LeavesOut reports whether a manifest of a pod spec, or of a part of it, omits something that is stored, other than what
// the API server sets by default. Both have the same type. Values that both have are not compared: see Covers.
func LeavesOut(stored, manifest reflect.Value) bool {
	switch stored.Kind() {
	case reflect.Pointer:
		isObject := stored.Type().Elem().Kind() == reflect.Struct
		switch {
		case stored.IsNil():
			return false
		case manifest.IsNil() && isObject: // an object without fields sets nothing
			return LeavesOut(stored.Elem(), reflect.Zero(stored.Type().Elem()))
		}
		return manifest.IsNil() || isObject && LeavesOut(stored.Elem(), manifest.Elem())
	case reflect.Slice:
		for i := range stored.Len() {
			if i >= manifest.Len() || LeavesOut(stored.Index(i), manifest.Index(i)) {
				return true
			}
		}
		return false
	case reflect.Map:
		for _, k := range stored.MapKeys() {
			if !manifest.MapIndex(k).IsValid() {
				return true
			}
		}
		return false
	}
	if amount, is := stored.Interface().(resource.Quantity); is {
		return !amount.IsZero() && manifest.IsZero() // the server writes 0 where none is set
	}
	if !hasFields(stored.Type()) {
		return !stored.IsZero() && manifest.IsZero()
	}
	for i := range stored.NumField() {
		field, own := stored.Type().Field(i), stored.Field(i)
		isSetAgain := !field.IsExported() || slices.Contains(comparedElsewhere[:], field.Name) ||
			manifest.Field(i).IsZero() && isDefault(manifest, field.Name, own)
		if !isSetAgain && LeavesOut(own, manifest.Field(i)) {
			return true
		}
	}
	return false
}
