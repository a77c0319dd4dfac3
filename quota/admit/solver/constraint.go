package solver

import (
	"cmp"
	"math/big"
	"slices"
	"strings"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/limitrange"
)

// entry is a constraint with what the arithmetic needs of it.
type entry struct {
	limitrange.BoundValue
	amount    *big.Int // in milli-units
	container int      // of the system, for Request, Limit and a floor; -1 at pod level
	limits    bool     // a quota counts limits, not requests
	isFloor   bool     // a minimum or maximum of one container, and only of its request
	replicas  int64    // of a quota: among how many pods it is divided
}

// isOfSpec reports whether the spec of the pod sets the amount: its overhead, a request or a limit.
func (a entry) isOfSpec() bool { return a.Bound >= limitrange.Overhead }

// order is total: rules of objects before what the pod sets, Container before Pod, then
// the tightest, then by source and name; what the pod sets in its own order.
func order(a, b entry) int {
	by := cmp.Or(
		cmp.Compare(min(a.Bound, limitrange.Request), min(b.Bound, limitrange.Request)),
		cmp.Compare(a.container, b.container),
		cmp.Compare(a.Bound, b.Bound),
		cmp.Compare(a.Type, b.Type),
		ordering.TrueFirst(b.limits, a.limits),
		a.compareTightness(b),
		ordering.Sources(a.Source, b.Source),
		cmp.Compare(a.Resource, b.Resource),
		a.amount.Cmp(b.amount),
	)
	if by != 0 {
		return by
	}
	return strings.Compare(quantity.Text(&a.Amount), quantity.Text(&b.Amount)) // 1 and 1000m
}

// compareTightness is negative if a requires more than b, which has the same rule. Defaults are equally
// tight, because their requirement does not depend on the value.
func (a entry) compareTightness(b entry) int {
	switch a.Bound {
	case limitrange.Min:
		return b.amount.Cmp(a.amount)
	case limitrange.Max, limitrange.Ratio, limitrange.Remaining:
		return a.amount.Cmp(b.amount)
	case limitrange.DefaultLimit, limitrange.DefaultRequest, limitrange.Overhead, limitrange.Request, limitrange.Limit:
		return 0
	}
	return 0
}

// tightest sorts constraints and keeps the first of each kind, because the others allow everything that
// it allows.
func tightest(entries []entry) []entry {
	slices.SortFunc(entries, order)
	return slices.CompactFunc(entries, func(a, b entry) bool {
		return a.Bound == b.Bound && a.Bound < limitrange.Overhead && a.Type == b.Type && a.limits == b.limits &&
			a.isFloor == b.isFloor && a.container == b.container
	})
}
