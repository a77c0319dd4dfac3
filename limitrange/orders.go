package limitrange

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
)

// candidate is a default of containers that applies if its LimitRange comes first.
type candidate struct {
	BoundValue
	amount int // equal for amounts of one resource and bound that are written the same
}

// candidatesOf returns the defaults of containers, by bound, resource and source, as all are. It
// returns nil if no two LimitRanges have different defaults for the same resource and bound: then
// their order does not matter.
func candidatesOf(all []BoundValue) (list []candidate) {
	texts := map[string]int{} // of the amounts of one slot
	for _, v := range all {
		if v.Type != corev1.LimitTypeContainer || v.Bound != DefaultLimit && v.Bound != DefaultRequest {
			continue
		}
		n := len(list)
		if n == 0 || list[n-1].compareKeys(v) != 0 {
			clear(texts)
		} else if ofOneObject(list[n-1].Source, v.Source) {
			list = list[:n-1] // the last item of an object counts
		}
		text := quantity.Text(&v.Amount)
		if _, known := texts[text]; !known {
			texts[text] = len(texts)
		}
		list = append(list, candidate{v.owned(), texts[text]})
	}
	for rest := list; len(rest) > 0; {
		slot := ofFirstSlot(rest)
		if dependOnOrder(slot) {
			return list
		}
		rest = rest[len(slot):]
	}
	return nil
}

// InOrder returns the policy of a server that uses the LimitRanges in another order: first those with
// the given names, in this order, then the others by namespace and name. Only the amounts that
// ApplyDefaults sets depend on it, and their sources. The policies share no memory that is ever
// written.
func (p *Policy) InOrder(names ...string) *Policy {
	if p == nil || p.candidates == nil {
		return p
	}
	own := *p
	own.limits, own.requests = make([]BoundValue, 0, len(p.limits)), make([]BoundValue, 0, len(p.requests))
	for rest := p.candidates; len(rest) > 0; {
		slot := ofFirstSlot(rest)
		first, place := &slot[0], len(names)
		for i := range slot {
			if at := ordering.Place(names, slot[i].Source.Name); at < place {
				first, place = &slot[i], at
			}
		}
		if first.Bound == DefaultLimit {
			own.limits = append(own.limits, first.BoundValue)
		} else {
			own.requests = append(own.requests, first.BoundValue)
		}
		rest = rest[len(slot):]
	}
	return &own
}

// ofFirstSlot returns the candidates for the same resource and bound as the first one.
func ofFirstSlot(list []candidate) []candidate {
	n := 1
	for n < len(list) && list[n].Resource == list[0].Resource && list[n].Bound == list[0].Bound {
		n++
	}
	return list[:n]
}

// Orders returns orders of the LimitRanges, for InOrder, in which a pod gets different defaults: one
// for each set of amounts that the server can set in place of those in set, which ApplyDefaults has
// returned, in any order. The first is nil, for the order by namespace and name. The others name the
// LimitRanges that have to come first. There are at most as many orders as most, but at least one, and
// complete reports whether these are all. Amounts differ if they are written differently, such as 1Gi
// and 1073741824: messages contain them.
//
// The result is a single nil if no default in set is one that LimitRanges set to different amounts.
//
// Cost: at most 2^n for n LimitRanges, times their defaults in set, until there are as many orders as
// most.
func (p *Policy) Orders(set []computeresources.Change, most int) (orders [][]string, complete bool) {
	s := orderSearch{most: max(most, 1), seen: map[string]bool{}}
	if p != nil && p.candidates != nil {
		s.collect(p.candidates, set)
	}
	if s.slots == 0 {
		return [][]string{nil}, true
	}
	s.extend(nil, make([]int, s.slots))
	s.orders[0] = nil // LimitRanges are tried by name
	return s.orders, !s.exceeded
}

// orderSearch looks for sets of defaults. A set has a number for each slot, which is a resource and
// bound whose default depends on the order: 0 as long as no LimitRange has set it, and otherwise the
// amount of the candidate plus 1.
type orderSearch struct {
	most     int
	slots    int
	ranges   []rangeDefaults
	seen     map[string]bool // sets as text, complete or not
	orders   [][]string
	exceeded bool
}

// rangeDefaults are the defaults of a LimitRange for each slot, 0 if it has none.
type rangeDefaults struct {
	of      computeresources.Source
	amounts []int
}

// collect finds the slots, and what each LimitRange sets there.
func (s *orderSearch) collect(candidates []candidate, set []computeresources.Change) {
	for rest := candidates; len(rest) > 0; {
		slot := ofFirstSlot(rest)
		rest = rest[len(slot):]
		if !dependOnOrder(slot) || !isSet(set, &slot[0]) {
			continue
		}
		for j := range slot {
			c := &slot[j]
			i := slices.IndexFunc(s.ranges, func(r rangeDefaults) bool { return ofOneObject(r.of, c.Source) })
			if i < 0 {
				i, s.ranges = len(s.ranges), append(s.ranges, rangeDefaults{of: c.Source})
			}
			r := &s.ranges[i]
			r.amounts = append(r.amounts, make([]int, s.slots+1-len(r.amounts))...)
			r.amounts[s.slots] = c.amount + 1
		}
		s.slots++
	}
	slices.SortFunc(s.ranges, func(a, b rangeDefaults) int { return ordering.Sources(a.of, b.of) })
}

// dependOnOrder reports whether candidates for one slot have different amounts.
func dependOnOrder(slot []candidate) bool {
	for i := range slot {
		if slot[i].amount != slot[0].amount {
			return true
		}
	}
	return false
}

// isSet reports whether a container has got a default for the slot of a candidate.
func isSet(set []computeresources.Change, c *candidate) bool {
	list := computeresources.Requests
	if c.Bound == DefaultLimit {
		list = computeresources.Limits
	}
	for i := range set {
		if d := &set[i]; d.List == list && d.Resource == c.Resource && d.Source.Kind == c.Source.Kind {
			return true
		}
	}
	return false
}

// extend tries each LimitRange that sets another default next. What follows depends on the amounts that
// are set already, and not on the order in which that was done.
func (s *orderSearch) extend(names []string, amounts []int) {
	set := fmt.Sprint(amounts)
	if s.exceeded || s.seen[set] {
		return
	}
	s.seen[set] = true
	if !slices.Contains(amounts, 0) {
		s.exceeded = len(s.orders) == s.most
		if !s.exceeded {
			s.orders = append(s.orders, slices.Clone(names))
		}
		return
	}
	for _, r := range s.ranges {
		if next := r.fill(amounts); next != nil {
			s.extend(append(names, r.of.Name), next)
		}
	}
}

// fill returns the amounts with those that the LimitRange adds, nil if it adds none.
func (r *rangeDefaults) fill(amounts []int) (filled []int) {
	for i, amount := range r.amounts {
		if amount == 0 || amounts[i] != 0 {
			continue
		}
		if filled == nil {
			filled = slices.Clone(amounts)
		}
		filled[i] = amount
	}
	return filled
}
