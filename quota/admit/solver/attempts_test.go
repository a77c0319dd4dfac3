package solver_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/solver"
)

// The search for a smallest set ends after its effort. The set that it then returns is known to be a smallest one
// if no smaller set met all corrections.
func TestSearchEnds(t *testing.T) {
	for _, test := range []struct {
		name    string
		weights []int // a set has no solution if the sum of its weights is the least or more
		least   int
		order   []int // in which constraints are dropped; nil: the last ones first
		want    []int
		proven  bool
	}{
		{"soon", []int{5, 1, 4, 2, 3}, 7, nil, []int{0, 2}, true},
		{"with many weights", []int{15, 4, 16, 5, 15, 1, 2, 2, 3, 2, 6, 1, 4, 8, 16, 4, 3, 1, 5, 1, 8}, 41, nil, []int{0, 2, 4}, true},
		{"at a smaller size", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 12, nil, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, false},
		{"at the size of the answer", []int{11, 7, 16, 4, 8, 10, 2, 6, 16, 8, 8, 16, 16, 1, 5, 13, 1, 2, 11, 15}, 44,
			[]int{4, 11, 17, 10, 15, 14, 6, 9, 0, 5, 19, 7, 3, 18, 16, 8, 2, 12, 13, 1}, []int{2, 8, 12}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			size, calls := len(test.weights), 0
			order := test.order
			if order == nil {
				for i := range size {
					order = append(order, size-1-i)
				}
			}
			set, proven := solver.Smallest(size, func(chosen []bool) bool {
				if calls++; (calls-4*size)*size > solver.MaxEffort { // dropping constraints one by one is no effort
					t.Fatalf("%d attempts with %d constraints", calls, size)
				}
				sum := 0
				for i, is := range chosen {
					if is {
						sum += test.weights[i]
					}
				}
				return sum < test.least
			}, order)
			testkit.NoDiff(t, set, test.want)
			testkit.Equal(t, proven, test.proven, "proven")
		})
	}
}
