package testkit

import (
	"fmt"
	"math"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
)

// Quantity draws quantities from the whole range: ordinary ones as in manifests, zero, negative, from
// nano to exa, finer than nano, beyond int64, backed by a decimal or by an integer, with and without a
// cached string.
func Quantity() *rapid.Generator[resource.Quantity] {
	return rapid.Custom(func(t *rapid.T) resource.Quantity {
		if rapid.IntRange(0, 3).Draw(t, "nasty") > 0 {
			return Ordinary().Draw(t, "ordinary")
		}
		return nasty().Draw(t, "nasty quantity")
	})
}

// Positive draws quantities above zero, from the whole range.
func Positive() *rapid.Generator[resource.Quantity] {
	return Quantity().Filter(func(q resource.Quantity) bool { return q.Sign() > 0 })
}

// Ordinary draws quantities as people write them into manifests, zero included.
func Ordinary() *rapid.Generator[resource.Quantity] {
	suffixes := []string{"", "m", "k", "M", "G", "Ki", "Mi", "Gi", "Gi"}
	return rapid.Custom(func(t *rapid.T) resource.Quantity {
		number := fmt.Sprint(rapid.SampledFrom([]int{0, 1, 1, 2, 3, 10, 64, 100, 128, 250, 333, 500, 1000, 1024, 1500}).Draw(t, "number"))
		suffix := rapid.SampledFrom(suffixes).Draw(t, "suffix")
		if suffix != "m" && rapid.IntRange(0, 4).Draw(t, "fraction") == 0 {
			number += rapid.SampledFrom([]string{".5", ".25", ".1"}).Draw(t, "digits")
		}
		return resource.MustParse(number + suffix)
	})
}

// Bytes draws whole numbers of bytes from zero to some hundred Gi, often small or equal ones.
func Bytes() *rapid.Generator[resource.Quantity] {
	return rapid.Map(rapid.OneOf(rapid.Int64Range(0, 8), rapid.Int64Range(0, 1<<37)), func(n int64) resource.Quantity {
		return *resource.NewQuantity(n, resource.BinarySI)
	})
}

func nasty() *rapid.Generator[resource.Quantity] {
	literals := []string{
		"100n", "1n", "500n", "999999999n", "0.5u", "1500u", "-1", "-100m", "-1.5Gi", "0.0", "0Gi",
		"1.5Gi", "12.5Gi", "0.1Ki", "1.1Ti", "1E", "10E", "10P", "7Ei", "9223372036854775807", "1e3", "5e-3", "1e30",
		"9223372036854775808", "123456789012345678901234", "-123456789012345678901234.5", "18446744073709551621",
	}
	return rapid.Custom(func(t *rapid.T) (q resource.Quantity) {
		switch rapid.IntRange(0, 3).Draw(t, "make") {
		case 0:
			q = resource.MustParse(rapid.SampledFrom(literals).Draw(t, "literal"))
		case 1:
			value := rapid.OneOf(rapid.Int64(), rapid.Int64Range(-3, 2000)).Draw(t, "value")
			q = *resource.NewScaledQuantity(value, resource.Scale(rapid.IntRange(-12, 20).Draw(t, "scale")))
		case 2:
			q = *resource.NewMilliQuantity(rapid.Int64().Draw(t, "milli"), resource.BinarySI)
		default:
			q = *resource.NewQuantity(rapid.SampledFrom([]int64{math.MaxInt64, math.MinInt64, math.MinInt64 + 1, 1 << 52, 1<<52 + 1}).Draw(t, "edge"), resource.DecimalSI)
		}
		switch rapid.IntRange(0, 3).Draw(t, "hold") {
		case 0:
			q.AsDec() // the same value, held by a decimal
		case 1:
			_ = q.String() // the string is cached
		}
		return q
	})
}

// ResourceNames are the names in drawn lists.
var ResourceNames = []corev1.ResourceName{
	corev1.ResourceCPU, corev1.ResourceMemory, corev1.ResourceEphemeralStorage,
	"hugepages-2Mi", "hugepages-1Gi", "example.com/gpu",
}

// ResourceList draws lists of some of ResourceNames with the given quantities, mostly with cpu and
// memory; sometimes an empty list, or nil.
func ResourceList(quantities *rapid.Generator[resource.Quantity]) *rapid.Generator[corev1.ResourceList] {
	return rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		if rapid.IntRange(0, 9).Draw(t, "nil") == 0 {
			return nil
		}
		list := corev1.ResourceList{}
		for i, name := range ResourceNames {
			often := 3
			if i < 2 {
				often = 1
			}
			if rapid.IntRange(0, often).Draw(t, string(name)) == 0 {
				list[name] = quantities.Draw(t, "quantity")
			}
		}
		return list
	})
}

// Texts returns the formatted amounts of a list, each with the name of its format, because strings
// without a suffix do not show it.
func Texts(list corev1.ResourceList) map[corev1.ResourceName]string {
	texts := map[corev1.ResourceName]string{}
	for name, q := range list {
		texts[name] = Text(q)
	}
	return texts
}

// Text is Texts of one amount.
func Text(q resource.Quantity) string { return q.String() + " " + string(q.Format) }

// AsWritten makes go-cmp distinguish equal quantities with different formats.
func AsWritten() cmp.Option { return cmp.Transformer("AsWritten", Text) }
