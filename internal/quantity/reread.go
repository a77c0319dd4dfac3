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
	if isReadAsIs(&q) {
		return q
	}
	read, err := resource.ParseQuantity(Text(&q))
	if err != nil || read.Cmp(q) != 0 {
		return q
	}
	return read
}

// isReadAsIs reports whether q is certainly read in the format that it has: of the format BinarySI, if it
// is certainly written with a binary suffix.
func isReadAsIs(q *resource.Quantity) bool {
	if q.Format == resource.DecimalSI {
		return true
	}
	amount, exact := Small(q, 0)
	return q.Format == resource.BinarySI && exact && amount != 0 && amount%1024 == 0
}

// RereadAll changes the entries of a list with Reread.
func RereadAll(list corev1.ResourceList) {
	kept := 0 // most lists have only cpu and memory, and two lookups take less time than a loop over a map
	for _, name := range [...]corev1.ResourceName{corev1.ResourceCPU, corev1.ResourceMemory} {
		if q, set := list[name]; set && isReadAsIs(&q) {
			kept++
		}
	}
	if kept == len(list) {
		return
	}
	for name, q := range list {
		if !isReadAsIs(&q) {
			list[name] = Reread(q)
		}
	}
}
