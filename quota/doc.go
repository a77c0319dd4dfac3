// Package quota counts what an object uses of ResourceQuotas, and returns which quotas apply to it and whether they
// admit it. It looks at quotas alone: package admit applies defaults and LimitRanges first, as the
// API server does. Only the status of a quota counts: one of a manifest, without a status, admits everything
// (Assessment.Unenforced) until CalculateUsage has computed it.
//
//	object := quota.Pod(pod, now, quota.PodOptions{})
//	usage := object.Usage()
//	assessment := quota.Admit(quota.Object{}, object, quotas, quota.AdmitOptions{}) // a creation
//	err := assessment.Failures.Err()
//
// # Functions
//
// An [Object] is a pod, a PersistentVolumeClaim, a Service, a ResourceClaim, or anything else, which
// is only counted. [Object.WithUsage] is for a caller that has amounts, such as those of a virtual
// machine. [Admit] decides as the admission plugin of the API server does, but it returns every
// failure and not only the first one, each with its fields and the server's message. A creation is an
// update of the zero Object. [WithinHard] is the comparison for hot loops, and [FailuresOf] the same with the
// server's message. [CalculateUsage] is what the quota controller computes, and [ValidateObject]
// returns why the server rejects a ResourceQuota.
//
// In parameters, the object comes first, then the quotas, then the options. An old object comes
// before the new one.
//
// [Remaining] returns what remains of a quota, [Replicas] how many more replicas fit and what stops the
// next one, and [Rollout] what a Deployment uses at the peak of a rollout. The answers are snapshots:
// other clients may use the quota first. Only quotas are considered. If defaults, validation and
// LimitRanges matter as well, use [github.com/kubemath/kubemath/quota/admit.Namespace.Replicas].
// [WriteOrder] is for a controller that divides a total among quotas: what falls is written before what rises.
//
// A [ClusterQuota] is shared by several namespaces: OpenShift's ClusterResourceQuota, or Capsule's GlobalResourceQuota.
// [ClusterQuota.In] presents it as a ResourceQuota of one of them, whose status is the sum, for all functions that take
// quotas:
//
//	all, err := quota.ClusterQuotasOf(object)                   // an *unstructured.Unstructured
//	quotas = append(quotas, all[0].In("shop"))                  // if it Selects the namespace
//	all[0].SetUsed("shop", resourcelist.Add(used, increase))    // the sum changes by the difference
//
// Package [github.com/kubemath/kubemath/quota/admit] combines quotas with LimitRanges, defaults and
// validation, and [github.com/kubemath/kubemath/quota/quotatree] has quotas that lend to each other.
//
// # What counts
//
// Admission uses the status of a quota, which the quota controller writes: status.hard and
// status.used. A limit in status.hard whose usage is missing refuses what requests it: "status unknown for quota".
// A resource that a quota does not list is not limited by it. Manifests are not what the
// server stores: call [computeresources.ApplyRequestDefaults] and [computeresources.ApplyPodLevelDefaults] on any spec
// that does not come from an API server.
//
// # Contract
//
// The contract of [github.com/kubemath/kubemath] applies, with one exception: an Object refers to the
// object that it was made of. Names and failures are sorted. Numbers of replicas are rounded
// down, and are math.MaxInt64 if they do not fit into an int64.
//
// # Sources
//
// k8s.io/apiserver v0.37 (pkg/quota/v1 and its admission plugin) and k8s.io/kubernetes v1.37
// (pkg/quota/v1/evaluator/core; for rollouts, pkg/controller/deployment/util). For quotas of several namespaces:
// openshift/apiserver-library-go at a8019f3 and projectcapsule/capsule at 65a4e19.
// docs/decisions/quota.md lists the differences.
//
// A pod that is being resized counts as in 1.37: its containers are added up three times (desired, allocated and
// actuated amounts), and the largest sum counts. Release 1.36 of computeresources.Kubernetes takes the largest amount
// of each container, and adds those up (docs/decisions/quota.md#usage-of-a-resize).
package quota
