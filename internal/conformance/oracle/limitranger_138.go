//go:build kubernetes138

package oracle

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
)

// PodViolations returns why a LimitRange refuses a pod, or its update.
func PodViolations(lr *corev1.LimitRange, pod, old *core.Pod) error {
	return limitranger.PodValidateLimitFunc(lr, pod, old)
}

// ClaimViolations returns why a LimitRange refuses a claim, or its update.
func ClaimViolations(lr *corev1.LimitRange, claim, old *core.PersistentVolumeClaim) error {
	return limitranger.PersistentVolumeClaimValidateLimitFunc(lr, claim, old)
}
