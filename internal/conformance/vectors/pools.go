package main

import (
	"fmt"
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/vectors"
)

// queue follows the rules of Capsule's documentation, claim by claim, in fractions.
func queue(in vectors.Queue) (out vectors.Bound, err error) {
	amount := func(text string) *big.Rat {
		r, ok := new(big.Rat).SetString(text)
		if !ok {
			err = fmt.Errorf("%q is not an amount", text)
		}
		return r
	}
	left := map[corev1.ResourceName]*big.Rat{}
	for name, text := range in.Hard {
		left[name] = amount(text)
	}
	closed := map[corev1.ResourceName]bool{} // to those that come later
	out.Bound, out.Available = []bool{}, vectors.Amounts{}
	for _, claim := range in.Claims {
		behind, short := false, []corev1.ResourceName{}
		for name, text := range claim {
			wanted, has := amount(text), left[name]
			if has == nil {
				has = new(big.Rat)
			}
			behind = behind || in.Ordered && closed[name] && wanted.Sign() > 0
			if wanted.Cmp(has) > 0 {
				short = append(short, name)
			}
		}
		if behind || len(short) > 0 {
			for _, name := range short {
				closed[name] = closed[name] || !behind
			}
			out.Bound = append(out.Bound, false)
			continue
		}
		for name, text := range claim {
			left[name].Sub(left[name], amount(text))
		}
		out.Bound = append(out.Bound, true)
	}
	for name, r := range left {
		digits, _ := r.FloatPrec()
		out.Available[name] = r.FloatString(digits)
	}
	return out, err
}
