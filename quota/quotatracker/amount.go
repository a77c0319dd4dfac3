package quotatracker

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// amount is a quantity of a resource in a third of the space: of a million objects,
// their usage is what fills the memory.
type amount struct {
	value  int64              // in units of 10^scale, if exact is nil
	exact  *resource.Quantity // anything that does not fit
	name   int32              // in a nameTable
	scale  int8
	format int8 // in formats
}

// formats are the notations of quantities.
var formats = [...]resource.Format{"", resource.DecimalSI, resource.BinarySI, resource.DecimalExponent}

// pack returns q as the amount of a resource.
func pack(name int32, q resource.Quantity) amount {
	format := q.Format
	for _, scale := range []resource.Scale{0, resource.Milli} {
		if value, small := quantity.Small(&q, scale); small {
			for i, f := range formats {
				if f == format {
					return amount{value: value, name: name, scale: int8(scale), format: int8(i)}
				}
			}
		}
	}
	own := q.DeepCopy()
	return amount{exact: &own, name: name}
}

// unpack returns the quantity, or its negation with a sign of -1. It shares nothing.
func (a *amount) unpack(sign int64) resource.Quantity {
	if a.exact != nil {
		return quantity.Times(*a.exact, sign)
	}
	q := resource.NewScaledQuantity(sign*a.value, resource.Scale(a.scale))
	q.Format = formats[a.format]
	return *q
}

// nameTable numbers names.
type nameTable struct {
	names []corev1.ResourceName
	index map[corev1.ResourceName]int32
}

// number returns the number of a name, a new one if it has none.
func (t *nameTable) number(name corev1.ResourceName) int32 {
	n, known := t.index[name]
	if !known {
		n = int32(len(t.names))
		t.names = append(t.names, name)
		t.index[name] = n
	}
	return n
}
