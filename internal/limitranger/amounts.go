package limitranger

import "k8s.io/apimachinery/pkg/api/resource"

// Amounts are the request and the limit of one resource.
type Amounts struct{ Request, Limit Amount }

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
	scale := a.scaleFor(bound)
	switch {
	case !a.Request.isSet:
		return NoRequest
	case compareAt(scale, &a.Request, bound) < 0:
		return RequestOut
	case a.Limit.isSet && compareAt(scale, &a.Limit, bound) < 0:
		return LimitOut
	}
	return Passes
}

// CheckMax holds amounts against a maximum: of the limit, which has to be set, and of the
// request if it is set.
func (a *Amounts) CheckMax(bound *Amount) Verdict {
	scale := a.scaleFor(bound)
	switch {
	case !a.Limit.isSet:
		return NoLimit
	case compareAt(scale, &a.Limit, bound) > 0:
		return LimitOut
	case a.Request.isSet && compareAt(scale, &a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckMaxRequest is CheckMax without the limit: for claims, which have requests only.
func (a *Amounts) CheckMaxRequest(bound *Amount) Verdict {
	switch {
	case !a.Request.isSet:
		return NoRequest
	case compareAt(a.scaleFor(bound), &a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckRatio holds amounts against a maxLimitRequestRatio. It also returns limit/request,
// or 0 if one of them is missing or zero.
//
// Beyond 64 bits, the quotient is that of the nearest floats. A quotient that is no number
// exceeds every ratio.
func (a *Amounts) CheckRatio(bound *Amount) (Verdict, float64) {
	scale := a.scaleFor(bound)
	if !a.Request.isSet || a.Request.in(scale) == 0 {
		return NoRequest, 0
	}
	if !a.Limit.isSet || a.Limit.in(scale) == 0 {
		return NoLimit, 0
	}
	quotient := a.Limit.float(scale) / a.Request.float(scale)
	if !bound.allow(quotient) {
		return RatioOut, quotient
	}
	return Passes, quotient
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
