package noderesources

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// rows are many nodes. Free amounts, and the amounts that scores compare, are copied from their ledgers
// into a slice for each amount, so that a question about all nodes reads little memory. A node has one
// row, which is the index in all slices.
type rows struct {
	*token
	names   []string // sorted
	members []*member

	version int64 // grows with each change
	ordered int64 // the version at which a node has come or gone, so that the others may have another row
	changed room  // the version at which a row has changed

	pods    room // how many more pods there may be
	native  [natives]amounts
	nonZero [scored][]int64
	scalars []scalarAmounts // sorted by name
}

// member is a node. Only rows with the same token write to it.
type member struct {
	*token
	name       *string // which all copies of the node share
	hasOwnPods bool    // otherwise slots, pods and vacant are those of another copy
	Ledger
}

// token marks what may be written to.
type token struct{ _ byte }

// amounts are those of one resource on each node.
type amounts struct {
	room        room
	requested   []int64
	allocatable []int64
}

type scalarAmounts struct {
	name corev1.ResourceName
	amounts
}

// copy returns rows that may be written to. They share with x the nodes that do not change. While they are used, x must
// not be written to.
func (x *rows) copy() *rows {
	c := *x
	c.token = &token{}
	c.names, c.members = slices.Clone(x.names), slices.Clone(x.members)
	c.changed, c.pods, c.scalars = x.changed.copy(), x.pods.copy(), slices.Clone(x.scalars)
	for i := range c.nonZero {
		c.nonZero[i] = slices.Clone(c.nonZero[i])
	}
	for a := range c.each {
		*a = a.copy()
	}
	return &c
}

// member returns a node to write to, except for its pods with a UID.
func (x *rows) member(row int) *member {
	m := x.members[row]
	if m.token != x.token {
		own := *m
		own.token, own.sums, own.hasOwnPods = x.token, m.sums.copy(), false
		m = &own
		x.members[row] = m
	}
	return m
}

// memberWithPods returns a node to write to.
func (x *rows) memberWithPods(row int) *member {
	m := x.member(row)
	if !m.hasOwnPods {
		m.Ledger, m.hasOwnPods = m.Ledger.copy(), true
	}
	return m
}

func (a *amounts) copy() amounts {
	return amounts{a.room.copy(), slices.Clone(a.requested), slices.Clone(a.allocatable)}
}

// find returns the row of a node, or where it has to be inserted.
func (x *rows) find(name string) (row int, known bool) { return slices.BinarySearch(x.names, name) }

// insert inserts a node before the one that has the row now.
func (x *rows) insert(row int, name string, l Ledger) {
	n := len(x.names)
	x.names = slices.Insert(x.names, row, name)
	x.members = slices.Insert(x.members, row, &member{x.token, &name, true, l})
	x.changed.insert(row, n)
	x.pods.insert(row, n)
	for i := range x.nonZero {
		x.nonZero[i] = slices.Insert(x.nonZero[i], row, 0)
	}
	for a := range x.each {
		a.room.insert(row, n)
		a.requested = slices.Insert(a.requested, row, 0)
		a.allocatable = slices.Insert(a.allocatable, row, 0)
	}
	x.readAll(row)
	x.ordered = x.version
}

// remove removes a node.
func (x *rows) remove(row int) {
	n := len(x.names)
	x.names = slices.Delete(x.names, row, row+1)
	x.members = slices.Delete(x.members, row, row+1)
	x.changed.remove(row, n)
	x.pods.remove(row, n)
	for i := range x.nonZero {
		x.nonZero[i] = slices.Delete(x.nonZero[i], row, row+1)
	}
	for a := range x.each {
		a.room.remove(row, n)
		a.requested = slices.Delete(a.requested, row, row+1)
		a.allocatable = slices.Delete(a.allocatable, row, row+1)
	}
	x.version++
	x.ordered = x.version
}

// each yields the amounts of each resource.
func (x *rows) each(yield func(*amounts) bool) {
	for i := range x.native {
		if !yield(&x.native[i]) {
			return
		}
	}
	for i := range x.scalars {
		if !yield(&x.scalars[i].amounts) {
			return
		}
	}
}

// count counts a pod on a node.
func (x *rows) count(row int, r *Request) {
	x.member(row).count(r)
	x.read(row, r)
}

// read copies the amounts that a pod has changed from the ledger of a node.
func (x *rows) read(row int, r *Request) {
	l := x.members[row]
	x.version++
	x.changed.set(row, x.version)
	x.pods.set(row, max(l.freePods, 0))
	for i := range l.native {
		x.native[i].set(row, l.free[i], &l.native[i])
	}
	for i := range l.nonZero {
		x.nonZero[i][row] = l.nonZero[i].Int64()
	}
	for _, s := range r.scalars {
		x.readScalar(row, s.name)
	}
}

// readAll copies all amounts from the ledger of a node.
func (x *rows) readAll(row int) {
	l := x.members[row]
	x.read(row, &Request{})
	for i := range x.scalars {
		x.readScalar(row, x.scalars[i].name)
	}
	for i := range l.scalars {
		x.readScalar(row, l.scalars[i].name)
	}
}

// readScalar copies the amounts of a scalar resource from the ledger of a node. Resources that no node has are left
// out, however many pods request them.
func (x *rows) readScalar(row int, name corev1.ResourceName) {
	l := x.members[row]
	c, free := l.columnOf(name), l.freeOf(name)
	i, found := x.indexOf(name)
	if !found && c.allocatable == 0 && free <= 0 {
		return
	}
	if found {
		x.scalars[i].set(row, free, &c)
		return
	}
	a := amounts{newRoom(len(x.names)), make([]int64, len(x.names)), make([]int64, len(x.names))}
	for other, m := range x.members {
		c := m.columnOf(name)
		a.set(other, m.freeOf(name), &c)
	}
	x.scalars = slices.Insert(x.scalars, i, scalarAmounts{name, a})
}

func (a *amounts) set(row int, free int64, c *column) {
	a.room.set(row, max(free, 0))
	a.requested[row], a.allocatable[row] = c.requested.Int64(), c.allocatable
}

// indexOf returns where the amounts of a scalar resource are, or have to be inserted.
func (x *rows) indexOf(name corev1.ResourceName) (i int, found bool) {
	return slices.BinarySearchFunc(x.scalars, name, func(s scalarAmounts, name corev1.ResourceName) int {
		return strings.Compare(string(s.name), string(name))
	})
}

// forget removes the amounts of scalar resources that no node has.
func (x *rows) forget() {
	isSet := func(n int64) bool { return n != 0 }
	x.scalars = slices.DeleteFunc(x.scalars, func(s scalarAmounts) bool {
		return !slices.ContainsFunc(s.allocatable, isSet) && !slices.ContainsFunc(s.room.largest, isSet)
	})
}
