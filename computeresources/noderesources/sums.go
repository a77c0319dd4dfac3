package noderesources

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// sums are the amounts of one node, and the sums of the requests of all pods there.
type sums struct {
	// What is free comes first, since Fits reads nothing else of most nodes.
	freePods int64
	free     [natives]int64
	scalars  []scalarColumn // sorted by name: what the node or a pod has
	native   [natives]column
	nonZero  [scored]quantity.Wide

	held      int64 // the number of pods
	maxPods   int64
	listsPods bool
}

// column is the sum of one resource.
type column struct {
	allocatable        int64
	isListed           bool // whether allocatable names it
	requested, limited quantity.Wide
}

type scalarColumn struct {
	name corev1.ResourceName
	free int64
	pods int // how many set it
	column
}

// copy returns sums that share no memory with l.
func (l *sums) copy() sums {
	c := *l
	c.scalars = slices.Clone(l.scalars)
	return c
}

// copyTo makes dst equal, with memory of its own that dst has already if it is enough.
func (l *sums) copyTo(dst *sums) {
	scalars := append(dst.scalars[:0], l.scalars...)
	*dst = *l
	dst.scalars = scalars
}

// setAllocatable changes what the node has, which may be less than its pods request.
func (l *sums) setAllocatable(allocatable corev1.ResourceList) {
	for i := range l.native {
		c := &l.native[i]
		c.allocatable, c.isListed = find(allocatable, nameOf(i))
		l.free[i] = c.remaining()
	}
	l.maxPods, l.listsPods = find(allocatable, corev1.ResourcePods)
	l.countPods()
	for i := range l.scalars {
		l.scalars[i].allocatable, l.scalars[i].isListed = 0, false
	}
	known := len(l.scalars)
	for name, q := range allocatable {
		if _, isNative := nativeOf(name); isNative {
			continue
		}
		// A name that has a column is known to be a scalar one: asking allocates.
		at, found := l.indexIn(known, name)
		if !found && !isScalar(name) {
			continue
		}
		if !found {
			at, l.scalars = len(l.scalars), append(l.scalars, scalarColumn{name: name})
		}
		c := &l.scalars[at]
		c.allocatable, c.isListed = resourcelist.Integer(name, q), true
	}
	l.sort(known)
	l.scalars = slices.DeleteFunc(l.scalars, func(c scalarColumn) bool { return !c.isUsed() })
	for i := range l.scalars {
		l.scalars[i].free = l.scalars[i].remaining()
	}
}

// find returns an allocatable amount as an integer, and whether the list names it.
func find(list corev1.ResourceList, name corev1.ResourceName) (n int64, isListed bool) {
	q, isListed := list[name]
	return resourcelist.Integer(name, q), isListed
}

// count adds the request of a pod.
func (l *sums) count(r *Request) {
	for i := range r.native {
		l.native[i].add(r.native[i])
		l.free[i] = l.native[i].remaining()
	}
	l.held++
	for i, n := range r.nonZero {
		l.nonZero[i].Add(n)
	}
	known := len(l.scalars)
	for _, s := range r.scalars {
		at, found := l.indexIn(known, s.name)
		if !found {
			at, l.scalars = len(l.scalars), append(l.scalars, scalarColumn{name: s.name})
		}
		c := &l.scalars[at]
		c.pods++
		c.add(s.amount)
		c.free = c.remaining()
	}
	l.sort(known)
	l.countPods()
}

// discount subtracts what count has added.
func (l *sums) discount(r *Request) {
	for i := range r.native {
		l.native[i].sub(r.native[i])
		l.free[i] = l.native[i].remaining()
	}
	l.held--
	for i, n := range r.nonZero {
		l.nonZero[i].Sub(n)
	}
	isGone := false
	for _, s := range r.scalars {
		at, _ := l.indexOf(s.name)
		c := &l.scalars[at]
		c.pods--
		c.sub(s.amount)
		c.free = c.remaining()
		isGone = isGone || !c.isUsed()
	}
	if isGone {
		l.scalars = slices.DeleteFunc(l.scalars, func(c scalarColumn) bool { return !c.isUsed() })
	}
	l.countPods()
}

// countPods sets how many more pods there may be.
func (l *sums) countPods() {
	l.freePods = quantity.SubSaturated(l.maxPods, l.held)
}

// sort brings columns from one on, which are new, in order.
func (l *sums) sort(from int) {
	if from < len(l.scalars) {
		slices.SortFunc(l.scalars, func(a, b scalarColumn) int { return strings.Compare(string(a.name), string(b.name)) })
	}
}

// indexOf returns where the column of a scalar resource is, or has to be inserted.
func (l *sums) indexOf(name corev1.ResourceName) (i int, found bool) {
	return l.indexIn(len(l.scalars), name)
}

// indexIn is indexOf among the first columns.
func (l *sums) indexIn(n int, name corev1.ResourceName) (i int, found bool) {
	low, high := 0, n
	for low < high { // columns before low are less than name, those from high on are not
		middle := (low + high) / 2
		if l.scalars[middle].name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < n && l.scalars[low].name == name
}

// isUsed reports whether the node or a pod has the resource.
func (c *scalarColumn) isUsed() bool { return c.isListed || c.pods > 0 }

func (c *column) add(a amount) {
	c.requested.Add(a.request)
	c.limited.Add(a.limit)
}

func (c *column) sub(a amount) {
	c.requested.Sub(a.request)
	c.limited.Sub(a.limit)
}

// wideFree returns allocatable - requested, exactly.
func (c *column) wideFree() quantity.Wide {
	var free quantity.Wide
	free.Add(c.allocatable)
	return free.Minus(c.requested)
}

func (c *column) remaining() int64 { return c.wideFree().Int64() }

func (c *column) amounts(free int64) ledgerAmounts {
	return ledgerAmounts{c.allocatable, c.requested.Int64(), c.limited.Int64(), free}
}
