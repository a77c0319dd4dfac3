package peak

import "math/big"

// amount is a number that flows: not negative, and exact.
type amount[A any] interface {
	plus(A) A
	minus(A) A
	least(A) A
	positive() bool
}

// integer is an amount in a network where even the sum of all capacities is an int64.
type integer int64

func (a integer) plus(b integer) integer  { return a + b }
func (a integer) minus(b integer) integer { return a - b }
func (a integer) least(b integer) integer { return min(a, b) }
func (a integer) positive() bool          { return a > 0 }

// unbounded is any other amount. Its zero value is not an amount.
type unbounded struct{ n *big.Int }

func (a unbounded) value() *big.Int {
	if a.n == nil {
		return new(big.Int)
	}
	return a.n
}

func (a unbounded) plus(b unbounded) unbounded {
	return unbounded{new(big.Int).Add(a.value(), b.value())}
}

func (a unbounded) minus(b unbounded) unbounded {
	return unbounded{new(big.Int).Sub(a.value(), b.value())}
}

func (a unbounded) least(b unbounded) unbounded {
	if a.value().Cmp(b.value()) < 0 {
		return a
	}
	return b
}

func (a unbounded) positive() bool { return a.value().Sign() > 0 }

// flow is a network and the flow through it from the source to the sink.
type flow[A amount[A]] struct {
	source, sink int
	edges        []edge[A] // each followed by its reverse
	out          [][]int   // the edges that leave a node
	// distance is the distance of a node to the sink over edges that are not full: 0 if there is
	// no path, and 1 at the sink.
	distance []int
	tried    []int // how many edges that leave a node are of no more use
}

// edge is an edge and its residual capacity.
type edge[A any] struct {
	to   int
	free A
}

func newFlow[A amount[A]](nodes, source, sink int) *flow[A] {
	return &flow[A]{
		source: source, sink: sink,
		out: make([][]int, nodes), distance: make([]int, nodes), tried: make([]int, nodes),
	}
}

func (f *flow[A]) connect(from, to int, capacity A) {
	f.out[from] = append(f.out[from], len(f.edges))
	f.out[to] = append(f.out[to], len(f.edges)+1)
	var none A
	f.edges = append(f.edges, edge[A]{to, capacity}, edge[A]{from, none})
}

// carry finds an initial flow in one pass over the nodes, so that fill has few phases: for tasks in a
// chain, or in layers that follow each other, it is already the maximum. There must be no flow yet, and
// edges between other nodes than source and sink have to lead from a lower number to a higher one.
//
// The maximum leaves the source. In ascending order, each node passes its flow on: to the sink, then to
// nodes that have less than they can pass to the sink, and the rest along its last edge. In descending
// order, nodes return the unused flow to the nodes that it came from.
func (f *flow[A]) carry() {
	held := make([]A, len(f.out))
	move := func(node, e int, most A) {
		amount := held[node].least(f.edges[e].free).least(most)
		f.edges[e].free, f.edges[e^1].free = f.edges[e].free.minus(amount), f.edges[e^1].free.plus(amount)
		to := f.edges[e].to
		held[node], held[to] = held[node].minus(amount), held[to].plus(amount)
	}
	for _, e := range f.out[f.source] {
		held[f.source] = f.edges[e].free
		move(f.source, e, f.edges[e].free)
	}
	wanted := make([]A, len(f.out)) // by the sink, from each node
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
				move(node, e, wanted[to].minus(wanted[to].least(held[to])))
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
func (f *flow[A]) fill(total A) {
	for f.measure(); f.reaches(f.source); f.measure() {
		clear(f.tried)
		f.push(f.source, total)
	}
}

// reaches reports whether a node can send more flow to the sink.
func (f *flow[A]) reaches(node int) bool { return f.distance[node] > 0 }

// measure sets the distances.
func (f *flow[A]) measure() {
	clear(f.distance)
	f.distance[f.sink] = 1
	queue := append(make([]int, 0, len(f.out)), f.sink)
	for at := 0; at < len(queue); at++ {
		node := queue[at]
		for _, e := range f.out[node] {
			from, into := f.edges[e].to, &f.edges[e^1]
			if f.distance[from] == 0 && into.free.positive() {
				f.distance[from] = f.distance[node] + 1
				queue = append(queue, from)
			}
		}
	}
}

// push sends up to limit from a node to the sink, along shortest paths, and returns how much it
// sent.
func (f *flow[A]) push(node int, limit A) (pushed A) {
	if node == f.sink {
		return limit
	}
	for ; f.tried[node] < len(f.out[node]); f.tried[node]++ {
		e := f.out[node][f.tried[node]]
		forward, backward := &f.edges[e], &f.edges[e^1]
		if f.distance[forward.to] != f.distance[node]-1 || !forward.free.positive() {
			continue
		}
		got := f.push(forward.to, limit.least(forward.free))
		forward.free, backward.free = forward.free.minus(got), backward.free.plus(got)
		pushed, limit = pushed.plus(got), limit.minus(got)
		if !limit.positive() {
			return pushed // the edge may carry more
		}
	}
	return pushed
}
