package limitrange

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ViolationCause says which of the amounts breaks a bound. Together with the bound, it is one of
// the nine ways to be rejected by the LimitRanger.
type ViolationCause uint8

const (
	passes ViolationCause = iota

	// NoRequest: Min, and Max of a claim, ask for a request; Ratio for one that is
	// not zero.
	NoRequest
	// NoLimit: Max asks for a limit; Ratio for one that is not zero.
	NoLimit
	// RequestOut: the request is below Min, or above Max.
	RequestOut
	// LimitOut: the limit is below Min, or above Max.
	LimitOut
	// RatioOut: the limit is more times the request than Ratio allows.
	RatioOut
)

// String returns the cause in words, such as "no limit", and "unknown" for a value that is
// none of the constants.
func (c ViolationCause) String() string {
	switch c {
	case passes:
		return "unknown"
	case NoRequest:
		return "no request"
	case NoLimit:
		return "no limit"
	case RequestOut:
		return "request out of bounds"
	case LimitOut:
		return "limit out of bounds"
	case RatioOut:
		return "ratio of limit to request too high"
	}
	return "unknown"
}

// Violation is one bound of a LimitRange that a container, a pod or a claim breaks. A
// *Violation is an error with the message of the API server.
type Violation struct {
	Type corev1.LimitType // Container, Pod or PersistentVolumeClaim
	// Ref is the container, or the pod. For a claim it means nothing.
	Ref      computeresources.Ref
	Resource corev1.ResourceName
	Bound    Bound // Min, Max or Ratio
	Cause    ViolationCause
	Enforced resource.Quantity       // what the bound is set to
	Source   computeresources.Source // where
	// Request and Limit are what was found: of the container, of the pod in all, or of
	// the claim. Those that are nil are not stated.
	Request, Limit *resource.Quantity
	// Ratio is limit/request if the cause is RatioOut, and otherwise 0.
	Ratio float64
}

// Error returns the message of the API server, word for word, such as "minimum cpu usage
// per Container is 100m, but request is 50m". It names neither the container nor the
// LimitRange: Diagnosis does.
func (v *Violation) Error() string {
	switch v.Bound {
	case Min:
		return fmt.Sprintf("minimum %s usage per %s is %s", v.Resource, v.Type, text(&v.Enforced)) + v.found()
	case Max:
		return fmt.Sprintf("maximum %s usage per %s is %s", v.Resource, v.Type, text(&v.Enforced)) + v.found()
	case Ratio:
		return fmt.Sprintf("%s max limit to request ratio per %s is %s", v.Resource, v.Type, text(&v.Enforced)) + v.foundRatio()
	case DefaultLimit, DefaultRequest, greatestLimit, greatestRequest:
		// Are not enforced.
	}
	return v.Cause.String()
}

// String returns the same message, also of a Violation that is not behind a pointer.
func (v Violation) String() string { return v.Error() }

func (v *Violation) found() string {
	switch v.Cause {
	case NoRequest:
		return ".  No request is specified"
	case NoLimit:
		return ".  No limit is specified"
	case RequestOut:
		return ", but request is " + text(v.Request)
	case LimitOut:
		return ", but limit is " + text(v.Limit)
	case passes, RatioOut:
		// Not causes of a minimum or maximum.
	}
	return ""
}

func (v *Violation) foundRatio() string {
	switch v.Cause {
	case NoRequest:
		return ", but no request is specified or request is 0"
	case NoLimit:
		return ", but no limit is specified or limit is 0"
	case RatioOut:
		return fmt.Sprintf(", but provided ratio is %f", v.Ratio)
	case passes, RequestOut, LimitOut:
		// Not causes of a ratio.
	}
	return ""
}

// text spells a quantity, "0" if there is none. It does not write to it.
func text(q *resource.Quantity) string {
	if q == nil {
		return "0"
	}
	return quantity.Text(q)
}
