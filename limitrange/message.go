package limitrange

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
)

// origin is where a request or limit comes from, if it is a default.
type origin struct {
	source       *computeresources.Source // the LimitRange that it is a default of
	followsLimit bool                     // the API server has taken it from the limit
}

type originOfBoth struct{ request, limit origin }

func origins(defaults []computeresources.Change) originOfBoth {
	var given originOfBoth
	for i := range defaults {
		if d := &defaults[i]; d.List == computeresources.Limits {
			given.limit.source = &d.Source
		} else {
			given.request.source = &d.Source
		}
	}
	return given
}

// subject returns an amount at the head of a sentence: "request cpu 2", or "the default
// limit cpu 1 from LimitRange team-defaults".
func (o origin) subject(list string, name corev1.ResourceName, q *resource.Quantity) string {
	words := fmt.Sprintf("%s %s %s", list, name, text(q))
	switch {
	case o.source != nil:
		return fmt.Sprintf("the default %s from %v", words, *o.source)
	case o.followsLimit:
		return words + ", which follows the limit,"
	}
	return words
}

// object returns an amount that another one is compared with: "its limit 1", or "the
// default limit 1 from LimitRange team-defaults".
func (o origin) object(list string, q *resource.Quantity) string {
	if o.source != nil {
		return fmt.Sprintf("the default %s %s from %v", list, text(q), *o.source)
	}
	return fmt.Sprintf("its %s %s", list, text(q))
}

// change returns what to do about an amount: raise or lower it, or set one instead of the
// default.
func (o origin) change(verb, list string) string {
	switch {
	case o.source != nil:
		return "set a " + list
	case o.followsLimit:
		return verb + " the limit"
	}
	return verb + " the " + list
}

func (o originOfBoth) remedyOfMismatch(order int, overcommitable bool) string {
	switch {
	case !overcommitable:
		return "set both to the same amount"
	case o.request.source != nil && o.limit.source != nil:
		return "set both"
	case o.limit.source != nil:
		return "set a limit or lower the request"
	case o.request.source != nil:
		return "set a request or raise the limit"
	}
	return "raise the limit or lower the request"
}

// Diagnosis returns the violation in words that name the container, the LimitRange and the remedy:
// "container app: request cpu 50m is below the minimum 100m of LimitRange team/bounds: raise the
// request". A Violation does not know which amounts are defaults; Admission.Problems does. The
// problem owns its memory.
func (v Violation) Diagnosis() Problem {
	p := Problem{Ref: v.Ref, Resource: v.Resource, Violation: v.owned()}
	p.What, p.Remedy = v.words(originOfBoth{})
	return p
}

// words returns the problem and the remedy.
func (v Violation) words(given originOfBoth) (what, remedy string) {
	subject := v.Ref.String()
	if v.Type == corev1.LimitTypePersistentVolumeClaim {
		subject = "claim"
	}
	if v.Bound == Ratio {
		what, remedy = v.ratioWords(given)
	} else {
		what, remedy = v.boundWords(given)
	}
	return subject + ": " + what, remedy
}

func (v Violation) boundWords(given originOfBoth) (what, remedy string) {
	bound, relation, verb, limits := "minimum", "below", "raise", "at least"
	if v.Bound == Max {
		bound, relation, verb, limits = "maximum", "above", "lower", "at most"
	}
	enforced := text(&v.Enforced)
	out := func(list string, q *resource.Quantity, from origin) string {
		return fmt.Sprintf("%s is %s the %s %s of %v", from.subject(list, v.Resource, q), relation, bound, enforced, v.Source)
	}
	list, q, from := v.concerned(v.Cause, given)
	if v.Cause == NoRequest || v.Cause == NoLimit {
		what, remedy = fmt.Sprintf("no %s %s, but %v has a %s of %s", v.Resource, list, v.Source, bound, enforced),
			fmt.Sprintf("set a %s of %s %s", list, limits, enforced)
		if v.Also != passes {
			other, q, from := v.concerned(v.Also, given)
			what = fmt.Sprintf("no %s %s, and %s", v.Resource, list, out(other, q, from))
			if v.Also == LimitOut || from.source == nil { // a request defaults to the limit first
				remedy += " and " + from.change(verb, other)
			}
		}
	} else {
		what, remedy = out(list, q, from), from.change(verb, list)
	}
	if v.Bound == Max && v.Enforced.Sign() < 0 {
		remedy = "no amount meets it"
	}
	return what, remedy
}

// concerned returns the list that a cause is about, the amount in it, and its origin.
func (v Violation) concerned(cause ViolationCause, given originOfBoth) (list string, q *resource.Quantity, from origin) {
	if cause == NoLimit || cause == LimitOut {
		return "limit", v.Limit, given.limit
	}
	return "request", v.Request, given.request
}

func (v Violation) ratioWords(given originOfBoth) (what, remedy string) {
	enforced := decimal(v.Enforced)
	switch v.Cause {
	case NoRequest:
		return fmt.Sprintf("no %s request above zero, but %v allows a limit of %s times the request", v.Resource, v.Source, enforced), "set both"
	case NoLimit:
		return fmt.Sprintf("no %s limit above zero, but %v allows one of %s times the request", v.Resource, v.Source, enforced), "set both"
	case passes, RequestOut, LimitOut:
		// Not causes of a ratio.
	case RatioOut:
		// The request and the limit are set.
	}
	what = fmt.Sprintf("%s is %.4g times %s, but %v allows %s times", given.limit.subject("limit", v.Resource, v.Limit), v.Ratio, given.request.object("request", v.Request), v.Source, enforced)
	request, limit, possible := v.withinRatio()
	if !possible {
		return what, "no positive amounts meet it"
	}
	return what, fmt.Sprintf("request at least %s, or set a limit of at most %s", text(&request), text(&limit))
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
