package solver

import (
	"cmp"
	"math/big"
	"slices"

	"github.com/kubemath/kubemath/internal/podwalk"
)

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

// largest returns the largest of the sums.
func largest(totals []*big.Int) *big.Int {
	most := totals[0]
	for _, total := range totals {
		most = atLeast(most, total)
	}
	return most
}
