package quotatree

import (
	"slices"

	"github.com/kubemath/kubemath/internal/quantity"
)

// filling divides an amount as water fills vessels that are connected: the share of each is its weight
// times the level, but at least low and at most high. It is used again, so that it allocates once.
type filling struct {
	vessels []vessel
	bends   []bend
	level   quantity.Ratio
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
func (f *filling) divide(total quantity.Ratio) {
	f.setWeightless(total)
	fixed, slope := int64(0), int64(0) // the sum of all shares is fixed + slope · level
	for _, v := range f.vessels {
		fixed += v.low // at most total
		if v.low < v.high {
			f.bends = append(f.bends, bend{v.low, v.weight, false}, bend{v.high, v.weight, true})
		}
	}
	slices.SortFunc(f.bends, func(a, b bend) int { return a.level().Cmp(b.level()) })
	for _, b := range f.bends {
		if reaches(fixed, slope, b, total) {
			f.full = false
			f.level = b.level()
			if slope > 0 {
				f.level = total.Minus(quantity.Whole(fixed)).Over(quantity.Whole(slope)).Reduced()
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
func (f *filling) setWeightless(total quantity.Ratio) {
	others := int64(0) // what all have before those without weight fill
	for _, v := range f.vessels {
		if v.weight > 0 {
			others = quantity.AddSaturated(others, v.high)
		} else {
			others = quantity.AddSaturated(others, v.low)
		}
	}
	rest := total.Cmp(quantity.Whole(others)) >= 0
	for i := range f.vessels {
		v := &f.vessels[i]
		switch {
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
func (f *filling) share(i int) quantity.Ratio {
	v := f.vessels[i]
	if f.full || v.low == v.high {
		return quantity.Whole(v.high)
	}
	share := f.level.Times(quantity.Whole(v.weight))
	switch {
	case share.Cmp(quantity.Whole(v.low)) <= 0:
		return quantity.Whole(v.low)
	case share.Cmp(quantity.Whole(v.high)) >= 0:
		return quantity.Whole(v.high)
	}
	return share
}

// reaches reports whether fixed + slope · level is at least total at the level of a bend.
func reaches(fixed, slope int64, b bend, total quantity.Ratio) bool {
	return b.level().Times(quantity.Whole(slope)).Plus(quantity.Whole(fixed)).Cmp(total) >= 0
}

func (b bend) level() quantity.Ratio { return quantity.RatioOf(b.amount, b.weight) }
