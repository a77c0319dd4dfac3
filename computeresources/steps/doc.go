// Package steps answers what containers should request that run one after another in
// one pod, as the steps of a Tekton task do, and what such a pod uses at its peak.
//
//	changes, conflicts := steps.Fill(&pod.Spec, item, steps.TektonStep, steps.Options{})
//
// Kubernetes takes app containers to run side by side: it adds up what they request, and
// charges quotas with the sum. Of steps only one runs at a time, so that the default
// request of a LimitRange is meant for all of them together, and so are requirements that
// are stated for a task.
//
// Who is a step is said by a [Predicate]; [TektonStep] is the one for Tekton's pods.
//
//   - [Fill] sets the requests that containers lack to the defaults of a LimitRange,
//     divided over the steps.
//   - [Fit] besides moves what is stated into the bounds of the LimitRange.
//   - [TaskLevel] spreads requirements of a task over its steps, and applies the step
//     template and what a run overrides. [ValidateTaskRun] rejects what contradicts
//     itself.
//   - [PodLevel] writes requirements of a task at the pod level as well, so that quotas
//     count them once, and shows what that gains.
//   - [PeakRequests] and [PeakLimits] set what runs at the same time beside what is
//     charged.
//
// The first three return what is to change, and what cannot be met, and change nothing;
// [computeresources.ApplyChanges] writes it. A pod without steps, or without containers, is a pod like any
// other: what is meant for steps then goes to nobody. So is a nil spec.
//
// # The LimitRange
//
// Fill and Fit take one item. If several LimitRanges are in force, it is what they come
// to: the greatest of each minimum, the least of each maximum, of each ratio and of each
// default. An item of another type than Container is not considered. Of its amounts,
//
//   - a default counts if it is above zero, and is read within [min, max]: one above the
//     maximum is the maximum, one below the minimum the minimum;
//   - without a default request, the minimum is the default request; without a default
//     limit, the maximum is the default limit;
//   - bounds count as they are, zero and negative ones, too. Where no amount can meet
//     them, nothing is changed and that is reported (see [limitrange.Conflict]).
//
// Of what containers state, an amount that is not above zero counts as missing; but Fill
// requests nothing of what has a limit of zero. The parts of a default are those of package division: exact by default, so that what the steps
// request adds up to it. The part of a step does not depend on whether another one states
// a request: the default is divided over all of them.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity. Results own their memory. ApplyX changes its first
// argument. Changes and conflicts come in the order of computeresources.Containers,
// then by resource name, the request before the limit.
//
// # Sources
//
// Tekton's "Compute Resources in Tekton" and "LimitRange support in Pipeline"; the
// LimitRanger of k8s.io/kubernetes v1.36 for what the bounds demand; KEP-753 for init
// containers and sidecars.
package steps
