package peak

import (
	"slices"

	"github.com/kubemath/kubemath/internal/taskgraph"
)

// order is the graph of tasks, numbered so that each task follows those that it runs after,
// without redundant edges.
type order struct {
	tasks []int   // the place of each in the graph
	next  [][]int // those that run after it, directly
}

// orderOf returns the order of tasks without cycles.
func orderOf(tasks []taskgraph.Task) order {
	places := make(map[string]int, len(tasks))
	for i := range tasks {
		places[tasks[i].Name] = i
	}
	waiting, next := make([]int, len(tasks)), make([][]int, len(tasks))
	var ready []int
	for i := range tasks {
		for _, name := range tasks[i].RunAfter {
			next[places[name]] = append(next[places[name]], i)
		}
		waiting[i] = len(tasks[i].RunAfter)
		if waiting[i] == 0 {
			ready = append(ready, i)
		}
	}
	numbers := make([]int, len(tasks))
	for n := 0; n < len(ready); n++ {
		numbers[ready[n]] = n
		for _, i := range next[ready[n]] {
			waiting[i]--
			if waiting[i] == 0 {
				ready = append(ready, i)
			}
		}
	}
	o := order{tasks: ready, next: make([][]int, len(tasks))}
	for n, at := range ready {
		for _, later := range next[at] {
			o.next[n] = append(o.next[n], numbers[later])
		}
	}
	o.reduce()
	return o
}

// reduce removes redundant edges: if n tasks all run after each other, n-1 of n(n-1)/2 edges
// remain. It goes from the last task to the first and keeps all successors of each as a set of
// bits.
func (o *order) reduce() {
	after := make([]bits, len(o.next))
	for n := len(o.next) - 1; n >= 0; n-- {
		after[n] = make(bits, (len(o.next)+63)/64)
		slices.Sort(o.next[n])
		kept := o.next[n][:0]
		for _, next := range o.next[n] {
			if !after[n].has(next) {
				kept = append(kept, next)
				after[n].add(next)
				after[n].addAll(after[next])
			}
		}
		o.next[n] = kept
	}
}

// bits is a set of numbers.
type bits []uint64

func (b bits) has(n int) bool { return b[n/64]>>(n%64)&1 == 1 }

func (b bits) add(n int) { b[n/64] |= 1 << (n % 64) }

func (b bits) addAll(other bits) {
	for i, word := range other {
		b[i] |= word
	}
}
