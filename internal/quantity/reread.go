package quantity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Reread returns q as it is read from its own text, in which objects are sent and stored. Amounts in
// the format BinarySI that are no multiple of 1024 are written without a suffix, and so are some in the
// format DecimalExponent: when they are read, their format is DecimalSI. This determines how sums with
// them are written. The value is that of q, even if it is beyond what can be read.
//
// Reread does not allocate for amounts in the format DecimalSI and for small multiples of 1024. The
// result may share a decimal with q, which is only read.
func Reread(q resource.Quantity) resource.Quantity {
	if q.Format == resource.DecimalSI {
		return q
	}
	if units, exact := Small(&q, 0); q.Format == resource.BinarySI && exact && units != 0 && units%1024 == 0 {
		return q // is certainly written with a binary suffix
	}
	read, err := resource.ParseQuantity(Text(&q))
	if err != nil || read.Cmp(q) != 0 {
		return q
	}
	return read
}

// RereadAll changes the entries of a list with Reread.
func RereadAll(list corev1.ResourceList) {
	for name, q := range list {
		if read := Reread(q); read.Format != q.Format {
			list[name] = read
		}
	}
}
