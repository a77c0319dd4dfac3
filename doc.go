// Package kubemath is the resource arithmetic of Kubernetes as pure functions over the
// types of k8s.io/api. The functions are in the packages below it; this one holds their
// common contract and the way to them.
//
// Controllers, webhooks, schedulers, quota planners and command-line tools have to know
// what a pod asks for, which class it gets, and how much of its quotas it uses. The code that
// decides it sits inside the API server and the kubelet, where nobody can import it, and
// so is written again, and differently, in project after project. Here, each
// computation is one function: exact, deterministic, tested against the original, and
// faster.
//
// # Which function answers which question
//
// Pods:
//
//	What does the scheduler reserve for it?  computeresources.PodRequests
//	  ... before it is placed?               computeresources.SpecRequests
//	  ... again and again, without garbage?  computeresources.PodRequestsInto
//	  ... in integers, for very many pods?   computeresources.PodRequestTotals
//	What do its limits add up to?            computeresources.PodLimits
//	Which limits really hold it back?        computeresources.BindingLimits
//	What will the API server fill in?        computeresources.ApplyRequestDefaults
//	What would it reject?                    computeresources.Validate
//	  ... of one container by itself?        computeresources.ValidateRequirements
//	  ... and what does it warn about?       computeresources.SpecWarnings
//	Why can a pod not be resized in place?   computeresources.ValidateResize
//	  ... on its node?                       computeresources.ValidateResizeOnNode
//	  ... or is a resize still pending?      computeresources.PendingResize
//	What does the downward API show?         computeresources.DownwardValue
//	Which QoS class does it get?             qos.Class, qos.PodClass
//	  ... why, and what makes it better?     qos.Explain, qos.GuaranteedChanges
//	Whom does the kernel kill first?         qos.OOMScoreAdj
//	Which CPUs has it to itself?             qos.ExclusiveCPUs
//
// Nodes, by the rules of the scheduler:
//
//	What has a node left?                    noderesources.New, noderesources.Ledger
//	Does a pod fit, and why not?             noderesources.Ledger.Fit
//	How many replicas fit?                   noderesources.Ledger.Replicas
//	  ... and what is missing for one more?  noderesources.Shortages.Shortfall
//	How good a place is it?                  noderesources.Ledger.Score
//	Which of many nodes have room?           noderesources.Cluster.AppendFits
//	  ... and why has none?                  noderesources.Cluster.CheckFit
//	Which node is the best?                  noderesources.Cluster.Best
//	Where does a list of pods go?            noderesources.Cluster.FirstFit, noderesources.Cluster.BestFit
//	How many nodes does it need?             noderesources.EstimateNodes
//	What is allocatable, and enforced?       noderesources.Allocatable, noderesources.Enforced
//	What does kubectl describe node print?   noderesources.OverviewOf
//
// Containers that run one after another, as the steps of a Tekton task do:
//
//	What do they request by default?         steps.Fill
//	  ... within the bounds, too?            steps.Fit
//	  ... by requirements of the task?       steps.TaskLevel, steps.ValidateTaskRun
//	  ... at the pod level, and what for?    steps.PodLevel
//	What do they use at their peak?          steps.PeakRequests, steps.PeakLimits
//	How is an amount divided?                division.Divide, division.Weighted
//
// Namespaces, with their LimitRanges and ResourceQuotas together:
//
//	What is stored of an object?             admit.Compile, admit.Namespace.Create
//	  ... or which error does a client get?  admit.Decision.Err
//	  ... and what has to change?            admit.Decision (Refusals)
//	What becomes of an update, a resize?     admit.Namespace.Update, admit.Namespace.Resize
//	How many of a Deployment's pods fit?     admit.Namespace.Replicas
//	  ... with the claims of each of them?   admit.Namespace.GroupReplicas
//	What becomes of a list of manifests?     admit.Namespace.CreateAll
//
// LimitRanges:
//
//	What do several amount to?               limitrange.AggregateOf
//	  ... do they contradict each other?     limitrange.Aggregate.Conflicts
//	  ... which defaults depend on order?    limitrange.Ambiguities
//	Which defaults do they give a pod?       limitrange.Policy.ApplyDefaults
//	Which bounds does a pod break?           limitrange.Policy.Validate
//	  ... a claim for storage?               limitrange.Policy.ValidateClaim
//	What becomes of a pod, and why?          limitrange.Policy.Admit
//	What does the server store of one?       limitrange.WithDefaults, limitrange.ValidateObject
//	What is the least that is admitted?      solver.Solve, solver.Apply
//
// ResourceQuotas:
//
//	What does an object use of a quota?      quota.Object.Usage, quota.Object.UsageIn
//	Is it admitted, and if not, why?         quota.Admit, quota.AdmitUpdate
//	Does it fit, in a hot loop?              quota.Fits
//	  ... with the message of the server?    quota.Check
//	What would the server reject of one?     quota.ValidateObject, quota.ValidateObjectUpdate
//	What does it warn about?                 quota.ObjectWarnings
//	Which of its names limit nothing?        quota.UnknownNames, quota.Unevaluated
//	Is it looked at, at all?                 quota.Handles, quota.HandlesUpdate
//	What do all objects use?                 quota.CalculateUsage, quota.TotalUsage
//	  ... as objects come and go?            quotatracker.Tracker
//	What remains?                            quota/quotaplan.Remaining
//	How many replicas fit, what stops more?  quota/quotaplan.Replicas, quota/quotaplan.FirstFit
//	What does a rollout use at its peak?    quota/quotaplan.Rollout
//
// Lists of resources:
//
//	How are they added and compared?         resourcelist.Add and its like
//	Is there as much free as is wanted?      resourcelist.Fits, resourcelist.Insufficient
//	How large a part is used?                resourcelist.Percents, resourcelist.DominantShare
//	How much is that as an integer?          resourcelist.Integer, resourcelist.Quantity
//	What kind of resource is it?             resourcelist.IsExtended and its like
//	Which quotas count it?                   resourcelist.RequestQuotaNames
//
// Resource pools, which the claims of several namespaces share:
//
//	Which claims are bound, who waits?       pool.Allocate
//	  ... while a million come and go?       allocator.Allocator
//	What does a claim hold?                  pool.RecordOf
//	Is it in use, may it be edited?          lifecycle.UseOf, lifecycle.ValidateClaimUpdate
//	Which pool is a claim for?               pool.Assign
//	What may a namespace use then?           pool.Quota
//	What may change, what follows from it?   lifecycle.ValidatePoolUpdate, lifecycle.Resize
//	By how much must a pool grow?            pool/poolplan.Growth
//	Which releases free the queue?           pool/poolplan.Releases
//	Which claims can shrink for it?          pool/poolplan.Balance
//	How do ResourceQuotas become pools?      migrate.FromQuotas
//	Which of them share a pool?              migrate.Sources
//
// Nodes:
//
//	What is a CPU to the kernel?             cgroup.MilliCPUToShares, cgroup.MilliCPUToQuota
//	  ... and what does the kubelet report?  cgroup.SharesToReportedMilliCPU
//	  ... as a weight, and back?             cgroup.SharesToWeight, cgroup.WeightToMilliCPU
//	What does the kubelet set for a pod?     cgroupconfig.ForPod, cgroupconfig.ForContainer
//	  ... for the tiers of a node?           cgroupconfig.ForTiers
//	  ... for the root, or what is reserved? cgroupconfig.ForAllocatable
//	What is the runtime told of a pod?       cgroupconfig.ForSandbox
//	How much swap may a container use?       cgroupconfig.SwapShare
//	What is its cgroup called, whose is it?  cgroupname.Identity.Path, cgroupname.Parse
//	  ... in a hierarchy without kubepods?   cgroupname.ParseBelow
//	Who gets the CPU when all want it?       nodetree.Build, contention.Divide
//	What do pods request, by class?          qos.TierTotals
//
// Runs whose pods share a node, such as a Tekton PipelineRun:
//
//	Which pods, by the feature flags?        affinity.BehaviorOf
//	What has to be created for it?           affinity.PlanFor
//	What speaks against it?                  affinity.Validate, affinity.FindCollisions
//	Which placeholders have to move?         affinity.Stranded
//	What does it leave behind?               affinity.Cleanup
//	What does it request at its peak?        peak.DemandOf
//	Which nodes have room for it?            peak.Nodes
//	How does its placeholder make way?       peak.Shrink
//	Which placeholders are on full nodes?    peak.FullNodes
//
// Ten small programs to copy from are in examples/recipes.
//
// Coming from another library, see docs/from-upstream.md; for what the documents and the
// systems disagree about, docs/decisions.md.
//
// # The contract of every exported function
//
//  1. Pure: no clock, no global, no feature gate, no logging, no I/O. What is a feature
//     gate in Kubernetes is a field of an options struct, whose zero value is what a
//     default cluster of version 1.37 does.
//  2. Inputs are only read, down to the cached string and the decimal behind a
//     resource.Quantity, so that concurrent calls on shared objects do not race. Two
//     kinds of function write, and say so in their names: ApplyX changes its first
//     argument, XInto clears and fills it.
//  3. Results own their memory: changing one changes no input and no other result.
//  4. Exact: sums, maxima and comparisons are those of resource.Quantity, at any
//     magnitude and scale. A function that returns an integer says how it rounds, and
//     saturates.
//  5. Deterministic: nothing depends on the order of a map, or of a list that has none.
//  6. Total: nil, empty, negative, huge, duplicate and unknown input has a documented
//     answer. Nothing panics. (Adding amounts takes time and memory by the number of
//     their digits: programs that accept quantities such as 1e1000000000 should bound them
//     first.)
//  7. Typed answers: what was set, changed or found wrong comes as fields, not only as a
//     string. Those about requests, limits, LimitRanges and quotas marshal as JSON.
//
// # Glossary
//
// What Kubernetes has a word for has that word here. Of containers and pods:
//
//   - app container, init container, sidecar: the three kinds. A sidecar is an init
//     container that restarts (KEP-753).
//   - pod level: what spec.resources sets, beside the containers (KEP-2837).
//   - request, limit: the amounts that a container sets, or that a pod has in all.
//   - missing: not set. Zero is an amount, unless a function says otherwise.
//   - overhead: what a pod takes besides its containers (spec.overhead).
//   - step: one of the containers of which one runs at a time.
//   - peak: the most that is in use at once; charged is what quotas count instead.
//   - amount: how much of a resource. Wanted and found, or wanted and free, are the two of
//     which one is too small.
//   - unit: the least amount of a resource that a part of it has: 1m of cpu, one byte of
//     memory.
//   - change: one amount that is to be set. Default: one that the API server or a
//     LimitRange sets where it is missing.
//
// Of what admits them:
//
//   - bound: a min, max, ratio or default of a LimitRange. Source: the object that states
//     it, and where.
//   - violation: a bound that a pod breaks. Conflict: bounds that cannot all be met.
//     Contradiction: whatever cannot hold together, quotas and the pod included.
//   - usage: what an object takes of the quotas that count it.
//   - hard, used, remaining: what a quota allows, what its objects use, and the
//     difference. Of a pool, the last two are claimed and available.
//   - failure: why a quota, or what is limited by default, does not admit an object.
//   - cause: in which of the known ways something is wrong, as a type. Reason is the word
//     of conditions for that. Detail: what is wrong, in words alone.
//   - claim: what a namespace asks of a resource pool; in quotas and in package affinity,
//     one for storage or devices. A claim is bound once it has what it asks for.
//
// Of nodes:
//
//   - class, tier: the quality of service of a pod, and all pods of a node of one class.
//   - shares, weight: the proportion of CPU that a cgroup gets, under cgroup v1 and v2.
//   - quota, period: the microseconds that a cgroup may run in each period; a
//     ResourceQuota has nothing to do with it.
//   - placeholder: the pod that holds a node for the tasks of a run. Its StatefulSet is
//     their assistant.
package kubemath
