package limitranger

import (
	"cmp"
	"math/bits"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Amounts are the request and the limit of one resource.
type Amounts struct {
	Request, Limit Amount
	// Exactly compares them with bounds without rounding, as Kubernetes does since 1.38.
	Exactly bool
}

// Verdict is the result of the server's comparison of amounts with one bound.
type Verdict uint8

const (
	Passes     Verdict = iota // the amounts are within the bound
	NoRequest                 // the bound requires a request; a ratio, one that is not zero
	NoLimit                   // the bound requires a limit; a ratio, one that is not zero
	RequestOut                // the request is out of bounds
	LimitOut                  // the limit is out of bounds
	RatioOut                  // the limit is too many times the request
)

// CheckMin holds amounts against a minimum: of the request, which has to be set, and of the
// limit if it is set.
func (a *Amounts) CheckMin(bound *Amount) Verdict {
	switch {
	case !a.Request.isSet:
		return NoRequest
	case a.compare(&a.Request, bound) < 0:
		return RequestOut
	case a.Limit.isSet && a.compare(&a.Limit, bound) < 0:
		return LimitOut
	}
	return Passes
}

// CheckMax holds amounts against a maximum: of the limit, which has to be set, and of the
// request if it is set.
func (a *Amounts) CheckMax(bound *Amount) Verdict {
	switch {
	case !a.Limit.isSet:
		return NoLimit
	case a.compare(&a.Limit, bound) > 0:
		return LimitOut
	case a.Request.isSet && a.compare(&a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckMaxRequest is CheckMax without the limit: for claims, which have requests only.
func (a *Amounts) CheckMaxRequest(bound *Amount) Verdict {
	switch {
	case !a.Request.isSet:
		return NoRequest
	case a.compare(&a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckRatio holds amounts against a maxLimitRequestRatio. It also returns limit/request,
// or 0 if one of them is missing or zero.
//
// Beyond 64 bits, the quotient is that of the nearest floats. A quotient that is no number
// exceeds every ratio. Exactly, the limit is compared with the product of the request and the ratio.
func (a *Amounts) CheckRatio(bound *Amount) (Verdict, float64) {
	scale := a.scaleFor(bound)
	if !a.Request.isSet || a.Request.in(scale) == 0 {
		return NoRequest, 0
	}
	if !a.Limit.isSet || a.Limit.in(scale) == 0 {
		return NoLimit, 0
	}
	quotient := a.Limit.float(scale) / a.Request.float(scale)
	within := bound.allow(quotient)
	if a.Exactly {
		within = a.isWithin(bound)
	}
	if !within {
		return RatioOut, quotient
	}
	return Passes, quotient
}

// isWithin reports whether the limit is at most so many times the request, exactly.
func (a *Amounts) isWithin(ratio *Amount) bool {
	if a.Request.isExact && a.Limit.isExact && ratio.isExact {
		high, low := bits.Mul64(uint64(a.Limit.milli), 1000)
		mostHigh, mostLow := bits.Mul64(uint64(a.Request.milli), uint64(ratio.milli))
		return high < mostHigh || high == mostHigh && low <= mostLow
	}
	limit, request, factor := a.Limit.quantity(), a.Request.quantity(), ratio.quantity()
	product := request.AsDec()
	return compareQuantities(limit, *resource.NewDecimalQuantity(*product.Mul(product, factor.AsDec()), "")) <= 0
}

// compare compares the request or the limit with a bound.
func (a *Amounts) compare(amount, bound *Amount) int {
	switch {
	case !a.Exactly:
		return compareAt(a.scaleFor(bound), amount, bound)
	case amount.isExact && bound.isExact:
		return cmp.Compare(amount.milli, bound.milli)
	}
	return compareQuantities(amount.quantity(), bound.quantity())
}

// scaleFor returns the scale at which the server compares amounts with a bound. Missing amounts count as zero.
func (a *Amounts) scaleFor(bound *Amount) resource.Scale {
	return scaleUpTo(resource.MaxMilliValue, &a.Request, &a.Limit, bound)
}

// Widest returns a maxLimitRequestRatio and max/min as the server compares them when it
// validates the item of a LimitRange. It is not LimitRanger that does this, but it converts
// amounts alike, except that exactly resource.MaxMilliValue whole units are too many for
// milli-units. Beyond 64 bits, the floats are the nearest. With a min of zero, widest is no
// finite number.
//
// Source: ValidateLimitRange of k8s.io/kubernetes/pkg/apis/core/validation.
func Widest(bound, min, max resource.Quantity) (ratio, widest float64) {
	r, lower, upper := AmountOf(&bound), AmountOf(&min), AmountOf(&max)
	scale := scaleUpTo(resource.MaxMilliValue-1, &r, &lower, &upper)
	ratio = r.float(scale)
	if scale != 0 {
		ratio /= 1000
	}
	return ratio, upper.float(scale) / lower.float(scale)
}
