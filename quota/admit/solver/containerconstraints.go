package solver

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/limitrange"
)

// demands are some of the constraints of a system, in units of its resource. Bounds are
// rounded inwards to whole units. No solution is lost, since all amounts are whole.
type demands struct {
	*system
	fixedAmounts
	containerBounds
	podBounds
	impossible   bool     // one of them contradicts itself
	feasibleOnly bool     // any solution is wanted, not the smallest one
	maxAmount    *big.Int // no amount is larger
	unbounded    *big.Int // no sum is larger
	// Either, if the server derives the pod-level limit: see derivesPodLimit.
	limitsAll, limitsNotAll bool
	hasZeroLimit            bool  // of limitsNotAll: see solveWithZeroLimit
	room                    *room // for the next call of solve; nil for a new one
}

// fixedAmounts are what the spec sets. Nil is free.
type fixedAmounts struct {
	requests, limits     []*big.Int // by container
	podRequest, podLimit *big.Int   // at pod level
	overhead             *big.Int   // never nil
}

// containerBounds hold for each container.
type containerBounds struct {
	min, max  *big.Int
	ratio     *ratio     // nil if not set
	requested bool       // every container must have a request
	limited   bool       // every container must have a limit
	floors    []*big.Int // of requests, by container; nil ones, or a nil list, if not set
	ceilings  []*big.Int // the same
}

// podBounds hold for the sums of the pod. Nil ones are not set.
type podBounds struct {
	podMin, podMax           *big.Int
	podRatio                 *ratio
	requestsLeft, limitsLeft *big.Int // of the tightest quota
}

// demands returns the given constraints of the system. The others require nothing: amounts that only
// they would fix may have any value.
func (s *system) demands(entries []entry) *demands {
	d := &demands{system: s, maxAmount: floor(maxAmount(), s.unit)}
	d.unbounded = new(big.Int).Mul(d.maxAmount, big.NewInt(int64(len(s.kinds)+1)))
	d.requests, d.limits = make([]*big.Int, len(s.kinds)), make([]*big.Int, len(s.kinds))
	d.overhead = new(big.Int)
	d.min, d.max = new(big.Int), d.maxAmount
	for i := range entries {
		d.add(&entries[i])
	}
	return d
}

func (d *demands) add(e *entry) {
	switch e.Bound {
	case limitrange.Min:
		d.addMin(e)
	case limitrange.Max:
		d.addMax(e)
	case limitrange.Ratio:
		d.addRatio(e)
	case limitrange.DefaultLimit:
		d.limited = true
	case limitrange.DefaultRequest:
		d.requested = true
	case limitrange.Remaining:
		d.addQuota(e)
	case limitrange.Overhead, limitrange.Request, limitrange.Limit:
		d.addFixedAmount(e)
	}
}

func (d *demands) addMin(e *entry) {
	least := ceil(e.amount, d.unit)
	if e.isFloor {
		d.floors = d.withBound(d.floors, e, least)
		return
	}
	if e.Type == corev1.LimitTypePod {
		d.podMin = least
		return
	}
	d.min = atLeast(d.min, least)
	d.requested = true
}

// withBound sets a bound of one container in a list of them, which is nil if there are none.
func (d *demands) withBound(list []*big.Int, e *entry, bound *big.Int) []*big.Int {
	if list == nil {
		list = make([]*big.Int, len(d.kinds))
	}
	list[e.container] = bound
	return list
}

func (d *demands) addMax(e *entry) {
	most := floor(e.amount, d.unit)
	if e.isFloor {
		d.ceilings = d.withBound(d.ceilings, e, most)
		return
	}
	if e.Type == corev1.LimitTypePod {
		d.podMax = most
		return
	}
	d.max = atMost(d.max, most)
	d.limited = true
}

func (d *demands) addRatio(e *entry) {
	if e.Type == corev1.LimitTypePod {
		d.podRatio = d.ratioOf(e)
		return
	}
	d.ratio = d.ratioOf(e)
	d.requested, d.limited = true, true
}

// ratioOf returns a ratio. Since requests are at most limits, one below 1 contradicts
// itself.
func (d *demands) ratioOf(e *entry) *ratio {
	if e.amount.Cmp(big.NewInt(1000)) < 0 && (e.Type == corev1.LimitTypePod || len(d.kinds) > 0) {
		d.impossible = true
	}
	return &ratio{limitranger.RatioOfMilli(e.amount, d.ratiosAreExact), d.unit}
}

// addQuota adds the remaining amount of a quota. A usage of zero fits even if the remaining amount is
// negative.
func (d *demands) addQuota(e *entry) {
	left := floor(atLeast(e.amount, new(big.Int)), d.unit)
	everyContainer := limitranger.CountsPodLevel(d.name) && !d.setsAnyPodLevel // cpu and memory
	switch {
	case d.name == corev1.ResourcePods:
		d.impossible = d.impossible || left.Sign() == 0
	case e.limits:
		d.limitsLeft = left
		d.limited = d.limited || everyContainer
	default:
		d.requestsLeft = left
		d.requested = d.requested || everyContainer
	}
}

func (d *demands) addFixedAmount(e *entry) {
	amount := floor(e.amount, d.unit)
	if amount.Sign() < 0 {
		d.impossible = true
	}
	whole := e.Ref.Kind == computeresources.Pod
	switch {
	case e.Bound == limitrange.Overhead:
		d.overhead = amount
	case e.Bound == limitrange.Request && whole:
		d.podRequest = amount
	case e.Bound == limitrange.Limit && whole:
		d.podLimit = amount
	case e.Bound == limitrange.Request:
		d.requests[e.container] = amount
	default:
		d.limits[e.container] = amount
	}
}
