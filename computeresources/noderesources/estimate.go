package noderesources

import (
	"cmp"
	"math"
	"slices"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Estimate is the number of equal nodes that a list of pods needs.
type Estimate struct {
	// Nodes is the number of nodes that first fit decreasing uses.
	Nodes int
	// LowerBound is a lower bound from the sum of each resource and the number of pods. The
	// smallest possible number of nodes is between LowerBound and Nodes.
	LowerBound int
	// Placed are the numbers of the nodes, from 0, one for each pod of the list: -1 for those in
	// TooLarge.
	Placed []int
	// TooLarge are the pods that do not fit on an empty node, by their index in the list, and why. They
	// are not counted in the other fields. It is nil if there are none.
	TooLarge map[int]Shortages
}

// EstimateNodes returns how many nodes like the template pods with these requests need, placed by
// first fit decreasing: the pods in order, each on the first node with room, and on a new one if
// there is none. Pods on the template, such as those of DaemonSets, are on each node. A nil
// template is a node without resources.
//
// The order is that of the cluster autoscaler: by the sum of two fractions in floating point,
// requested cpu divided by the allocatable cpu of the template, and the same for memory; the
// largest sum first. A resource that the template does not have does not count. Pods with equal
// sums are ordered by their requests of cpu, memory, ephemeral-storage and scalar resources, the
// largest first; then by their limits, and finally by their index. So the number of nodes does not
// depend on the order of the list.
//
// The placement differs from that of the cluster autoscaler in two ways. The autoscaler starts each
// search at the node after the one that its last search has found, so it may use more nodes or
// fewer. And the order of its pods with equal sums depends on the order of the list. It also stops
// at limits of the number of nodes and of the time, and has an optional fast path, which packs one
// node with the last group of equal pods and computes the number of further nodes by division.
//
// Cost: usually O(n log n) for n pods.
//
// Source: DecreasingPodOrderer and BinpackingNodeEstimator of
// sigs.k8s.io/cluster-autoscaler/pkg/estimator.
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
			if e.TooLarge == nil {
				e.TooLarge = map[int]Shortages{}
			}
			e.Placed[pod], e.TooLarge[pod] = -1, template.Shortages(*r, opts)
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
	return e
}

// decreasing returns the indices of requests, the largest first.
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

// lowerBound returns how many nodes like the template together have the sum of the requests of
// pods free, for each resource that counts.
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

// nodesFor returns the smallest number of nodes that together have a sum free, or 0 if it is unknown. No
// pod requests more than is free, and the free amount may exceed an int64.
func nodesFor(sum quantity.Wide, free int64) int64 {
	if free <= 0 || free == math.MaxInt64 {
		return 0
	}
	sum.Add(free - 1) // round up
	return sum.Quotient(free)
}
