package noderesources

import "slices"

// room is a free amount of each of many nodes, at least zero, with the largest of each block of nodes. The
// last block is filled up with zeros.
type room struct{ amounts, largest []int64 }

// block is how many nodes are compared together: as many as a mask has bits.
const block = 64

// newRoom returns zeros for n nodes.
func newRoom(n int) room {
	blocks := (n + block - 1) / block
	return room{make([]int64, blocks*block), make([]int64, blocks)}
}

// copy returns a room that shares no memory with r.
func (r *room) copy() room { return room{slices.Clone(r.amounts), slices.Clone(r.largest)} }

// block returns the amounts of a block.
func (r *room) block(i int) *[block]int64 { return (*[block]int64)(r.amounts[i*block:]) }

// set changes the amount of a row.
func (r *room) set(row int, amount int64) {
	before, largest := r.amounts[row], &r.largest[row/block]
	r.amounts[row] = amount
	switch {
	case amount >= *largest:
		*largest = amount
	case before == *largest:
		*largest = slices.Max(r.block(row / block)[:])
	}
}

// insert inserts a row, which is zero, into n rows.
func (r *room) insert(row, n int) {
	if n == len(r.amounts) {
		r.amounts, r.largest = append(r.amounts, make([]int64, block)...), append(r.largest, 0)
	}
	copy(r.amounts[row+1:n+1], r.amounts[row:n])
	r.amounts[row] = 0
	r.compareFrom(row)
}

// remove removes one of n rows.
func (r *room) remove(row, n int) {
	copy(r.amounts[row:n], r.amounts[row+1:n])
	r.amounts[n-1] = 0
	r.compareFrom(row)
}

// compareFrom finds the largest amounts of all blocks from that of a row on.
func (r *room) compareFrom(row int) {
	for i := row / block; i < len(r.largest); i++ {
		r.largest[i] = slices.Max(r.block(i)[:])
	}
}
