package noderesources

import (
	"cmp"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// EstimateOptions select which nodes there are, and which pods may be placed on them. The zero value
// means new nodes only, as many as the pods need.
type EstimateOptions struct {
	FitOptions

	// Existing are nodes that exist already, with their pods. Each pod is placed on the first of them,
	// by name, on which it fits in addition to the pods placed before. It is placed on a new node only if
	// there is none. The cluster does not change.
	Existing *Cluster

	// MaxNodes is the largest number of new nodes. Zero means no limit, and a negative number means
	// that no node is added, as for the limits of the cluster autoscaler. Pods that would need another node are
	// in Estimate.Unplaced. The others are placed as without a limit.
	MaxNodes int

	// Filter reports whether a pod may be placed on a node, apart from its resources: for example,
	// whether it tolerates the taints of the node. Nil means that it may be placed on any node. The pod is an
	// index of the list, and the node a number as in Estimate.Placed.
	//
	// Filter is called for one pod after the other, the largest first, with the nodes on which the pod
	// fits, in the order of their numbers. The first node for which it returns true is the one on which the
	// pod is placed, so a Filter may keep account of what is on the nodes, such as host ports.
	// If there is no such node, Filter is called with the number of the next new node. If it returns
	// false, that node is not added.
	Filter func(pod, node int) bool
}

// Estimate is the number of equal nodes that a list of pods needs.
type Estimate struct {
	// Nodes is the number of new nodes that first fit decreasing uses.
	Nodes int `json:"nodes"`
	// LowerBound is a lower bound from the sum of each resource and the number of pods, minus what is
	// free on the existing nodes. The smallest possible number of new nodes is between LowerBound and
	// Nodes.
	LowerBound int `json:"lowerBound"`
	// Placed are the numbers of the nodes, one for each pod of the list: -1 for those in Unplaced.
	// Existing nodes have the numbers from 0 in the order of Cluster.Nodes, and new nodes
	// those after them.
	Placed []int `json:"placed,omitempty"`
	// Unplaced are all pods that are not placed, by their index in the list, and what an empty new node has too
	// little of for them: these pods run on no node of this shape, however many there are. There are no Shortages
	// for a pod that is not placed because MaxNodes is reached, or because Filter allows none of the nodes with room.
	// Unplaced pods are not counted in the other fields. It is nil if there are none.
	Unplaced map[int]Shortages `json:"unplaced,omitempty"`
}

// EstimateNodes returns how many nodes like the template pods with these requests need, placed by
// first fit decreasing: the pods in order, each on the first node with room, and on a new one if
// there is none. Pods on the template, such as those of DaemonSets, are on each new node. A nil
// template is a node without resources.
//
// The order is that of the cluster autoscaler: by the sum of two fractions in floating point,
// requested cpu divided by the allocatable cpu of the template, and the same for memory; the
// largest sum first. A resource that the template does not have does not count. Pods with equal
// sums are ordered by their requests of cpu, memory, ephemeral-storage and scalar resources, the
// largest first; then by their limits, and finally by their index. So the number of nodes does not
// depend on the order of the list, unless a Filter distinguishes equal pods.
//
// The cluster autoscaler starts each search at the node after the one that its last search has found, so it may use
// more nodes or fewer, and the order of its pods with equal sums is that of the list. It also stops at a limit of the
// time, may compute the nodes for a last group of equal pods by division, and places no pods on existing nodes,
// because it has removed those that fit there before.
//
// With existing nodes, first fit usually needs fewer new nodes, and never more of them for equal pods. For
// different pods it may need more, because other pods are left to share the new nodes.
//
// Cost: usually O(n log n) for n pods, and linear in the number of existing nodes. With a Filter, it is at
// most called once for each pod and node.
//
// Source: DecreasingPodOrderer and BinpackingNodeEstimator of
// sigs.k8s.io/cluster-autoscaler/pkg/estimator.
func EstimateNodes(requests []Request, template *Ledger, opts EstimateOptions) Estimate {
	if template == nil {
		template = &Ledger{}
	}
	b := bins{rows: &rows{}, template: template, opts: &opts}
	if opts.Existing != nil {
		b.rows, b.existing = opts.Existing.rows.copy(), len(opts.Existing.names)
	}
	e := Estimate{Placed: make([]int, len(requests))}
	var placed sums
	for _, pod := range decreasing(requests, template) {
		r := &requests[pod]
		fits := template.Fits(*r, opts.FitOptions)
		row := b.place(pod, r, fits)
		e.Placed[pod] = row
		if row >= 0 {
			placed.count(r)
		}
	}
	e.Unplaced = unplaced(e.Placed, requests, template, &opts.FitOptions)
	e.Nodes, e.LowerBound = b.added(), lowerBound(&placed, template, &opts)
	return e
}

// unplaced returns the pods that are not placed, and what the template has too little of for them.
func unplaced(placed []int, requests []Request, template *Ledger, opts *FitOptions) map[int]Shortages {
	n := 0
	for _, node := range placed {
		if node < 0 {
			n++
		}
	}
	if n == 0 {
		return nil
	}
	found := make(map[int]Shortages, n)
	for pod, node := range placed {
		if node < 0 {
			found[pod] = template.appendShortages(nil, &requests[pod], opts)
		}
	}
	return found
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

// bins are the nodes of an estimate: the existing ones, and then the new ones.
type bins struct {
	*rows
	existing int
	template *Ledger
	opts     *EstimateOptions
	last     *Request // of the last pod that was placed, and its row
	row      int
}

// place counts a pod on a node, a new one if necessary, and returns the node, or -1. Fits says whether the
// pod fits on an empty new node.
func (b *bins) place(pod int, r *Request, fits bool) int {
	row := -1
	if fits || b.existing > 0 {
		row = b.firstFit(r, &b.opts.FitOptions, b.from(r), b.filterOf(pod, fits))
	}
	switch {
	case !fits && row >= b.existing: // a new node where other pods request less than zero
		return -1
	case row < 0 && fits && b.mayAdd(pod):
		row = len(b.names)
		b.insert(row, "", Ledger{sums: b.template.sums.copy()})
	}
	if row >= 0 {
		b.count(row, r)
		b.last, b.row = r, row
	}
	return row
}

// from returns a row before which there is no room for a pod: that of the last pod, if it has requested the same, since
// nothing has changed there.
func (b *bins) from(r *Request) int {
	if b.last == nil || b.opts.Filter != nil || b.last.compare(r) != 0 {
		return 0
	}
	return b.row
}

// filterOf returns the filter for a pod. It is not called for new nodes if the pod does not fit on an empty
// one.
func (b *bins) filterOf(pod int, fits bool) func(row int) bool {
	if b.opts.Filter == nil {
		return nil
	}
	return func(row int) bool { return !fits && row >= b.existing || b.opts.Filter(pod, row) }
}

// mayAdd reports whether a new node may be added for a pod.
func (b *bins) mayAdd(pod int) bool {
	limit := b.opts.MaxNodes
	return (limit == 0 || b.added() < limit) && (b.opts.Filter == nil || b.opts.Filter(pod, len(b.names)))
}

// added returns the number of new nodes.
func (b *bins) added() int { return len(b.names) - b.existing }

// lowerBound returns how many nodes like the template together have the sum of the requests of
// pods free, for each resource that counts, in addition to what existing nodes have free.
func lowerBound(pods *sums, template *Ledger, opts *EstimateOptions) int {
	x := &rows{}
	if opts.Existing != nil {
		x = &opts.Existing.rows
	}
	var held quantity.Wide
	held.Add(pods.held)
	n := x.nodesFor(held, x.pods.amounts, template.freePods)
	for i := range pods.native {
		n = max(n, x.nodesFor(pods.native[i].requested, x.native[i].room.amounts, template.free[i]))
	}
	for i := range pods.scalars {
		s := &pods.scalars[i]
		asked := &scalar{name: s.name, isExtended: resourcelist.IsExtended(s.name)}
		if opts.ignores(asked) || opts.Delegates(s.name) && x.lacksAny(s.name) {
			continue
		}
		var room []int64
		if at, found := x.indexOf(s.name); found {
			room = x.scalars[at].room.amounts
		}
		n = max(n, x.nodesFor(s.requested, room, template.freeOf(s.name)))
	}
	return int(n) // no more than there are pods
}

// lacksAny reports whether any node has no allocatable amount of a scalar resource.
func (x *rows) lacksAny(name corev1.ResourceName) bool {
	at, found := x.indexOf(name)
	if !found {
		return len(x.names) > 0
	}
	return slices.ContainsFunc(x.scalars[at].allocatable, func(n int64) bool { return n <= 0 })
}

// nodesFor returns the smallest number of nodes that together have free what exceeds the room on all rows,
// or 0 if it is unknown: no pod requests more than is free, and free amounts may exceed an int64. Room may
// be empty.
func (x *rows) nodesFor(sum quantity.Wide, room []int64, free int64) int64 {
	if free <= 0 || free == math.MaxInt64 {
		return 0
	}
	if len(room) > 0 {
		for _, n := range room[:len(x.names)] {
			if n == math.MaxInt64 {
				return 0
			}
			sum.Sub(n)
		}
	}
	sum.Add(free - 1) // round up
	return sum.Quotient(free)
}
