package pool

import (
	"errors"
	"maps"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Status returns the status of a pool with this allocation, for controllers that update the pool
// before its claims. Pass the pool and claims that were passed to Allocate, and the namespaces that the
// pool selects (see Namespaces). The status records what each holding claim holds. Claims that are not
// holding by the allocation are not in the status. In the current API, the conditions of the pool are
// kept, and Ready and Exhausted are set; the time of a condition is set to now if its status changes. The
// documented API has no conditions, no generation, and no namespaces of recorded claims.
//
// Cost: linear in the claims.
func (a *Allocation) Status(
	p *ResourcePool, claims []*ResourcePoolClaim, namespaces []string, now time.Time, opts Options,
) ResourcePoolStatus {
	if a == nil {
		a = &Allocation{}
	}
	s := ResourcePoolStatus{
		NamespaceCount: len(namespaces),
		Namespaces:     slices.Sorted(slices.Values(namespaces)),
		ClaimCount:     a.Holding,
		Allocation:     AllocationStatus{orNil(a.Hard), orNil(a.Claimed), orNil(a.Available)},
		Exhaustions:    a.Exhaustions,
		Claims:         map[string][]RecordedClaim{},
	}
	if p != nil && !opts.Documented {
		s.ObservedGeneration = p.Generation
		s.Conditions = withCondition(withCondition(p.Status.Conditions, ready(), now), a.exhausted(), now)
	}
	record, byName := RecordOf(p), byKey(claims)
	for _, d := range a.Decisions {
		c := byName[d.Claim]
		if c == nil || d.State != Holding {
			continue
		}
		b := RecordedClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim}
		if !opts.Documented {
			b.Namespace = c.Namespace
		} else if holds, holding := record.Holds(c); holding {
			b.Claims = holds
		}
		s.Claims[c.Namespace] = append(s.Claims[c.Namespace], b)
	}
	return *s.deepCopy()
}

// orNil returns nil for an empty list, so that an allocation without amounts is the zero value, also after JSON.
func orNil(list corev1.ResourceList) corev1.ResourceList {
	if len(list) == 0 {
		return nil
	}
	return list
}

func byKey(claims []*ResourcePoolClaim) map[types.NamespacedName]*ResourcePoolClaim {
	byName := make(map[types.NamespacedName]*ResourcePoolClaim, len(claims))
	for _, c := range claims {
		if c != nil {
			byName[c.Key()] = c
		}
	}
	return byName
}

// Apply writes the allocation to the statuses of the pool and its claims: to the pool what
// Status returns, to each claim what ApplyDecision writes. Pass the pool and the claims that
// were passed to Allocate, and the namespaces that the pool selects. Claims that were not allocated
// and nil claims are not changed. If the pool is nil, nothing is written.
//
// Cost: linear in the claims.
func (a *Allocation) Apply(
	p *ResourcePool, claims []*ResourcePoolClaim, namespaces []string, now time.Time, opts Options,
) {
	if p == nil {
		return
	}
	p.Status = a.Status(p, claims, namespaces, now, opts)
	if a == nil {
		return
	}
	byName := byKey(claims)
	for _, d := range a.Decisions {
		ApplyDecision(byName[d.Claim], p, d, now, opts)
	}
}

// exhausted returns the condition of a pool about whether claims lack any resource.
func (a *Allocation) exhausted() metav1.Condition {
	if len(a.Exhaustions) > 0 {
		return condition(conditionExhausted, metav1.ConditionTrue, string(PoolExhausted), "Pool has exhaustions")
	}
	return condition(conditionExhausted, metav1.ConditionFalse, reasonNoExhaustions, "no exhaustions")
}

// ApplyDecision writes a decision to the status of a claim: the pool, and the Condition of the
// decision. A released claim loses both. The release annotation is removed from a released claim,
// and from any claim that held nothing, so that it cannot release a later allocation. The time of
// a condition is set to now if its type or status changes. A nil claim or pool is ignored.
//
// In the current API, it also sets the observed generation and the condition Ready, and clears the
// documented condition. The condition Bound of a waiting claim reports that it causes exhaustions.
// The condition Bound of a newly granted claim reports that it is unused, until ApplyUse changes it.
func ApplyDecision(claim *ResourcePoolClaim, p *ResourcePool, d Decision, now time.Time, opts Options) {
	if claim == nil || p == nil {
		return
	}
	if d.State == Released || !claim.Holding() {
		claim.dropRelease()
	}
	switch {
	case d.State == Released && opts.Documented:
		claim.Status = ResourcePoolClaimStatus{}
	case d.State == Released:
		claim.leavePool()
	case opts.Documented:
		claim.Status.Pool = corev1.ObjectReference{Name: p.Name, UID: p.UID}
		claim.setCondition(d.Condition(opts), now)
	default:
		claim.Status.Pool = corev1.ObjectReference{Name: p.Name, UID: p.UID}
		claim.decided(d, now, opts)
	}
}

// dropRelease removes the release annotation. Others may share the map.
func (c *ResourcePoolClaim) dropRelease() {
	if _, ok := c.Annotations[ReleaseAnnotation]; ok {
		c.Annotations = maps.Clone(c.Annotations)
		delete(c.Annotations, ReleaseAnnotation)
	}
}

// decided writes the conditions of the current API.
func (c *ResourcePoolClaim) decided(d Decision, now time.Time, opts Options) {
	s := &c.Status
	s.ObservedGeneration, s.Condition = c.Generation, metav1.Condition{}
	exhausted := d.Condition(opts)
	exhausted.ObservedGeneration = c.Generation
	s.Conditions = withCondition(s.Conditions, ready(), now)
	s.Conditions = withCondition(s.Conditions, exhausted, now)
	saysUse := slices.ContainsFunc(s.Conditions, func(is metav1.Condition) bool {
		return is.Type == conditionBound && (is.Reason == reasonInUse || is.Reason == reasonUnused)
	})
	switch {
	case d.State != Holding:
		waits := condition(conditionBound, metav1.ConditionFalse, reasonFailed, "claim causes exhaustions")
		waits.ObservedGeneration = c.Generation
		s.Conditions = withCondition(s.Conditions, waits, now)
	case !saysUse:
		ApplyUse(c, false, now)
	}
}

// ApplyUse writes whether a holding claim is in use (see Needed) to its status, as the condition Bound of the
// current API. The time of the condition is set as in ApplyDecision. A nil claim, and a claim that
// holds nothing by its status, are ignored.
func ApplyUse(claim *ResourcePoolClaim, inUse bool, now time.Time) {
	if !claim.Holding() {
		return
	}
	bound := condition(conditionBound, metav1.ConditionFalse, reasonUnused, "claim is unused")
	if inUse {
		bound = condition(conditionBound, metav1.ConditionTrue, reasonInUse, "claim is used")
	}
	bound.ObservedGeneration = claim.Generation
	claim.Status.Conditions = withCondition(claim.Status.Conditions, bound, now)
}

// ApplyAssignment writes the pool that a claim is assigned to (see Assign) to its status, before
// the pool is allocated. In the current API, it sets the pool, the observed generation, and the
// condition Ready with status True; in the documented API, the pool. If the status had another
// pool, its decision is removed. The time of the condition is set as in ApplyDecision. A nil claim
// or pool is ignored. A claim that names no pool gets the name in spec.pool as well, which Capsule's
// webhook writes on creation: Allocate looks for it there. Otherwise, the spec is not written.
//
// Capsule writes this before the claim has its turn. What the pool then records for the claim
// counts from the first moment on (Record.Holds).
func ApplyAssignment(claim *ResourcePoolClaim, p *ResourcePool, now time.Time, opts Options) {
	if claim == nil || p == nil {
		return
	}
	if !claim.refersTo(p) {
		claim.leavePool()
	}
	if claim.Spec.Pool == "" {
		claim.Spec.Pool = p.Name
	}
	claim.Status.Pool = corev1.ObjectReference{Name: p.Name, UID: p.UID}
	if !opts.Documented {
		claim.Status.ObservedGeneration = claim.Generation
		claim.Status.Conditions = withCondition(claim.Status.Conditions, ready(), now)
	}
}

// ApplyAssignError writes to the status of a claim the error with which Assign found no pool: it removes the
// pool and sets a condition with the message of the error. In the documented API, the type is
// Assigned, and the reason is Failed if the claim names a pool, and Unassigned otherwise. In the
// current API, the type is Ready and the reason Failed, and the conditions for the decision of a
// pool are removed. The release annotation is removed, because the claim holds nothing. The time of
// the condition is set as in ApplyDecision. A nil claim or error is ignored.
func ApplyAssignError(claim *ResourcePoolClaim, err error, now time.Time, opts Options) {
	if claim == nil || err == nil {
		return
	}
	claim.dropRelease()
	failed := condition(conditionReady, metav1.ConditionFalse, reasonFailed, err.Error())
	if opts.Documented {
		failed.Type = "Assigned"
		if errors.Is(err, errUnassigned) {
			failed.Reason = "Unassigned"
		}
		claim.Status.Pool = corev1.ObjectReference{}
		claim.setCondition(failed, now)
		return
	}
	claim.leavePool()
	claim.Status.ObservedGeneration = claim.Generation
	claim.Status.Conditions = withCondition(claim.Status.Conditions, failed, now)
}

// leavePool removes from a status what a pool has written, and keeps the condition Ready.
func (c *ResourcePoolClaim) leavePool() {
	c.Status.Pool, c.Status.Condition = corev1.ObjectReference{}, metav1.Condition{}
	c.Status.Conditions = slices.DeleteFunc(slices.Clone(c.Status.Conditions), func(is metav1.Condition) bool {
		return is.Type == conditionBound || is.Type == conditionExhausted
	})
	if len(c.Status.Conditions) == 0 {
		c.Status.Conditions = nil
	}
}

// setCondition sets the condition of the documented API.
func (c *ResourcePoolClaim) setCondition(to metav1.Condition, now time.Time) {
	to.ObservedGeneration = c.Generation
	conditions := withCondition([]metav1.Condition{c.Status.Condition}, to, now)
	c.Status.Condition = conditions[len(conditions)-1]
}

func ready() metav1.Condition {
	return condition(conditionReady, metav1.ConditionTrue, reasonSucceeded, "reconciled")
}

func condition(kind string, status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: message}
}

// withCondition returns the conditions with the given one, which replaces the one of the same
// type or is appended. It does not write to the given list, and returns it if nothing changes.
func withCondition(conditions []metav1.Condition, to metav1.Condition, now time.Time) []metav1.Condition {
	to.LastTransitionTime = metav1.Time{Time: now}
	i := slices.IndexFunc(conditions, func(is metav1.Condition) bool { return is.Type == to.Type })
	if i < 0 {
		return append(slices.Clone(conditions), to)
	}
	if conditions[i].Status == to.Status {
		to.LastTransitionTime = conditions[i].LastTransitionTime
	}
	if conditions[i] == to {
		return conditions
	}
	conditions = slices.Clone(conditions)
	conditions[i] = to
	return conditions
}
