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
	names   []string
	ledgers []*Ledger

	pods    room // how many more pods there may be
	native  [natives]amounts
	nonZero [scored][]int64
	scalars []scalarAmounts // sorted by name
}

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

// copy returns rows that share no memory with x. Their ledgers only have the sums of the requests, not
// the pods.
func (x *rows) copy() *rows {
	c := &rows{names: slices.Clone(x.names), ledgers: make([]*Ledger, len(x.ledgers)), pods: x.pods.copy()}
	ledgers := make([]Ledger, len(x.ledgers))
	for row, l := range x.ledgers {
		ledgers[row].sums = l.sums.copy()
		c.ledgers[row] = &ledgers[row]
	}
	for i := range x.native {
		c.native[i] = x.native[i].copy()
	}
	for i := range x.nonZero {
		c.nonZero[i] = slices.Clone(x.nonZero[i])
	}
	for _, s := range x.scalars {
		c.scalars = append(c.scalars, scalarAmounts{s.name, s.amounts.copy()})
	}
	return c
}

func (a *amounts) copy() amounts {
	return amounts{a.room.copy(), slices.Clone(a.requested), slices.Clone(a.allocatable)}
}

// insert inserts a node before the one that has the row now.
func (x *rows) insert(row int, name string, l *Ledger) {
	n := len(x.names)
	x.names = slices.Insert(x.names, row, name)
	x.ledgers = slices.Insert(x.ledgers, row, l)
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
}

// remove removes a node.
func (x *rows) remove(row int) {
	n := len(x.names)
	x.names = slices.Delete(x.names, row, row+1)
	x.ledgers = slices.Delete(x.ledgers, row, row+1)
	x.pods.remove(row, n)
	for i := range x.nonZero {
		x.nonZero[i] = slices.Delete(x.nonZero[i], row, row+1)
	}
	for a := range x.each {
		a.room.remove(row, n)
		a.requested = slices.Delete(a.requested, row, row+1)
		a.allocatable = slices.Delete(a.allocatable, row, row+1)
	}
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
	x.ledgers[row].count(r)
	x.read(row, r)
}

// read copies the amounts that a pod has changed from the ledger of a node.
func (x *rows) read(row int, r *Request) {
	l := x.ledgers[row]
	x.pods.set(row, max(l.freePods, 0))
	for i := range l.native {
		x.native[i].set(row, l.free[i], &l.native[i])
	}
	for i := range l.nonZero {
		x.nonZero[i][row] = l.nonZero[i].Int64()
	}
	for _, s := range r.scalars {
		name := s.name
		c := l.columnOf(name)
		x.scalar(name).set(row, l.freeOf(name), &c)
	}
}

// readAll copies all amounts from the ledger of a node.
func (x *rows) readAll(row int) {
	l := x.ledgers[row]
	x.read(row, &Request{})
	for i := range l.scalars {
		x.scalar(l.scalars[i].name)
	}
	for i := range x.scalars {
		c := l.columnOf(x.scalars[i].name)
		x.scalars[i].set(row, l.freeOf(x.scalars[i].name), &c)
	}
}

func (a *amounts) set(row int, free int64, c *column) {
	a.room.set(row, max(free, 0))
	a.requested[row], a.allocatable[row] = c.requested.Int64(), c.allocatable
}

// scalar returns the amounts of a scalar resource, and adds the resource if it is new.
func (x *rows) scalar(name corev1.ResourceName) *amounts {
	i, found := x.indexOf(name)
	if !found {
		x.scalars = slices.Insert(x.scalars, i, scalarAmounts{name, amounts{
			newRoom(len(x.names)), make([]int64, len(x.names)), make([]int64, len(x.names)),
		}})
	}
	return &x.scalars[i].amounts
}

// indexOf returns where the amounts of a scalar resource are, or have to be inserted.
func (x *rows) indexOf(name corev1.ResourceName) (i int, found bool) {
	return slices.BinarySearchFunc(x.scalars, name, func(s scalarAmounts, name corev1.ResourceName) int {
		return strings.Compare(string(s.name), string(name))
	})
}

// forget removes the amounts of scalar resources that no node has, which are all zero.
func (x *rows) forget() {
	isSet := func(n int64) bool { return n != 0 }
	x.scalars = slices.DeleteFunc(x.scalars, func(s scalarAmounts) bool {
		return !slices.ContainsFunc(s.requested, isSet) && !slices.ContainsFunc(s.allocatable, isSet)
	})
}
