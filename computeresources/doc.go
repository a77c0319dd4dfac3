// Package computeresources answers what a pod asks for: its effective requests and
// limits, the limits that really bind, and the requests that the API server fills
// in.
//
//	requests := computeresources.PodRequests(&pod.Spec, computeresources.Options{})
//
// There are three forms of each sum: a fresh list ([PodRequests], [PodLimits]), a
// list that is used again ([PodRequestsInto], [PodLimitsInto]), and integers for hot
// loops ([PodRequestTotals], [PodLimitTotals]). [Options] say what counts; the zero
// value is what a default cluster does with a pod that is not running yet. For a
// running pod, give its status, since a resize in place changes the answer.
//
// [PodLimits] is the sum that the API computes. It is not what holds a pod back if
// one of its containers has no limit: that is [BindingLimits].
//
// All functions take what a pod states as it is. What is stated in a manifest is not
// yet what the server stores: [ApplyRequestDefaults] fills in the requests that
// follow from limits, and should be called first on anything that has not passed
// through an API server. Its result is what the other functions, and package qos,
// are to be asked about.
//
// The package does not judge: it does not know which amounts are valid, and adds
// negative ones as it finds them.
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
