package limitrange_test

import (
	"fmt"
	"math"
	"math/big"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/testkit"
)

// slowViolations is the slow twin of Policy.Validate, one range at a time, in the words of
// the server. Messages are in no order.
func slowViolations(spec *corev1.PodSpec, ranges []*corev1.LimitRange) []string {
	var found []string
	for _, lr := range ranges {
		if lr == nil {
			continue
		}
		for _, item := range lr.Spec.Limits {
			switch item.Type {
			case container:
				for _, c := range append(append([]corev1.Container{}, spec.InitContainers...), spec.Containers...) {
					found = append(found, slowCheck(item, values(c.Resources.Requests), values(c.Resources.Limits))...)
				}
			case pod:
				request := func(r corev1.ResourceRequirements) corev1.ResourceList { return r.Requests }
				limit := func(r corev1.ResourceRequirements) corev1.ResourceList { return r.Limits }
				found = append(found, slowCheck(item, slowTotal(spec, request), slowTotal(spec, limit))...)
			}
		}
	}
	return found
}

func values(list corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
	all := map[corev1.ResourceName]*big.Rat{}
	for name, q := range list.DeepCopy() {
		all[name] = testkit.Exact(q)
	}
	return all
}

// slowTotal is max(Σ all that runs together, max over init containers), per resource.
func slowTotal(spec *corev1.PodSpec, of func(corev1.ResourceRequirements) corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
	together, sidecars, total := map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}
	add := func(to map[corev1.ResourceName]*big.Rat, list map[corev1.ResourceName]*big.Rat) {
		for name, v := range list {
			if to[name] == nil {
				to[name] = new(big.Rat)
			}
			to[name] = new(big.Rat).Add(to[name], v)
		}
	}
	raise := func(list map[corev1.ResourceName]*big.Rat) {
		for name, v := range list {
			if total[name] == nil || total[name].Cmp(v) < 0 {
				total[name] = v
			}
		}
	}
	for _, c := range spec.InitContainers {
		if c.RestartPolicy != nil && *c.RestartPolicy == corev1.ContainerRestartPolicyAlways {
			add(together, values(of(c.Resources)))
			add(sidecars, values(of(c.Resources)))
			raise(sidecars)
			continue
		}
		beside := map[corev1.ResourceName]*big.Rat{}
		add(beside, sidecars)
		add(beside, values(of(c.Resources)))
		raise(beside)
	}
	for _, c := range spec.Containers {
		add(together, values(of(c.Resources)))
	}
	raise(together)
	if spec.Resources != nil {
		for name, v := range values(of(*spec.Resources)) {
			if name == "cpu" || name == "memory" {
				total[name] = v
			}
		}
	}
	return total
}

func slowCheck(item corev1.LimitRangeItem, requests, limits map[corev1.ResourceName]*big.Rat) []string {
	var found []string
	say := func(format string, args ...any) { found = append(found, fmt.Sprintf(format, args...)) }
	for name, bound := range item.Min.DeepCopy() {
		request, limit, enforced := requests[name], limits[name], testkit.Exact(bound)
		less := func(v *big.Rat) bool { return slowCompare(v, enforced, request, limit) < 0 }
		switch {
		case request == nil:
			say("minimum %s usage per %s is %s.  No request is specified", name, item.Type, bound.String())
		case less(request):
			say("minimum %s usage per %s is %s, but request is %s", name, item.Type, bound.String(), spell(request))
		case limit != nil && less(limit):
			say("minimum %s usage per %s is %s, but limit is %s", name, item.Type, bound.String(), spell(limit))
		}
	}
	for name, bound := range item.Max.DeepCopy() {
		request, limit, enforced := requests[name], limits[name], testkit.Exact(bound)
		more := func(v *big.Rat) bool { return slowCompare(v, enforced, request, limit) > 0 }
		switch {
		case limit == nil:
			say("maximum %s usage per %s is %s.  No limit is specified", name, item.Type, bound.String())
		case more(limit):
			say("maximum %s usage per %s is %s, but limit is %s", name, item.Type, bound.String(), spell(limit))
		case request != nil && more(request):
			say("maximum %s usage per %s is %s, but request is %s", name, item.Type, bound.String(), spell(request))
		}
	}
	for name, bound := range item.MaxLimitRequestRatio.DeepCopy() {
		request, limit, enforced := requests[name], limits[name], testkit.Exact(bound)
		unit := slowUnit(request, limit, enforced)
		switch {
		case request == nil || request.Sign() == 0:
			say("%s max limit to request ratio per %s is %s, but no request is specified or request is 0", name, item.Type, bound.String())
		case limit == nil || limit.Sign() == 0:
			say("%s max limit to request ratio per %s is %s, but no limit is specified or limit is 0", name, item.Type, bound.String())
		default:
			// The bounds that are drawn are all small.
			ratio := slowFloat(limit, unit) / slowFloat(request, unit)
			if ratio*1000 > float64(testkit.RoundedAway(enforced, 1000)) {
				say("%s max limit to request ratio per %s is %s, but provided ratio is %f", name, item.Type, bound.String(), ratio)
			}
		}
	}
	return found
}

// slowUnit returns how many units there are in one: 1000, unless one of the amounts is too
// large.
func slowUnit(amounts ...*big.Rat) int64 {
	for _, v := range amounts {
		if v != nil && testkit.RoundedAway(v, 1) > math.MaxInt64/1000 {
			return 1
		}
	}
	return 1000
}

func slowCompare(a, b, request, limit *big.Rat) int {
	unit := slowUnit(b, request, limit)
	x, y := testkit.RoundedAway(a, unit), testkit.RoundedAway(b, unit)
	if x == y && (x == math.MaxInt64 || x == math.MinInt64) {
		return a.Cmp(b)
	}
	return big.NewInt(x).Cmp(big.NewInt(y))
}

func slowFloat(v *big.Rat, unit int64) float64 {
	if n := testkit.RoundedAway(v, unit); n != math.MaxInt64 && n != math.MinInt64 {
		return float64(n)
	}
	f, _ := new(big.Rat).Mul(v, big.NewRat(unit, 1)).Float64()
	return f
}

// spell returns a value for comparison: messages with amounts are normalized, since the format of a sum
// is that of its first term.
func spell(v *big.Rat) string {
	q := resource.MustParse(v.FloatString(12))
	return q.String()
}
