package solver

import (
	"math/big"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/limitrange"
)

// demands are some of the constraints of a system, in units of its resource. Bounds are
// rounded to whole units, inwards: nothing between is lost, since all amounts are whole.
type demands struct {
	*system
	impossible bool // one of them contradicts itself
	anyWillDo  bool // any solution is wanted, not the smallest one

	requests, limits []*big.Int // set, by container; nil is free
	floors           []*big.Int // of requests, by container; nil if not set
	min, max         *big.Int   // of each container
	ratio            *ratio     // of each container; nil if not set
	requested        bool       // every container must have a request
	limited          bool       // every container must have a limit

	podMin, podMax       *big.Int // nil if not set
	podRatio             *ratio
	requestsLeft         *big.Int // of the tightest quota; nil without one
	limitsLeft           *big.Int
	overhead             *big.Int
	podRequest, podLimit *big.Int // set at pod level; nil is free
	utmost               *big.Int // no amount is larger
}

// demands returns the given constraints of the system. The others require nothing: the amounts that they
// set in the pod spec are free.
func (s *system) demands(entries []entry) *demands {
	d := &demands{
		system:   s,
		requests: make([]*big.Int, len(s.kinds)),
		limits:   make([]*big.Int, len(s.kinds)),
		floors:   make([]*big.Int, len(s.kinds)),
		min:      new(big.Int),
		max:      floor(utmost(), s.unit),
		overhead: new(big.Int),
	}
	d.utmost = d.max
	for i := range entries {
		d.take(&entries[i])
	}
	return d
}

func (d *demands) take(e *entry) {
	switch e.Bound {
	case limitrange.Min:
		d.takeMin(e)
	case limitrange.Max:
		d.takeMax(e)
	case limitrange.Ratio:
		d.takeRatio(e)
	case limitrange.DefaultLimit:
		d.limited = true
	case limitrange.DefaultRequest:
		d.requested = true
	case limitrange.Remaining:
		d.takeQuota(e)
	case limitrange.Overhead, limitrange.Request, limitrange.Limit:
		d.takeSet(e)
	}
}

func (d *demands) takeMin(e *entry) {
	least := ceil(e.amount, d.unit)
	if e.isFloor {
		d.floors[e.container] = least
		return
	}
	if e.Type == corev1.LimitTypePod {
		d.podMin = least
		return
	}
	d.min = atLeast(d.min, least)
	d.requested = true
}

func (d *demands) takeMax(e *entry) {
	most := floor(e.amount, d.unit)
	if e.Type == corev1.LimitTypePod {
		d.podMax = most
		return
	}
	d.max = atMost(d.max, most)
	d.limited = true
}

func (d *demands) takeRatio(e *entry) {
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
	return &ratio{limitranger.RatioOfMilli(e.amount), d.unit}
}

// takeQuota adds the remaining amount of a quota. A usage of zero fits even if the remaining amount is
// negative.
func (d *demands) takeQuota(e *entry) {
	left := floor(atLeast(e.amount, new(big.Int)), d.unit)
	everyContainer := d.limitRangerCountsPodLevel() && !d.lifted // cpu and memory
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

func (d *demands) takeSet(e *entry) {
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
