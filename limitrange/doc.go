// Package limitrange answers what the LimitRanges of a namespace do to its pods and
// claims: which bounds hold, which defaults are filled in, what is rejected, and why.
//
//	policy := limitrange.Compile(ranges, limitrange.Options{}) // once per namespace
//	violations := policy.Validate(&pod.Spec) // for each pod; nil, and no garbage, if it passes
//
// The questions:
//
//   - What do several LimitRanges amount to? AggregateOf: the one virtual LimitRange, in
//     which every value knows the object that it came from, and its Conflicts.
//   - What would the LimitRanger do with this pod, or this claim? Compile, and the methods
//     of Policy: ApplyDefaults, Validate, ValidateClaim, and Admit for the whole way
//     from a manifest to what is stored, or to the reasons why it is not, in the words of
//     the server and in words that say what to change.
//   - Is a LimitRange itself valid, and what will the server store? ValidateObject and
//     WithDefaults.
//
// The package takes the LimitRanges of one namespace, in any order, and does not look at
// their namespaces otherwise than to name them. Nil LimitRanges are none. It never reads a
// cluster and never remembers a pod.
//
// All functions keep the contract of the library: inputs are only read (a method named
// Apply writes its first argument), results own their memory, nothing depends on the order
// of a map or of the ranges.
//
// # How values compare
//
// As on the server: in thousandths, rounded up, if the request, the limit and the bound
// are all at most 2^63/1000, and otherwise in whole units, rounded up. A ratio of limit to
// request is computed in floating point. Amounts beyond 64 bits, which the server's
// integers garble, are compared as they are.
//
// Sources: the admission plugin LimitRanger and the defaults and validation of LimitRange
// in k8s.io/kubernetes (v1.36); "LimitRange support in Pipeline" and "Compute Resources in
// Tekton" for the aggregate and TektonRules.
package limitrange
