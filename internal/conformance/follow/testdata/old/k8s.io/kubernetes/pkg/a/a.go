// Package a is followed.
package a

// Sum is as before, but for its comment and layout.
func Sum(x, y int) int { return x + y }

// Limit uses something that changes.
func Limit(x int) int { return min(x, most) }

const most = 10

// Gone is removed by the later version.
func Gone() {}

// T has a method that changes.
type T struct {
	A int `json:"a"`
}

func (t *T) Twice() int { return 2 * t.A }

// Unnamed changes, and nobody follows it.
func Unnamed() int { return 1 }
