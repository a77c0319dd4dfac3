// Package noderesources compares pods with nodes: what remains on a node, whether a pod fits there and if not, why,
// and how the scheduler scores the node. Its rules and messages are the scheduler's; those of
// [AdmitPod], [CriticalVictims], [PendingResizes] and [Allocatable] are the kubelet's. Which pod of a node
// is evicted under pressure is decided by package qos.
//
//	node := noderesources.NewLedger(allocatable)
//	err := node.Add(pod.UID, noderesources.PodRequest(pod, computeresources.Options{}))
//
//	request := noderesources.SpecRequest(&template.Spec, computeresources.Options{})
//	err = node.Shortages(request, noderesources.FitOptions{}).Err() // Insufficient cpu
//	replicas, next := node.Replicas(request, noderesources.FitOptions{})
//
// # Functions
//
// A [Request] is what one pod requests, computed once and compared with any number of nodes:
// [PodRequest] for a pod that is placed on a node, [SpecRequest] for a pod that is not scheduled
// yet, and [RequestOf] of amounts without a pod. A [Ledger] is one node, with its pods by UID.
//
// [Ledger.Shortages] returns every resource that is short, and [Ledger.Fits] reports whether there is
// none. [Ledger.Replicas] returns how many pods with one request fit. [Ledger.Score] rates the
// node by a [Profile], whose zero value is the scheduler's plugins NodeResourcesFit and
// NodeResourcesBalancedAllocation. [Ledger.Victims] returns which pods another pod would preempt.
//
// A [Cluster] is a set of nodes that is updated by events. It places requests; package whatif has a cluster of
// objects, with controllers and quotas. [Cluster.AppendFits] returns the nodes
// that have room, [Cluster.CheckFit] why none has, [Cluster.Shortages] why one has not, and [Cluster.Best] the node
// with the highest score. A [Ranking] keeps the scores of all nodes for one request. [Cluster.Preempt] chooses the node
// where a pod preempts others. [Cluster.FirstFit] and [Cluster.BestFit] place a list of pods, and [EstimateNodes]
// returns how many nodes the list needs, in addition to existing ones and up to a limit if [EstimateOptions] say so.
// [Cluster.Clone] copies a cluster at little cost, to try something.
//
// [Allocatable] and [Enforced] compute what the kubelet derives from the capacity of a node, and
// [OverviewOf] what kubectl describe node prints as "Allocated resources".
//
// [AdmitPod] tells whether the kubelet starts a pod on its node, [CriticalVictims] which pods it evicts for a critical
// one, and [PendingResizes] which resizes in place it allocates next.
//
// # What is not considered
//
// Taints, node selectors, affinity, topology spread, host ports, volumes, devices of dynamic
// resource allocation. A pod that fits here may still be unschedulable for any of these reasons. Priorities count
// for preemption only: they are arguments, and so are budgets and nominated pods. Pods are not preempted for
// anything but resources, and no pod group is preempted whole. One case is stricter than the scheduler: an extended
// resource that a DeviceClass provides counts as missing unless FitOptions.ExtendedResources names it.
//
// # Units
//
// The scheduler counts in integers, and so does this package: milli-units of cpu, bytes of memory,
// ephemeral storage and hugepages, and whole units of all other resources. The requests of each pod
// are summed exactly, rounded up to these units once, and then added. A result that does not fit
// into an int64 is math.MaxInt64 or math.MinInt64. Sums over pods are held in 128 bits, so that
// removing a pod always restores the state before it was added. Allocatable, Enforced and
// OverviewOf do not round to units: they are exact.
//
// The scheduler counts cpu, memory, ephemeral-storage, pods, and scalar resources: hugepages,
// extended resources, resources with kubernetes.io/ in their name, and attachable volumes. As in
// the scheduler, requests and allocatable amounts of all other names are ignored.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. A Ledger and a Cluster are changed by the methods whose names
// begin with Add, Update and Remove. All others may be called concurrently, except those of a Ranking.
//
// # Sources
//
// k8s.io/kubernetes v1.37: pkg/scheduler/framework (NodeInfo),
// pkg/scheduler/framework/plugins/noderesources (fit and scores), pkg/scheduler/framework/preemption and
// pkg/scheduler/framework/plugins/defaultpreemption, pkg/kubelet/cm and
// pkg/kubelet/nodestatus (allocatable), pkg/kubelet/lifecycle, pkg/kubelet/preemption and
// pkg/kubelet/allocation (admission and resizes). k8s.io/kubectl v0.37: pkg/describe.
// sigs.k8s.io/cluster-autoscaler/pkg/estimator.
package noderesources
