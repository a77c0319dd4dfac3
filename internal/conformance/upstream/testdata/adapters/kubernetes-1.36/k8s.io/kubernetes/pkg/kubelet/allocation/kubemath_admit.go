package allocation

import (
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
)

func (h *podResizesAdmitHandler) Admit(attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return h.admit(attrs, h.upstreamAdmit(attrs))
}

// unanswered returns why resizes are left to the kubelet, "" if they are not.
func unanswered() string { return "" }
