// Package computeresources answers what a pod asks for: its effective requests and
// limits, the limits that really bind, the requests that the API server fills in, and why it
// would reject them.
//
//	reserved := computeresources.PodRequests(pod, computeresources.Options{})
//	requests := computeresources.SpecRequests(&template.Spec, computeresources.Options{})
//
// Functions that take a pod count its status, since a resize in place changes the answer:
// [PodRequests] is what the scheduler reserves for a pod that is placed on a node. Functions
// that take a pod spec are for templates, for a pod that is still to be placed, and for what
// kubectl describe node adds up: [SpecRequests]. A pod whose status says nothing about
// resources gets the same answer from both. What a ResourceQuota charges differs from both
// while a pod is resized: that is quota.Pod(pod).Usage().
//
// There are three forms of each sum: a fresh list ([PodRequests], [PodLimits],
// [SpecRequests], [SpecLimits]), a list that is used again ([PodRequestsInto]), and integers
// for hot loops ([PodRequestTotals], [Totals]). [Options] say what counts; the zero value is
// what a default cluster does.
//
// [PodLimits] and [SpecLimits] are the sum that the API computes. It is not what holds a pod
// back if one of its containers has no limit: that is [BindingLimits].
//
// All functions take what a pod sets as it is. A manifest is not yet what the server stores:
// [ApplyRequestDefaults] fills in the requests that follow from limits, and should be called
// first on anything that has not passed through an API server. The other functions, and
// package qos, expect its result. It returns a [Change] for each amount, which
// [ApplyChanges] writes into another spec.
//
// Sums do not depend on what is valid: negative amounts are added as they are. [Validate]
// returns why the API server rejects them, and [ValidateResize] why it refuses to resize a running
// pod in place, [ValidateResizeOnNode] for the sake of its node.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and
// the decimal behind a resource.Quantity, so that concurrent calls on a shared pod
// are safe. Results own their memory. ApplyX changes its first argument, XInto
// clears and fills it. Sums and comparisons are exact at every scale; integers say
// how they round, and saturate.
//
// # Sources
//
// k8s.io/component-helpers/resource v0.37 (sums), k8s.io/kubernetes v1.36 (defaults
// and the kubelet's view of limits), KEP-753 (sidecars), KEP-1287 and KEP-5419
// (resize in place), KEP-2837 (pod-level resources), KEP-5517 (claims), and Tekton's
// "Compute Resources" and "LimitRange support in Pipeline". The latter adds init
// containers to app containers ("2 + 6 = 8 CPU"), which no cluster does: its example
// requests 6 CPU and 800m of memory.
package computeresources
