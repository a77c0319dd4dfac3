package noderesources

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Ledger is what one node has, and what the pods there ask for. The zero value is a node that
// has nothing, and no pods. A Ledger must not be copied after the first pod was added.
//
// Methods that only read may be called at the same time.
type Ledger struct {
	// What is free comes first, since Fits reads nothing else of most nodes.
	freePods int64
	free     [natives]int64
	scalars  []scalarColumn // sorted by name: what the node or a pod has
	native   [natives]column
	nonZero  [scored]quantity.Wide

	maxPods   int64
	listsPods bool

	slots  map[types.UID]int // indices of pods
	pods   []Request
	vacant []int // indices of pods that nobody has
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

// NodeAmounts are the amounts of one resource on a node, in the units of
// resourcelist.Integer.
type NodeAmounts struct {
	Allocatable int64 // what the node has for pods
	Requested   int64 // the sum of the requests of its pods
	Limited     int64 // the sum of the limits that its pods set
	Free        int64 // Allocatable - Requested, below zero if more is requested than there is
}

// KnownPodError is the error of adding a pod that is on the node already.
type KnownPodError struct{ UID types.UID }

// Error names the pod by its UID.
func (e *KnownPodError) Error() string {
	return fmt.Sprintf("noderesources: pod %q is on the node already", string(e.UID))
}

// UnknownPodError is the error of updating or removing a pod that is not on the node.
type UnknownPodError struct{ UID types.UID }

// Error names the pod by its UID.
func (e *UnknownPodError) Error() string {
	return fmt.Sprintf("noderesources: pod %q is not on the node", string(e.UID))
}

// New returns a node without pods that has the allocatable resources of its status. A nil list
// is a node that has nothing, on which no pod fits. See SetAllocatable.
func New(allocatable corev1.ResourceList) *Ledger {
	l := &Ledger{}
	l.SetAllocatable(allocatable)
	return l
}

// Add adds a pod. If there is one of this UID, the error is a *KnownPodError and nothing has
// changed. It does not matter whether the pod fits.
//
// Cost: constant, apart from the number of scalar resources. It does not allocate once the
// ledger has held as many pods and scalar resources before.
func (l *Ledger) Add(uid types.UID, r Request) error {
	if _, known := l.slots[uid]; known {
		return &KnownPodError{uid}
	}
	if l.slots == nil {
		l.slots = map[types.UID]int{}
	}
	slot := len(l.pods)
	if last := len(l.vacant) - 1; last >= 0 {
		slot, l.vacant = l.vacant[last], l.vacant[:last]
		l.pods[slot] = r
	} else {
		l.pods = append(l.pods, r)
	}
	l.slots[uid] = slot
	l.count(&r)
	return nil
}

// Update puts another request in the place of the one that the pod was added with, as when it
// is resized. If there is no pod of this UID, the error is an *UnknownPodError and nothing has
// changed. Cost and allocations are those of Add.
func (l *Ledger) Update(uid types.UID, r Request) error {
	slot, known := l.slots[uid]
	if !known {
		return &UnknownPodError{uid}
	}
	l.discount(&l.pods[slot])
	l.pods[slot] = r
	l.count(&r)
	return nil
}

// Remove removes a pod, with exactly what it was added with. If there is none of this UID, the
// error is an *UnknownPodError and nothing has changed. Cost: as Add.
func (l *Ledger) Remove(uid types.UID) error {
	slot, known := l.slots[uid]
	if !known {
		return &UnknownPodError{uid}
	}
	delete(l.slots, uid)
	l.discount(&l.pods[slot])
	l.pods[slot] = Request{}
	l.vacant = append(l.vacant, slot)
	return nil
}

// Has reports whether a pod of this UID is on the node.
func (l *Ledger) Has(uid types.UID) bool {
	_, known := l.slots[uid]
	return known
}

// Pods returns the number of pods on the node.
func (l *Ledger) Pods() int { return len(l.slots) }

// SetAllocatable changes what the node has, also to less than its pods request. Amounts are
// rounded as resourcelist.Integer does. A resource that the list does not name is one of which
// the node has nothing; that holds for pods, too. Names that the scheduler does not count are
// ignored.
//
// Cost: linear in the number of resources. It does not allocate once the ledger has held as
// many scalar resources before.
func (l *Ledger) SetAllocatable(allocatable corev1.ResourceList) {
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
	for name, q := range allocatable {
		if _, isNative := nativeOf(name); isNative {
			continue
		}
		// A name that has a column is known to be a scalar one: asking allocates.
		if _, known := l.indexOf(name); known || isScalar(name) {
			c := l.scalar(name)
			c.allocatable, c.isListed = resourcelist.Integer(name, q), true
		}
	}
	l.scalars = slices.DeleteFunc(l.scalars, func(c scalarColumn) bool { return !c.isUsed() })
	for i := range l.scalars {
		l.scalars[i].free = l.scalars[i].remaining()
	}
}

// Amounts returns the amounts of a resource. Of corev1.ResourcePods, the number of pods is what
// is requested, and nothing is limited. All are zero for a name that neither the node nor a
// pod has. Sums that do not fit are math.MaxInt64 or math.MinInt64.
func (l *Ledger) Amounts(name corev1.ResourceName) NodeAmounts {
	if name == corev1.ResourcePods {
		return NodeAmounts{Allocatable: l.maxPods, Requested: int64(len(l.slots)), Free: l.freePods}
	}
	if i, isNative := nativeOf(name); isNative {
		return l.native[i].amounts(l.free[i])
	}
	if i, found := l.indexOf(name); found {
		return l.scalars[i].amounts(l.scalars[i].free)
	}
	return NodeAmounts{}
}

// Allocatable returns what the node has for pods: the resources of the list that was set last
// which the scheduler counts, as integers. It is never nil.
func (l *Ledger) Allocatable() corev1.ResourceList {
	return l.list(func(a NodeAmounts) int64 { return a.Allocatable })
}

// Requested returns the sum of the requests of the pods on the node, and their number as pods:
// of each resource that is allocatable, and of others that is not zero. It is never nil.
func (l *Ledger) Requested() corev1.ResourceList {
	return l.list(func(a NodeAmounts) int64 { return a.Requested })
}

// Limited returns the sum of the limits that the pods on the node set: of each resource that is
// allocatable, and of others that is not zero. It is never nil. A container without a limit
// adds nothing to it, although nothing holds it back.
func (l *Ledger) Limited() corev1.ResourceList {
	limited := l.list(func(a NodeAmounts) int64 { return a.Limited })
	delete(limited, corev1.ResourcePods)
	return limited
}

// Free returns what is allocatable less what is requested, and below zero where more is
// requested than there is: of each resource that is allocatable, and of others that is not
// zero. It is never nil.
func (l *Ledger) Free() corev1.ResourceList {
	return l.list(func(a NodeAmounts) int64 { return a.Free })
}

// list returns an amount of each resource that is allocatable, and of others that is not zero.
func (l *Ledger) list(of func(NodeAmounts) int64) corev1.ResourceList {
	list := corev1.ResourceList{}
	add := func(name corev1.ResourceName, isListed bool) {
		if n := of(l.Amounts(name)); isListed || n != 0 {
			list[name] = resourcelist.Quantity(name, n)
		}
	}
	for i := range l.native {
		add(nameOf(i), l.native[i].isListed)
	}
	add(corev1.ResourcePods, l.listsPods)
	for i := range l.scalars {
		add(l.scalars[i].name, l.scalars[i].isListed)
	}
	return list
}

// find returns an allocatable amount as an integer, and whether the list names it.
func find(list corev1.ResourceList, name corev1.ResourceName) (n int64, isListed bool) {
	q, isListed := list[name]
	return resourcelist.Integer(name, q), isListed
}

// count adds what a pod asks for.
func (l *Ledger) count(r *Request) {
	for i := range r.native {
		l.native[i].add(r.native[i])
		l.free[i] = l.native[i].remaining()
	}
	for i, n := range r.nonZero {
		l.nonZero[i].Add(n)
	}
	for i := range r.scalars {
		c := l.scalar(r.scalars[i].name)
		c.pods++
		c.add(r.scalars[i].amount)
		c.free = c.remaining()
	}
	l.countPods()
}

// discount subtracts what count has added.
func (l *Ledger) discount(r *Request) {
	for i := range r.native {
		l.native[i].sub(r.native[i])
		l.free[i] = l.native[i].remaining()
	}
	for i, n := range r.nonZero {
		l.nonZero[i].Sub(n)
	}
	for i := range r.scalars {
		at, _ := l.indexOf(r.scalars[i].name)
		c := &l.scalars[at]
		c.pods--
		c.sub(r.scalars[i].amount)
		c.free = c.remaining()
		if !c.isUsed() {
			l.scalars = slices.Delete(l.scalars, at, at+1)
		}
	}
	l.countPods()
}

// countPods sets how many more pods there may be.
func (l *Ledger) countPods() {
	l.freePods = quantity.SubSaturated(l.maxPods, int64(len(l.slots)))
}

// scalar returns the column of a scalar resource, which it adds if there is none.
func (l *Ledger) scalar(name corev1.ResourceName) *scalarColumn {
	i, found := l.indexOf(name)
	if !found {
		l.scalars = slices.Insert(l.scalars, i, scalarColumn{name: name})
	}
	return &l.scalars[i]
}

// indexOf returns where the column of a scalar resource is, or has to be inserted.
func (l *Ledger) indexOf(name corev1.ResourceName) (i int, found bool) {
	low, high := 0, len(l.scalars)
	for low < high { // columns before low are less than name, those from high on are not
		middle := (low + high) / 2
		if l.scalars[middle].name < name {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low, low < len(l.scalars) && l.scalars[low].name == name
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

func (c *column) amounts(free int64) NodeAmounts {
	return NodeAmounts{c.allocatable, c.requested.Int64(), c.limited.Int64(), free}
}
