// Package quantity reads and writes quantities exactly, in bounded time.
package quantity

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

const (
	maxQuantityText = 100 // bytes: more digits than any amount has
	maxExponent     = 40
)

var (
	decimalExponent = regexp.MustCompile(`[eE]([+-]?[0-9]+)$`)
	maxQuantity     = resource.MustParse("1e36")
	minQuantity     = resource.MustParse("-1e36")
	beyondSuffixes  = resource.MustParse("1e21")
	belowSuffixes   = resource.MustParse("-1e21")

	errBeyond = errors.New("out of range")
)

// Parse parses a quantity from -10^36 to 10^36. The time does not depend on its value.
func Parse(text string) (resource.Quantity, error) {
	text = strings.TrimSpace(text)
	if len(text) > maxQuantityText {
		return resource.Quantity{}, fmt.Errorf("%q... is %w", text[:20], errBeyond)
	}
	if match := decimalExponent.FindStringSubmatch(text); match != nil {
		exponent, err := strconv.Atoi(match[1])
		if err != nil || exponent > maxExponent || exponent < -maxExponent {
			return resource.Quantity{}, fmt.Errorf("%q is %w", text, errBeyond)
		}
	}
	q, err := resource.ParseQuantity(text)
	if err != nil {
		return resource.Quantity{}, fmt.Errorf("%q is not a quantity such as 500m or 2Gi", text)
	}
	if q.Cmp(maxQuantity) > 0 || q.Cmp(minQuantity) < 0 {
		return resource.Quantity{}, fmt.Errorf("%q is %w", text, errBeyond)
	}
	return q, nil
}

// OfNode parses an amount that a node may have: more than zero, and up to 2^53, of which its milli-units are an int64.
func OfNode(text string) (*resource.Quantity, error) {
	q, err := Parse(text)
	switch {
	case err != nil:
		return nil, err
	case q.Sign() <= 0:
		return nil, errors.New("must be positive")
	case q.CmpInt64(1<<53) > 0:
		return nil, errors.New("too large for a node")
	}
	return &q, nil
}

// Canonical returns the canonical form of a quantity. String may return the text that was parsed, such
// as 1.500.
func Canonical(q resource.Quantity) string {
	q = q.DeepCopy()
	// The first comparison of each is quick, and seldom true.
	if q.CmpInt64(math.MaxInt64) > 0 && q.Cmp(beyondSuffixes) >= 0 || q.CmpInt64(math.MinInt64) < 0 && q.Cmp(belowSuffixes) <= 0 {
		q.Format = resource.DecimalExponent // otherwise the zeros would be lost, because there is no suffix
	}
	number, suffix := q.CanonicalizeBytes(nil)
	return string(number) + string(suffix)
}

// CanonicalOr returns the canonical form of a quantity, or what stands for none.
func CanonicalOr(q *resource.Quantity, none string) string {
	if q == nil {
		return none
	}
	return Canonical(*q)
}

// ShortLike returns a quantity for people in the units of another.
func ShortLike(q, like resource.Quantity) string {
	q.Format = like.Format
	return resourcelist.Short(q)
}

// steps are what people round amounts of up to so much to: milli-units of cpu, and bytes.
var (
	cpuSteps    = [][2]int64{{20, 1}, {100, 5}, {500, 10}, {5000, 50}, {10_000, 100}, {math.MaxInt64, 500}}
	memorySteps = [][2]int64{{1 << 20, 1}, {64 << 20, 1 << 20}, {256 << 20, 16 << 20}, {2 << 30, 64 << 20}, {8 << 30, 128 << 20},
		{32 << 30, 512 << 20}, {math.MaxInt64, 1 << 30}}
)

// Round returns an amount of cpu, memory or storage as people write it, such as 850m or 384Mi, up or down. It is above zero if the amount is.
// Other amounts remain as they are, and so do those that do not fit an int64.
func Round(name corev1.ResourceName, q resource.Quantity, up bool) resource.Quantity {
	unit, steps := resource.Milli, cpuSteps
	switch strings.TrimPrefix(strings.TrimPrefix(string(name), "requests."), "limits.") {
	case "cpu":
	case "memory", "ephemeral-storage", "storage":
		unit, steps = 0, memorySteps
	default:
		return q
	}
	n := q.ScaledValue(unit)
	if n <= 0 || n > math.MaxInt64/2 {
		return q
	}
	i := slices.IndexFunc(steps, func(s [2]int64) bool { return n < s[0] })
	rounded := n - n%steps[i][1]
	if up && rounded < n {
		rounded += steps[i][1]
	}
	if unit == 0 {
		return *resource.NewQuantity(rounded, resource.BinarySI)
	}
	return *resource.NewMilliQuantity(rounded, resource.DecimalSI)
}

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
			name := nameOf(f)
			if name == "" {
				errs = append(errs, errorsIn(path, f.Type, tree, signed)...)
				continue
			}
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

// nameOf returns the name of a field in manifests, "" if its fields are those of the object.
func nameOf(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	if name != "" || f.Anonymous {
		return name
	}
	return strings.ToLower(f.Name[:1]) + f.Name[1:]
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

// Some amounts are valid but probably mistakes: 512m of memory is half a byte, and 4Gi of cpu are four
// billion CPUs.

const (
	manyCPUs  = 1 << 20 // more than a node has, and a namespace gets
	leastByte = 1 << 10 // of memory: less holds no process
)

// Doubts returns the amounts of an object that are probably mistakes.
func Doubts(typed any) (doubts field.ErrorList) {
	amounts(nil, reflect.ValueOf(typed), func(path *field.Path, name corev1.ResourceName, q resource.Quantity) {
		if why := doubt(name, q); why != "" {
			doubts = append(doubts, field.Invalid(path, nil, Canonical(q)+" "+why))
		}
	})
	return doubts
}

// doubt returns why an amount is probably a mistake, or "".
func doubt(name corev1.ResourceName, q resource.Quantity) string {
	whole := q.DeepCopy()
	base := strings.TrimPrefix(strings.TrimPrefix(string(name), "requests."), "limits.")
	switch {
	case base == "cpu" && (q.Format == resource.BinarySI && !q.IsZero() || q.CmpInt64(manyCPUs) >= 0):
		return "is a number of CPUs: suffixes such as Gi are for memory"
	case base != "memory" && base != "storage" && base != "ephemeral-storage" && !strings.HasPrefix(base, corev1.ResourceHugePagesPrefix):
		return ""
	case !whole.RoundUp(0):
		return "is a fraction of a byte: the suffix m means milli, M means mega, Mi means mebi"
	case base == "memory" && q.Sign() > 0 && q.CmpInt64(leastByte) < 0:
		return "is a number of bytes: is a suffix such as Mi missing?"
	default:
		return ""
	}
}

// amounts calls visit for each amount of a ResourceList in a value. Ratios are not amounts, and users do not write a status.
func amounts(path *field.Path, v reflect.Value, visit func(*field.Path, corev1.ResourceName, resource.Quantity)) {
	switch v.Kind() {
	case reflect.Pointer:
		amounts(path, v.Elem(), visit)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Field(i).Kind() == reflect.String || v.Field(i).IsZero() { // as most are: they need no path
				continue
			}
			f, at := v.Type().Field(i), path
			if name := nameOf(f); name != "" {
				at = path.Child(name)
			}
			if f.IsExported() && f.Name != "MaxLimitRequestRatio" && f.Name != "Status" {
				amounts(at, v.Field(i), visit)
			}
		}
	case reflect.Slice:
		for i := 0; i < v.Len() && v.Type().Elem().Kind() != reflect.Uint8; i++ {
			amounts(path.Index(i), v.Index(i), visit)
		}
	case reflect.Map:
		list, _ := v.Interface().(corev1.ResourceList)
		for _, name := range slices.Sorted(maps.Keys(list)) {
			visit(path.Key(string(name)), name, list[name])
		}
	}
}
