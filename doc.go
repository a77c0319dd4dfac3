// Package kubemath is the resource arithmetic of Kubernetes as pure functions over the types of
// k8s.io/api. The functions are in the packages below it.
//
// Each computation is one function: exact, deterministic, and tested against the code of Kubernetes.
//
// # Where to begin
//
//	you write                            begin with             and then
//	an admission webhook (mutating)      quota/admit            limitrange, quota, computeresources
//	a controller/operator of pods        quota/admit/solver     quota, computeresources/resourcelist
//	a scheduler, an autoscaler           noderesources          resourcelist, quota/quotatree
//	a node agent, Prometheus exporter    cgroup/cgroupconfig    cgroup/cgroupname, qos, noderesources
//	a check/lint of manifests, a CLI     quota/admit/whatif     computeresources, quota/admit
//	Tekton, or jobs in a row             affinity/steps         affinity, affinity/peak
//	quotas that namespaces share         pool                   pool/poolplan, quota, quota/quotatree
//
// For manifests and clusters, take quota/admit/whatif, which has the controllers and the scheduler; for one object,
// quota/admit, which has defaults, LimitRanges and quotas; for usage alone, quota.
//
// Directory docs has code to copy for each row. docs/from-upstream.md has the functions of other libraries, and
// docs/decisions.md what is decided otherwise, or left out. docs/words.md is an index: it leads from a
// field, a flag, an event, a metric or another word to its function.
//
// # Which function answers which question
//
// Pass a name of the right column to go doc, in a clone or in a module that requires kubemath: go doc qos.Explain.
//
// Pods:
//
//	What does the scheduler reserve for a pod?    computeresources.PodRequests
//	  ... with init containers, sidecars?         computeresources.PodRequests
//	  ... while it is resized in place?           computeresources.PodRequests
//	  ... for a template, or before scheduling?   computeresources.SpecRequests
//	  ... in a loop, without garbage?             computeresources.PodRequestsInto
//	  ... as integers, for very many pods?        computeresources.PodTotals
//	What is the sum of its limits?                computeresources.PodLimits
//	Which limits really bind?                     computeresources.BindingLimits
//	Which requests does the API server set?       computeresources.ApplyRequestDefaults
//	Which pod-level amounts does it set?          computeresources.ApplyPodLevelDefaults
//	Which overhead does its RuntimeClass set?     admit.Namespace.Create
//	What patches an object with changes?          computeresources.JSONPatch
//	Why is a pod invalid, in any namespace?       computeresources.Validate
//	  ... by a LimitRange or a ResourceQuota?     admit.Namespace.Create
//	  ... or a single container?                  computeresources.ValidateRequirements
//	What does the server warn about (a typo such as 400m)?  computeresources.SpecWarnings
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
//	Which container is OOMKilled first?           qos.OOMScoreAdj
//	Which pod is Evicted first, under disk or memory pressure?  qos.EvictionOrder
//	  ... and with which message?                 qos.EvictionMessage
//	How many CPUs does a container have alone?    qos.ExclusiveCPUs
//
// Nodes, by the rules of the scheduler:
//
//	What remains on a node, by requests, not usage?  noderesources.NewLedger, noderesources.Ledger.Free
//	  ... its utilization: how full, overcommitted?  noderesources.OverviewOf
//	Does a pod fit, or: Insufficient ephemeral-storage?  noderesources.Ledger.Shortages
//	  ... of amounts, as of Kueue's PodSets?      noderesources.RequestOf
//	  ... and if a DeviceClass provides it, or ignoredResources?  noderesources.FitOptions
//	How many pods fit on one node?                noderesources.Ledger.Replicas
//	  ... in the cluster (capacity planning)?     whatif.Cluster.Room
//	  ... and what is missing for one more?       noderesources.Shortages.Shortfall
//	What is its score, LeastAllocated, say?       noderesources.Ledger.Score
//	  ... with BalancedAllocation and weights?    noderesources.Profile
//	  ... as MostAllocated (bin packing)?         noderesources.ScoreOptions
//	Which pods would a pod preempt there?         noderesources.Ledger.Victims
//	Which nodes of a cluster have room?           noderesources.Cluster.AppendFits
//	  ... or why: 0/3 nodes are available?        noderesources.Cluster.CheckFit
//	  ... why, node by node?                      noderesources.Cluster.Shortages
//	Which node has the highest score?             noderesources.Cluster.Best
//	On which node does a pod preempt others?      noderesources.Cluster.Preempt
//	Where do the pods of a list go?               noderesources.Cluster.FirstFit, noderesources.Cluster.BestFit
//	How many nodes of a node group do they need?  noderesources.EstimateNodes
//	  ... with pods of DaemonSets on each?        noderesources.EstimateNodes, by its template
//	  ... next to existing ones, up to a max size?  noderesources.EstimateOptions
//	  ... and which pods are too large for it?    noderesources.EstimateNodes (Unplaced)
//	What is node allocatable, after kubeReserved? noderesources.Allocatable
//	  ... and what is enforced?                   noderesources.Enforced
//	What does kubectl describe node print (over 100 percent)?  noderesources.OverviewOf
//
// Nodes, by the rules of the kubelet:
//
//	Does a pod start on this node, or OutOfcpu?   noderesources.AdmitPod
//	  ... and whom does a critical pod evict?     noderesources.CriticalVictims
//	Why is a resize Deferred or Infeasible, which is next?  noderesources.PendingResizes
//
// Containers that run one after another, such as the steps of a Tekton task:
//
//	What do they request by default?              steps.Fill
//	  ... within a Tekton LimitRange's bounds (minimum)?  steps.Fit
//	  ... by overrides, task-level requirements?  steps.TaskLevel, steps.ValidateTaskRun
//	  ... at the pod level, and what does it save?  steps.PodLevel
//	  ... Tekton's own init containers?           steps.TektonContainers, steps.ContainerDefaults
//	What does the pod of a TaskRun get, from where?  steps.WholePod
//	  ... with defaults that are admitted?        steps.AdmittedPod
//	How does it become Guaranteed?                steps.Guaranteed
//	What do they use at their peak, not combined? steps.PeakRequests, steps.PeakLimits
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
//	  ... nearest to what a VPA recommends?       solver.RightSize, by Recommendation
//
// A cluster, with its objects, pods and nodes:
//
//	What happens if manifests are applied (dry run)?  whatif.Read, whatif.Cluster.Apply
//	  ... if objects are deleted, a node fails?   whatif.Cluster.Delete
//	  ... if a node is drained (scale down)?      whatif.Cluster.Drain
//	  ... and why is a rollout stuck, 1 old and 0 new?  whatif.Cluster.Apply, by Outdated, Placed
//	Which pods are Pending, and why (taints, affinity)?  whatif.Cluster.Pods
//	How many replicas are admitted and placed?    whatif.Cluster.Room
//
// LimitRanges:
//
//	What is the combined effect of multiple LimitRanges?  limitrange.AggregateOf
//	  ... do they conflict?                       limitrange.Conflicts
//	  ... which defaults depend on their order?   limitrange.Ambiguities
//	  ... and in which order does a pod get others?  limitrange.Policy.Orders
//	Which defaults does a pod get, why does a default limit act as max?  limitrange.Policy.ApplyDefaults
//	Which bounds (min, max, ratio) does a pod violate?  limitrange.Policy.Validate
//	  ... or a PersistentVolumeClaim?             limitrange.Policy.ValidateClaim
//	What is stored of a LimitRange?               limitrange.WithDefaults
//	Why does it reject a LimitRange?              limitrange.ValidateObject
//
// ResourceQuotas:
//
//	What does an object use of a quota?           quota.Object.Usage, quota.Object.UsageIn
//	  ... and a PersistentVolumeClaim?            quota.Object.Usage
//	  ... and a ResourceClaim (DRA)?              quota.Object.Usage
//	  ... and a completed or terminating pod?     quota.Object.Usage
//	  ... by given amounts (custom quotas)?       quota.Object.WithUsage
//	Is it in the scopes of a quota?               quota.Object.MatchingScopes
//	Is it admitted, or why not?                   quota.Admit, quota.Assessment
//	  ... in a hot loop?                          quota.WithinHard
//	  ... with the server's message?              quota.FailuresOf
//	  ... if a PriorityClass needs a quota?       quota.Admit, by its options (Limited)
//	Why does the server reject a quota?           quota.ValidateObject
//	Which resources of a quota limit nothing?     quota.Unevaluated
//	Does a quota ever apply to an operation?      quota.Assessment (Applies)
//	What do all objects use, if a quota's status is missing or wrong?  quota.CalculateUsage
//	  ... as objects come and go?                 quota.Object.UsageIn
//	What remains (headroom)?                      quota.Remaining
//	How many replicas fit, what stops the next?   quota.Replicas
//	What does a rolling update use (maxSurge), when is it stuck?  quota.Rollout
//	  ... and which pods come and go?             whatif.Cluster.Apply
//	How do the quotas of a tenant or Rancher project keep to a total?  quota.WriteOrder
//	What do namespaces use of a quota they share? quota.ClusterQuota.SetUsed
//	  ... and which namespaces share it?          quota.ClusterQuota.Selects
//	  ... and does an object of one of them fit?  quota.ClusterQuota.In
//	  ... if OpenShift's AppliedClusterResourceQuota, Capsule's GlobalResourceQuota says so?  quota.ClusterQuotasOf
//	What if only the peak of steps counted?       quota.Pod, of steps.PeakRequests and steps.PeakLimits
//
// Quotas that lend and borrow, in a tree, such as Kueue's cohorts and Volcano's queues (docs/trees.md):
//
//	What may a queue take (borrowingLimit)?       quotatree.New, quotatree.Tree.State
//	Does it fit, and which cohort is short?       quotatree.Tree.Take
//	Who borrows most, by weight (fair sharing)?   quotatree.Tree.Share
//	What is each queue's deserved fair share, by weight?  quotatree.Tree.FairShares
//	Who is overused, from whom is it reclaimed?   quotatree.Tree.Reclaim
//
// Lists of resources:
//
//	How to add, subtract, compare, multiply them? resourcelist.Add, resourcelist.Max, resourcelist.Scale
//	  ... or merged?                              resourcelist.Overlay
//	Is enough free, and what is short?            resourcelist.Fits, resourcelist.Insufficient
//	How often does a list fit into another?       resourcelist.Times
//	Which amounts are outside bounds?             resourcelist.Clamp
//	Are two lists equal (1000m, 1)?               resourcelist.Equals
//	  ... or differ by no more than 5 %?          resourcelist.EqualsWithin
//	How much is used, in percent?                 resourcelist.Percent
//	  ... by the dominant resource (DRF)?         resourcelist.DominantShare
//	What is an amount as an integer?              resourcelist.Integer, resourcelist.Quantity
//	  ... rounded, for people?                    resourcelist.Short
//	What kind of resource is a name (huge pages)? resourcelist.IsExtended and others
//
// Resource pools, which the claims of several namespaces share:
//
//	Which claims are granted, why do others wait? pool.Allocate
//	  ... if the pool gets smaller (negative)?    pool.Allocate
//	  ... while a million come and go?            allocator.Allocator
//	What does a claim hold?                       pool.RecordOf
//	Is it in use, may it be edited or released?   pool.Needed, pool.ValidateClaim
//	  ... or be deleted?                          pool.ValidateClaimDeletion
//	Which ResourcePool does a ResourcePoolClaim belong to?  pool.Assign
//	What may the namespace use then?              pool.Quota
//	Which changes are valid, what follows?        pool.ValidatePool, pool.Release
//	How much does a pool have to grow?            poolplan.Growth
//	How do ResourceQuotas become pools?           migrate.Sources, migrate.FromQuotas
//
// Cgroups:
//
//	What are cpu.shares and the CFS quota (throttled)?  cgroup.MilliCPUToShares, cgroup.MilliCPUToQuota
//	  ... through systemd?                        cgroup.SystemdQuota
//	  ... as cpu.weight (39 or 100), reversed?    cgroup.SharesToLogarithmicWeight, cgroup.LogarithmicWeightToMilliCPU
//	What does the kubelet set for a pod (throttling)?  cgroupconfig.ForPod
//	  ... for a container, such as cpu.max, memory.max?  cgroupconfig.ForContainer
//	  ... for the tiers of a node?                cgroupconfig.ForTiers
//	  ... for the root of all pods?               cgroupconfig.ForAllocatable
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
//	  ... and what do these request?              affinity.PlanFor, by its Placeholder
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
// Which function returns it, with its amounts. For a refused object, admit.Decision has all messages.
//
//	"must be less than or equal to cpu limit"     computeresources.Validate, admit.Decision.Err
//	"minimum cpu usage per Container is"          limitrange.Policy.Validate
//	"exceeded quota"                              quota.FailuresOf, admit.Namespace.Replicas
//	"insufficient quota to match these scopes"    quota.LimitedResource
//	"Insufficient memory"                         noderesources.Ledger.Shortages
//	"Pod QOS Class may not change"                computeresources.ValidateResize
//	"Insufficient cpu"                            noderesources.Ledger.Shortages, noderesources.Cluster.CheckFit
//	"Node didn't have enough resource"            noderesources.AdmitPod, noderesources.PendingResizes
//	"OutOfcpu"                                    noderesources.AdmitPod
//	"The node was low on resource"                qos.EvictionMessage
//	"PoolExhausted"                               pool.Allocate
//
// Parts of other messages:
//
//	must be less than or equal to memory limit, must be a standard resource  computeresources.Validate
//	Limit must be set for non overcommitable resources  computeresources.Validate
//	only cpu and memory resources are mutable, cannot be removed  computeresources.ValidateResize
//	field is immutable, pod updates may not change fields  admit.Namespace.Update
//	quantities must match the regular expression  kubemath report: document, line
//	maximum cpu usage per Container is, No limit is specified  limitrange.Policy.Validate
//	max limit to request ratio, provided ratio    limitrange.Policy.Validate
//	default value, default request value, min value  limitrange.ValidateObject
//	must be a standard resource for quota, unsupported scope  quota.ValidateObject
//	status unknown for quota                      quota.Admit
//	OutOfmemory, OutOfpods, OutOfephemeral-storage, UnexpectedAdmissionError  noderesources.AdmitPod
//	Preempted in order to admit critical pod      noderesources.CriticalVictims
//	No preemption victims found, Preemption is not helpful  noderesources.Cluster.Preempt
//	Too many pods, Insufficient nvidia.com/gpu    noderesources.Ledger.Shortages
//	had untolerated taint, didn't have free ports whatif.Cluster.Pods
//	didn't match Pod's node affinity/selector, pod anti-affinity rules  whatif.Cluster.Pods
//	didn't match pod topology spread constraints  whatif.Cluster.Pods
//	volume node affinity conflict, unbound immediate PersistentVolumeClaims  whatif.Cluster.Pods
//	Cannot evict pod as it would violate the pod's disruption budget  whatif.Cluster.Drain
//	pod didn't trigger scale-up, max node group size reached  noderesources.EstimateNodes
//	Usage of EmptyDir volume exceeds the limit    qos.EvictionMessage
//
// # The contract of every exported function
//
//  1. Pure: no clock, no global state, no feature gates, no logging, no I/O. A feature gate of
//     Kubernetes is a field of computeresources.Kubernetes, or of the only options struct that it
//     concerns. Zero options mean a default cluster of 1.37; Kubernetes.Release names another
//     release (docs/versions.md).
//  2. Inputs are only read (no DeepCopy, thread-safe), including the cached string and the decimal inside a
//     resource.Quantity, so concurrent calls on shared objects do not race. A Ledger, a Tree
//     or an Allocator is changed by its own methods, and by nothing else. Two kinds of
//     function write, as their names say: ApplyX changes its first argument (but whatif.Cluster.Apply
//     returns the next cluster), and XInto clears
//     and fills it. ApplyX writes to no memory that others may share: it replaces the maps, the
//     slices of objects and the pod-level resources that it changes by copies. A pointer into the
//     argument that was taken before, such as to a container, still points to the old one. Dst of
//     XInto may be another argument only if the documentation of the function says so.
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
//     limit the exponent of foreign quantities (1e1000000000) first.
//     A nil handle, such as a Ledger, and its zero value are empty. Methods that write to a nil one return an
//     error, or do nothing if they return none. The text of a nil error is "<nil>", and its Field nil.
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
//   - missing: not set. Zero is set, unless a function says otherwise.
//   - step: a container that never runs at the same time as another step of the pod.
//   - peak: the largest amount in use at the same time. Quotas count the sum instead.
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
//   - hard, used, remaining: of a quota. Pools call the last two claimed and available.
//   - failure: why a quota, or a resource that is limited by default, does not admit an object.
//   - cause: the kind of a problem, as a type. Reason is the field of a condition. Detail is the
//     text.
//   - claim: in package pool, what a namespace requests from a resource pool; in quotas and in
//     package affinity, a PersistentVolumeClaim or ResourceClaim. A claim is granted when it gets
//     what it requests, and holds it from then on.
//   - current, documented API: Capsule's controller of today, and the one that its documentation
//     describes.
//
// Nodes:
//
//   - class, tier: the QoS class of a pod, and all pods of one class on a node.
//   - shares, weight: the proportion of CPU that a cgroup gets, in cgroup v1 and v2.
//   - quota, period: the microseconds that a cgroup may run in each period (not a
//     ResourceQuota).
//   - placeholder: a pod that keeps a node for the tasks of a run. Its StatefulSet is called the
//     affinity assistant.
package kubemath
