package quantity

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Some amounts are valid but probably mistakes: 512m of memory is half a byte, and 4Gi of cpu are four
// billion CPUs.

const (
	manyCPUs  = 1 << 20 // more than a node has, and a namespace gets
	leastByte = 1 << 10 // of memory: less holds no process
)

// Doubt is an amount that is probably a mistake.
type Doubt struct{ Path, Text string }

// Doubts returns the amounts of an object that are probably mistakes.
func Doubts(typed any) (doubts []Doubt) {
	amounts(nil, reflect.ValueOf(typed), func(path *field.Path, name corev1.ResourceName, q resource.Quantity) {
		if why := doubt(name, q); why != "" {
			doubts = append(doubts, Doubt{path.String(), Canonical(q) + " " + why})
		}
	})
	return doubts
}

// doubt returns why an amount is probably a mistake, or "".
func doubt(name corev1.ResourceName, q resource.Quantity) string {
	base := strings.TrimPrefix(strings.TrimPrefix(string(name), "requests."), "limits.")
	switch {
	case base == "cpu" && (q.Format == resource.BinarySI && !q.IsZero() || q.CmpInt64(manyCPUs) >= 0):
		return "is a number of CPUs: suffixes such as Gi are for memory"
	case base != "memory" && base != "storage" && base != "ephemeral-storage" && !strings.HasPrefix(base, corev1.ResourceHugePagesPrefix):
		return ""
	case !isWhole(q):
		return "is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"
	case base == "memory" && q.Sign() > 0 && q.CmpInt64(leastByte) < 0:
		return "is a number of bytes: is a suffix such as Mi missing?"
	default:
		return ""
	}
}

func isWhole(q resource.Quantity) bool {
	whole := q.DeepCopy()
	return whole.RoundUp(0)
}

var listType = reflect.TypeFor[corev1.ResourceList]()

// amounts calls visit for each amount of a ResourceList in a value.
func amounts(path *field.Path, v reflect.Value, visit func(*field.Path, corev1.ResourceName, resource.Quantity)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			amounts(path, v.Elem(), visit)
		}
	case reflect.Struct:
		for _, f := range amountFields(v.Type()) {
			amounts(path.Child(f.name), v.Field(f.index), visit)
		}
	case reflect.Slice:
		for i := range v.Len() {
			amounts(path.Index(i), v.Index(i), visit)
		}
	case reflect.Map:
		list := v.Interface().(corev1.ResourceList)
		for _, name := range slices.Sorted(maps.Keys(list)) {
			visit(path.Key(string(name)), name, list[name])
		}
	}
}

// amountField is a field of a struct that may contain a ResourceList.
type amountField struct {
	index int
	name  string
}

var known sync.Map // the amountFields of types

// amountFields returns the fields of a struct that may contain a ResourceList. Ratios are not amounts,
// and users do not write a status.
func amountFields(typ reflect.Type) []amountField {
	if fields, found := known.Load(typ); found {
		return fields.([]amountField)
	}
	var fields []amountField
	for i := range typ.NumField() {
		if f := typ.Field(i); f.IsExported() && f.Name != "MaxLimitRequestRatio" && f.Name != "Status" && hasAmounts(f.Type, nil) {
			name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			fields = append(fields, amountField{i, name})
		}
	}
	known.Store(typ, fields)
	return fields
}

// hasAmounts reports whether a value of a type, which is part of others, may contain a ResourceList.
func hasAmounts(typ reflect.Type, within []reflect.Type) bool {
	if typ == listType {
		return true
	}
	if slices.Contains(within, typ) {
		return false
	}
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice:
		return hasAmounts(typ.Elem(), within)
	case reflect.Struct:
		for i := range typ.NumField() {
			f := typ.Field(i)
			if f.IsExported() && hasAmounts(f.Type, append(within, typ)) {
				return true
			}
		}
	}
	return false
}
