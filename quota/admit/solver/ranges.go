package solver

import (
	"math/big"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// span is the range of requests and limits of a resource that the constraints of one container allow.
// For any request within [low, high], the larger of the request and limitLow is a valid limit.
type span struct {
	low, high           *big.Int // of the request
	limitLow, limitHigh *big.Int
	limited             bool // the container must have a limit, or sets one
}

// room is memory for what is computed of each container. It is that of one call at a time: see takeRoom.
type room struct {
	spans            []span
	requests, limits []*big.Int
}

func newRoom(containers int) *room {
	return &room{make([]span, containers), make([]*big.Int, containers), make([]*big.Int, containers)}
}

// takeRoom returns the room for one call, in which no other call with these demands, or with a copy, uses it.
func (d *demands) takeRoom() *room {
	own := d.room
	d.room = nil
	if own == nil {
		return newRoom(len(d.kinds))
	}
	return own
}

// spans returns the spans of all containers, and whether each of them leaves something.
func (d *demands) spans() ([]span, bool) { return d.spansIn(newRoom(len(d.kinds))) }

// spansIn is spans in a room that others do not use.
func (d *demands) spansIn(room *room) ([]span, bool) {
	spans, least := room.spans, d.leastAmount()
	for i := range spans {
		spans[i] = d.spanWith(i, d.requests[i], d.limits[i], least)
		if spans[i].isEmpty() {
			return nil, false
		}
	}
	return spans, true
}

// isEmpty reports whether a container may have no amounts.
func (s *span) isEmpty() bool {
	return s.low.Cmp(s.high) > 0 || s.limited && s.limitLow.Cmp(s.limitHigh) > 0
}

// leastAmount returns the least request and limit that containers may have.
func (d *demands) leastAmount() *big.Int {
	if d.ratio != nil {
		return atLeast(d.min, big.NewInt(1)) // neither may be zero
	}
	return d.min
}

// spanWith returns the span of a container whose request and limit are fixed; nil ones are not. Low is leastAmount.
func (d *demands) spanWith(i int, request, limit, low *big.Int) span {
	if d.floors != nil && d.floors[i] != nil {
		low = atLeast(low, d.floors[i])
	}
	s := span{low: low, high: d.max, limitLow: low, limitHigh: d.max}
	if d.limitsAll && d.omitsZeroLimits {
		s.limitLow = atLeast(s.limitLow, big.NewInt(1))
	}
	if d.ceilings != nil && d.ceilings[i] != nil {
		s.high = atMost(s.high, d.ceilings[i])
	}
	s.limited = d.limited || limit != nil || d.together || d.keepsLimit(i)
	if request != nil {
		s.low, s.high = atLeast(s.low, request), atMost(s.high, request)
	}
	if limit != nil {
		s.limitLow, s.limitHigh = atLeast(s.limitLow, limit), atMost(s.limitHigh, limit)
	}
	if d.podLimit != nil && heldToPodLimit(d.kinds[i]) {
		s.limitHigh = atMost(s.limitHigh, d.podLimit)
	}
	if s.limited {
		d.tightenByRatio(&s)
	}
	return s
}

// heldToPodLimit reports whether the API server rejects a limit of a container that is above
// that of the pod: it compares those of app containers.
func heldToPodLimit(kind podwalk.Kind) bool {
	switch kind {
	case podwalk.App:
		return true
	case podwalk.Init, podwalk.Sidecar:
		return false
	}
	return false
}

// tightenByRatio makes request and limit, which are both set, fit each other: 0 ≤ request ≤ limit
// ≤ ratio · request.
func (d *demands) tightenByRatio(s *span) {
	if d.together {
		s.low = atLeast(s.low, s.limitLow)
	}
	s.high = atMost(s.high, s.limitHigh)
	// Equal amounts are always at the ratio, which is at least one.
	if d.ratio != nil && s.limitLow.Cmp(s.low) > 0 {
		s.low = atLeast(s.low, d.ratio.leastRequest(s.limitLow))
	}
	s.limitLow = atLeast(s.limitLow, s.low)
	if d.ratio != nil && s.high.Sign() > 0 && s.limitHigh.Cmp(s.high) > 0 {
		s.limitHigh = atMost(s.limitHigh, d.ratio.mostLimit(s.high))
	}
}
