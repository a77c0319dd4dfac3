package pool

import (
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Status returns the status of a pool with this allocation: namespaces are those that it
// selects (see Namespaces), claims those that were allocated. A claim that is not in the
// allocation, or not bound in it, is not in the status.
//
// Cost: linear in the claims.
func (a *Allocation) Status(namespaces []string, claims []*ResourcePoolClaim) ResourcePoolStatus {
	s := ResourcePoolStatus{
		NamespaceCount: len(namespaces),
		Namespaces:     slices.Sorted(slices.Values(namespaces)),
		ClaimCount:     a.BoundClaims,
		Allocation:     AllocationStatus{Hard: a.Hard, Claimed: a.Claimed, Available: a.Available},
		Exhaustions:    a.Exhaustions,
		Claims:         map[string][]BoundClaim{},
	}
	byName := make(map[[2]string]*ResourcePoolClaim, len(claims))
	for _, c := range claims {
		if c != nil {
			byName[[2]string{c.Namespace, c.Name}] = c
		}
	}
	for _, d := range a.Decisions {
		if c := byName[[2]string{d.Claim.Namespace, d.Claim.Name}]; c != nil && d.State == Bound {
			s.Claims[c.Namespace] = append(s.Claims[c.Namespace], BoundClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim})
		}
	}
	return *s.deepCopy()
}

// ApplyDecision writes to the status of a claim what was decided: the pool, and the
// Condition of the decision. A released claim loses both. So that no claim is released for
// what it had before, the annotation goes, too, from that and from any that was not bound.
// The time of the condition is now if its type or status changes, and stays otherwise. A
// nil claim or pool is left alone.
func ApplyDecision(claim *ResourcePoolClaim, p *ResourcePool, d Decision, now time.Time) {
	switch {
	case claim == nil || p == nil:
	case d.State == Released:
		claim.Status = ResourcePoolClaimStatus{}
		delete(claim.Annotations, ReleaseAnnotation)
	default:
		if !claim.Bound() {
			delete(claim.Annotations, ReleaseAnnotation)
		}
		claim.Status.Pool = PoolReference{Name: p.Name, UID: p.UID}
		claim.setCondition(d.Condition(), now)
	}
}

// ApplyAssignError writes to the status of a claim that no pool could be assigned: no
// pool, and a condition of type Assigned, with the message of the error. The reason is
// Failed if the claim named a pool, and Unassigned if not. The annotation that asks for
// its release goes: it has nothing to give back. The time is that of ApplyDecision. A nil
// claim or error is left alone.
func ApplyAssignError(claim *ResourcePoolClaim, err *AssignError, now time.Time) {
	if claim == nil || err == nil {
		return
	}
	reason := reasonFailed
	if err.Reason == Unassigned {
		reason = string(Unassigned)
	}
	delete(claim.Annotations, ReleaseAnnotation)
	claim.Status.Pool = PoolReference{}
	claim.setCondition(metav1.Condition{Type: conditionAssigned, Status: metav1.ConditionFalse, Reason: reason, Message: err.Error()}, now)
}

func (c *ResourcePoolClaim) setCondition(to metav1.Condition, now time.Time) {
	old := c.Status.Condition
	to.ObservedGeneration = c.Generation
	to.LastTransitionTime = metav1.Time{Time: now}
	if old.Type == to.Type && old.Status == to.Status {
		to.LastTransitionTime = old.LastTransitionTime
	}
	c.Status.Condition = to
}
