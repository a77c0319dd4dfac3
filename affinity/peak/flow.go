package peak

import (
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
)

// flow is a network and the flow through it from the source to the sink. Amounts are not negative.
type flow struct {
	source, sink int
	scale        resource.Scale // of amounts
	edges        []edge         // each followed by its reverse
	out          [][]int        // the edges that leave a node
	// distance is the distance of a node to the sink over edges that are not full: 0 if there is
	// no path, and 1 at the sink.
	distance []int
	tried    []int // how many edges that leave a node are of no more use
}

// edge is an edge and its residual capacity.
type edge struct {
	to   int
	free quantity.Amount
}

func newFlow(nodes, source, sink int, scale resource.Scale) *flow {
	return &flow{
		source: source, sink: sink, scale: scale,
		out: make([][]int, nodes), distance: make([]int, nodes), tried: make([]int, nodes),
	}
}

func (f *flow) connect(from, to int, capacity quantity.Amount) {
	f.out[from] = append(f.out[from], len(f.edges))
	f.out[to] = append(f.out[to], len(f.edges)+1)
	f.edges = append(f.edges, edge{to, capacity}, edge{from, quantity.Amount{}})
}

// move moves an amount from edge e to its reverse.
func (f *flow) move(e int, amount quantity.Amount) {
	f.edges[e].free = f.edges[e].free.Minus(amount, f.scale)
	f.edges[e^1].free = f.edges[e^1].free.Plus(amount, f.scale)
}

func (f *flow) least(a, b quantity.Amount) quantity.Amount {
	if a.Exceeds(b, f.scale) {
		return b
	}
	return a
}

// carry finds an initial flow in one pass over the nodes, so that fill has few phases: for tasks in a
// chain, or in layers that follow each other, it is already the maximum. There must be no flow yet, and
// edges between other nodes than source and sink have to lead from a lower number to a higher one.
//
// The maximum leaves the source. In ascending order, each node passes its flow on: to the sink, then to
// nodes that have less than they can pass to the sink, and the rest along its last edge. In descending
// order, nodes return the unused flow to the nodes that it came from.
func (f *flow) carry() {
	held := make([]quantity.Amount, len(f.out))
	move := func(node, e int, most quantity.Amount) {
		amount := f.least(f.least(held[node], f.edges[e].free), most)
		f.move(e, amount)
		to := f.edges[e].to
		held[node], held[to] = held[node].Minus(amount, f.scale), held[to].Plus(amount, f.scale)
	}
	for _, e := range f.out[f.source] {
		held[f.source] = f.edges[e].free
		move(f.source, e, f.edges[e].free)
	}
	wanted := make([]quantity.Amount, len(f.out)) // by the sink, from each node
	for _, e := range f.out[f.sink] {
		wanted[f.edges[e].to] = f.edges[e^1].free
	}
	for node := range f.source {
		last := -1
		for _, e := range f.out[node] {
			if e%2 == 1 {
				continue // a reverse
			}
			last = e
			if to := f.edges[e].to; to == f.sink {
				move(node, e, held[node])
			} else {
				move(node, e, wanted[to].Minus(f.least(wanted[to], held[to]), f.scale))
			}
		}
		if last >= 0 {
			move(node, last, held[node])
		}
	}
	for node := f.source - 1; node >= 0; node-- {
		for _, e := range f.out[node] {
			if e%2 == 1 {
				move(node, e, held[node])
			}
		}
	}
}

// fill increases the flow to the maximum by the algorithm of E. A. Dinic: along shortest paths,
// as long as there are any. No more than total leaves the source.
func (f *flow) fill(total quantity.Amount) {
	for f.measure(); f.reaches(f.source); f.measure() {
		clear(f.tried)
		f.push(f.source, total)
	}
}

// reaches reports whether a node can send more flow to the sink.
func (f *flow) reaches(node int) bool { return f.distance[node] > 0 }

// measure sets the distances.
func (f *flow) measure() {
	clear(f.distance)
	f.distance[f.sink] = 1
	queue := append(make([]int, 0, len(f.out)), f.sink)
	for at := 0; at < len(queue); at++ {
		node := queue[at]
		for _, e := range f.out[node] {
			from, into := f.edges[e].to, &f.edges[e^1]
			if f.distance[from] == 0 && into.free.Sign() > 0 {
				f.distance[from] = f.distance[node] + 1
				queue = append(queue, from)
			}
		}
	}
}

// push sends up to limit from a node to the sink, along shortest paths, and returns how much it
// sent.
func (f *flow) push(node int, limit quantity.Amount) (pushed quantity.Amount) {
	if node == f.sink {
		return limit
	}
	for ; f.tried[node] < len(f.out[node]); f.tried[node]++ {
		e := f.out[node][f.tried[node]]
		forward := &f.edges[e]
		if f.distance[forward.to] != f.distance[node]-1 || forward.free.Sign() == 0 {
			continue
		}
		got := f.push(forward.to, f.least(limit, forward.free))
		f.move(e, got)
		pushed, limit = pushed.Plus(got, f.scale), limit.Minus(got, f.scale)
		if limit.Sign() == 0 {
			return pushed // the edge may carry more
		}
	}
	return pushed
}
