package allocation

import (
	"context"

	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func (h *podResizesAdmitHandler) Admit(ctx context.Context, attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return h.admit(attrs, h.upstreamAdmit(ctx, attrs))
}

// unanswered returns why resizes are left to the kubelet, "" if they are not.
func unanswered() string {
	if isOn(features.InPlacePodVerticalScalingMemoryBackedVolumes) {
		return "sizes of volumes, with the gate InPlacePodVerticalScalingMemoryBackedVolumes"
	}
	return ""
}
