package noderesources

import (
	"math"
	"math/bits"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Score returns how good a place the node is for a pod with this request, from 0 to MaxScore;
// the greater, the better. It does not look at whether the pod fits. It does not allocate.
//
// What is compared is, of each resource, what the pods there and the pod request, and what is
// allocatable. A resource of which the node has nothing is left out, and so is a scalar
// resource that the pod does not request. Without any, the score is 0, or 75 for
// BalancedAllocation. Of cpu and memory, requests count as NonZero returns them; for
// BalancedAllocation, as they are set. A sum below zero counts as zero.
//
//   - LeastAllocated: the weighted mean of the free percentages, each and the mean rounded down.
//   - MostAllocated: the same of the requested percentages; more than there is counts as 100.
//   - RequestedToCapacityRatio: the weighted mean of the scores by the shape, those of zero
//     left out, rounded to the nearest.
//   - BalancedAllocation: 75, and half of what the pod adds to the balance, which is 100 less
//     the standard deviation of the requested fractions in percent. A pod that requests none of
//     the resources has 0: the scheduler does not ask the plugin then.
//
// NodeResourcesFit of 1.36 leaves pod-level requests of the pod out of its scores, by mistake:
// to compare with it, compute the request with computeresources.Options.IgnorePodLevel.
//
// Source: the score plugins of k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources.
func (l *Ledger) Score(r Request, s Scorer) int64 {
	switch s.strategy {
	case LeastAllocated:
		return l.mean(r, &s, func(requested, allocatable int64) int64 {
			return percentOf(allocatable-min(requested, allocatable), allocatable)
		})
	case MostAllocated:
		return l.mean(r, &s, func(requested, allocatable int64) int64 {
			return percentOf(min(requested, allocatable), allocatable)
		})
	case RequestedToCapacityRatio:
		return l.ratioScore(r, &s)
	case BalancedAllocation:
		return l.balanceScore(r, &s)
	}
	return 0
}

// mean returns the weighted mean of the scores of resources, rounded down.
func (l *Ledger) mean(r Request, s *Scorer, score func(requested, allocatable int64) int64) int64 {
	var sum, weights int64
	for i := range s.len() {
		w := s.at(i)
		if u := l.utilization(r, w.Name, false); u.allocatable > 0 {
			sum += w.Weight * score(u.with, u.allocatable)
			weights += w.Weight
		}
	}
	if weights == 0 {
		return 0
	}
	return sum / weights
}

func (l *Ledger) ratioScore(r Request, s *Scorer) int64 {
	var sum, weights int64
	for i := range s.len() {
		w := s.at(i)
		u := l.utilization(r, w.Name, false)
		if u.allocatable <= 0 {
			continue
		}
		if score := s.shapeScore(percentOf(min(u.with, u.allocatable), u.allocatable)); score > 0 {
			sum += w.Weight * score
			weights += w.Weight
		}
	}
	if weights == 0 {
		return 0
	}
	return int64(math.Round(float64(sum) / float64(weights)))
}

func (l *Ledger) balanceScore(r Request, s *Scorer) int64 {
	asks := false
	for i := range s.len() {
		asks = asks || r.amountOf(s.at(i).Name) != 0
	}
	if !asks {
		return 0
	}
	gain := l.balance(r, s, utilization.fractionWith) - l.balance(r, s, utilization.fractionWithout)
	return MaxScore/2 + (MaxScore/2+gain)/2
}

// balance returns 100 less the standard deviation of fractions in percent, rounded down. The
// order of its operations is that of the plugin, so that floats are rounded alike.
func (l *Ledger) balance(r Request, s *Scorer, fractionOf func(utilization) float64) int64 {
	var n, total, first, last float64
	for i := range s.len() {
		if u := l.utilization(r, s.at(i).Name, true); u.allocatable > 0 {
			last = fractionOf(u)
			if n == 0 {
				first = last
			}
			total += last
			n++
		}
	}
	deviation := 0.0
	switch {
	case n == 2:
		deviation = math.Abs((first - last) / 2)
	case n > 2:
		var squares float64
		for i := range s.len() {
			if u := l.utilization(r, s.at(i).Name, true); u.allocatable > 0 {
				d := fractionOf(u) - total/n
				squares += float64(d * d) // the conversion keeps compilers from fusing
			}
		}
		deviation = math.Sqrt(squares / n)
	}
	return int64((1 - deviation) * MaxScore)
}

// utilization is what is requested of a resource without and with a pod, neither below zero.
// Allocatable is zero or less for what is left out.
type utilization struct{ without, with, allocatable int64 }

func (u utilization) fractionWith() float64 {
	return min(1, float64(u.with)/float64(u.allocatable))
}

func (u utilization) fractionWithout() float64 {
	return min(1, float64(u.without)/float64(u.allocatable))
}

// utilization returns the utilization of a resource: with requests as they are set, or else
// those of cpu and memory with the defaults for scores.
func (l *Ledger) utilization(r Request, name corev1.ResourceName, asSet bool) utilization {
	i, isNative := nativeOf(name)
	if isNative {
		c := &l.native[i]
		if asSet || i >= scored {
			return utilizationOf(c.requested, r.native[i].request, c.allocatable)
		}
		return utilizationOf(l.nonZero[i], r.nonZero[i], c.allocatable)
	}
	requested := r.amountOf(name)
	i, found := l.indexOf(name)
	if requested == 0 || !found {
		return utilization{}
	}
	c := &l.scalars[i]
	return utilizationOf(c.requested, requested, c.allocatable)
}

func utilizationOf(there quantity.Wide, pod, allocatable int64) utilization {
	without := there.Int64()
	there.Add(pod)
	return utilization{max(without, 0), max(there.Int64(), 0), allocatable}
}

// amountOf returns the request of a resource.
func (r *Request) amountOf(name corev1.ResourceName) int64 {
	if i, isNative := nativeOf(name); isNative {
		return r.native[i].request
	}
	for i := range r.scalars {
		if r.scalars[i].name == name {
			return r.scalars[i].request
		}
	}
	return 0
}

// percentOf returns 100·part/total, rounded down, of a part from zero to total.
func percentOf(part, total int64) int64 {
	high, low := bits.Mul64(uint64(part), 100)
	percent, _ := bits.Div64(high, low, uint64(total)) // fits, as part <= total
	return int64(percent)
}
