// Package taints answers which taints of a node a pod tolerates.
package taints

import corev1 "k8s.io/api/core/v1"

// Untolerated reports whether there is a taint with one of these effects that no toleration tolerates.
//
// Source: FindMatchingUntoleratedTaint of k8s.io/component-helpers/scheduling/corev1.
func Untolerated(taints []corev1.Taint, tolerations []corev1.Toleration, effects ...corev1.TaintEffect) bool {
	for i := range taints {
		for _, effect := range effects {
			if taints[i].Effect == effect && !Tolerated(&taints[i], tolerations) {
				return true
			}
		}
	}
	return false
}

// Tolerated reports whether any toleration tolerates a taint. The operators Lt and Gt never do: their feature gate,
// TaintTolerationComparisonOperators, is off by default.
//
// Source: Toleration.ToleratesTaint of k8s.io/api/core/v1.
func Tolerated(taint *corev1.Taint, tolerations []corev1.Toleration) bool {
	for i := range tolerations {
		t := &tolerations[i]
		if t.Effect != "" && t.Effect != taint.Effect || t.Key != "" && t.Key != taint.Key {
			continue
		}
		switch t.Operator {
		case "", corev1.TolerationOpEqual:
			if t.Value == taint.Value {
				return true
			}
		case corev1.TolerationOpExists:
			return true
		}
	}
	return false
}

// IsCordonTolerated reports whether any toleration tolerates a cordoned node, which the scheduler sees as a taint
// without a value.
func IsCordonTolerated(tolerations []corev1.Toleration) bool {
	return Tolerated(&corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}, tolerations)
}

// Avoided returns how many taints with the effect PreferNoSchedule no toleration tolerates. The scheduler prefers nodes
// with few of them.
//
// Source: countIntolerableTaintsPreferNoSchedule of k8s.io/kubernetes/pkg/scheduler/framework/plugins/tainttoleration.
func Avoided(taints []corev1.Taint, tolerations []corev1.Toleration) (n int) {
	for i := range taints {
		if taints[i].Effect == corev1.TaintEffectPreferNoSchedule && !Tolerated(&taints[i], tolerations) {
			n++
		}
	}
	return n
}
