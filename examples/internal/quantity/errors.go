package quantity

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
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

// Errors returns the errors in the quantities of a tree of JSON that will be decoded into a type. What does not match the type
// is left to the decoder. Numbers are json.Number.
func Errors(typ reflect.Type, tree any) field.ErrorList { return errorsIn(nil, typ, tree, false) }

func errorsIn(path *field.Path, typ reflect.Type, tree any, signed bool) (errs field.ErrorList) {
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	object, _ := tree.(map[string]any)
	list, _ := tree.([]any)
	switch {
	case typ == quantityType:
		if err := checkQuantity(tree, signed); err != nil {
			errs = append(errs, field.Invalid(path, tree, err.Error()))
		}
	case typ.Kind() == reflect.Struct:
		signed = signed || slices.Contains(signedTypes, typ)
		for i := range typ.NumField() {
			f := typ.Field(i)
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			if name == "" && f.Anonymous {
				errs = append(errs, errorsIn(path, f.Type, tree, signed)...)
				continue
			}
			name = cmp.Or(name, strings.ToLower(f.Name[:1])+f.Name[1:])
			if value, found := object[name]; found {
				errs = append(errs, errorsIn(path.Child(name), f.Type, value, signed)...)
			}
		}
	case typ.Kind() == reflect.Map:
		for _, key := range slices.Sorted(maps.Keys(object)) {
			errs = append(errs, errorsIn(path.Key(key), typ.Elem(), object[key], signed)...)
		}
	case typ.Kind() == reflect.Slice:
		for i, item := range list {
			errs = append(errs, errorsIn(path.Index(i), typ.Elem(), item, signed)...)
		}
	}
	return errs
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
	q, err := Parse(text)
	if err == nil && q.Sign() < 0 && !signed {
		err = fmt.Errorf("%s is negative", text)
	}
	return err
}

// suspect matches a negative amount, or one that takes long to parse: with many digits, or with an exponent of more than one.
var suspect = regexp.MustCompile(`^[":,\[\s+](?:-[0-9]|[0-9.]{31}|[0-9.]+[eE][+-]?[0-9]{2,}(?:["},\]\s]|$))`)

// Suspicious reports whether an object of JSON may have such an amount.
func Suspicious(raw []byte) bool {
	digits := 0 // where they begin
	for i, c := range raw {
		if c >= '0' && c <= '9' || c == '.' {
			continue
		}
		if (c == '-' || c|0x20 == 'e' || i > digits+30) && digits > 0 && strings.IndexByte("\":,[ \t\r\n+", raw[digits-1]) >= 0 && suspect.Match(raw[digits-1:min(i+50, len(raw))]) {
			return true
		}
		digits = i + 1
	}
	return false
}
