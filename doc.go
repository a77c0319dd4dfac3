// Package kubemath is the resource arithmetic of Kubernetes as pure functions over the
// types of k8s.io/api. The functions are in the packages below it; this one holds their
// common contract and the way to them.
//
// Controllers, webhooks, schedulers, quota planners and command-line tools have to know
// what a pod asks for, which class it gets, and how much that costs. The code that
// decides it sits inside the API server and the kubelet, where nobody can import it, and
// so is written again, and differently, in project after project. Here, each
// computation is one function: exact, deterministic, tested against the original, and
// faster.
//
// # Which function answers which question
//
//	What does a pod request, in all?              computeresources.PodRequests
//	  ... again and again, without garbage?       computeresources.PodRequestsInto
//	  ... in integers, for very many pods?        computeresources.PodRequestTotals
//	  ... while it is resized in place?           computeresources.Options, field Status
//	Which limits does a quota charge?             computeresources.PodLimits
//	Which limits really hold the pod back?        computeresources.BindingLimits
//	What will the API server fill in?             computeresources.ApplyRequestDefaults
//	What may be stated for a pod as a whole?      computeresources.PodLevel
//	Which containers are there, of which kind?    computeresources.Containers
//	Would the server reject what a pod requests?  computeresources.Validate
//	How is an amount divided, nothing lost?       division.Divide
//	  ... by weight?                              division.Weighted
//	What do the steps of a task request?          steps.Fill
//	  ... within the bounds of a LimitRange?      steps.Fit
//	  ... by the requirements of the task?        steps.TaskLevel
//	Does a run of a task contradict itself?       steps.ValidateTaskRun
//	What do steps use at their peak?              steps.PeakRequests, steps.PeakLimits
//	What is the least that will be admitted?      solver.Solve
//	Which QoS class does a pod get?               qos.Class
//	Which one has it got?                         qos.PodClass
//	Why not a better one?                         qos.Explain
//	What would make it Guaranteed?                qos.AdviseGuaranteed
//	Which container does the kernel kill first?   qos.OOMScoreAdj
//	What do the pods of a node request, by class? qos.TierTotals
//	What do several LimitRanges amount to?        limitrange.Of
//	  ... and do they contradict each other?      limitrange.Aggregate.Conflicts
//	Which defaults will a LimitRange give a pod?  limitrange.Policy.ApplyDefaults
//	Does a pod or claim break a LimitRange?       limitrange.Policy.Validate, ValidateClaim
//	What becomes of a pod, and if rejected, why?  limitrange.Policy.Admit
//	What does the server store of a LimitRange?   limitrange.Complete, ValidateObject
//	What is a CPU to the kernel?                  cgroup.MilliCPUToShares, MilliCPUToQuota
//	  ... and as a weight of cgroup v2?           cgroup.SharesToWeight
//	  ... and which CPU is this weight?           cgroup.WeightToMilliCPU
//	What does the kubelet set for a pod?          cgroup/config.ForPod, ForContainer
//	  ... for the tiers of a node?                cgroup/config.ForTiers
//	What is the cgroup of a pod called?           cgroup/names.Ref
//	Whose cgroup is this?                         cgroup/names.Parse
//	Who gets the CPU when all want it?            cgroup/contention.Divide
//	  ... on a node, under cgroup v1 and v2?      cgroup/nodetree.Build
//	What does an object cost in a ResourceQuota?  quota.Object, method Cost
//	Do quotas admit it, and if not, why?          quota.Admit, quota.AdmitUpdate
//	Does it fit, in a hot loop?                   quota.Fits
//	What should the status of a quota be?         quota.Recount
//	  ... while objects come and go?              track.Tracker
//	What is left of a quota?                      plan.Remaining
//	How many replicas fit, and what stops more?   plan.Replicas
//	Which workloads of a list fit?                plan.FirstFit
//	What does a rollout cost at its peak?         plan.Rollout
//	What would steps in a row need of a quota?    plan.Sequential
//	How are lists of resources added, compared?   arithmetic.Add and the like
//	Which claims on a shared pool are bound?      pool.Allocate
//	  ... while a million of them come and go?    live.Pool, in pool/live
//	What may a namespace with claims use?         pool.Quota
//	Which pool is a claim for?                    pool.Assign
//	What may become of pools and claims?          package pool/lifecycle
//	By how much must a pool grow?                 plan.Growth, in pool/plan
//	Which claims block the head of the queue?     plan.Releases, in pool/plan
//	How do ResourceQuotas become pools?           migrate.FromQuotas, in pool/migrate
//	Which pods of a pipeline run share a node?    affinity.BehaviorOf
//	  ... and what has to be created for it?      affinity.PlanFor
//	  ... and what speaks against it?             affinity.Validate
//	Do the names of two runs collide?             affinity.Collisions
//	Which placeholders have to be moved?          affinity.Stranded
//	How much does a run ask for at once?          peak.Of (in affinity/peak)
//	Which nodes have room for it?                 peak.Nodes
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
//     their digits: whoever takes quantities such as 1e1000000000 from strangers should
//     bound them first.)
//  7. Typed answers: what was set, changed or found wrong comes as fields, not only as a
//     string.
package kubemath
