// Package quotaplan looks ahead: what remains of a quota, how many replicas still fit and what
// stops the next one, what a rollout uses at its peak, which of a list of workloads fit,
// and what quota a pod would need whose containers run one after the other.
//
//	fit := quotaplan.Replicas(quota.Pod(template, now, quota.PodOptions{}), quotas, quota.AdmitOptions{})
//
// The answers are a snapshot: other clients may use the quota first. They are those of
// package quota, in closed form: ten thousand replicas take no longer than one.
//
// # Contract
//
// Functions are pure and only read their arguments. Results own their memory; a
// ResourceList is never nil. Amounts are exact at every scale; numbers of replicas round down, and are
// math.MaxInt64 where they do not fit.
package quotaplan
