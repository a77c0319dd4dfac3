package noderesources

import (
	"cmp"
	"math"
	"slices"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Estimate is how many nodes of a kind a list of pods needs.
type Estimate struct {
	// Nodes is how many nodes first fit decreasing takes.
	Nodes int
	// LowerBound is how many nodes it takes at least, by the sum of each resource and the number
	// of pods alone. The least number of nodes is between LowerBound and Nodes.
	LowerBound int
	// Placed are the numbers of the nodes, from 0, one for each pod of the list: -1 for those in
	// TooLarge.
	Placed []int
	// TooLarge are the pods that do not fit on a node without others, in the order of the list.
	// They count in no number.
	TooLarge []TooLargePod
}

// TooLargePod is a pod that does not fit on a node without others, and why.
type TooLargePod struct {
	Pod       int // index in the list
	Shortages Shortages
}

// EstimateNodes returns how many nodes like the template pods with these requests need, placed
// by first fit decreasing: the pods in order, each on the first node with room, and on a new
// one if there is none. What is on the template, such as the pods of DaemonSets, is on each
// node. A nil template is a node that has nothing.
//
// The order is that of the cluster autoscaler: by the sum of two fractions in floating point,
// what a pod requests of cpu through what the template has allocatable, and the same of memory;
// the greatest sum first. A resource of which the template has nothing does not count. Pods with
// equal sums come by their requests, the greatest first: of cpu, of memory, of
// ephemeral-storage, and of scalar resources; then by their limits, and last by their place in
// the list. So the number of nodes does not depend on the order of the list.
//
// The autoscaler sums up the requests of app containers alone, here it is the request that
// counts in fit. It also looks for room from the node behind the one that it found last.
//
// Cost: n·log(n) for n pods as a rule.
//
// Source: DecreasingPodOrderer and BinpackingNodeEstimator of
// k8s.io/autoscaler/cluster-autoscaler/estimator.
func EstimateNodes(requests []Request, template *Ledger, opts FitOptions) Estimate {
	if template == nil {
		template = &Ledger{}
	}
	e := Estimate{Placed: make([]int, len(requests))}
	var x rows
	var placed sums
	for _, pod := range decreasing(requests, template) {
		r := &requests[pod]
		if !template.Fits(*r, opts) {
			e.Placed[pod] = -1
			continue
		}
		placed.count(r)
		row := x.firstFit(r, &opts)
		if row < 0 {
			row = len(x.names)
			x.insert(row, "", &Ledger{sums: template.sums.copy()})
		}
		x.count(row, r)
		e.Placed[pod] = row
	}
	e.Nodes, e.LowerBound = len(x.names), lowerBound(&placed, template, &opts)
	for pod, row := range e.Placed {
		if row < 0 {
			e.TooLarge = append(e.TooLarge, TooLargePod{pod, template.Fit(requests[pod], opts)})
		}
	}
	return e
}

// decreasing returns the indices of requests, the greatest first.
func decreasing(requests []Request, template *Ledger) []int {
	sizes := make([]float64, len(requests))
	order := make([]int, len(requests))
	for i := range requests {
		order[i] = i
		for resource := range scored {
			if allocatable := template.native[resource].allocatable; allocatable > 0 {
				sizes[i] += float64(requests[i].native[resource].request) / float64(allocatable)
			}
		}
	}
	slices.SortFunc(order, func(a, b int) int {
		if sizes[a] != sizes[b] {
			return cmp.Compare(sizes[b], sizes[a])
		}
		return cmp.Or(requests[b].compare(&requests[a]), a-b)
	})
	return order
}

// lowerBound returns how many nodes like the template have as much free together as pods
// request of each resource that counts.
func lowerBound(pods *sums, template *Ledger, opts *FitOptions) int {
	var held quantity.Wide
	held.Add(pods.held)
	n := nodesFor(held, template.freePods)
	for i := range pods.native {
		n = max(n, nodesFor(pods.native[i].requested, template.free[i]))
	}
	for i := range pods.scalars {
		s := &pods.scalars[i]
		if !opts.ignores(&scalar{name: s.name, isExtended: resourcelist.IsExtended(s.name)}) {
			n = max(n, nodesFor(s.requested, template.freeOf(s.name)))
		}
	}
	return int(n) // no more than there are pods
}

// nodesFor returns the least number of nodes that have a sum free together, or 0 if that is not
// known: no pod requests what is not free, and what is free may be more than fits an int64.
func nodesFor(sum quantity.Wide, free int64) int64 {
	if free <= 0 || free == math.MaxInt64 {
		return 0
	}
	sum.Add(free - 1) // round up
	return sum.Quotient(free)
}
