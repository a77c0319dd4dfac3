package solver

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/podwalk"
)

// Why the answer is exact.
//
// Consider a pod with a sidecar and two app containers, where the container app requests 300m. A
// LimitRange requires at least 100m for each container, and at least 1 CPU for the pod:
//
//	                      sidecar   app     worker   pod
//	set by the spec       -         300m    -
//	containers ≥ 100m     100m      300m    100m     500m
//	pod ≥ 1               100m      300m    600m     1
//
// The second row considers each container on its own. All its bounds say "at least" or "at most",
// and where one amount affects another (a limit affects its request, through the ratio), it can only
// increase it. So each container has a smallest pair of amounts. If these satisfy the bounds of the
// pod, they are the solution, since every other solution is larger.
//
// Otherwise, the pod's minimum or its ratio requires that a sum grows, but not which container
// has to grow. The pod's request is its largest sum, so it is enough if one of the sums grows; each is
// tried. Within a sum, containers are raised within their own bounds, in this order: app and
// init containers, which are part of one sum only, then sidecars, the last one first, since earlier
// sidecars are part of more sums. In the example, the worker comes before the sidecar, takes all of
// the missing 500m, and the sidecar stays at 100m. This greedy order is optimal: take any solution
// that gives less to one container and more to a later one. Moving that amount forward keeps the sum
// that has to grow, and no other sum increases, since every other sum that contains the earlier
// container contains the later one, too.
//
// Where both are free, raising a request raises its limit by the same amount. So the pod's limits
// never grow faster than its requests. A ratio is at least 1, so it becomes easier to meet as
// requests grow, and the smallest request that meets it is found by bisection.
//
// If no container needs a limit, but a Pod maximum requires the pod to have one, one container gets a
// limit. One is enough: any limit of another container could be dropped and this one raised instead.
//
// To find a contradiction, the same search runs on subsets of the constraints: see ConflictError.

// A pod takes the largest of several sums over its containers (KEP-753): what runs
// together, which are app containers and sidecars, and, for each init container, that and
// the sidecars before it. A term is one of these sums, as a list of containers in the
// order in which they are raised.
type term []int

// terms returns the sums of a pod. The first has the containers that run together: app containers in
// their order, then sidecars, the last one first. The others are the init containers in
// their order, each followed by the sidecars before it, the last one first.
//
// The later a sidecar starts, the fewer sums include it. So raising a sum affects other sums the
// least if app or init containers are raised first, and late sidecars before early ones.
func terms(kinds []podwalk.Kind) []term {
	rank := make([]int, len(kinds)) // in the order of raising
	for n, i := range raisingOrder(kinds) {
		rank[i] = n
	}
	var all []term
	for _, set := range podwalk.Simultaneous(kinds) {
		slices.SortFunc(set, func(i, j int) int { return cmp.Compare(rank[i], rank[j]) })
		all = append(all, set)
	}
	return all
}

// raisingOrder returns the containers in the order in which they are raised: app containers
// and init containers in their order, then sidecars, the last one first.
func raisingOrder(kinds []podwalk.Kind) term {
	var apps, inits, sidecars term
	for i, kind := range kinds {
		switch kind {
		case podwalk.App:
			apps = append(apps, i)
		case podwalk.Init:
			inits = append(inits, i)
		case podwalk.Sidecar:
			sidecars = append(sidecars, i)
		}
	}
	slices.Reverse(sidecars)
	return slices.Concat(apps, inits, sidecars)
}

// totals returns the sum of each term. An amount that is absent, nil, adds nothing.
func totals(terms []term, amounts []*big.Int) []*big.Int {
	all := make([]*big.Int, len(terms))
	for t, term := range terms {
		all[t] = new(big.Int)
		for _, i := range term {
			if amounts[i] != nil {
				all[t].Add(all[t], amounts[i])
			}
		}
	}
	return all
}

// total returns the largest of the sums of amounts.
func (p *pod) total(amounts []*big.Int) *big.Int { return largest(totals(p.terms, amounts)) }

// largest returns the largest of the sums.
func largest(totals []*big.Int) *big.Int {
	most := totals[0]
	for _, total := range totals {
		most = atLeast(most, total)
	}
	return most
}
