// Package peak answers how much a run asks for at once, and which nodes can hold it.
//
//	demand, err := peak.DemandOf(&run, peak.Options{})
//	verdicts := peak.Nodes(demand.With(placeholder), nodes)
//
// A placeholder that holds the pods of a run on one node requests next to nothing, so
// that the scheduler may put it where there is no room for the tasks. [DemandOf] finds, in the
// graph of tasks, the greatest sum of requests that can come together, for each resource
// and for the number of pods, and the tasks that make it. [Nodes] says of each node
// whether there is room for it, and of what there is too little. [ApplySizes] makes
// placeholders as large as that, so that the scheduler sees it, too; [Shrink] lets them make way
// for the pods that they held the place of. [FullNodes] finds placeholders that hold their tasks
// where there is no room.
//
// A run is one kind of [Graph]: anything with names, an order and requests has a demand.
//
// How long tasks take is not looked at: what can run at once counts, whether it will or
// not.
//
// # Growth
//
// The set of what runs after a task takes n/8 bytes for each of n tasks. One pass over the tasks finds
// the maximum flow of a chain, and of layers that follow each other. In other graphs it leaves something
// over that is found in phases, of which there may be as many as tasks on the longest way. BenchmarkGrowth
// measures 100, 1,000 and 10,000 tasks with cpu and memory, which are three peaks. For 1,000 tasks it
// prints 30 ms or less, whatever the shape, and for 10,000 tasks 0.2 s without edges. A chain takes about as
// long as that; layers of ten, and two edges for each task at random, about twice as long. 60 to 130 MB
// are allocated on the way.
//
// # Contract
//
// Functions are pure and only read their arguments, but for ApplySizes, which changes its
// first one. Results own their memory. Sums and comparisons are exact at every scale.
//
// # Sources
//
// TEP-0135, "Contention for node resources", which names the problem. R. P. Dilworth, "A
// decomposition theorem for partially ordered sets" (1950); L. R. Ford and D. R.
// Fulkerson, "Maximal flow through a network" (1956); E. A. Dinic, "Algorithm for solution
// of a problem of maximum flow in networks with power estimation" (1970).
package peak
