package equalparts_test

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowParts divides an amount as by hand. Every part gets its share rounded down. Then one part after another gets one
// unit, until less than a unit remains, which the next part gets.
func slowParts(name corev1.ResourceName, value *big.Rat, n int) []*big.Rat {
	unit := slowUnit(name)
	left := new(big.Rat).Set(value)
	parts := make([]*big.Rat, n)
	for i := range parts {
		share := new(big.Rat).Quo(value, new(big.Rat).Mul(unit, big.NewRat(int64(n), 1)))
		parts[i] = new(big.Rat).Mul(floor(share), unit)
		left.Sub(left, parts[i])
	}
	for i := 0; left.Sign() > 0; i++ {
		amount := unit
		if left.Cmp(unit) < 0 {
			amount = new(big.Rat).Set(left)
		}
		parts[i].Add(parts[i], amount)
		left.Sub(left, amount)
	}
	return parts
}

func slowUnit(name corev1.ResourceName) *big.Rat {
	unit := testkit.List("unit", "1")
	if name == "cpu" {
		unit = testkit.List("unit", "1m")
	}
	return testkit.Exact(unit["unit"])
}

func floor(r *big.Rat) *big.Rat { return new(big.Rat).SetInt(new(big.Int).Div(r.Num(), r.Denom())) }
