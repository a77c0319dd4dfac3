package noderesources

import "slices"

// levels are one amount of each of many nodes, none negative, with their maxima above: levels[0] has the
// amounts by row, and levels[k+1][i] is the maximum of the block levels[k][64*i : 64*i+64]. Each level is
// padded with zeros to whole blocks, and the last is one block. Without nodes, there is no level.
type levels [][]int64

// block is how many amounts are looked at together: as many as a mask has bits.
const block = 64

// newLevels returns zeros in the shape of other.
func newLevels(other levels) levels {
	v := make(levels, len(other))
	for k := range v {
		v[k] = make([]int64, len(other[k]))
	}
	return v
}

// copy returns levels that share no memory with v.
func (v levels) copy() levels {
	c := make(levels, len(v))
	for k := range v {
		c[k] = slices.Clone(v[k])
	}
	return c
}

// set changes the amount of a row. It takes constant time for each level.
func (v levels) set(row int, amount int64) {
	for k := range v {
		before := v[k][row]
		v[k][row] = amount
		if k+1 == len(v) {
			return
		}
		row /= block
		switch greatest := v[k+1][row]; {
		case amount >= greatest:
		case before < greatest:
			return
		default: // it was the maximum
			amount = slices.Max(v[k][row*block : row*block+block])
		}
	}
}

// insert inserts a row, which is zero, into n rows.
func (v *levels) insert(row, n int) {
	if len(*v) == 0 {
		*v = levels{make([]int64, block)}
	} else if n == len((*v)[0]) {
		v.grow()
	}
	amounts := (*v)[0]
	copy(amounts[row+1:n+1], amounts[row:n])
	amounts[row] = 0
	v.lift(row)
}

// remove removes one of n rows.
func (v levels) remove(row, n int) {
	copy(v[0][row:n], v[0][row+1:n])
	v[0][n-1] = 0
	v.lift(row)
}

// grow adds a block to the first level, and what that needs above it.
func (v *levels) grow() {
	for k := 0; k < len(*v); k++ {
		(*v)[k] = append((*v)[k], make([]int64, block)...)
		blocks := len((*v)[k]) / block
		switch {
		case k+1 == len(*v): // which has been one block until now
			above := make([]int64, block)
			above[0] = slices.Max((*v)[k])
			*v = append(*v, above)
			return
		case blocks <= len((*v)[k+1]):
			return
		}
	}
}

// lift computes the maxima of all blocks from that of a row on.
func (v levels) lift(row int) {
	for k := 0; k+1 < len(v); k++ {
		row /= block
		for i := row; (i+1)*block <= len(v[k]); i++ {
			v[k+1][i] = slices.Max(v[k][i*block : i*block+block])
		}
	}
}
