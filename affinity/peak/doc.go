// Package peak determines how much a run requests at the same time, which nodes have room for it, and what waits under
// quotas. A run is a set of tasks with an order, such as a Tekton PipelineRun, whose pods share one node. Package
// affinity decides which pods share it.
//
//	demand, err := peak.DemandOf(&run, peak.Options{})
//	verdicts := peak.Nodes(demand.With(placeholder, placeholder), ledgers)
//
// # Functions
//
// A placeholder that keeps the pods of a run on one node requests next to nothing, so the scheduler may
// put it on a node without room for the tasks. [DemandOf] finds the largest sum of requests of tasks
// that can run at the same time, for each resource and for the number of pods, and the tasks that make
// up this sum. [Nodes] returns for each node whether it has room for the demand, and which resources are
// short. [ApplySizes] sets the requests of placeholders to the demand, so that the scheduler reserves it.
// [Shrink] reduces a placeholder as the pods arrive that it reserved room for, and [FullNodes] finds
// placeholders on nodes without room for their tasks.
//
// Other graphs of jobs can be passed as the Tasks of a run, with names, an order and requests.
//
// Durations are not considered: tasks that can run at the same time count as if they do.
//
// # Cost
//
// The set of tasks that run after a task takes n/8 bytes for each of n tasks. One pass over the tasks
// finds the maximum flow of a chain, and of layers that follow each other. In other graphs, augmenting
// paths remain. They are found in phases; there are at most as many phases as tasks on the longest path.
// BenchmarkGrowth measures 100, 1,000 and 10,000 tasks with cpu and memory: it computes three peaks,
// one of them of the number of pods. For 1,000 tasks it reports 30 ms or less in any shape, and for
// 10,000 tasks 0.2 s without edges. A chain takes about as long; layers of ten, and two random edges
// for each task, about twice as long. It allocates 60 to 130 MB.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath].
//
// # Sources
//
// TEP-0135, "Contention for node resources", which names the problem. R. P. Dilworth, "A decomposition
// theorem for partially ordered sets" (1950); L. R. Ford and D. R. Fulkerson, "Maximal flow through a
// network" (1956); E. A. Dinic, "Algorithm for solution of a problem of maximum flow in networks with
// power estimation" (1970).
package peak
