// Package quantity reads and writes quantities exactly, in bounded time.
package quantity

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
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

// Short returns a quantity for people: exact with up to four digits, and otherwise rounded, in the
// largest unit that does not exceed it: 1.2Ti for 1280450Mi.
func Short(q resource.Quantity) string {
	exact := Canonical(q)
	digits := strings.TrimLeft(strings.TrimPrefix(exact, "-"), "0123456789")
	n := len(strings.TrimPrefix(exact, "-")) - len(digits)
	if n <= 4 || strings.HasPrefix(digits, "e") {
		return exact
	}
	base, units := 1000.0, []string{"", "k", "M", "G", "T", "P", "E"}
	if q.Format == resource.BinarySI {
		base, units = 1024, []string{"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"}
	}
	v, unit := q.AsApproximateFloat64(), 0
	for ; math.Abs(v) >= base-0.5 && unit+1 < len(units); unit++ {
		v /= base
	}
	if unit == 0 && math.Abs(v) < 1 {
		return exact // such as nano-units
	}
	decimals := 0
	if math.Abs(v) < 99.95 {
		decimals = 1
	}
	return strings.TrimSuffix(strconv.FormatFloat(v, 'f', decimals, 64), ".0") + units[unit]
}

// ShortLike returns a quantity for people in the units of another.
func ShortLike(q, like resource.Quantity) string {
	q.Format = like.Format
	return Short(q)
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
