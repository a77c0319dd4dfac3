package limitranger

// MaxSmall is what amounts may be so that the quotient of two is the same float64, whether
// they are counted in units or in milli-units: those then fit 53 bits.
const MaxSmall = 1 << 43

// Small is an amount that is exactly an integer from 0 to MaxSmall: of milli-units or of
// whole units, as long as bounds and amounts use the same unit. The zero value is not set.
type Small struct {
	Units int64
	Set   bool
}

// SmallBounds are bounds of small amounts. Ratio is in milli-units, and at most resource.MaxMilliValue of
// whole units.
type SmallBounds struct {
	HasMin, HasMax, HasRatio bool
	Min, Max                 int64
	Ratio                    float64
}

// Pass reports whether small amounts are within all bounds: whether CheckMin, CheckMax and CheckRatio of
// Amounts pass. With a ratio, it reports false for requests and limits beyond 1 to MaxSmall, even
// for some that would pass.
func (b *SmallBounds) Pass(request, limit Small) bool {
	switch {
	case b.HasMin && (!request.Set || request.Units < b.Min || limit.Set && limit.Units < b.Min):
		return false
	case b.HasMax && (!limit.Set || limit.Units > b.Max || request.Set && request.Units > b.Max):
		return false
	case !b.HasRatio:
		return true
	}
	x, y := request.Units, limit.Units
	return 0 < x && x <= MaxSmall && 0 < y && y <= MaxSmall && withinMilli(float64(y)/float64(x), b.Ratio)
}
