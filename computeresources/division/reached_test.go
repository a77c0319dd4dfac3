package division_test

import (
	"cmp"
	"errors"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// The generators of the property tests draw amounts that do and do not divide, and every error.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 1000, func(t *rapid.T) (reached []string) {
		name, q := names().Draw(t, "name"), testkit.Quantity().Draw(t, "quantity")
		opts := options(t)
		parts, err := division.Divide(name, q, numbers().Draw(t, "parts"), opts)
		switch {
		case err != nil:
			if errors.Is(err, division.ErrParts) {
				reached = append(reached, "no parts")
			}
		case !division.Divisible(name):
			reached = append(reached, "indivisible: "+cmp.Or(string(opts.Indivisible), "to-one"))
		case parts.Len() == 1:
			reached = append(reached, "one part")
		default:
			first, last := parts.At(0), parts.At(parts.Len()-1)
			how := "equal parts: "
			if first.Cmp(last) != 0 {
				how = "unequal parts: "
			}
			if total := sumOf(slices.Collect(parts.All())); total.Cmp(testkit.Exact(q)) != 0 {
				how = "a rest is lost: "
			}
			reached = append(reached, how+cmp.Or(string(opts.Method), "exact"))
			if q.Sign() < 0 {
				reached = append(reached, "below zero")
			}
		}
		weights := few().Draw(t, "weights")
		weighted, err := division.Weighted(name, q, weights, opts.Indivisible)
		switch {
		case err != nil:
			if errors.Is(err, division.ErrWeights) {
				reached = append(reached, "invalid weights")
			}
		case slices.Contains(weights, 0):
			reached = append(reached, "a weight of zero")
		default:
			reached = append(reached, "weights")
		}
		for i := range weighted {
			for j := range i {
				if weights[i] == weights[j] && weights[i] > 0 && weighted[i].Cmp(weighted[j]) != 0 {
					reached = append(reached, "equal weights with unequal parts")
				}
			}
		}
		return reached
	},
		"no parts", "one part", "equal parts: exact", "unequal parts: exact", "equal parts: truncated", "a rest is lost: truncated", "below zero",
		"indivisible: to-one", "indivisible: to-each", "weights", "a weight of zero", "equal weights with unequal parts", "invalid weights",
	)
}
