// Package quota answers what an object uses of ResourceQuotas, which quotas concern it, and
// whether they admit it.
//
//	object := quota.Pod(pod, now, quota.PodOptions{})
//	usage := object.Usage()
//	after, failures := quota.Admit(object, quotas, quota.AdmitOptions{})
//	err := failures.Err()
//
// An [Object] is what the other functions take: a pod, a PersistentVolumeClaim, a Service, a
// ResourceClaim, or anything else that is only counted. [Admit] and [AdmitUpdate] decide as
// the admission plugin of the API server does, but report every failure and not only the
// first, each with its fields and the server's message. [Fits] is the comparison at the
// bottom of it, for hot loops, and [Check] the same with the server's message. [CalculateUsage] is
// what the quota controller does, and [ValidateObject] why the server rejects a quota itself.
//
// Objects and amounts come first among parameters, then the quotas that they are held
// against, then options; an old object comes before the new one.
//
// What remains of quotas, how many replicas fit, and what a rollout needs is in package
// quota/quotaplan; usage that follows objects as they come and go in quota/quotatracker; arithmetic
// over lists of resources in computeresources/resourcelist.
//
// # What counts
//
// Admission looks at what the status of a quota says: status.hard and status.used, which
// the quota controller writes. What a quota does not name, it does not limit. Manifests
// are not what the server stores: call computeresources.ApplyRequestDefaults on a pod spec
// that has not passed through an API server.
//
// # Contract
//
// Functions are pure and only read their arguments, down to the cached string and the
// decimal behind a resource.Quantity, so that concurrent calls on shared objects are safe.
// Results own their memory; only an Object refers to what it was made of. Sums and
// comparisons are exact at every scale, so that nothing is admitted by overflow. Names and
// failures come out sorted.
//
// # Sources
//
// k8s.io/apiserver v0.36 (pkg/quota/v1 and its admission plugin) and k8s.io/kubernetes v1.36
// (pkg/quota/v1/evaluator/core). Where ours differs, a test named TestDivergence… says why.
package quota
