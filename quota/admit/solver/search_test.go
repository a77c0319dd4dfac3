package solver_test

import (
	"slices"
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
		want    []int
		proven  bool
	}{
		{"soon", []int{5, 1, 4, 2, 3}, 7, []int{0, 2}, true},
		{"with many weights", []int{15, 4, 16, 5, 15, 1, 2, 2, 3, 2, 6, 1, 4, 8, 16, 4, 3, 1, 5, 1, 8}, 41, []int{0, 2, 4}, true},
		{"at a smaller size", []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, 12, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			size, calls := len(test.weights), 0
			order := make([]int, size) // the last ones are dropped first
			for i := range order {
				order[i] = i
			}
			slices.Reverse(order)
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
