// Package kubemath is the resource arithmetic of Kubernetes as pure functions over the types of
// k8s.io/api. The functions are in the packages below it. This package has the table of
// questions, the contract of all functions, and a glossary.
//
// Each computation is one function: exact, deterministic, and tested against the code of Kubernetes.
//
// # Where to begin
//
//	you write                            begin with             and then
//	an admission webhook                 quota/admit            limitrange, quota, computeresources
//	a controller that creates pods       quota/admit/solver     quota, computeresources/resourcelist
//	a scheduler, an autoscaler           noderesources          resourcelist, quota/quotatree
//	a node agent, an exporter            cgroup/cgroupconfig    cgroup/cgroupname, qos, noderesources
//	a check of manifests, a CLI          quota/admit/whatif     computeresources, quota/admit
//	Tekton, or jobs in a row             affinity/steps         affinity, affinity/peak
//	quotas that namespaces share         pool                   pool/poolplan, quota, quota/quotatree
//
// Take quota/admit/whatif first for manifests and clusters: it has the controllers and the scheduler. Take
// quota/admit for one object: it has defaults, LimitRanges and quotas, as the API server does. Take quota for
// usage alone.
//
// Directory docs has code to copy for each row. docs/from-upstream.md has the functions of other libraries, and
// docs/decisions.md what is decided otherwise, or left out, such as the HorizontalPodAutoscaler (HPA,
// averageUtilization), OpenShift's ClusterResourceOverride, and eviction-soft.
//
// # Which function answers which question
//
// Pass a name of the right column to go doc, in a clone or in a module that requires kubemath: go doc qos.Explain.
//
// Pods:
//
//	What does the scheduler reserve for a pod (effective request)?  computeresources.PodRequests
//	  ... with init containers and sidecars?      computeresources.PodRequests
//	  ... while it is resized in place (InProgress)?  computeresources.PodRequests
//	  ... for a template, or before scheduling?   computeresources.SpecRequests
//	  ... in a loop, without garbage?             computeresources.PodRequestsInto
//	  ... as integers, for very many pods?        computeresources.PodTotals
//	What is the sum of its limits?                computeresources.PodLimits
//	Which limits really bind?                     computeresources.BindingLimits
//	Which requests does the API server set?       computeresources.ApplyRequestDefaults
//	Which pod-level amounts does it set?          computeresources.ApplyPodLevelDefaults
//	Which overhead does its RuntimeClass set?     admit.Namespace.Create
//	What patches an object with changes?          computeresources.JSONPatch
//	Why is a pod rejected by itself?              computeresources.Validate
//	  ... by a LimitRange or a ResourceQuota?     admit.Namespace.Create
//	  ... or a single container?                  computeresources.ValidateRequirements
//	What does the server warn about (milli-bytes, 100m of memory, m for Mi)?  computeresources.SpecWarnings
//	Why can a pod not be resized in place?        computeresources.ValidateResize
//	  ... on its node?                            computeresources.ValidateResizeOnNode
//	Is a resize Deferred, by its status?          computeresources.PendingResize
//	What does a pod, a team cost, at prices?      computeresources.PodTotals
//	  ... by the larger of request and usage?     resourcelist.Max
//	Which container has a runtime's ID?           computeresources.ContainerByID
//	Has a pod ended (completed, failed)?          computeresources.HasEnded
//	How are the Items of a list passed?           computeresources.Pointers
//	Which QoS class does a pod get?               qos.Class, qos.PodClass
//	  ... why Burstable, how to be Guaranteed?    qos.Explain, qos.GuaranteedChanges
//	Which container is OOMKilled first (137, oom_score_adj), why 999?  qos.OOMScoreAdj
//	Which pod is Evicted first (disk pressure)?   qos.EvictionOrder
//	  ... and with which message (ephemeral local storage)?  qos.EvictionMessage
//	How many CPUs does a container have alone (static policy, cpuset)?  qos.ExclusiveCPUs
//
// Nodes, by the rules of the scheduler:
//
//	What remains on a node (requests, not usage)?  noderesources.NewLedger, noderesources.Ledger.Free
//	  ... its utilization, is it overcommitted?   noderesources.OverviewOf
//	Does a pod fit, or: Insufficient ephemeral-storage?  noderesources.Ledger.Shortages
//	  ... of amounts, as of Kueue's pod sets?     noderesources.RequestOf
//	  ... and if a DeviceClass provides it?       noderesources.FitOptions
//	How many pods fit on one node (max pods, bottleneck)?  noderesources.Ledger.Replicas
//	  ... in the cluster (fragmentation)?         whatif.Cluster.Room
//	  ... and what is missing for one more?       noderesources.Shortages.Shortfall
//	What is its score, LeastAllocated, say?       noderesources.Ledger.Score
//	  ... with BalancedAllocation and weights?    noderesources.Profile
//	  ... as MostAllocated, by a shape of ratios? noderesources.ScoreOptions
//	Which pods would a pod preempt there?         noderesources.Ledger.Victims
//	Which nodes of a cluster have room?           noderesources.Cluster.AppendFits
//	  ... or why: 0/3 nodes are available?        noderesources.Cluster.CheckFit
//	  ... why, node by node (FailedNodes)?        noderesources.Cluster.Shortages
//	Which node has the highest score?             noderesources.Cluster.Best
//	On which node does a pod preempt others (nominatedNodeName)?  noderesources.Cluster.Preempt
//	Where do the pods of a list go?               noderesources.Cluster.FirstFit, noderesources.Cluster.BestFit
//	How many nodes of a node group do they need (scale up)?  noderesources.EstimateNodes
//	  ... with pods of DaemonSets on each?        noderesources.EstimateNodes, by its template
//	  ... next to existing ones, up to a max size?  noderesources.EstimateOptions
//	  ... and which pods trigger no scale-up (too large)?  noderesources.EstimateNodes (Unplaced)
//	What is allocatable (kube-reserved, system-reserved, eviction-hard)?  noderesources.Allocatable
//	  ... and what is enforced?                   noderesources.Enforced
//	What does kubectl describe node print?        noderesources.OverviewOf
//
// Nodes, by the rules of the kubelet:
//
//	Does a pod start on this node, or OutOfcpu?   noderesources.AdmitPod
//	  ... and whom does a critical one evict?     noderesources.CriticalVictims
//	Why is a resize Deferred or Infeasible, which is next?  noderesources.PendingResizes
//
// Containers that run one after another, such as the steps of a Tekton task:
//
//	What do they request by default?              steps.Fill
//	  ... within a LimitRange's bounds (minimum)?  steps.Fit
//	  ... by overrides or task-level requirements?  steps.TaskLevel, steps.ValidateTaskRun
//	  ... at the pod level, and what does it save?  steps.PodLevel
//	  ... Tekton's own init containers (place-scripts)?  steps.TektonContainers, steps.ContainerDefaults
//	What does the pod of a TaskRun get, from where?  steps.WholePod
//	  ... with defaults that are admitted?        steps.AdmittedPod
//	How does it become Guaranteed?                steps.Guaranteed
//	What do they use at their peak, not combined?  steps.PeakRequests, steps.PeakLimits
//
// Namespaces, with their LimitRanges and ResourceQuotas together:
//
//	What does the API server store of an object?  admit.Compile, admit.Namespace.Create
//	  ... or which error (failed quota: must specify)?  admit.Decision.Err
//	  ... and what has to change?                 admit.Decision (Refusals)
//	Can the server decide otherwise (several LimitRanges)?  admit.Namespace.Possible
//	How large may tenants' objects be?            admit.MaxSize
//	Is an update or a resize admitted?            admit.Namespace.Update
//	Why are pods missing (FailedCreate), how many fit?  admit.Pods (Fit)
//	How many Jobs, each with all of its pods?     admit.Namespace.Replicas
//	  ... or groups, such as a pod and its claim?  admit.Namespace.Replicas, of several objects
//	  ... in any order of LimitRanges?            admit.ReplicaCount (Least, Most)
//	Which manifests of a list are admitted?       admit.Namespace.After, whatif.Cluster.Apply
//	What are the least requests and limits?       solver.Solve, solver.Apply; which have none: solver.Contradicted
//	  ... or which constraints conflict?          solver.ConflictError
//	  ... nearest to what a VPA recommends (RequestsOnly, minAllowed, maxAllowed)?  solver.RightSize, by Recommendation
//
// A cluster, with its objects, pods and nodes:
//
//	What happens if manifests are applied to it?  whatif.Read, whatif.Cluster.Apply
//	  ... if objects are deleted?                 whatif.Cluster.Delete
//	  ... if a node is drained (scale down, PodDisruptionBudget)?  whatif.Cluster.Drain
//	  ... and why is a rollout stuck, 1 old and 0 new?  whatif.Cluster.Apply, by Outdated
//	Which pods are Pending, and why (taints, affinity, topologySpreadConstraints, maxSkew)?  whatif.Cluster.Pods
//	How many replicas are admitted and placed?    whatif.Cluster.Room
//
// LimitRanges:
//
//	What is the combined effect of several?       limitrange.AggregateOf
//	  ... do they conflict?                       limitrange.Conflicts
//	  ... which defaults depend on their order?   limitrange.Ambiguities
//	  ... and in which order does a pod get others?  limitrange.Policy.Orders
//	Which defaults does a pod get, why does a default limit act as max?  limitrange.Policy.ApplyDefaults
//	Which bounds (min, maximum memory usage, maxLimitRequestRatio) does a pod violate?  limitrange.Policy.Validate
//	  ... or a PersistentVolumeClaim?             limitrange.Policy.ValidateClaim
//	What is stored of a LimitRange?               limitrange.WithDefaults
//	Why does it reject a LimitRange?              limitrange.ValidateObject
//
// ResourceQuotas:
//
//	What does an object use of a quota?           quota.Object.Usage, quota.Object.UsageIn
//	  ... and a PersistentVolumeClaim (requests.storage, by StorageClass)?  quota.Object.Usage
//	  ... and a ResourceClaim, by DeviceClass?    quota.Object.Usage
//	  ... and a completed, terminated, terminating, unreachable pod (count/pods)?  quota.Object.Usage
//	  ... by given amounts (VM vCPUs, custom quotas)?  quota.Object.WithUsage
//	Is it in the scopes of a quota (BestEffort, Terminating)?  quota.Object.MatchingScopes
//	Is it admitted, or why not (no status.used)?  quota.Admit, quota.Assessment
//	  ... in a hot loop?                          quota.WithinHard
//	  ... with the server's message?              quota.FailuresOf
//	  ... if a PriorityClass needs a quota?       quota.Admit, by its options (Limited)
//	Why does the server reject a quota?           quota.ValidateObject
//	Which resources of a quota limit nothing (nvidia.com/gpu)?  quota.Unevaluated
//	Does a quota ever apply to an operation?      quota.Assessment (Applies)
//	What do all objects use, if a quota's status is missing or wrong?  quota.CalculateUsage
//	  ... as objects come and go?                 quota.Object.UsageIn
//	What remains?                                 quota.Remaining
//	How many replicas fit, what stops the next?   quota.Replicas
//	What does a rolling update use (maxSurge), when is it stuck?  quota.Rollout
//	  ... and which pods come and go?             whatif.Cluster.Apply
//	How do the quotas of a tenant or project keep to a total?  quota.WriteOrder
//	What do namespaces use of a quota they share? quota.ClusterQuota.SetUsed
//	  ... and which namespaces share it?          quota.ClusterQuota.Selects
//	  ... and does an object of one of them fit?  quota.ClusterQuota.In
//	  ... if OpenShift's ClusterResourceQuota, or Capsule's, says so?  quota.ClusterQuotasOf
//	What if only the peak of steps counted?       quota.Pod, of steps.PeakRequests and steps.PeakLimits
//
// Quotas that lend and borrow, in a tree, such as Kueue's cohorts and Volcano's queues:
//
//	What may a queue take (borrowingLimit, lendingLimit)?  quotatree.New, quotatree.Tree.State
//	Does it fit, and which cohort is short?       quotatree.Tree.Take
//	Who borrows most, by weight (fair sharing)?   quotatree.Tree.Share
//	What does each queue deserve, by weight?      quotatree.Tree.FairShares
//	Who is overused, from whom is it reclaimed?   quotatree.Tree.Reclaim
//
// Lists of resources:
//
//	How are they added, compared, multiplied?     resourcelist.Add, resourcelist.Max, resourcelist.Scale
//	  ... or merged?                              resourcelist.Overlay
//	Is enough free, and what is short?            resourcelist.Fits, resourcelist.Insufficient
//	How often does a list fit into another?       resourcelist.Times
//	Which amounts are outside bounds?             resourcelist.Clamp
//	Are two lists equal (1000m, 1024Mi)?          resourcelist.Equals
//	  ... or differ by no more than 5 %?          resourcelist.EqualsWithin
//	How much is used, in percent (underutilized)? resourcelist.Percent
//	  ... by the dominant resource (DRF)?         resourcelist.DominantShare
//	What is an amount as an integer?              resourcelist.Integer, resourcelist.Quantity
//	  ... rounded, for people (2278754192n)?      resourcelist.Short
//	What kind of resource is a name (hugepages-2Mi)?  resourcelist.IsExtended and others
//
// Resource pools, which the claims of several namespaces share:
//
//	Which claims are granted, why do others wait (orderedQueue)?  pool.Allocate
//	  ... if the pool gets smaller (negative)?    pool.Allocate
//	  ... while a million come and go?            allocator.Allocator
//	What does a claim hold?                       pool.RecordOf
//	Is it in use, may it be edited or released?   pool.Needed, pool.ValidateClaim
//	  ... or be deleted?                          pool.ValidateClaimDeletion
//	Which pool does a claim belong to?            pool.Assign
//	What may the namespace use then (defaultsZero)?  pool.Quota
//	Which changes are valid, what follows?        pool.ValidatePool, pool.Release
//	How much does a pool have to grow?            poolplan.Growth
//	How do ResourceQuotas become pools?           migrate.Sources, migrate.FromQuotas
//
// Cgroups:
//
//	What are cpu.shares and the CFS quota (throttling)?  cgroup.MilliCPUToShares, cgroup.MilliCPUToQuota
//	  ... through systemd?                        cgroup.SystemdQuota
//	  ... as cpu.weight (39 or 100), and back?    cgroup.SharesToLogarithmicWeight, cgroup.LogarithmicWeightToMilliCPU
//	What does the kubelet set for a pod (throttling)?  cgroupconfig.ForPod
//	  ... for a container, as memory.min, memory.high?  cgroupconfig.ForContainer
//	  ... for the tiers of a node (qos-reserved)?  cgroupconfig.ForTiers
//	  ... for the root (kubepods) and system.slice?  cgroupconfig.ForAllocatable
//	What does the runtime get for a sandbox?      cgroupconfig.ForSandbox
//	How much swap may a container use?            cgroupconfig.NodeMemory.SwapShare
//	What is a cgroup called, whose is it?         cgroupname.Identity.Path, cgroupname.Parse
//	  ... of a static pod?                        cgroupname.UIDOf
//	Who gets how much CPU under contention?       nodetree.Build
//	What do pods request, by QoS class?           qos.TierTotals
//
// Runs whose pods share a node, such as a Tekton PipelineRun:
//
//	Which pods share a node?                      affinity.BehaviorOf
//	  ... by both flags of the migration?         affinity.MigratingBehavior
//	What is created, such as affinity assistants? affinity.PlanFor
//	  ... and what do these request (100Mi)?      affinity.PlanFor, by its Placeholder
//	Why can a run not be planned?                 affinity.Validate, affinity.FindCollisions
//	Which placeholders have to move?              affinity.Stranded
//	What has to be deleted afterwards?            affinity.Cleanup
//	What does the run request at its peak?        peak.DemandOf
//	  ... and what runs, waits, fails by quotas?  peak.Play
//	Which nodes have room, or insufficient resources?  peak.Nodes
//	How does a placeholder reserve room?          peak.ApplySizes, peak.Shrink
//	Which placeholders are on full nodes?         peak.FullNodes
//
// # By error message
//
// Which function returns a message that you have seen, with its amounts. For an object that the API
// server refuses, admit.Decision has all of them.
//
//	"must be less than or equal to cpu limit"     computeresources.Validate, admit.Decision.Err
//	"minimum cpu usage per Container is"          limitrange.Policy.Validate
//	"exceeded quota"                              quota.FailuresOf, admit.Namespace.Replicas
//	"insufficient quota to match these scopes"    quota.LimitedResource
//	"Insufficient memory"                         noderesources.Ledger.Shortages
//	"Pod QOS Class may not change"                computeresources.ValidateResize
//	"Insufficient cpu"                            noderesources.Ledger.Shortages, noderesources.Cluster.CheckFit
//	"didn't have enough resource"                 noderesources.AdmitPod, noderesources.PendingResizes
//	"OutOfcpu"                                    noderesources.AdmitPod
//	"The node was low on resource"                qos.EvictionMessage
//	"PoolExhausted"                               pool.Allocate
//
// # The contract of every exported function
//
//  1. Pure: no clock, no global state, no feature gates, no logging, no I/O. A feature gate of
//     Kubernetes is a field of computeresources.Kubernetes, or of the only options struct that it
//     concerns. Zero options mean a default cluster of 1.37; Kubernetes.Release names another
//     release (docs/versions.md).
//  2. Inputs are only read, including the cached string and the decimal inside a
//     resource.Quantity, so concurrent calls on shared objects do not race. A Ledger, a Tree
//     or an Allocator is changed by its own methods, and by nothing else. Two kinds of
//     function write, as their names say: ApplyX changes its first argument (but whatif.Cluster.Apply
//     returns the next cluster), and XInto clears
//     and fills it. ApplyX writes to no memory that others may share: it replaces the maps, the
//     slices of objects and the pod-level resources that it changes by copies. If several
//     containers share a list, only that of the changed container changes, and if a template or a
//     configuration shares it, that remains as it was. A pointer into the argument that was taken
//     before, such as to one of its containers, still points to the old container. Dst of XInto
//     may be another argument only if the documentation of the function says so.
//  3. Results own their memory: changing a result changes no input and no other result. Only
//     computeresources.Pointers points into its argument, the error of Problems.Err wraps the
//     problems themselves, and decisions of admit.Namespace.Possible on the same object share it.
//     A whatif.Cluster keeps its objects by pointer, and its results refer to them.
//  4. Exact: sums, maxima and comparisons are those of resource.Quantity, at any magnitude and
//     scale. A function that returns an integer documents how it rounds, and saturates.
//  5. Deterministic: no result depends on map order, or on the order of a list that has no
//     meaning.
//  6. Total: nil, empty, negative, huge, duplicate and unknown input has a documented answer.
//     Nothing panics. The time and memory to add amounts grow with the number of their digits:
//     programs that accept quantities such as 1e1000000000 should limit the exponent first.
//     A nil handle, such as a Ledger, and its zero value are empty ones: methods that read answer as for an
//     empty one, and those that write to a nil one return an error, or do nothing if they return none. The
//     text of a nil error is "<nil>", and its Field nil.
//  7. Typed: what was set, changed or found invalid is returned in fields, not only as a string.
//     Answers are plain data: they compare with go-cmp, Semantic.DeepEqual and reflect, and
//     survive a round trip through JSON. Like all quantities, amounts below 1n are rounded up by
//     it, and those above an int64 with a binary suffix are capped. Ledger, Cluster, Scorer,
//     Policy, Namespace, Tree, Allocator, Record, Request and quota.Object are opaque, and no
//     answer has one. An unknown value of an enumeration is an error that lists the known ones.
//
// # Glossary
//
// Containers and pods:
//
//   - app container, init container, sidecar: the three kinds. A sidecar is an init container
//     with restartPolicy Always (KEP-753).
//   - pod level: what spec.resources sets for the pod (KEP-2837).
//   - request, limit: an amount that a container sets, or the effective amount of the pod.
//   - missing: not set. Zero is set, unless a function says otherwise.
//   - overhead: what a pod uses in addition to its containers (spec.overhead).
//   - step: a container that never runs at the same time as another step of the pod.
//   - peak: the largest amount in use at the same time. Quotas count the sum instead.
//   - unit: the smallest amount that a resource is divided into: 1m of cpu, one byte of memory.
//   - change: an amount to set. Default: an amount that the API server or a LimitRange sets if it
//     is missing.
//
// Admission:
//
//   - bound: an amount that requests and limits have to agree with: a min, max, ratio or default of
//     a LimitRange and, in conflicts, also what remains of a quota and what the pod sets. Source: the
//     object and field that it comes from.
//   - binding limit: the limit that the kubelet sets on the cgroup of a pod. Without
//     a pod-level limit, there is none for a resource if a container has no limit for it.
//   - violation: a bound that a pod does not satisfy. Conflict: bounds that cannot all be
//     satisfied, possibly together with quotas and the pod.
//   - usage: how much of a quota an object uses.
//   - hard, used, remaining: what a quota allows, what is used, and the difference. For pools, the
//     last two are called claimed and available.
//   - failure: why a quota, or a resource that is limited by default, does not admit an object.
//   - cause: the kind of a problem, as a type. Reason is the field of a condition. Detail is the
//     text.
//   - claim: in package pool, what a namespace requests from a resource pool; in quotas and in
//     package affinity, a PersistentVolumeClaim or ResourceClaim. A claim is granted when it gets
//     what it requests, and holds it from then on.
//   - current, documented API: Capsule's controller of today, and the one that its documentation
//     describes. They write other statuses, and treat edits of holding claims differently.
//
// Nodes:
//
//   - class, tier: the QoS class of a pod, and all pods of one class on a node.
//   - shares, weight: the proportion of CPU that a cgroup gets, in cgroup v1 and v2.
//   - quota, period: the microseconds that a cgroup may run in each period. This is not a
//     ResourceQuota.
//   - placeholder: a pod that keeps a node for the tasks of a run. Its StatefulSet is called the
//     affinity assistant.
package kubemath
