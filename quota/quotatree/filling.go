package quotatree

import (
	"math/bits"
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
)

// filling divides an amount as water fills vessels that are connected: the share of each is its weight
// times the level, but at least low and at most high. It is used again, so that it allocates once.
type filling struct {
	vessels []vessel
	bends   []bend
	level   fraction
	full    bool // every vessel has high
}

// vessel has 0 ≤ low ≤ high.
type vessel struct{ low, high, weight int64 }

// bend is a level, amount/weight, at which a vessel begins to fill, or is full.
type bend struct {
	amount, weight int64
	full           bool
}

func (f *filling) reset() { f.vessels, f.bends = f.vessels[:0], f.bends[:0] }

func (f *filling) add(low, high, weight int64) {
	f.vessels = append(f.vessels, vessel{low, high, weight})
}

// divide sets the level at which the shares add up to total, which is between the sums of low and of high.
func (f *filling) divide(total fraction) {
	f.setWeightless(total)
	fixed, slope := int64(0), int64(0) // the sum of all shares is fixed + slope · level
	for _, v := range f.vessels {
		fixed += v.low // at most total
		if v.low < v.high {
			f.bends = append(f.bends, bend{v.low, v.weight, false}, bend{v.high, v.weight, true})
		}
	}
	slices.SortFunc(f.bends, compareBends)
	for _, b := range f.bends {
		if reaches(fixed, slope, b, total) {
			f.full = false
			f.level = fraction{num: b.amount, den: b.weight}
			if slope > 0 {
				f.level = total.minus(fixed).over(slope).reduced()
			}
			return
		}
		if b.full {
			fixed, slope = fixed+b.amount, slope-b.weight // at most total: the vessels are not above the level
		} else {
			fixed, slope = fixed-b.amount, slope+b.weight
		}
	}
	f.full = true
}

// setWeightless decides on vessels without weight: they keep low until all others have high, and then fill
// in equal parts.
func (f *filling) setWeightless(total fraction) {
	others := int64(0) // what all have before those without weight fill
	for _, v := range f.vessels {
		if v.weight > 0 {
			others = quantity.AddSaturated(others, v.high)
		} else {
			others = quantity.AddSaturated(others, v.low)
		}
	}
	rest := total.compare(whole(others)) >= 0
	for i := range f.vessels {
		switch v := &f.vessels[i]; {
		case v.weight > 0 && rest:
			v.low = v.high
		case v.weight == 0 && rest:
			v.weight = 1
		case v.weight == 0:
			v.high = v.low
		}
	}
}

// share returns the share of a vessel.
func (f *filling) share(i int) fraction {
	v := f.vessels[i]
	if f.full || v.low == v.high {
		return whole(v.high)
	}
	share := f.level.times(v.weight)
	switch {
	case share.compare(whole(v.low)) <= 0:
		return whole(v.low)
	case share.compare(whole(v.high)) >= 0:
		return whole(v.high)
	}
	return share
}

// reaches reports whether fixed + slope · level is at least total at the level of a bend.
func reaches(fixed, slope int64, b bend, total fraction) bool {
	high1, low1 := bits.Mul64(uint64(fixed), uint64(b.weight))
	high2, low2 := bits.Mul64(uint64(slope), uint64(b.amount))
	low, carry := bits.Add64(low1, low2, 0)
	if high := high1 + high2 + carry; high == 0 && low < 1<<63 {
		return fraction{num: int64(low), den: b.weight}.compare(total) >= 0
	}
	there := fraction{num: b.amount, den: b.weight}.times(slope).rational()
	return there.Add(there, whole(fixed).rational()).Cmp(total.rational()) >= 0
}

func compareBends(a, b bend) int {
	return fraction{num: a.amount, den: a.weight}.compare(fraction{num: b.amount, den: b.weight})
}
