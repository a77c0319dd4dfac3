package limitrange

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ViolationCause is which amount violates a bound. Together with the bound, it is one of nine
// reasons why the LimitRanger rejects an object. The zero value is unspecified.
type ViolationCause string

const (
	passes ViolationCause = "" // the zero value: no violation

	// NoRequest: Min, and Max of a claim, require a request; Ratio requires one that is not zero.
	NoRequest ViolationCause = "NoRequest"
	// NoLimit: Max requires a limit; Ratio requires one that is not zero.
	NoLimit ViolationCause = "NoLimit"
	// RequestOut: the request is below Min, or above Max.
	RequestOut ViolationCause = "RequestOut"
	// LimitOut: the limit is below Min, or above Max.
	LimitOut ViolationCause = "LimitOut"
	// RatioOut: the ratio of the limit to the request exceeds Ratio.
	RatioOut ViolationCause = "RatioOut"
)

// Violation is one bound of a LimitRange that a container, a pod or a claim violates. A *Violation
// is an error with the message of the API server.
type Violation struct {
	Type corev1.LimitType `json:"type"` // Container, Pod or PersistentVolumeClaim
	// Ref is the container, or the pod. It is zero for a claim.
	Ref      computeresources.Ref `json:"ref,omitzero"`
	Resource corev1.ResourceName  `json:"resource"`
	Bound    Bound                `json:"bound"` // Min, Max or Ratio
	Cause    ViolationCause       `json:"cause"`
	// Also is RequestOut if Cause is NoLimit and the request is above a Max, LimitOut if Cause is NoRequest and the
	// limit is below a Min, and otherwise zero. The API server reports only what is missing,
	// so Error does not mention it. Callers that accept missing amounts have to check it.
	Also     ViolationCause          `json:"also,omitzero"`
	Enforced resource.Quantity       `json:"enforced"`        // the value of the bound
	Source   computeresources.Source `json:"source,omitzero"` // where
	// Request and Limit are those of the container, the effective ones of the pod, or those of the
	// claim. They are nil if they are not set.
	Request *resource.Quantity `json:"request,omitempty"`
	Limit   *resource.Quantity `json:"limit,omitempty"`
	// Ratio is limit/request if the cause is RatioOut, and otherwise 0.
	Ratio float64 `json:"ratio,omitempty"`
}

// Error returns the message of the API server, word for word, such as "minimum cpu usage
// per Container is 100m, but request is 50m". It names neither the container nor the
// LimitRange: the refusals of package admit do.
func (v *Violation) Error() string {
	if v == nil {
		return "<nil>"
	}
	switch v.Bound {
	case Min:
		return "minimum " + string(v.Resource) + " usage per " + string(v.Type) + " is " + text(&v.Enforced) + v.found()
	case Max:
		return "maximum " + string(v.Resource) + " usage per " + string(v.Type) + " is " + text(&v.Enforced) + v.found()
	case Ratio:
		return string(v.Resource) + " max limit to request ratio per " + string(v.Type) + " is " + text(&v.Enforced) +
			v.foundRatio()
	case DefaultLimit, DefaultRequest, Remaining, Overhead, Request, Limit, greatestLimit, greatestRequest:
		// Are not enforced.
	}
	return string(v.Cause)
}

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
		return ", but provided ratio is " + strconv.FormatFloat(v.Ratio, 'f', 6, 64)
	case passes, RequestOut, LimitOut:
		// Not causes of a ratio.
	}
	return ""
}

// Field returns the violation as an error at the field that violates the bound, with the message of
// the API server as its detail: Required or Invalid at resources.requests[cpu] or
// resources.limits[cpu] of a container or a claim, Required if that is not set. A violation by the
// effective amounts of the pod is Forbidden at the pod spec: no single field violates it. Also has
// no field of its own. Path is the path of the spec of the pod or the claim; nil means spec.
func (v *Violation) Field(path *field.Path) *field.Error {
	if v == nil {
		return nil
	}
	if v.Ref.Kind == computeresources.Pod {
		return field.Forbidden(v.Ref.Path(path), v.Error())
	}
	list, amount := "requests", v.Request
	if v.Cause == NoLimit || v.Cause == LimitOut || v.Cause == RatioOut {
		list, amount = "limits", v.Limit
	}
	at := v.Ref.Path(path).Child("resources", list).Key(string(v.Resource))
	if v.Cause == NoRequest || v.Cause == NoLimit {
		return field.Required(at, v.Error())
	}
	return field.Invalid(at, text(amount), v.Error())
}

// text formats a quantity without writing to it, and returns "0" for nil.
func text(q *resource.Quantity) string {
	if q == nil {
		return "0"
	}
	return quantity.Text(q)
}
