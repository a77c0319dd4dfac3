package resourcelist

import (
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/resourcename"
)

// Integer returns an amount of a resource as an integer: milli-units of cpu, requests.cpu and
// limits.cpu, and whole units of anything else, such as bytes. A fraction of a unit is rounded
// up, below zero away from zero, as Value and MilliValue of a Quantity do. Unlike these, it
// never wraps around: what does not fit is math.MaxInt64 or math.MinInt64.
func Integer(name corev1.ResourceName, q resource.Quantity) int64 {
	return Value(q, quantity.ScaleOf(name))
}

// Value returns a quantity in units of 10^scale: whole ones for 0, milli-units for resource.Milli. A
// fraction of a unit is rounded up, below zero away from zero, and what does not fit is
// math.MaxInt64 or math.MinInt64. Quantity.Value, MilliValue and ScaledValue wrap around, and are
// methods of a pointer.
//
// Cost: it allocates only for amounts that need arbitrary precision, and for most of those in other
// units than these two.
func Value(q resource.Quantity, scale resource.Scale) int64 {
	if scale == 0 || scale == resource.Milli {
		if n, small := quantity.Small(&q, scale); small {
			return n
		}
	}
	return quantity.Integer(q, scale)
}

// Float returns the float64 that is nearest to a quantity; one beyond those is an infinity.
//
// Quantity.AsApproximateFloat64 may be off by a few units in the last place, and AsFloat64Slow writes
// to its receiver.
//
// Cost: as that of Fraction.
func Float(q resource.Quantity) float64 {
	f, _ := Fraction(q, *resource.NewQuantity(1, resource.DecimalSI))
	return f
}

// AddSaturated returns a + b, or math.MaxInt64 or math.MinInt64 if the sum does not fit.
func AddSaturated(a, b int64) int64 { return quantity.AddSaturated(a, b) }

// SubSaturated returns a - b, or math.MaxInt64 or math.MinInt64 if the difference does not fit.
func SubSaturated(a, b int64) int64 { return quantity.SubSaturated(a, b) }

// MulSaturated returns a · b, or math.MaxInt64 or math.MinInt64 if the product does not fit.
func MulSaturated(a, b int64) int64 {
	product := a * b
	switch {
	case a == 0 || product/a == b && !(a == -1 && b == math.MinInt64): // the smallest int64 is its own negation
		return product
	case (a < 0) == (b < 0): // saturate
		return math.MaxInt64
	default: // saturate
		return math.MinInt64
	}
}

// Quantity returns the amount of a resource from an integer in the units of Integer. Its format is
// resource.DecimalSI, except for memory, ephemeral-storage, storage and hugepages, and for the
// quotas on them. Their format is resource.BinarySI, unless the number before the suffix is smaller
// in resource.DecimalSI: 1Gi and 1000Ki, but 1M, 100k and 1T.
func Quantity(name corev1.ResourceName, n int64) resource.Quantity {
	q := *resource.NewScaledQuantity(n, quantity.ScaleOf(name))
	if isBytes(name) && !isShorterInDecimal(n) {
		q.Format = resource.BinarySI
	}
	return q
}

// isShorterInDecimal reports whether the number before the suffix of resource.DecimalSI is smaller
// than that before the suffix of resource.BinarySI, which has none below 1024 and is then formatted
// as resource.DecimalSI.
func isShorterInDecimal(n int64) bool {
	if -1024 < n && n < 1024 {
		return false
	}
	decimal, binary := n, n
	for decimal%1000 == 0 {
		decimal /= 1000
	}
	for binary%1024 == 0 {
		binary /= 1024
	}
	return n > 0 && decimal < binary || n < 0 && decimal > binary
}

// Integers returns every amount of a list as Integer does. A nil list has no amounts; the
// result is never nil.
func Integers(list corev1.ResourceList) map[corev1.ResourceName]int64 {
	integers := make(map[corev1.ResourceName]int64, len(list))
	for name, q := range list {
		integers[name] = Integer(name, q)
	}
	return integers
}

// OfIntegers returns the list of the Quantity of each integer. It is the inverse of Integers. A nil
// map is an empty list.
func OfIntegers(integers map[corev1.ResourceName]int64) corev1.ResourceList {
	list := make(corev1.ResourceList, len(integers))
	for name, n := range integers {
		list[name] = Quantity(name, n)
	}
	return list
}

// isBytes reports whether a resource, or the quota on one, is counted in bytes.
func isBytes(name corev1.ResourceName) bool {
	if class, isStorageClass := strings.CutSuffix(string(name), storageOfClass); isStorageClass {
		return class != ""
	}
	counted, isRequest := strings.CutPrefix(string(name), corev1.DefaultResourceRequestsPrefix)
	if !isRequest {
		counted = strings.TrimPrefix(counted, resourcename.LimitsPrefix)
	}
	switch name := corev1.ResourceName(counted); name {
	case corev1.ResourceMemory, corev1.ResourceEphemeralStorage, corev1.ResourceStorage:
		return true
	default:
		return IsHugePages(name)
	}
}

// storageOfClass follows the name of a storage class in that of the quota on its storage.
const storageOfClass = ".storageclass.storage.k8s.io/requests.storage"
