package testkit

import (
	"math/big"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Exact returns the value of a quantity as a fraction.
func Exact(q resource.Quantity) *big.Rat {
	value, ok := new(big.Rat).SetString(q.AsDec().String())
	if !ok {
		panic("not a number: " + q.String())
	}
	return value
}

// RoundedAway returns value times unitsPerOne, rounded away from zero and saturated to int64: the
// reference for all conversions to integers.
func RoundedAway(value *big.Rat, unitsPerOne int64) int64 {
	scaled := new(big.Rat).Mul(value, big.NewRat(unitsPerOne, 1))
	units, rest := new(big.Int).QuoRem(scaled.Num(), scaled.Denom(), new(big.Int))
	units.Add(units, big.NewInt(int64(rest.Sign())))
	switch {
	case units.IsInt64():
		return units.Int64()
	case units.Sign() > 0:
		return 1<<63 - 1
	default:
		return -1 << 63
	}
}
