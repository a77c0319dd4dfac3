package solver_test

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/limitrange"
)

// slowCases draws small problems, mostly with a solution.
func slowCases(containers int, whole bool) *rapid.Generator[*slowCase] {
	return rapid.Custom(func(t *rapid.T) *slowCase {
		c := &slowCase{name: rapid.SampledFrom([]corev1.ResourceName{"cpu", "cpu", "ephemeral-storage", "ephemeral-storage", "memory", "example.com/gpu", pages}).Draw(t, "resource")}
		for range min(containers, rapid.SampledFrom([]int{0, 1, 1, 2, 2, 3}).Draw(t, "containers")) {
			c.kinds = append(c.kinds, rapid.SampledFrom([]kindOf{computeresources.App, computeresources.App, computeresources.Init, computeresources.Sidecar}).Draw(t, "kind"))
		}
		slices.SortStableFunc(c.kinds, func(a, b kindOf) int {
			return cmp.Compare(initLast(a), initLast(b))
		})
		c.old = rapid.IntRange(0, 2).Draw(t, "old") == 0
		small := rapid.IntRange(0, 4)
		rare := rapid.SampledFrom([]int{1, 4}).Draw(t, "rare")
		sometimes := func(s slowConstraint, n int) {
			if rapid.IntRange(0, n).Draw(t, s.rule.String()) == 0 {
				c.stated = append(c.stated, s)
			}
		}
		if len(c.kinds) > 1 && rapid.IntRange(0, 4).Draw(t, "sums alone") == 0 { // which several containers exceed together
			c.stated = append(c.stated, slowConstraint{rule: limitrange.Remaining, source: "quota", container: -2, amount: rapid.SampledFrom([]int{3, 4, 5}).Draw(t, "left")})
			for i := range c.kinds {
				c.stated = append(c.stated, slowConstraint{rule: limitrange.Request, container: i, amount: rapid.SampledFrom([]int{2, 3}).Draw(t, "request")})
			}
			return c
		}
		for _, rule := range []limitrange.Bound{limitrange.Min, limitrange.Max, limitrange.Ratio, limitrange.DefaultLimit, limitrange.DefaultRequest} {
			for _, kind := range []corev1.LimitType{corev1.LimitTypeContainer, corev1.LimitTypePod} {
				s := slowConstraint{rule: rule, kind: kind, source: "range", container: -2, amount: small.Draw(t, "amount")}
				switch {
				case rule == limitrange.Ratio:
					s.amount = rapid.SampledFrom([]int{1000, 1500, 2000, 2000, 3000, 2007, 999, 0, -1000}).Draw(t, "ratio")
				case rule >= limitrange.DefaultLimit && kind == corev1.LimitTypePod:
					continue
				case rule == limitrange.Max:
					s.amount += rapid.IntRange(0, 3).Draw(t, "more")
				}
				sometimes(s, rare)
			}
		}
		sometimes(slowConstraint{rule: limitrange.Remaining, source: "quota", container: -2, amount: rapid.IntRange(-1, 7).Draw(t, "left")}, 4)
		if !c.together() {
			sometimes(slowConstraint{rule: limitrange.Remaining, source: "quota", container: -2, limits: true, amount: rapid.IntRange(-1, 7).Draw(t, "left")}, 4)
		}
		sometimes(slowConstraint{rule: limitrange.Overhead, container: -2, amount: small.Draw(t, "overhead")}, 6)
		if whole && resourcelist.IsPodLevel(c.name) {
			sometimes(slowConstraint{rule: limitrange.Request, container: -1, amount: small.Draw(t, "whole request")}, 1)
			sometimes(slowConstraint{rule: limitrange.Limit, container: -1, amount: small.Draw(t, "whole limit")}, 1)
		}
		for i := range c.kinds {
			sometimes(slowConstraint{rule: limitrange.Request, container: i, amount: small.Draw(t, "request")}, 2)
			sometimes(slowConstraint{rule: limitrange.Limit, container: i, amount: small.Draw(t, "limit")}, 2)
		}
		return c
	})
}

func initLast(k kindOf) int {
	if k == computeresources.App {
		return 1
	}
	return 0
}
