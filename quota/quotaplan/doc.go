// Package quotaplan answers what remains of a quota, how many replicas still fit and what stops the
// next one, what a rollout uses at its peak, which workloads of a list fit, and which quota a pod
// would need if its containers ran one after the other. Only quotas are considered. If defaults,
// validation and LimitRanges matter as well, use
// [github.com/kubemath/kubemath/quota/admit.Namespace.Replicas].
//
//	fit := quotaplan.Replicas(quota.Pod(pod, now, quota.PodOptions{}), quotas, quota.AdmitOptions{})
//
// The answer is a snapshot: other clients may use the quota first. It is the answer that
// [quota.Admit] would give for one object after the other, but in closed form: ten thousand replicas
// take no longer than one.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. A returned ResourceList is never nil.
// Numbers of replicas are rounded down, and are math.MaxInt64 if they do not fit into an int64.
//
// # Sources
//
// Those of package quota; for rollouts, pkg/controller/deployment/util of k8s.io/kubernetes v1.36.
package quotaplan
