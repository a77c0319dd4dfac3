package whatif

import corev1 "k8s.io/api/core/v1"

// untolerated returns the first taint with one of these effects that no toleration tolerates, nil if there is none.
//
// Source: FindMatchingUntoleratedTaint of k8s.io/component-helpers/scheduling/corev1.
func untolerated(taints []corev1.Taint, tolerations []corev1.Toleration, effects ...corev1.TaintEffect) *corev1.Taint {
	for i := range taints {
		for _, effect := range effects {
			if taints[i].Effect == effect && !tolerates(tolerations, &taints[i]) {
				return &taints[i]
			}
		}
	}
	return nil
}

// tolerates reports whether any toleration tolerates a taint. The operators Lt and Gt never do: their feature gate,
// TaintTolerationComparisonOperators, is off by default.
//
// Source: Toleration.ToleratesTaint of k8s.io/api/core/v1.
func tolerates(tolerations []corev1.Toleration, taint *corev1.Taint) bool {
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
