package division_test

import (
	"errors"
	"fmt"
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
			reached = append(reached, fmt.Sprint("indivisible, to each: ", opts.ToEach))
		case len(parts) == 1:
			reached = append(reached, "one part")
		default:
			first, last := parts[0], parts[len(parts)-1]
			how := "equal parts: "
			if first.Cmp(last) != 0 {
				how = "unequal parts: "
			}
			if total := sumOf(parts); total.Cmp(testkit.Exact(q)) != 0 {
				how = "a rest is lost: "
			}
			reached = append(reached, fmt.Sprint(how, "truncated ", opts.Truncated))
			if q.Sign() < 0 {
				reached = append(reached, "below zero")
			}
		}
		weights := few().Draw(t, "weights")
		weighted, err := division.Weighted(name, q, weights, opts)
		switch {
		case err != nil:
			reached = append(reached, "invalid weights")
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
		"no parts", "one part", "equal parts: truncated false", "unequal parts: truncated false", "equal parts: truncated true", "a rest is lost: truncated true", "below zero",
		"indivisible, to each: false", "indivisible, to each: true", "weights", "a weight of zero", "equal weights with unequal parts", "invalid weights",
	)
}
