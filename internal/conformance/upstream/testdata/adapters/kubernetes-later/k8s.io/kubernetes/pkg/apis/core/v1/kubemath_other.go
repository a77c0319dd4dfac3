package v1

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"
)

// otherDefaults sets what is no resource, and not set by 1.36.
func otherDefaults(obj *corev1.Pod) {
	if seconds := obj.Spec.TerminationGracePeriodSeconds; seconds != nil && *seconds < 0 {
		obj.Spec.TerminationGracePeriodSeconds = new(int64(1))
	}
	if utilfeature.DefaultFeatureGate.Enabled(features.H2CContainerProbe) {
		defaultHTTPProbeProtocol(obj.Spec.Containers)
		defaultHTTPProbeProtocol(obj.Spec.InitContainers)
		defaultHTTPProbeProtocolEphemeral(obj.Spec.EphemeralContainers)
	}
}
