package allocator

import "math/bits"

// row holds a number for each of some columns, so many in a word that are compared at a time. A number stands
// for an amount: see code. What differs by less than a part of 512 may have the same one.
type row []uint64

const (
	perWord  = 4
	field    = 16 // bits of a number, the highest of which is zero
	mantissa = 9  // bits of a number after its octave

	guards = 1<<(field-1) | 1<<(2*field-1) | 1<<(3*field-1) | 1<<(4*field-1)
)

func newRow(columns int) row { return make(row, (columns+perWord-1)/perWord) }

// set makes an amount, which is not below zero, the number of a column that has none.
func (r row) set(column int, amount int64) {
	r[column/perWord] |= code(amount) << (column % perWord * field)
}

// code returns a number for an amount: how many bits it has, and those after the first one. A greater amount has
// no lesser number. Amounts of up to 10 bits, and such
// amounts times a power of two, have numbers of which those of greater amounts differ.
func code(amount int64) uint64 {
	octave := bits.Len64(uint64(amount))
	if octave == 0 {
		return 0
	}
	rest := uint64(amount) << (64 - octave) << 1 >> (64 - mantissa)
	return uint64(octave)<<mantissa | rest
}

// within reports whether no number is above that of another row.
func (r row) within(limits row) bool {
	for i, word := range r {
		if ((limits[i]|guards)-word)&guards != guards {
			return false
		}
	}
	return true
}

// lower makes every number no greater than that of another row.
func (r row) lower(other row) {
	for i, word := range r {
		greater := ((word | guards) - other[i]) & guards // a bit for each number that is not less
		mask := greater - greater>>(field-1)
		r[i] = other[i]&mask | word&^mask
	}
}

// compare compares rows by the column in which they differ in the highest bit, the first one of several. That is the
// order of Morton: claims that have the highest bits of all columns in common are next to each other.
func (r row) compare(other row) int {
	most, sign := uint64(0), 0
	for i, word := range r {
		other := other[i]
		if word == other {
			continue
		}
		for range perWord {
			a, b := word&(1<<field-1), other&(1<<field-1)
			if differ := a ^ b; most < differ && most < most^differ {
				most, sign = differ, 1
				if a < b {
					sign = -1
				}
			}
			word, other = word>>field, other>>field
		}
	}
	return sign
}

// differ returns the highest bit in which rows differ.
func (r row) differ(other row) (most int) {
	for i, word := range r {
		differ := word ^ other[i]
		for range perWord {
			most = max(most, bits.Len64(differ&(1<<field-1)))
			differ >>= field
		}
	}
	return most
}
