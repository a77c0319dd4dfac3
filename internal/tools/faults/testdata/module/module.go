// Package module is code to plant faults in.
package module

// Limit is the most that Capped returns.
const Limit = 10

// Pair has two numbers.
type Pair struct{ A, B int32 }

// Capped returns n, or Limit if n is above it.
func Capped(n int) int {
	if n > Limit {
		return Limit
	}
	return n
}

// Swap exchanges the numbers of a pair.
func (p *Pair) Swap() {
	p.A, p.B = p.B, p.A
}

// First returns the first element that a function accepts.
func First[T any](all []T, accept func(T) bool) (first T, found bool) {
search:
	for i := range all {
		switch {
		case accept(all[i]):
			first, found = all[i], true
			break search
		}
	}
	return
}

// Stack is a list of elements.
type Stack[T any] struct{ all []T }

// Push adds an element.
func (s *Stack[T]) Push(_ string, e T) {
	s.all = append(s.all, e)
}

// Len returns the number of elements.
func (s *Stack[T]) Len() int { return len(s.all) }

// Sum returns the sum of the numbers up to n.
func Sum(n int) (sum int) {
	for i := 1; i <= n; i++ {
		sum += i
	}
	return sum
}

// Untested returns twice n.
func Untested(n int) int { return 2 * n }

// Drawn returns n.
func Drawn(n int) int { return n }

// Broken returns n.
func Broken(n int) int { return n }

// Stepped returns n.
func Stepped(n int) int { return n }

var counted int

// Counted returns n.
func Counted(n int) int { return n }

// Measured returns a number made of n. It is inlined, unless it gets much longer, and does not allocate then.
func Measured(n int) *int {
	n = 3*n + 1
	n ^= n >> 3
	n = 5*n + 1
	n ^= n >> 5
	n = 7*n + 1
	return &n
}

// Listed returns the numbers up to n.
func Listed(n int) (all []int) {
	for i := 0; i < n; i++ {
		all = append(all, i+1)
	}
	return all
}
