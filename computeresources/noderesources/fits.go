package noderesources

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// AppendFits appends to dst the sorted names of the nodes on which a pod with this request fits
// (see Ledger.Fits). It does not allocate if dst has room and the request has at most eight scalar
// resources.
//
// Cost: for each node, one comparison for each requested resource. If none of a block of 64 nodes
// has room for one of the resources, one comparison is enough for the block.
func (c *Cluster) AppendFits(dst []string, r Request, opts FitOptions) []string {
	var scalars [fewResources]scalarNeed
	need, possible := c.need(scalars[:0], &r, &opts)
	if !possible {
		return dst
	}
	c.eachFit(&need, func(first int, mask uint64) bool {
		for ; mask != 0; mask &= mask - 1 {
			dst = append(dst, c.names[first+bits.TrailingZeros64(mask)])
		}
		return true
	})
	return dst
}

// FitError is returned if no node has room for a pod.
type FitError struct {
	Nodes   int         // how many nodes there are
	Reasons []FitReason // in the order of Shortages
}

// FitReason is the number of nodes with a Shortage of a resource.
type FitReason struct {
	Resource corev1.ResourceName
	Nodes    int
	// Unresolvable is the number of these nodes where removing pods would not help, because the pod
	// requests more than their capacity.
	Unresolvable int
}

// Error returns the message of the scheduler: "0/5 nodes are available: 2 Too many pods, 3
// Insufficient cpu.", in which reasons are sorted as text, or "no nodes available to schedule
// pods". It is that of the filters: in events and in the condition PodScheduled, a space and the
// message of PostFilter follow, such as " preemption: 0/5 nodes are available: …".
//
// Source: FitError of k8s.io/kubernetes/pkg/scheduler/framework.
func (e *FitError) Error() string {
	if e.Nodes == 0 {
		return "no nodes available to schedule pods"
	}
	reasons := make([]string, len(e.Reasons))
	for i, r := range e.Reasons {
		reasons[i] = fmt.Sprintf("%d %s", r.Nodes, (&Shortage{Resource: r.Resource}).Error())
	}
	slices.Sort(reasons)
	return fmt.Sprintf("0/%d nodes are available: %s.", e.Nodes, strings.Join(reasons, ", "))
}

// CheckFit returns nil if a pod with this request fits on a node, and otherwise a *FitError
// that counts the shortages on all nodes. Cost: that of AppendFits.
func (c *Cluster) CheckFit(r Request, opts FitOptions) error {
	if c.firstFit(&r, &opts, nil) < 0 {
		return c.fitError(&r, &opts)
	}
	return nil
}

// need is the request of a pod, without negative amounts, in the form of rows.
type need struct {
	native  [natives]int64
	scalars []scalarNeed
}

type scalarNeed struct {
	of          *amounts
	amount      int64
	isDelegated bool // to dynamic resource allocation, by nodes where no amount is allocatable
}

// need returns the request of a pod, with scalar resources in dst. It is not possible if the pod requests
// a resource that no node has.
func (x *rows) need(dst []scalarNeed, r *Request, opts *FitOptions) (_ need, possible bool) {
	n := need{scalars: dst}
	for i := range r.native {
		n.native[i] = max(r.native[i].request, 0)
	}
	scalars := r.scalars()
	for i := range scalars {
		s := &scalars[i]
		if s.request <= 0 || opts.ignores(s) {
			continue
		}
		isDelegated := opts.delegates(s.name)
		at, found := x.indexOf(s.name)
		switch {
		case found:
			n.scalars = append(n.scalars, scalarNeed{&x.scalars[at].amounts, s.request, isDelegated})
		case !isDelegated:
			return n, false
		}
	}
	return n, true
}

// mask returns which amounts of a block have room for a pod, the first in the lowest bit. At
// a level above the first, it is in which blocks below there may be such a row.
func (x *rows) mask(level, i int, n *need) uint64 {
	at := func(v levels) *[block]int64 { return (*[block]int64)(v[level][i*block:]) }
	pods, free := at(x.pods), [natives]*[block]int64{at(x.native[cpu].room), at(x.native[memory].room), at(x.native[storage].room)}
	var short uint64
	for j := range block {
		// A difference below zero is a shortage: neither side is below zero.
		less := (pods[j] - 1) | (free[cpu][j] - n.native[cpu]) | (free[memory][j] - n.native[memory]) | (free[storage][j] - n.native[storage])
		short |= uint64(less) >> (block - 1) << j
	}
	for _, s := range n.scalars {
		if s.isDelegated {
			short |= s.delegatedShort(level, i)
			continue
		}
		free := at(s.of.room)
		for j := range block {
			short |= uint64(free[j]-s.amount) >> (block - 1) << j
		}
	}
	return ^short
}

// delegatedShort returns which nodes of a block have an allocatable amount of the resource, and too
// little of it free. It is not known for a block of blocks, since any node without the resource has room.
func (s *scalarNeed) delegatedShort(level, i int) (short uint64) {
	if level > 0 {
		return 0
	}
	first := i * block
	for j, allocatable := range s.of.allocatable[first:min(first+block, len(s.of.allocatable))] {
		if allocatable > 0 && s.amount > s.of.room[0][first+j] {
			short |= 1 << j
		}
	}
	return short
}

// eachFit calls f with the nodes that have room for a pod: with the rows from first on whose
// bits are set, in order, until f returns false.
func (x *rows) eachFit(n *need, f func(first int, mask uint64) bool) {
	if top := len(x.pods) - 1; top >= 0 {
		x.eachFitBelow(top, 0, n, f)
	}
}

func (x *rows) eachFitBelow(level, i int, n *need, f func(first int, mask uint64) bool) bool {
	mask := x.mask(level, i, n)
	if level == 0 {
		return mask == 0 || f(i*block, mask)
	}
	for ; mask != 0; mask &= mask - 1 {
		if !x.eachFitBelow(level-1, i*block+bits.TrailingZeros64(mask), n, f) {
			return false
		}
	}
	return true
}

// firstFit returns the first row that has room for a pod, and that accept accepts if it is not nil, or -1.
func (x *rows) firstFit(r *Request, opts *FitOptions, accept func(row int) bool) int {
	var scalars [fewResources]scalarNeed
	need, possible := x.need(scalars[:0], r, opts)
	row := -1
	if !possible {
		return row
	}
	x.eachFit(&need, func(first int, mask uint64) bool {
		for ; mask != 0; mask &= mask - 1 {
			if at := first + bits.TrailingZeros64(mask); accept == nil || accept(at) {
				row = at
				return false
			}
		}
		return true
	})
	return row
}

// fitError counts the shortages on all nodes.
func (x *rows) fitError(r *Request, opts *FitOptions) *FitError {
	e := &FitError{Nodes: len(x.names)}
	add := func(name corev1.ResourceName, requested int64, isDelegated bool, room, allocatable []int64) {
		reason := FitReason{Resource: name}
		for row := range x.names {
			if isShort(requested, room[row]) && (allocatable[row] > 0 || !isDelegated) {
				reason.Nodes++
				if requested > allocatable[row] {
					reason.Unresolvable++
				}
			}
		}
		if reason.Nodes > 0 {
			e.Reasons = append(e.Reasons, reason)
		}
	}
	if e.Nodes == 0 {
		return e
	}
	full := FitReason{Resource: corev1.ResourcePods}
	for row := range x.names {
		if isShort(1, x.pods[0][row]) {
			full.Nodes++
		}
	}
	if full.Nodes > 0 {
		e.Reasons = append(e.Reasons, full)
	}
	for i := range r.native {
		add(nameOf(i), r.native[i].request, false, x.native[i].room[0], x.native[i].allocatable)
	}
	scalars := r.scalars()
	for i := range scalars {
		s := &scalars[i]
		if opts.ignores(s) {
			continue
		}
		isDelegated := opts.delegates(s.name)
		if at, found := x.indexOf(s.name); found {
			add(s.name, s.request, isDelegated, x.scalars[at].room[0], x.scalars[at].allocatable)
		} else if s.request > 0 && !isDelegated {
			e.Reasons = append(e.Reasons, FitReason{s.name, e.Nodes, e.Nodes})
		}
	}
	return e
}
