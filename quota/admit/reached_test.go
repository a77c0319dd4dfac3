package admit_test

import (
	"fmt"
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// The generators of the property tests reach each kind of refusal, objects that are admitted, and
// numbers of replicas with and without an end.
func TestDrawsReachEveryRule(t *testing.T) {
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		obj, updated, opts := object().Draw(t, "object"), object().Draw(t, "updated"), options().Draw(t, "options")
		pod, resized := resize(t)
		namespace := compile(t, rangeList().Draw(t, "ranges"), quotaList(counted(obj)).Draw(t, "quotas"), opts)
		node := &corev1.Node{}
		node.Status.Allocatable = list("cpu", "1")
		pod.Spec.NodeName = "node-1"
		req := admit.Attributes{Now: testkit.Now(), ClaimPod: pod, Node: node}
		note := func(what string, d admit.Decision) {
			if d.Object == nil {
				return
			}
			if d.Admitted() {
				reached = append(reached, what+": admitted")
			}
			for _, r := range d.Refusals {
				reached = append(reached, what+": "+kindOf(r))
			}
			for _, c := range d.Changes {
				if c.Source.Name == "" {
					reached = append(reached, what+": a default of the server")
				} else {
					reached = append(reached, what+": a default of a LimitRange")
				}
			}
			if d.Pods != nil {
				reached = append(reached, fmt.Sprintf("%s: pods admitted: %v", what, d.Pods.Admitted()))
			}
		}
		note("create", namespace.Create(obj, req))
		note("update", namespace.Update(obj, updated, req))
		note("update of itself", namespace.Update(obj, obj, req))
		note("resize", namespace.Resize(pod, resized, req))
		note("resize to itself", namespace.Resize(pod, pod, req))
		for what, n := range map[string]int64{"replicas": namespace.Replicas([]admit.APIObject{obj}, req).Replicas, "groups": namespace.Replicas([]admit.APIObject{obj, pod}, req).Replicas} {
			switch n {
			case 0:
				reached = append(reached, what+": none")
			case math.MaxInt64:
				reached = append(reached, what+": no end")
			default:
				reached = append(reached, what+": some")
			}
		}
		return reached
	},
		"create: admitted", "create: a default of the server", "create: a default of a LimitRange", "create: pods admitted: true", "create: pods admitted: false",
		"create: amount: limit missing", "create: amount: negative", "create: amount: not a multiple of the page size", "create: amount: request above limit",
		"create: invalid: FieldValueRequired", "create: violation: request out of bounds",
		"create: violation: no request", "create: violation: no limit",
		"create: quota: exceeded quota", "create: quota: must specify", "create: quota: status unknown", "create: quota: uncovered resources",
		"update of itself: admitted", "update of itself: amount: limit missing", "update: admitted",
		"resize to itself: admitted", "resize to itself: node: larger than the node", "resize to itself: resize: not cpu or memory", "resize to itself: quota: must specify",
		"resize: amount: request above limit", "resize: node: features missing", "resize: resize: class changes", "resize: resize: amount removed",
		"resize: resize: containers added or removed", "resize: violation: limit out of bounds", "resize: violation: request out of bounds",
		"replicas: none", "replicas: some", "replicas: no end",
	)
}

// kindOf names the message of a refusal.
func kindOf(r *admit.Refusal) string {
	switch {
	case r.Amount != nil:
		return "amount: " + string(r.Amount.Cause)
	case r.Resize != nil:
		return "resize: " + string(r.Resize.Cause)
	case r.Invalid != nil:
		return "invalid: " + string(r.Invalid.Type)
	case r.Violation != nil:
		return "violation: " + string(r.Violation.Cause)
	case r.Node != nil:
		return "node: " + string(r.Node.Cause)
	case r.Failure != nil:
		return "quota: " + string(r.Failure.Cause)
	}
	return "mismatch"
}
