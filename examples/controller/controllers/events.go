package controllers

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/tools/events"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// The actions that events name.
const (
	actionAssign = "Assign"
	actionDecide = "Allocate"
	actionQuota  = "KeepQuota"
)

// recordRefusal emits an event that no pool accepts a claim, unless its status said so before.
func recordRefusal(recorder events.EventRecorder, before, after *pool.ResourcePoolClaim) {
	was, is := capsule.Condition(before, "Ready"), capsule.Condition(after, "Ready")
	if was.Status != is.Status || was.Message != is.Message {
		recorder.Eventf(after, nil, corev1.EventTypeWarning, is.Reason, actionAssign, "%s", is.Message)
	}
}

// recordDecision emits an event for the decision on a claim, unless its status said so before.
// There is no event if only the message changes, such as that of a waiting claim while others come
// and go.
func recordDecision(recorder events.EventRecorder, before, after *pool.ResourcePoolClaim, p *pool.ResourcePool, decision pool.Decision) {
	was, is := capsule.Condition(before, "Exhausted"), capsule.Condition(after, "Exhausted")
	if was.Status == is.Status {
		return
	}
	kind := corev1.EventTypeWarning
	if decision.State == pool.Holding {
		kind = corev1.EventTypeNormal
	}
	recorder.Eventf(after, p, kind, string(decision.State), actionDecide, "%s", is.Message)
}
