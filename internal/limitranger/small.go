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

// SmallMeetsMin reports whether Amounts.CheckMin passes for small amounts. It allocates
// nothing and can be inlined, as the other two.
func SmallMeetsMin(request, limit Small, bound int64) bool {
	return request.Set && request.Units >= bound && (!limit.Set || limit.Units >= bound)
}

// SmallMeetsMax reports whether Amounts.CheckMax passes for small amounts.
func SmallMeetsMax(request, limit Small, bound int64) bool {
	return limit.Set && limit.Units <= bound && (!request.Set || request.Units <= bound)
}

// SmallMeetsRatio reports whether Amounts.CheckRatio passes for a request and a limit from 1
// to MaxSmall and a ratio in milli-units, which is at most resource.MaxMilliValue of whole
// units. It reports false for other requests and limits, even for some that would pass. An amount that is
// not set is 0.
func SmallMeetsRatio(request, limit int64, milli float64) bool {
	return 0 < request && request <= MaxSmall && 0 < limit && limit <= MaxSmall &&
		withinMilli(float64(limit)/float64(request), milli)
}
