package quantity

import (
	"math/big"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Readable returns a quantity as people read it: exactly if four digits are enough, as in 250m,
// 1.5Gi, 1050m and 2176Mi; else rounded to a tenth, half away from zero, of the largest unit that it
// has one of: 1.2Ti for 1280450Mi. Its unit stays decimal, or binary, as it was.
func Readable(q resource.Quantity) string {
	exact := Canonical(q)
	if q.IsZero() {
		return exact
	}
	value := new(big.Rat).Abs(rational(q))
	units := decimalUnits
	if q.Format == resource.BinarySI && value.Cmp(ratOf(1024)) >= 0 {
		units = binaryUnits
	}
	i := 0
	for i+1 < len(units) && value.Cmp(units[i+1].size) >= 0 {
		i++
	}
	count := tenth(new(big.Rat).Quo(value, units[i].size))
	if i+1 < len(units) && value.Cmp(units[i+1].size) < 0 && new(big.Rat).Mul(count, units[i].size).Cmp(units[i+1].size) >= 0 {
		i, count = i+1, ratOf(1) // rounded up to one of the next
	}
	rounded := new(big.Rat).Mul(count, units[i].size).Cmp(value) != 0
	if rounded && digits(exact) <= 4 || count.Cmp(ratOf(10_000)) >= 0 {
		return exact
	}
	text := strings.TrimSuffix(count.FloatString(1), ".0") + units[i].name
	if q.Sign() < 0 {
		return "-" + text
	}
	return text
}

// tenth rounds to a tenth, half away from zero.
func tenth(r *big.Rat) *big.Rat {
	rounded, _ := new(big.Rat).SetString(r.FloatString(1)) // which is a number
	return rounded
}

// digits counts those of a quantity.
func digits(text string) (n int) {
	for _, r := range text {
		if '0' <= r && r <= '9' {
			n++
		}
	}
	return n
}

type unit struct {
	name string
	size *big.Rat
}

var (
	decimalUnits = unitsOf(1000, big.NewRat(1, 1_000_000_000), "n", "u", "m", "", "k", "M", "G", "T", "P", "E")
	binaryUnits  = unitsOf(1024, ratOf(1024), "Ki", "Mi", "Gi", "Ti", "Pi", "Ei")
)

// unitsOf returns units of which each is so many times the one before it.
func unitsOf(times int64, first *big.Rat, names ...string) (units []unit) {
	for _, name := range names {
		units = append(units, unit{name, first})
		first = new(big.Rat).Mul(first, ratOf(times))
	}
	return units
}

func ratOf(n int64) *big.Rat { return new(big.Rat).SetInt64(n) }

// rational returns the value of a quantity.
func rational(q resource.Quantity) *big.Rat {
	d := q.DeepCopy()
	dec := d.AsDec()
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(max(dec.Scale(), -dec.Scale()))), nil)
	value := new(big.Rat).SetInt(dec.UnscaledBig())
	if dec.Scale() >= 0 {
		return value.Quo(value, new(big.Rat).SetInt(scale))
	}
	return value.Mul(value, new(big.Rat).SetInt(scale))
}
