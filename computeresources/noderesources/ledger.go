package noderesources

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Ledger has the allocatable resources of one node and the requests of its pods. It is a handle that computes, and no
// answer. The zero value is a node without resources and pods. A Ledger must not be copied after the first pod was
// added.
//
// Add, Update and Remove must not run at the same time as any other method of the Ledger, and take some hundred
// nanoseconds. Ledgers share nothing, so that one lock for each node is enough.
type Ledger struct {
	sums

	slots  map[types.UID]int // indices of pods
	pods   []Request
	vacant []int // unused indices of pods
}

var errNilLedger = errors.New("noderesources: a nil Ledger")

// orEmpty returns the ledger that answers for a nil one.
func (l *Ledger) orEmpty() *Ledger {
	if l == nil {
		return &Ledger{}
	}
	return l
}

// NewLedger returns a node without pods that has these allocatable resources, those of its status. No pod
// fits if the list is nil. Amounts are rounded like resourcelist.Integer. The node has none of a resource that
// the list does not contain, including pods. Names that the scheduler does not count are ignored.
func NewLedger(allocatable corev1.ResourceList) *Ledger {
	l := &Ledger{}
	l.setAllocatable(allocatable)
	return l
}

// Add adds a pod, whether or not it fits. If there is a pod with this UID, it returns an error and
// nothing has changed. Any number of pods may have no UID, as those of manifests: each of them counts,
// but cannot be updated or removed.
//
// Cost: constant, apart from the number of scalar resources. It does not allocate once the
// ledger has held as many pods and scalar resources before.
func (l *Ledger) Add(uid types.UID, r Request) error {
	if l == nil {
		return errNilLedger
	}
	if _, known := l.slots[uid]; known {
		return alreadyExists("pod", uid)
	}
	if uid == "" {
		l.count(&r)
		return nil
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

// Update replaces the request of a pod, for example when it is resized. If there is no pod with
// this UID, it returns an error and nothing has changed. Cost and allocations are those of Add.
func (l *Ledger) Update(uid types.UID, r Request) error {
	if err := l.Remove(uid); err != nil {
		return err
	}
	return l.Add(uid, r)
}

// Remove removes a pod, and subtracts exactly the request that it was added with. If there is no
// pod with this UID, it returns an error and nothing has changed. Cost: that of Add.
func (l *Ledger) Remove(uid types.UID) error {
	if l == nil {
		return errNilLedger
	}
	slot, known := l.slots[uid]
	if !known {
		return notFound("pod", uid)
	}
	delete(l.slots, uid)
	l.discount(&l.pods[slot])
	l.pods[slot] = Request{}
	l.vacant = append(l.vacant, slot)
	return nil
}

// copy returns a ledger that shares no memory with l.
func (l *Ledger) copy() Ledger {
	return Ledger{l.sums.copy(), maps.Clone(l.slots), slices.Clone(l.pods), slices.Clone(l.vacant)}
}

// Pods returns the number of pods on the node.
func (l *Ledger) Pods() int { return int(l.orEmpty().held) }

// Allocatable returns the allocatable resources of the node that the scheduler counts, as integers.
// It is never nil. Amounts that do not fit, here and in the other lists, are math.MaxInt64 or
// math.MinInt64 of the units of resourcelist.Integer.
func (l *Ledger) Allocatable() corev1.ResourceList {
	return l.list(func(a ledgerAmounts) int64 { return a.allocatable })
}

// Requested returns the sum of the requests of the pods on the node, and their number as pods. It
// has each resource that is allocatable, and others that are not zero. It is never nil.
func (l *Ledger) Requested() corev1.ResourceList {
	return l.list(func(a ledgerAmounts) int64 { return a.requested })
}

// Limited returns the sum of the limits of the pods on the node. It has each resource that is
// allocatable, and others that are not zero. It is never nil. A container without a limit adds
// nothing, although its usage is unbounded.
func (l *Ledger) Limited() corev1.ResourceList {
	limited := l.list(func(a ledgerAmounts) int64 { return a.limited })
	delete(limited, corev1.ResourcePods)
	return limited
}

// Free returns the allocatable minus the requested amounts, which are negative for overcommitted
// resources. It has each resource that is allocatable, and others that are not zero. It is never
// nil.
func (l *Ledger) Free() corev1.ResourceList {
	return l.list(func(a ledgerAmounts) int64 { return a.free })
}

// ledgerAmounts are the amounts of one resource, in the units of resourcelist.Integer.
type ledgerAmounts struct{ allocatable, requested, limited, free int64 }

// list returns an amount of each resource that is allocatable, and of others that is not zero.
func (l *Ledger) list(of func(ledgerAmounts) int64) corev1.ResourceList {
	l = l.orEmpty()
	list := corev1.ResourceList{}
	add := func(name corev1.ResourceName, isListed bool, a ledgerAmounts) {
		if n := of(a); isListed || n != 0 {
			list[name] = resourcelist.Quantity(name, n)
		}
	}
	for i := range l.native {
		add(nameOf(i), l.native[i].isListed, l.native[i].amounts(l.free[i]))
	}
	add(corev1.ResourcePods, l.listsPods, ledgerAmounts{allocatable: l.maxPods, requested: l.held, free: l.freePods})
	for i := range l.scalars {
		s := &l.scalars[i]
		add(s.name, s.isListed, s.amounts(s.free))
	}
	return list
}

// alreadyExists is the error for a node or a pod that is added twice.
func alreadyExists[S ~string](kind string, name S) error {
	return fmt.Errorf("noderesources: %s %q %w", kind, string(name), computeresources.ErrExists)
}

// notFound is the error for a node or a pod that was not added.
func notFound[S ~string](kind string, name S) error {
	return fmt.Errorf("noderesources: %s %q %w", kind, string(name), computeresources.ErrNotFound)
}
