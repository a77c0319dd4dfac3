package resourcelist

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Price returns the sum of amount · price over the resources of a list, exactly. Prices are those of one CPU, of
// one byte, and of one unit of any other resource: 0.0042 for a GiB is big.NewRat(42, 10_000<<30). A
// resource without a price, or with nil, is free; Difference of both names returns those. A negative
// amount or price is subtracted. The result is never nil, and zero if either argument is empty.
//
// To round it, use FloatString(2) of the sum over all pods: rounded prices do not add up. Times such as hours may be
// a factor of each price, or of the result.
//
// Cost: big integers with all digits of the amounts and prices. For many pods with the same prices, add their
// lists first.
func Price(list corev1.ResourceList, prices map[corev1.ResourceName]*big.Rat) *big.Rat {
	total := new(big.Rat)
	for name, q := range list {
		if price := prices[name]; price != nil {
			product := quantity.Rational(q)
			total.Add(total, product.Mul(product, price))
		}
	}
	return total
}
