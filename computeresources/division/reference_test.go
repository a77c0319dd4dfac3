package division_test

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowParts divides an amount as by hand. Every part gets its share rounded down. Then the part with the
// largest remainder, the first of equal ones, gets one unit, and so on, until less than a unit remains,
// which the next part gets.
func slowParts(name corev1.ResourceName, value *big.Rat, weights []int64) []*big.Rat {
	unit := slowUnit(name)
	total := new(big.Rat)
	for _, w := range weights {
		total.Add(total, new(big.Rat).SetInt64(w))
	}
	left := new(big.Rat).Set(value)
	parts, lost := make([]*big.Rat, len(weights)), make([]*big.Rat, len(weights))
	for i, w := range weights {
		share := new(big.Rat).Mul(new(big.Rat).Quo(value, unit), new(big.Rat).Quo(new(big.Rat).SetInt64(w), total))
		lost[i] = new(big.Rat).Sub(share, floor(share))
		parts[i] = new(big.Rat).Mul(floor(share), unit)
		left.Sub(left, parts[i])
	}
	for left.Sign() > 0 {
		next := -1
		for i, w := range weights {
			if w > 0 && lost[i] != nil && (next < 0 || lost[i].Cmp(lost[next]) > 0) {
				next = i
			}
		}
		amount := unit
		if left.Cmp(unit) < 0 {
			amount = new(big.Rat).Set(left)
		}
		parts[next].Add(parts[next], amount)
		left.Sub(left, amount)
		lost[next] = nil
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
