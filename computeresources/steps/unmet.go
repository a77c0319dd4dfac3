package steps

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Cause says what keeps a bound from being met.
type Cause uint8

const (
	// MinAboveMax: no amount is at least the minimum (Wanted) and at most the maximum
	// (Found).
	MinAboveMax Cause = iota
	// MaxBelowZero: no limit is at most the maximum (Wanted). Found is zero.
	MaxBelowZero
	// RatioBelowOne: no limit is at least the request, and at most so many times the
	// request as the ratio (Wanted) says. Found is 1, the least ratio there is.
	RatioBelowOne
	// RatioOfNothing: a ratio (Wanted) demands a request and a limit above zero, and
	// nothing states one, or the maximum is zero. Found is zero.
	RatioOfNothing
	// LimitBelowMin: Fill leaves limits alone, but no request is at most the limit
	// (Found) and at least the minimum (Wanted).
	LimitBelowMin
	// LimitAboveMax: Fill leaves limits alone, but no request is at most the maximum
	// (Wanted) and as much as the limit (Found) demands: by the ratio, or all of it
	// if the resource cannot be divided.
	LimitAboveMax
	// RequestAboveLimit: what the task, the template and the overrides come to is a
	// request (Found) above the limit (Wanted).
	RequestAboveLimit
)

// Unmet is a bound that a container cannot meet. The API server rejects the pod.
type Unmet struct {
	Ref           computeresources.Ref // the container
	Resource      corev1.ResourceName
	Cause         Cause
	Wanted, Found resource.Quantity // see Cause
}

// String returns what is unmet in words: "container step-a: cpu limit 200m is below the
// minimum, 300m".
func (u Unmet) String() string {
	wanted, found := quantity.Text(&u.Wanted), quantity.Text(&u.Found)
	switch u.Cause {
	case MinAboveMax:
		return fmt.Sprintf("%v: %s minimum %s is above the maximum, %s", u.Ref, u.Resource, wanted, found)
	case MaxBelowZero:
		return fmt.Sprintf("%v: %s maximum %s is below zero", u.Ref, u.Resource, wanted)
	case RatioBelowOne:
		return fmt.Sprintf("%v: %s limit cannot be less than the request, as the ratio %s demands", u.Ref, u.Resource, wanted)
	case RatioOfNothing:
		return fmt.Sprintf("%v: %s ratio %s demands a request and a limit above zero", u.Ref, u.Resource, wanted)
	case LimitBelowMin:
		return fmt.Sprintf("%v: %s limit %s is below the minimum, %s", u.Ref, u.Resource, found, wanted)
	case LimitAboveMax:
		return fmt.Sprintf("%v: %s limit %s is above the maximum, %s", u.Ref, u.Resource, found, wanted)
	case RequestAboveLimit:
		return fmt.Sprintf("%v: %s request %s is above the limit, %s", u.Ref, u.Resource, found, wanted)
	}
	return fmt.Sprintf("%v: %s: unknown cause %d", u.Ref, u.Resource, u.Cause)
}

// unmetBy makes what is unmet of two amounts, of which nil is zero. Ref and Resource are
// for the caller to fill in.
func unmetBy(c Cause, wanted, found *resource.Quantity) *Unmet {
	u := &Unmet{Cause: c}
	if wanted != nil {
		u.Wanted = wanted.DeepCopy()
	}
	if found != nil {
		u.Found = found.DeepCopy()
	}
	return u
}

// at returns u for a container and resource, with amounts of its own.
func (u *Unmet) at(ref computeresources.Ref, name corev1.ResourceName) Unmet {
	own := *unmetBy(u.Cause, &u.Wanted, &u.Found)
	own.Ref, own.Resource = ref, name
	return own
}
