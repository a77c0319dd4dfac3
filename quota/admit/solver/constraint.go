package solver

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Rule says what a constraint demands.
type Rule uint8

const (
	// Min: no request, and no limit that is set, is below it; a request is set.
	Min Rule = iota
	// Max: no limit, and no request, is above it; a limit is set.
	Max
	// Ratio: the limit is at most so many times the request; both are set, and not zero.
	Ratio
	// DefaultLimit: a limit is set, or LimitRanger would set this one. The value itself
	// demands nothing.
	DefaultLimit
	// DefaultRequest: a request is set, or LimitRanger would set this one.
	DefaultRequest
	// Quota: the pod takes no more than is left. One on cpu or memory also demands that
	// every container states what is counted.
	Quota
	// Overhead: what the sandbox of the pod takes of quotas, besides its containers.
	Overhead
	// Request: the spec states this request, of a container or of the pod as a whole.
	Request
	// Limit: the spec states this limit, of a container or of the pod as a whole.
	Limit
)

// String returns the rule as the object that states it calls it: "min", "max",
// "maxLimitRequestRatio", "default", "defaultRequest", "quota", "overhead", "request" or
// "limit"; and "unknown" for a value that is none of the constants.
func (r Rule) String() string {
	names := [...]string{"min", "max", "maxLimitRequestRatio", "default", "defaultRequest", "quota", "overhead", "request", "limit"}
	if int(r) < len(names) {
		return names[r]
	}
	return "unknown"
}

// Constraint is one thing that somebody stated and could change: a field of a LimitRange,
// what is left of a quota, or an amount in the pod spec.
type Constraint struct {
	Rule   Rule
	Object string               // of the Bound or Budget; empty for the pod spec
	Type   corev1.LimitType     // of a LimitRange item; otherwise empty
	Ref    computeresources.Ref // the part of the pod, for Overhead, Request and Limit
	// Resource is the name under which Object states the amount: requests.cpu for a
	// quota of that name.
	Resource corev1.ResourceName
	Amount   resource.Quantity // as stated
}

// String returns the constraint with the object that states it:
//
//	LimitRange limits: Container max cpu 1
//	ResourceQuota compute: requests.cpu 500m left
//	container app: request cpu 2
func (c Constraint) String() string {
	value := quantity.Text(&c.Amount)
	switch c.Rule {
	case Overhead, Request, Limit:
		return fmt.Sprintf("%v: %v %s %s", c.Ref, c.Rule, c.Resource, value)
	case Quota:
		return fmt.Sprintf("%s: %s %s left", c.Object, c.Resource, value)
	case Min, Max, Ratio, DefaultLimit, DefaultRequest:
		return fmt.Sprintf("%s: %s %v %s %s", c.Object, c.Type, c.Rule, c.Resource, value)
	}
	return fmt.Sprintf("%s: %v %s %s", c.Object, c.Rule, c.Resource, value)
}

// entry is a constraint with what the arithmetic needs of it.
type entry struct {
	Constraint
	amount    *big.Int // in thousandths
	container int      // of the system, for Request and Limit; -1 for those of the pod as a whole
	limits    bool     // a quota counts limits, not requests
}

// order is total: rules of objects before what the pod states, Container before Pod, then
// the tightest, then by source and name; what the pod states in its own order.
func order(a, b entry) int {
	by := cmp.Or(
		cmp.Compare(min(a.Rule, Request), min(b.Rule, Request)),
		cmp.Compare(a.container, b.container),
		cmp.Compare(a.Rule, b.Rule),
		cmp.Compare(a.Type, b.Type),
		compareBool(a.limits, b.limits),
		a.compareTightness(b),
		cmp.Compare(a.Object, b.Object),
		cmp.Compare(a.Resource, b.Resource),
		a.amount.Cmp(b.amount),
	)
	if by != 0 {
		return by
	}
	return strings.Compare(quantity.Text(&a.Amount), quantity.Text(&b.Amount)) // 1 and 1000m
}

// compareTightness is negative if a demands more than b, which has the same rule. Of
// defaults, which demand the same whatever their value, none is tighter.
func (a entry) compareTightness(b entry) int {
	switch a.Rule {
	case Min:
		return b.amount.Cmp(a.amount)
	case Max, Ratio, Quota:
		return a.amount.Cmp(b.amount)
	case DefaultLimit, DefaultRequest, Overhead, Request, Limit:
		return 0
	}
	return 0
}

// tightest sorts constraints and keeps, of those of one kind, the first: whatever it
// allows, the others allow.
func tightest(entries []entry) []entry {
	slices.SortFunc(entries, order)
	return slices.CompactFunc(entries, func(a, b entry) bool {
		return a.Rule == b.Rule && a.Rule < Overhead && a.Type == b.Type && a.limits == b.limits
	})
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}
