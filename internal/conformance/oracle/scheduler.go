package oracle

import (
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/feature"
)

// SchedulerFeatures returns the gates of the scheduler's plugins in a default cluster, but without dynamic resource
// allocation, whose manager tests do not have.
func SchedulerFeatures() feature.Features {
	features := feature.NewSchedulerFeaturesFromGates(utilfeature.DefaultFeatureGate)
	features.EnableDRAExtendedResource = false
	features.EnableDRANodeAllocatableResources = false
	return features
}
