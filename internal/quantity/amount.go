package quantity

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
)

// Amount is an exact number of units of one resource: an integer wherever that is exact, and
// otherwise a quantity that is never modified. The zero value is zero. Amounts may be copied,
// shared, and read concurrently. Add and compare only amounts of the same scale.
type Amount struct {
	units int64
	exact *resource.Quantity // set only for what units cannot hold
}

// ScaleOf returns the unit in which a resource, or the quota on one, is counted:
// resource.Milli for CPU, and 1 for everything else.
func ScaleOf(name corev1.ResourceName) resource.Scale {
	switch name {
	case corev1.ResourceCPU, corev1.ResourceRequestsCPU, corev1.ResourceLimitsCPU:
		return resource.Milli
	}
	return 0
}

// AmountOf returns q in units of 10^scale. It may change how q holds its value, so q must be a
// copy, as the variable of a map lookup is; what it shares with other quantities is only read, and
// not kept.
func AmountOf(q *resource.Quantity, scale resource.Scale) Amount {
	if units, small := Small(q, scale); small {
		return Amount{units: units}
	}
	// What is rounded or overflows does not compare equal.
	if units := q.ScaledValue(scale); q.Cmp(*resource.NewScaledQuantity(units, scale)) == 0 {
		return Amount{units: units}
	}
	return Amount{exact: Clone(q)}
}

// AmountOfUnits returns an amount of so many units.
func AmountOfUnits(units int64) Amount { return Amount{units: units} }

// IsZero reports whether the amount is zero.
func (a Amount) IsZero() bool { return a.exact == nil && a.units == 0 }

// Sign returns -1, 0 or 1.
func (a Amount) Sign() int {
	switch {
	case a.exact != nil:
		return a.exact.Sign()
	case a.units < 0:
		return -1
	case a.units > 0:
		return 1
	}
	return 0
}

// Exceeds reports whether a is more than b, two amounts of 10^scale.
func (a Amount) Exceeds(b Amount, scale resource.Scale) bool {
	if a.exact == nil && b.exact == nil {
		return a.units > b.units
	}
	x, y := a.Quantity(scale, ""), b.Quantity(scale, "")
	return x.Cmp(y) > 0
}

// Plus returns a + b, two amounts of 10^scale.
func (a Amount) Plus(b Amount, scale resource.Scale) Amount {
	// The sum is below a exactly if b is negative, unless it overflows.
	if sum := a.units + b.units; a.exact == nil && b.exact == nil && (sum < a.units) == (b.units < 0) {
		return Amount{units: sum}
	}
	sum := a.Quantity(scale, "")
	Add(&sum, b.Quantity(scale, ""))
	return AmountOf(&sum, scale)
}

// Minus returns a - b, two amounts of 10^scale.
func (a Amount) Minus(b Amount, scale resource.Scale) Amount {
	if diff := a.units - b.units; a.exact == nil && b.exact == nil && (diff > a.units) == (b.units < 0) {
		return Amount{units: diff}
	}
	difference := Minus(a.Quantity(scale, ""), b.Quantity(scale, ""))
	return AmountOf(&difference, scale)
}

// Times returns n·a, of an amount of 10^scale.
func (a Amount) Times(n int64, scale resource.Scale) Amount {
	if product := a.units * n; a.exact == nil && n > 0 && product/n == a.units {
		return Amount{units: product}
	}
	product := Times(a.Quantity(scale, ""), n)
	return AmountOf(&product, scale)
}

// Quantity returns an amount in units of 10^scale as a new quantity in a format; "" means
// resource.DecimalSI.
func (a Amount) Quantity(scale resource.Scale, format resource.Format) resource.Quantity {
	if format == "" {
		format = resource.DecimalSI
	}
	if a.exact != nil {
		q := a.exact.DeepCopy()
		q.Add(resource.Quantity{}) // drops a cached string
		q.Format = format
		return q
	}
	q := *resource.NewScaledQuantity(a.units, scale)
	q.Format = format
	return q
}

// Integer returns an amount of 10^scale in these units, rounded away from zero. What does
// not fit is math.MaxInt64 or math.MinInt64.
func (a Amount) Integer(scale resource.Scale) int64 {
	if a.exact != nil {
		return Integer(*a.exact, scale)
	}
	return a.units
}
