package noderesources

import (
	"math"
	"math/bits"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Score returns the score of the node for a pod with this request: the sum of the scores of the scorers of
// the profile, each from 0 to 100 and multiplied by its weight. A higher score is better. It does not
// check whether the pod fits. It does not allocate for scorers of up to eight resources.
//
// For each resource, a scorer compares the requests of the pods on the node and of the new pod
// with the allocatable amount. Resources that the node does not have, and scalar resources that the
// pod does not request, are ignored. If none remains, the score is 0, or 75 for BalancedAllocation.
// Requests of cpu and memory count as NonZero returns them; for BalancedAllocation, as they are
// set. A negative sum counts as zero.
//
//   - LeastAllocated: the weighted mean of the free percentages, each and the mean rounded down.
//   - MostAllocated: the same for the requested percentages; an overcommitted resource counts as
//     100.
//   - RequestedToCapacityRatio: the weighted mean of the scores by the shape, ignoring scores of
//     zero, rounded to the nearest integer.
//   - BalancedAllocation: 75, plus half of the change of the balance, which is 100 minus the
//     standard deviation of the requested fractions in percent. The score is 0 for a pod that
//     requests none of the resources: the scheduler skips the plugin then.
//
// NodeResourcesFit has a bug up to 1.37: its scores ignore pod-level requests of the pod. To get its
// scores, compute the request with computeresources.Options.IgnorePodLevel.
//
// Source: the score plugins of k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func (l *Ledger) Score(r Request, p Profile) int64 {
	l = l.orEmpty()
	sum := int64(0)
	for i := range p.len() {
		w := p.at(i)
		sum += w.weight() * l.score(&r, &w.Scorer)
	}
	return sum
}

// score returns the score of one scorer.
func (l *sums) score(r *Request, s *Scorer) int64 {
	var terms [fewResources]term
	var amounts [fewResources]utilization
	c := compile(terms[:0], r, s)
	return c.score(l.utilizations(amounts[:0], c.terms))
}

// fewResources is for how many resources memory need not be allocated.
const fewResources = 8

// comparison is a Scorer together with a request.
type comparison struct {
	strategy  Strategy
	byPercent []int64
	terms     []term
	asks      bool // whether the pod requests any of the resources
}

// term is a resource that counts in a score, with what the pod adds to it.
type term struct {
	weightedColumn
	pod     int64
	nonZero bool // whether requests count with the defaults for scores
}

// compile compiles a request, with the terms in dst. A scalar resource that is not requested
// has no term.
func compile(dst []term, r *Request, s *Scorer) comparison {
	c := comparison{strategy: s.strategy, byPercent: s.byPercent, terms: dst}
	for i := range s.len() {
		t := term{weightedColumn: s.at(i)}
		t.pod = r.requestAt(&t.resourceColumn)
		c.asks = c.asks || t.pod != 0
		switch {
		case !t.isNative && t.pod == 0:
			continue
		case t.isNative && t.native < scored && s.strategy != BalancedAllocation:
			t.pod, t.nonZero = r.nonZero[t.native], true
		}
		c.terms = append(c.terms, t)
	}
	return c
}

// resourceColumn is a resource by its index in arrays of natives, or else its name.
type resourceColumn struct {
	name     corev1.ResourceName
	native   int
	isNative bool
}

func resourceColumnOf(name corev1.ResourceName) resourceColumn {
	i, isNative := nativeOf(name)
	return resourceColumn{name, i, isNative}
}

// utilization is the requested amount of a resource without and with a pod, neither negative.
// Allocatable is zero or less for resources that do not count.
type utilization struct{ without, with, allocatable int64 }

// utilizations appends the utilization of each term.
func (l *sums) utilizations(dst []utilization, terms []term) []utilization {
	for i := range terms {
		t := &terms[i]
		requested, allocatable := l.requestedAndAllocatable(t)
		without := requested.Int64()
		requested.Add(t.pod)
		dst = append(dst, utilization{max(without, 0), max(requested.Int64(), 0), allocatable})
	}
	return dst
}

// requestedAndAllocatable returns the requested and the allocatable amount of the resource of a term.
func (l *sums) requestedAndAllocatable(t *term) (requested quantity.Wide, allocatable int64) {
	switch {
	case t.nonZero:
		return l.nonZero[t.native], l.native[t.native].allocatable
	case t.isNative:
		return l.native[t.native].requested, l.native[t.native].allocatable
	}
	c := l.columnOf(t.name)
	return c.requested, c.allocatable
}

// score returns the score of a node with these utilizations, one for each term.
func (c *comparison) score(amounts []utilization) int64 {
	switch c.strategy {
	case LeastAllocated, "":
		return c.mean(amounts, false)
	case MostAllocated:
		return c.mean(amounts, true)
	case RequestedToCapacityRatio:
		return c.ratioScore(amounts)
	case BalancedAllocation:
		return c.balanceScore(amounts)
	}
	return 0
}

// mean returns the weighted mean of the percentages that are requested, or else free, rounded
// down.
func (c *comparison) mean(amounts []utilization, requested bool) int64 {
	var sum, weights int64
	for i := range amounts {
		u := &amounts[i]
		if u.allocatable <= 0 {
			continue
		}
		part := min(u.with, u.allocatable)
		if !requested {
			part = u.allocatable - part
		}
		sum += c.terms[i].weight * percentOf(part, u.allocatable)
		weights += c.terms[i].weight
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

func (c *comparison) ratioScore(amounts []utilization) int64 {
	var sum, weights int64
	for i := range amounts {
		u := &amounts[i]
		if u.allocatable <= 0 {
			continue
		}
		if score := c.byPercent[percentOf(min(u.with, u.allocatable), u.allocatable)]; score > 0 {
			sum += c.terms[i].weight * score
			weights += c.terms[i].weight
		}
	}
	if weights == 0 {
		return 0
	}
	return int64(math.Round(float64(sum) / float64(weights)))
}

func (c *comparison) balanceScore(amounts []utilization) int64 {
	if !c.asks {
		return 0
	}
	var with, without spread
	for i := range amounts {
		if u := &amounts[i]; u.allocatable > 0 {
			with.add(u.fraction(u.with))
			without.add(u.fraction(u.without))
		}
	}
	if with.n > 2 {
		for i := range amounts {
			if u := &amounts[i]; u.allocatable > 0 {
				with.addSquare(u.fraction(u.with))
				without.addSquare(u.fraction(u.without))
			}
		}
	}
	return maxScore/2 + (maxScore/2+with.balance()-without.balance())/2
}

// spread is the standard deviation of fractions. All are added first, and then again for their squares.
// The order of operations is that of the plugin, so that floats are rounded equally.
type spread struct {
	n, total, first, last float64
	squares               float64 // of the distances from the mean
}

func (s *spread) add(fraction float64) {
	if s.n == 0 {
		s.first = fraction
	}
	s.last = fraction
	s.total += fraction
	s.n++
}

func (s *spread) addSquare(fraction float64) {
	d := fraction - s.total/s.n
	s.squares += float64(d * d) // the conversion keeps compilers from fusing
}

// balance returns 100 less the standard deviation in percent, rounded down. That of two fractions
// takes no squares.
func (s *spread) balance() int64 {
	deviation := 0.0
	switch {
	case s.n == 2:
		deviation = math.Abs((s.first - s.last) / 2)
	case s.n > 2:
		deviation = math.Sqrt(s.squares / s.n)
	}
	return int64((1 - deviation) * maxScore)
}

// fraction returns which fraction of the node an amount is, 1 at most.
func (u *utilization) fraction(amount int64) float64 {
	return float64(min(amount, u.allocatable)) / float64(u.allocatable)
}

// requestAt returns the request of a resource.
func (r *Request) requestAt(p *resourceColumn) int64 {
	if p.isNative {
		return r.native[p.native].request
	}
	for _, s := range r.scalars {
		if s.name == p.name {
			return s.request
		}
	}
	return 0
}

// percentOf returns 100·part/total, rounded down, of a part from zero to total.
func percentOf(part, total int64) int64 {
	if part <= math.MaxInt64/100 {
		return part * 100 / total
	}
	high, low := bits.Mul64(uint64(part), 100)
	percent, _ := bits.Div64(high, low, uint64(total)) // fits, as part <= total
	return int64(percent)
}
