package noderesources

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// AppendFits appends to dst the sorted names of the nodes on which a pod with this request fits
// (see Ledger.Fits). Without scalar resources, it does not allocate if dst has room.
//
// Cost: for each node, one comparison for each requested resource. If none of a block of 64 nodes
// has room for one of the resources, one comparison is enough for the block.
func (c *Cluster) AppendFits(dst []string, r Request, opts FitOptions) []string {
	c = c.orEmpty()
	c.eachFit(&r, &opts, 0, func(row int) bool {
		dst = append(dst, c.names[row])
		return true
	})
	return dst
}

// FitError is why no node has room for a pod, or none is available for it.
type FitError struct {
	Nodes int `json:"nodes"` // how many nodes there are
	// Message is why none is tried, which only package whatif sets. Reasons is empty then.
	Message string      `json:"message,omitempty"`
	Reasons []FitReason `json:"reasons,omitempty"` // by message
}

// FitReason is the number of nodes that are not available for the same reason.
type FitReason struct {
	// Message is such as "Too many pods", "Insufficient cpu" or "node(s) had untolerated taint(s)".
	Message string `json:"message,omitempty"`
	Nodes   int    `json:"nodes"`
	// Unresolvable is the number of these nodes where removing pods would not help: the pod requests more than
	// their capacity, or the reason is not a resource.
	Unresolvable int `json:"unresolvable"`
}

// Error returns the message of the scheduler: "0/5 nodes are available: 2 Too many pods, 3
// Insufficient cpu.", in which reasons are sorted as text, or "no nodes available to schedule
// pods". It is that of the filters: in events and in the condition PodScheduled, a space and the
// message of PostFilter follow, such as " preemption: 0/5 nodes are available: …".
//
// Source: FitError of k8s.io/kubernetes/pkg/scheduler/framework.
func (e *FitError) Error() string {
	switch {
	case e == nil:
		return "<nil>"
	case e.Nodes == 0:
		return "no nodes available to schedule pods"
	case e.Message != "":
		return fmt.Sprintf("0/%d nodes are available: %s.", e.Nodes, e.Message)
	}
	return noneAvailable(e.Nodes, e.Reasons)
}

// noneAvailable returns the message of the scheduler if none of so many nodes is available.
func noneAvailable(nodes int, reasons []FitReason) string {
	texts := make([]string, len(reasons))
	for i, r := range reasons {
		texts[i] = fmt.Sprintf("%d %s", r.Nodes, r.Message)
	}
	slices.Sort(texts)
	return fmt.Sprintf("0/%d nodes are available: %s.", nodes, strings.Join(texts, ", "))
}

func compareReasons(a, b FitReason) int { return strings.Compare(a.Message, b.Message) }

// CheckFit returns nil if a pod with this request fits on a node, and otherwise a *FitError
// that counts the shortages on all nodes. Cost: that of AppendFits.
func (c *Cluster) CheckFit(r Request, opts FitOptions) error {
	c = c.orEmpty()
	if c.firstFit(&r, &opts, 0, nil) < 0 {
		return c.fitError(&r, &opts, nil)
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

// needOf returns the request of a pod. It is not possible if the pod requests a resource that no node has.
func (x *rows) needOf(r *Request, opts *FitOptions) (n need, possible bool) {
	for i := range r.native {
		n.native[i] = max(r.native[i].request, 0)
	}
	scalars := r.scalars
	for i := range scalars {
		s := &scalars[i]
		if s.request <= 0 || opts.ignores(s) {
			continue
		}
		isDelegated := opts.Delegates(s.name)
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

// mayFit reports whether a node of a block may have room for a pod: the largest free amounts are enough.
func (x *rows) mayFit(i int, n *need) bool {
	if x.pods.largest[i] < 1 {
		return false
	}
	for j := range n.native {
		if n.native[j] > x.native[j].room.largest[i] {
			return false
		}
	}
	for _, s := range n.scalars {
		if !s.isDelegated && s.amount > s.of.room.largest[i] {
			return false
		}
	}
	return true
}

// mask returns which nodes of a block have room for a pod, the first in the lowest bit.
func (x *rows) mask(i int, n *need) uint64 {
	pods := x.pods.block(i)
	milliCPU, bytes, disk := x.native[cpu].room.block(i), x.native[memory].room.block(i), x.native[storage].room.block(i)
	var short uint64
	for j := range block {
		// A difference below zero is a shortage: neither side is below zero.
		less := (pods[j] - 1) | (milliCPU[j] - n.native[cpu]) | (bytes[j] - n.native[memory]) | (disk[j] - n.native[storage])
		short |= uint64(less) >> (block - 1) << j
	}
	for _, s := range n.scalars {
		for j, free := range s.of.room.block(i) {
			if free < s.amount && (!s.isDelegated || s.of.hasAny(i*block+j)) {
				short |= 1 << j
			}
		}
	}
	return ^short
}

// hasAny reports whether a node has an allocatable amount of the resource.
func (a *amounts) hasAny(row int) bool { return row < len(a.allocatable) && a.allocatable[row] > 0 }

// eachFit calls f with each row that has room for a pod, in order, until f returns false. Rows before the block of one
// are left out.
func (x *rows) eachFit(r *Request, opts *FitOptions, from int, f func(row int) bool) {
	n, possible := x.needOf(r, opts)
	if !possible {
		return
	}
	for i := from / block; i < len(x.pods.largest); i++ {
		if !x.mayFit(i, &n) {
			continue
		}
		for mask := x.mask(i, &n); mask != 0; mask &= mask - 1 {
			if !f(i*block + bits.TrailingZeros64(mask)) {
				return
			}
		}
	}
}

// firstFit returns the first row that has room for a pod, and that accept accepts if it is not nil, or -1. Rows before
// the block of one are left out.
func (x *rows) firstFit(r *Request, opts *FitOptions, from int, accept func(row int) bool) int {
	first := -1
	x.eachFit(r, opts, from, func(row int) bool {
		if accept == nil || accept(row) {
			first = row
		}
		return first < 0
	})
	return first
}

// NodeFilter is what the plugins of a scheduler that do not look at resources say about one pod and the nodes of a
// Cluster, by their index in Cluster.Nodes.
type NodeFilter interface {
	// BeforeResources returns why a plugin that the scheduler asks before those of resources refuses the node, empty if
	// none does, and whether it may accept the node once pods have left.
	BeforeResources(node int) (message string, isResolvable bool)
	// AfterResources is BeforeResources for the plugins that the scheduler asks after those of resources, which it does
	// only for a node that has room. A plugin may have several messages.
	AfterResources(node int) (messages []string, isResolvable bool)
}

// FitError returns why no node is available for a pod with this request, as the scheduler counts it: of each node what
// the first plugin says that refuses it, which for resources is every shortage. Nodes that none refuses are not
// counted. A nil filter refuses none. Cost: that of CheckFit and of the filter.
func (c *Cluster) FitError(r Request, opts FitOptions, filter NodeFilter) *FitError {
	return c.orEmpty().fitError(&r, &opts, filter)
}

// reasons are the nodes that are not available, by reason.
type reasons []FitReason

// add counts nodes.
func (all *reasons) add(message string, nodes, unresolvable int) {
	if nodes == 0 {
		return
	}
	i := slices.IndexFunc(*all, func(r FitReason) bool { return r.Message == message })
	if i < 0 {
		i, *all = len(*all), append(*all, FitReason{Message: message})
	}
	(*all)[i].Nodes += nodes
	(*all)[i].Unresolvable += unresolvable
}

// addOne counts a node.
func (all *reasons) addOne(message string, isResolvable bool) {
	unresolvable := 1
	if isResolvable {
		unresolvable = 0
	}
	all.add(message, 1, unresolvable)
}

// fitError counts the reasons for which nodes are not available.
func (x *rows) fitError(r *Request, opts *FitOptions, filter NodeFilter) *FitError {
	return newExplanation(x, filter).fitError(r, opts)
}

// explanation finds out why nodes are not available.
type explanation struct {
	rows    *rows
	filter  NodeFilter // nil if it refuses none
	state   []availability
	reasons reasons
}

// newExplanation asks the plugins before those of resources.
func newExplanation(x *rows, filter NodeFilter) *explanation {
	e := &explanation{rows: x, filter: filter, state: make([]availability, len(x.names))}
	for row := range e.state {
		if filter == nil {
			break
		}
		if message, isResolvable := filter.BeforeResources(row); message != "" {
			e.reasons.addOne(message, isResolvable)
			e.state[row] = refused
		}
	}
	return e
}

// isRefusedAfter reports whether a plugin after those of resources refuses a node.
func (e *explanation) isRefusedAfter(row int) bool {
	if e.filter == nil {
		return false
	}
	messages, _ := e.filter.AfterResources(row)
	return len(messages) > 0
}

// fitError counts the shortages, and what plugins after those of resources say about nodes that have room.
func (e *explanation) fitError(r *Request, opts *FitOptions) *FitError {
	e.addShortages(r, opts)
	for row, state := range e.state {
		if e.filter == nil {
			break
		}
		if state != available {
			continue
		}
		messages, isResolvable := e.filter.AfterResources(row)
		for _, message := range messages {
			e.reasons.addOne(message, isResolvable)
		}
	}
	slices.SortFunc(e.reasons, compareReasons)
	return &FitError{Nodes: len(e.state), Reasons: e.reasons}
}

// availability is whether a node is available for a pod.
type availability uint8

const (
	available availability = iota
	isShortOf              // a resource
	refused                // by a plugin before those of resources
)

// addShortages counts the shortages on all nodes that are not refused.
func (e *explanation) addShortages(r *Request, opts *FitOptions) {
	x, state := e.rows, e.state
	count := func(name corev1.ResourceName, requested int64, isDelegated bool, of *amounts) {
		nodes, unresolvable := 0, 0
		for row := range state {
			allocatable := int64(0)
			if of != nil {
				allocatable = of.allocatable[row]
			}
			if of != nil && !isShort(requested, of.room.amounts[row]) || allocatable <= 0 && isDelegated ||
				state[row] == refused {
				continue
			}
			state[row] = isShortOf
			nodes++
			if requested > allocatable {
				unresolvable++
			}
		}
		e.reasons.add(messageOf(name), nodes, unresolvable)
	}
	full := 0
	for row := range state {
		if isShort(1, x.pods.amounts[row]) && state[row] != refused {
			state[row] = isShortOf
			full++
		}
	}
	e.reasons.add(messageOf(corev1.ResourcePods), full, 0)
	for i := range r.native {
		count(nameOf(i), r.native[i].request, false, &x.native[i])
	}
	for i := range r.scalars {
		s := &r.scalars[i]
		if s.request <= 0 || opts.ignores(s) {
			continue
		}
		if at, found := x.indexOf(s.name); found {
			count(s.name, s.request, opts.Delegates(s.name), &x.scalars[at].amounts)
		} else {
			count(s.name, s.request, opts.Delegates(s.name), nil)
		}
	}
}
