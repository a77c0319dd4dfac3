package admit

import (
	"fmt"
	"math/big"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// violationRefusal returns the refusal for a bound that a pod or a claim violates, which keeps v.
func (a *podAmounts) violationRefusal(
	v *limitrange.Violation, defaults []computeresources.Change, from origins, path *field.Path,
) *Refusal {
	r := &Refusal{
		Ref: v.Ref, Resource: v.Resource, Path: v.Field(path).Field, Source: v.Source,
		Defaults: defaults, Violation: v,
	}
	subject := v.Ref.String()
	if v.Type == corev1.LimitTypePersistentVolumeClaim {
		subject = "claim"
	}
	if v.Bound == limitrange.Ratio {
		r.What, r.Remedy = wordsOfRatio(v, from, a.ratiosAreExact)
	} else {
		r.What, r.Remedy = wordsOfBound(v, from)
	}
	r.What = subject + ": " + r.What
	return r
}

// wordsOfBound returns how a minimum or a maximum is violated, and what to do.
func wordsOfBound(v *limitrange.Violation, from origins) (what, remedy string) {
	bound, relation, verb, limits := "minimum", "below", "raise", "at least"
	if v.Bound == limitrange.Max {
		bound, relation, verb, limits = "maximum", "above", "lower", "at most"
	}
	enforced := quantity.Text(&v.Enforced)
	out := func(list string, q *resource.Quantity, from origin) string {
		return fmt.Sprintf("%s is %s the %s %s of %v", from.subject(list, v.Resource, q), relation, bound, enforced, v.Source)
	}
	list, q, of := concerned(v, v.Cause, from)
	if v.Cause == limitrange.NoRequest || v.Cause == limitrange.NoLimit {
		what, remedy = fmt.Sprintf("no %s %s, but %v has a %s of %s", v.Resource, list, v.Source, bound, enforced),
			fmt.Sprintf("set a %s of %s %s", list, limits, enforced)
		if v.Also != "" {
			other, q, of := concerned(v, v.Also, from)
			what = fmt.Sprintf("no %s %s, and %s", v.Resource, list, out(other, q, of))
			if v.Also == limitrange.LimitOut || of.source == nil { // a request defaults to the limit first
				remedy += " and " + of.change(verb, other)
			}
		}
	} else {
		what, remedy = out(list, q, of), of.change(verb, list)
	}
	if v.Bound == limitrange.Max && v.Enforced.Sign() < 0 {
		remedy = "no amount meets it"
	}
	return what, remedy
}

// concerned returns the list that a cause is about, the amount in it, and its origin.
func concerned(
	v *limitrange.Violation, cause limitrange.ViolationCause, from origins,
) (list string, q *resource.Quantity, of origin) {
	if cause == limitrange.NoLimit || cause == limitrange.LimitOut {
		return "limit", v.Limit, from.limit
	}
	return "request", v.Request, from.request
}

// wordsOfRatio returns how a ratio is violated, and what to do.
func wordsOfRatio(v *limitrange.Violation, from origins, exactly bool) (what, remedy string) {
	enforced := decimal(v.Enforced)
	switch v.Cause {
	case limitrange.NoRequest:
		return fmt.Sprintf("no %s request above zero, but %v allows a limit of %s times the request", v.Resource,
			v.Source, enforced), "set both"
	case limitrange.NoLimit:
		return fmt.Sprintf("no %s limit above zero, but %v allows one of %s times the request", v.Resource, v.Source,
			enforced), "set both"
	case limitrange.RequestOut, limitrange.LimitOut:
		// Not causes of a ratio.
	case limitrange.RatioOut:
		// The request and the limit are set.
	}
	what = fmt.Sprintf("%s is %.4g times %s, but %v allows %s times", from.limit.subject("limit", v.Resource, v.Limit),
		v.Ratio, from.request.object("request", v.Request), v.Source, enforced)
	request, limit, possible := withinRatio(v, exactly)
	if !possible {
		return what, "no positive amounts meet it"
	}
	return what, fmt.Sprintf("request at least %s, or set a limit of at most %s", quantity.Text(&request),
		quantity.Text(&limit))
}

// decimal formats a quantity, which is a copy, without a suffix: 1.5, not 1500m.
func decimal(q resource.Quantity) string {
	clone := q.DeepCopy()
	clone.RoundUp(resource.Milli)
	digits := clone.AsDec().String()
	if strings.Contains(digits, ".") {
		digits = strings.TrimSuffix(strings.TrimRight(digits, "0"), ".")
	}
	return digits
}

// withinRatio returns how to satisfy a ratio that is exceeded: the smallest request for the limit, and the largest
// limit for the request, both in milli-units of cpu and whole units of other resources, which the server finds
// within the ratio: exactly, or in floats. Neither is possible if the ratio is below 1.
func withinRatio(v *limitrange.Violation, exactly bool) (request, limit resource.Quantity, possible bool) {
	if v.Enforced.Cmp(*resource.NewQuantity(1, resource.DecimalSI)) < 0 || v.Request.Sign() <= 0 || v.Limit.Sign() <= 0 {
		return request, limit, false
	}
	ratio, milli := limitranger.RatioOf(v.Enforced, exactly), big.NewInt(1)
	fixedRequest, _ := quantity.Floor(quantity.Rational(*v.Request), resource.Milli)
	fixedLimit := quantity.Ceil(quantity.Rational(*v.Limit), resource.Milli)
	inMilli := func(n *big.Int) *big.Rat { return new(big.Rat).SetFrac(n, big.NewInt(1000)) }
	scale := quantity.ScaleOf(v.Resource)
	least := quantity.Ceil(inMilli(ratio.LeastRequestIn(milli, fixedLimit)), scale)
	greatest, _ := quantity.Floor(inMilli(ratio.GreatestLimitIn(milli, fixedRequest)), scale)
	return quantity.OfUnits(least, scale, v.Request.Format), quantity.OfUnits(greatest, scale, v.Limit.Format), true
}
