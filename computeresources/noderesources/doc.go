// Package noderesources answers what a node has left, what fits there and why not, and how
// good a place it is, by the rules and in the words of the scheduler.
//
//	node := noderesources.New(allocatable)
//	err := node.Add(running.UID, noderesources.RequestOf(running, computeresources.Options{}))
//
//	request := noderesources.RequestOfSpec(&template.Spec, computeresources.Options{})
//	err = node.Fit(request, noderesources.FitOptions{}).Err() // Insufficient cpu
//	replicas, next := node.Replicas(request, noderesources.FitOptions{})
//
// A [Request] is what one pod asks for, computed once and then held against any number of
// nodes: [RequestOf] of a pod that is placed on a node, [RequestOfSpec] of a pod that is still
// to be placed. A [Ledger] is one node, with its pods by UID.
//
// [Ledger.Fit] returns every shortage, and [Ledger.Fits] reports whether there is none.
// [Ledger.Replicas] returns how many pods of a kind fit. [Ledger.Score] compares places as the
// plugins NodeResourcesFit and NodeResourcesBalancedAllocation do.
//
// A [Cluster] is many nodes, kept by events. [Cluster.AppendFits] returns which have room, and
// [Cluster.CheckFit] why none has; [Cluster.Best] returns the best by score. [Cluster.FirstFit]
// and [Cluster.BestFit] place a list of pods, and [EstimateNodes] returns how many nodes of a
// kind a list needs.
//
// [Allocatable] and [Enforced] compute what the kubelet makes of the capacity of a node, and
// [OverviewOf] what kubectl describe node prints as "Allocated resources".
//
// # What it does not look at
//
// Taints, node selectors, affinity, topology spread, host ports, volumes, devices of dynamic
// resource allocation, priority and preemption. A pod that fits here may still be refused for
// any of these.
//
// # Units
//
// The scheduler counts integers, and so does this package, except for Allocatable, Enforced
// and OverviewOf, which are exact: milli-units of cpu, bytes of memory, ephemeral storage and
// hugepages, and whole units of other resources. The requests of each pod are rounded up to
// such a unit once, after the exact sum over its containers, and then added. What does not fit
// an int64 is math.MaxInt64 or math.MinInt64. Sums over pods are held in 128 bits, so that a
// Ledger from which pods have been removed is the same as one to which they were never added.
//
// The scheduler counts cpu, memory, ephemeral-storage and pods; and the scalar resources:
// hugepages, extended resources, resources with kubernetes.io/ in their name, and attachable
// volumes. Requests and allocatable amounts of other names are ignored here, too.
//
// # Contract
//
// Functions are pure and only read their arguments, and results own their memory: see the
// documentation of the module. Methods of a Ledger that change it are Add, Update, Remove and
// SetAllocatable; those of a Cluster are AddNode, UpdateNode, RemoveNode, AddPod, UpdatePod and
// RemovePod. Others may be called at the same time.
//
// # Sources
//
// k8s.io/kubernetes v1.36: pkg/scheduler/framework (NodeInfo),
// pkg/scheduler/framework/plugins/noderesources (fit and scores), pkg/kubelet/cm and
// pkg/kubelet/nodestatus (allocatable). k8s.io/kubectl v0.36: pkg/describe.
// k8s.io/autoscaler/cluster-autoscaler/estimator.
package noderesources
