//go:build !kubernetes138

package conformance

import (
	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/plugin/pkg/admission/limitranger"
)

func upstreamPodViolations(lr *corev1.LimitRange, pod, _ *core.Pod) error {
	return limitranger.PodValidateLimitFunc(lr, pod)
}

func (m *deviceManager) ListWithDeviceTaintRules() ([]*resourcev1.ResourceSlice, error) {
	return nil, nil
}

func (p *preemptors) NominatedPodsForNode(name string) []fwk.PodInfo { return p.nominated[name] }

func upstreamClaimViolations(lr *corev1.LimitRange, claim, _ *core.PersistentVolumeClaim) error {
	return limitranger.PersistentVolumeClaimValidateLimitFunc(lr, claim)
}
