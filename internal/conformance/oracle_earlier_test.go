//go:build !kubernetes138

package conformance

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
)

func upstreamPodViolations(lr *corev1.LimitRange, pod, _ *core.Pod) error {
	return limitranger.PodValidateLimitFunc(lr, pod)
}

func upstreamClaimViolations(lr *corev1.LimitRange, claim, _ *core.PersistentVolumeClaim) error {
	return limitranger.PersistentVolumeClaimValidateLimitFunc(lr, claim)
}
