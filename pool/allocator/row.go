package allocator

import "math/bits"

// row holds a number for each column, four in a word, so that four are compared at a time. A number
// encodes an amount: see code. Amounts that differ by less than a 512th may have the same number.
type row []uint64

const (
	perWord  = 4
	field    = 16 // bits of a number; the highest one is zero
	mantissa = 9  // bits of a number after its octave

	guards = 1<<(field-1) | 1<<(2*field-1) | 1<<(3*field-1) | 1<<(4*field-1)
)

func newRow(columns int) row { return make(row, (columns+perWord-1)/perWord) }

// set writes the number of a non-negative amount into a column that is zero.
func (r row) set(column int, amount int64) {
	r[column/perWord] |= code(amount) << (column % perWord * field)
}

// code returns the number of an amount: its bit length, and the nine bits after the first. A
// greater amount never has a smaller number. The number is exact for amounts of up to 10 bits,
// and for those multiplied by a power of two.
func code(amount int64) uint64 {
	octave := bits.Len64(uint64(amount))
	if octave == 0 {
		return 0
	}
	rest := uint64(amount) << (64 - octave) << 1 >> (64 - mantissa)
	return uint64(octave)<<mantissa | rest
}

// within reports whether no number exceeds that of another row.
func (r row) within(limits row) bool {
	for i, word := range r {
		if ((limits[i]|guards)-word)&guards != guards {
			return false
		}
	}
	return true
}

// allWithin returns a bit for each of up to 64 rows, which is set if no number of the row exceeds
// that of another row. A search spends most of its time here.
func (r row) allWithin(limits row) (set uint64) {
	if len(limits) == 1 {
		limit := limits[0] | guards
		for i, word := range r {
			set |= bitIfNone(^(limit-word)&guards) << i
		}
		return set
	}
	for i := 0; len(r) >= len(limits); i++ {
		above := uint64(0)
		for j, limit := range limits {
			above |= ^((limit | guards) - r[j])
		}
		set |= bitIfNone(above&guards) << i
		r = r[len(limits):]
	}
	return set
}

// bitIfNone returns 1 if none of the guards is set, and 0 otherwise. It does not branch.
func bitIfNone(of uint64) uint64 { return (of>>1 - 1) >> 63 }

// lower lowers every number to at most that of another row.
func (r row) lower(other row) {
	for i, word := range r {
		greater := ((word | guards) - other[i]) & guards // a bit for each number that is not less
		mask := greater - greater>>(field-1)
		r[i] = other[i]&mask | word&^mask
	}
}

// compare compares rows by the column with the highest differing bit; of several such columns, by
// the first. This is the Morton order: rows whose highest bits agree in all columns are next to
// each other.
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
