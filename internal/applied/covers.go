package applied

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
)

// Covers reports whether a stored value has all that a manifest sets. The API server has added defaults to what it
// stores. Both have the same type.
func Covers(stored, manifest reflect.Value) bool {
	switch manifest.Kind() {
	case reflect.Pointer, reflect.Interface:
		if manifest.IsNil() {
			return true
		}
		return !stored.IsNil() && stored.Elem().Type() == manifest.Elem().Type() && Covers(stored.Elem(), manifest.Elem())
	case reflect.Struct:
		return coversStruct(stored, manifest)
	case reflect.Slice:
		if manifest.Len() > 0 && stored.Len() != manifest.Len() {
			return false
		}
		for i := range manifest.Len() {
			if !Covers(stored.Index(i), manifest.Index(i)) {
				return false
			}
		}
		return true
	case reflect.Map:
		for _, k := range manifest.MapKeys() {
			if own := stored.MapIndex(k); !own.IsValid() || !Covers(own, manifest.MapIndex(k)) {
				return false
			}
		}
		return true
	}
	return stored.Equal(manifest)
}

func coversStruct(stored, manifest reflect.Value) bool {
	switch value := manifest.Interface().(type) {
	case resource.Quantity:
		own := stored.Interface().(resource.Quantity)
		return own.Cmp(value) == 0
	case metav1.Time:
		own := stored.Interface().(metav1.Time)
		return own.Equal(&value)
	case metav1.MicroTime:
		own := stored.Interface().(metav1.MicroTime)
		return own.Equal(&value)
	case intstr.IntOrString: // of which zero is not missing
		return stored.Interface() == manifest.Interface()
	}
	for i := range manifest.NumField() {
		field := manifest.Type().Field(i)
		if field.IsExported() && !manifest.Field(i).IsZero() && !Covers(stored.Field(i), manifest.Field(i)) {
			return false
		}
	}
	return true
}

// hasFields reports whether values of a type are merged field by field: it is no amount, time or other single value.
func hasFields(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[resource.Quantity](), reflect.TypeFor[metav1.Time](), reflect.TypeFor[metav1.MicroTime](),
		reflect.TypeFor[intstr.IntOrString]():
		return false
	}
	return t.Kind() == reflect.Struct
}
