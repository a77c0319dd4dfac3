package limitranger

import "k8s.io/apimachinery/pkg/api/resource"

// Amounts are the request and the limit of one resource. Nil means not set. The quantities are
// copies.
type Amounts struct{ Request, Limit *resource.Quantity }

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
func (a Amounts) CheckMin(bound resource.Quantity) Verdict {
	scale := a.scaleFor(bound)
	switch {
	case a.Request == nil:
		return NoRequest
	case compareAt(scale, *a.Request, bound) < 0:
		return RequestOut
	case a.Limit != nil && compareAt(scale, *a.Limit, bound) < 0:
		return LimitOut
	}
	return Passes
}

// CheckMax holds amounts against a maximum: of the limit, which has to be set, and of the
// request if it is set.
func (a Amounts) CheckMax(bound resource.Quantity) Verdict {
	scale := a.scaleFor(bound)
	switch {
	case a.Limit == nil:
		return NoLimit
	case compareAt(scale, *a.Limit, bound) > 0:
		return LimitOut
	case a.Request != nil && compareAt(scale, *a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckMaxRequest is CheckMax without the limit: for claims, which have requests only.
func (a Amounts) CheckMaxRequest(bound resource.Quantity) Verdict {
	switch {
	case a.Request == nil:
		return NoRequest
	case compareAt(a.scaleFor(bound), *a.Request, bound) > 0:
		return RequestOut
	}
	return Passes
}

// CheckRatio holds amounts against a maxLimitRequestRatio. It also returns limit/request,
// or 0 if one of them is missing or zero.
//
// Beyond 64 bits, the quotient is that of the nearest floats. A quotient that is no number
// exceeds every ratio.
func (a Amounts) CheckRatio(bound resource.Quantity) (Verdict, float64) {
	scale := a.scaleFor(bound)
	if a.Request == nil || units(*a.Request, scale) == 0 {
		return NoRequest, 0
	}
	if a.Limit == nil || units(*a.Limit, scale) == 0 {
		return NoLimit, 0
	}
	quotient := float(*a.Limit, scale) / float(*a.Request, scale)
	if !integersOf(bound).allow(quotient) {
		return RatioOut, quotient
	}
	return Passes, quotient
}

// scaleFor returns the scale at which the server compares amounts with a bound. Missing amounts count
// as zero.
func (a Amounts) scaleFor(bound resource.Quantity) resource.Scale {
	return scaleUpTo(resource.MaxMilliValue, a.Request, a.Limit, &bound)
}

// Widest returns a maxLimitRequestRatio and max/min as the server compares them when it
// validates the item of a LimitRange. It is not LimitRanger that does this, but it converts
// amounts alike, except that exactly resource.MaxMilliValue whole units are too many for
// milli-units. Beyond 64 bits, the floats are the nearest. With a min of zero, widest is no
// finite number.
//
// Source: ValidateLimitRange of k8s.io/kubernetes/pkg/apis/core/validation.
func Widest(bound, min, max resource.Quantity) (ratio, widest float64) {
	scale := scaleUpTo(resource.MaxMilliValue-1, &bound, &min, &max)
	ratio = float(bound, scale)
	if scale == resource.Milli {
		ratio /= 1000
	}
	return ratio, float(max, scale) / float(min, scale)
}
