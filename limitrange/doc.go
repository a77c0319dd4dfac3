// Package limitrange applies the LimitRanges of a namespace to its pods and
// PersistentVolumeClaims: which bounds apply, which defaults are set, what is rejected, and why.
// It looks at LimitRanges alone: package admit also applies the defaults of the API server, validation and
// ResourceQuotas.
//
//	policy := limitrange.Compile(ranges, computeresources.Kubernetes{}) // once per namespace
//	violations := policy.Validate(nil, &pod.Spec)                  // for each new pod; nil if it passes
//
// # Which function answers which question
//
//   - What is the combined effect of several LimitRanges? [AggregateOf] returns it as one virtual
//     LimitRange, in which every value has the object that it comes from. [Conflicts]
//     returns the bounds that cannot be met together.
//   - What does the LimitRanger do with a pod or claim? [Compile] returns a [Policy].
//     [Policy.ApplyDefaults], [Policy.Validate] and [Policy.ValidateClaim] are its steps. Package
//     [github.com/kubemath/kubemath/quota/admit] runs all of them, from a manifest to what is stored,
//     or to the reasons why it is rejected: the server's message, and what to change.
//   - Is a LimitRange valid, and what does the server store? [ValidateObject], [WithDefaults].
//
// Pass the LimitRanges of one namespace, in any order: [computeresources.Pointers] of the Items of a
// list. Their namespaces only appear in messages. Nil LimitRanges are ignored.
//
// # How values are compared
//
// As on the server. Up to 1.37: in milli-units, rounded up, if the request, the limit and the bound are all at
// most 2^63/1000, and otherwise in whole units, rounded up. The ratio of a limit to a request is
// computed in floating point. The server's integers overflow for amounts beyond 64 bits; here, such
// amounts are compared exactly. Since 1.38, everything is compared exactly, and what an update leaves unchanged is not
// checked.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Validate does not allocate for a pod that
// passes.
//
// # Sources
//
// The admission plugin LimitRanger and the defaults and validation of LimitRange in
// k8s.io/kubernetes v1.37; "LimitRange support in Pipeline" and "Compute Resources in Tekton" for
// the aggregate.
package limitrange
