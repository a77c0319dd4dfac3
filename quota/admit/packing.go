package admit

import (
	"math"
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// packing is how often groups of objects fit into what remains of quotas.
type packing struct {
	remaining amounts
	objects   [][]amounts // usage of each object, by alternative
	refusable bool        // an alternative is refused in any case
	refused   bool        // all alternatives of an object are
}

// amounts has an amount for each resource that each quota limits.
type amounts []*big.Rat

func newPacking(ns *Namespace, objects [][]alternative) *packing {
	p := &packing{remaining: amountsOf(ns, func(q *corev1.ResourceQuota) corev1.ResourceList { return q.Status.Hard })}
	used := amountsOf(ns, func(q *corev1.ResourceQuota) corev1.ResourceList { return q.Status.Used })
	p.remaining = p.remaining.plus(-1, used)
	for _, of := range objects {
		var usages []amounts
		for i := range of {
			if of[i].refused {
				p.refusable = true
			} else {
				one := amountsOf(ns, func(q *corev1.ResourceQuota) corev1.ResourceList {
					usage, _ := of[i].counted.UsageIn(q) // an invalid scope is a refusal
					return usage
				})
				usages = append(usages, one.plus(of[i].n-1, one))
			}
		}
		p.refused = p.refused || usages == nil
		p.objects = append(p.objects, usages)
	}
	return p
}

// amountsOf returns the amounts of a list for each quota. Missing ones are zero. An object that uses a resource
// without a known usage is refused.
func amountsOf(ns *Namespace, list func(q *corev1.ResourceQuota) corev1.ResourceList) (all amounts) {
	for _, q := range ns.quotas {
		of := list(q)
		for _, name := range quantity.Names(q.Status.Hard) {
			all = append(all, quantity.Rational(of[name]))
		}
	}
	return all
}

// least returns the number of groups that fit in any case. A resource is exceeded first if each object has
// the alternative that uses the most of it.
func (p *packing) least() int64 {
	if p.refusable {
		return 0
	}
	worst := make(amounts, len(p.remaining))
	for i := range worst {
		worst[i] = new(big.Rat)
		for _, of := range p.objects {
			most := slices.MaxFunc(of, func(a, b amounts) int { return a[i].Cmp(b[i]) })
			worst[i].Add(worst[i], most[i])
		}
	}
	return worst.timesIn(p.remaining)
}

// mostTries is how many numbers of groups with the same alternatives are tried.
const mostTries = 1000

// most returns the number of groups that fit if each object gets the best of its alternatives, and whether
// that is exact. Otherwise, it may be too large.
func (p *packing) most() (groups int64, exact bool) {
	if p.refused {
		return 0, true
	}
	combined := []amounts{make(amounts, len(p.remaining))} // usage of a group
	for i := range combined[0] {
		combined[0][i] = new(big.Rat)
	}
	for _, of := range p.objects {
		var longer []amounts
		for _, group := range combined {
			for _, usage := range of {
				longer = append(longer, group.plus(1, usage))
			}
		}
		combined = leastOf(longer)
		if len(combined) > mostDecisions {
			return math.MaxInt64, false
		}
	}
	tries := mostTries
	groups = mostIn(p.remaining, combined, &tries)
	if tries < 0 {
		return smallestOf(combined).timesIn(p.remaining), false
	}
	return groups, true
}

// mostIn returns how many groups fit, each with one of the usages. Tries is below zero afterwards if not all
// combinations were tried.
func mostIn(remaining amounts, usages []amounts, tries *int) (most int64) {
	switch len(usages) {
	case 1:
		return usages[0].timesIn(remaining)
	case 2:
		return mostOfTwo(remaining, usages[0], usages[1])
	}
	for n := int64(0); n <= usages[0].timesIn(remaining) && *tries >= 0; n++ {
		*tries--
		most = max(most, quantity.AddSaturated(n, mostIn(remaining.plus(-n, usages[0]), usages[1:], tries)))
	}
	return most
}

// mostOfTwo returns how many groups fit, n with usage a and the others with usage b. For n that may be a fraction,
// their number is n plus the least quotient of what remains and b: a concave function of n, since each quotient is
// linear. Rounding it down does not move its maximum over integers.
func mostOfTwo(remaining, a, b amounts) int64 {
	groups := func(n int64) *big.Rat {
		others := b.quotientIn(remaining.plus(-n, a))
		return others.Add(others, new(big.Rat).SetInt64(n))
	}
	low, high := int64(0), a.timesIn(remaining)
	for low < high {
		if middle := low + (high-low)/2; groups(middle+1).Cmp(groups(middle)) > 0 {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return quantity.AddSaturated(low, b.timesIn(remaining.plus(-low, a)))
}

// leastOf returns the usages that no other one is at most equal to, each of them once.
func leastOf(usages []amounts) (least []amounts) {
	for i, usage := range usages {
		if !slices.ContainsFunc(usages[:i], func(other amounts) bool { return other.atMost(usage) }) &&
			!slices.ContainsFunc(usages[i+1:], func(other amounts) bool { return other.atMost(usage) && !usage.atMost(other) }) {
			least = append(least, usage)
		}
	}
	return least
}

// smallestOf returns the smallest amount of each resource.
func smallestOf(usages []amounts) amounts {
	least := slices.Clone(usages[0])
	for _, usage := range usages[1:] {
		for i := range least {
			if usage[i].Cmp(least[i]) < 0 {
				least[i] = usage[i]
			}
		}
	}
	return least
}

// atMost reports whether no amount is larger than that of other.
func (a amounts) atMost(other amounts) bool {
	for i := range a {
		if a[i].Cmp(other[i]) > 0 {
			return false
		}
	}
	return true
}

// plus returns a + n·b.
func (a amounts) plus(n int64, b amounts) amounts {
	times, result := new(big.Rat).SetInt64(n), make(amounts, len(a))
	for i := range a {
		product := new(big.Rat).Mul(times, b[i])
		result[i] = product.Add(a[i], product)
	}
	return result
}

// quotientIn returns how often the amounts fit into others, as a fraction, nil if nothing limits that.
// Amounts of zero always fit.
func (a amounts) quotientIn(remaining amounts) (least *big.Rat) {
	for i := range a {
		if a[i].Sign() > 0 {
			if quotient := new(big.Rat).Quo(remaining[i], a[i]); least == nil || quotient.Cmp(least) < 0 {
				least = quotient
			}
		}
	}
	return least
}

// timesIn returns how often the amounts fit into others, math.MaxInt64 if nothing limits that.
func (a amounts) timesIn(remaining amounts) int64 {
	quotient := a.quotientIn(remaining)
	switch {
	case quotient == nil:
		return math.MaxInt64
	case quotient.Sign() <= 0:
		return 0
	}
	if n := new(big.Int).Quo(quotient.Num(), quotient.Denom()); n.IsInt64() {
		return n.Int64()
	}
	return math.MaxInt64 // saturate
}
