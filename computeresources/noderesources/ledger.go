package noderesources

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Ledger is what one node has, and what the pods there ask for. The zero value is a node that
// has nothing, and no pods. A Ledger must not be copied after the first pod was added.
//
// Methods that only read may be called at the same time.
type Ledger struct {
	sums

	slots  map[types.UID]int // indices of pods
	pods   []Request
	vacant []int // indices of pods that nobody has
}

// NodeAmounts are the amounts of one resource on a node, in the units of
// resourcelist.Integer.
type NodeAmounts struct {
	Allocatable int64 // what the node has for pods
	Requested   int64 // the sum of the requests of its pods
	Limited     int64 // the sum of the limits that its pods set
	Free        int64 // Allocatable - Requested, below zero if more is requested than there is
}

// KnownPodError is the error of adding a pod that is there already.
type KnownPodError struct{ UID types.UID }

// Error names the pod by its UID.
func (e *KnownPodError) Error() string {
	return fmt.Sprintf("noderesources: pod %q is there already", string(e.UID))
}

// UnknownPodError is the error of updating or removing a pod that is not there.
type UnknownPodError struct{ UID types.UID }

// Error names the pod by its UID.
func (e *UnknownPodError) Error() string {
	return fmt.Sprintf("noderesources: pod %q is not there", string(e.UID))
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
func (l *Ledger) Pods() int { return int(l.held) }

// SetAllocatable changes what the node has, also to less than its pods request. Amounts are
// rounded as resourcelist.Integer does. A resource that the list does not name is one of which
// the node has nothing; that holds for pods, too. Names that the scheduler does not count are
// ignored.
//
// Cost: linear in the number of resources. It does not allocate once the ledger has held as
// many scalar resources before.
func (l *Ledger) SetAllocatable(allocatable corev1.ResourceList) { l.setAllocatable(allocatable) }

// Amounts returns the amounts of a resource. Of corev1.ResourcePods, the number of pods is what
// is requested, and nothing is limited. All are zero for a name that neither the node nor a
// pod has. Sums that do not fit are math.MaxInt64 or math.MinInt64.
func (l *Ledger) Amounts(name corev1.ResourceName) NodeAmounts {
	if name == corev1.ResourcePods {
		return NodeAmounts{Allocatable: l.maxPods, Requested: l.held, Free: l.freePods}
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
