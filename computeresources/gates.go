package computeresources

// Gates are the feature gates of a cluster that change its answers about resources. The zero value
// is a default cluster, as the contract of the module says. Options embed Gates, and functions without other options take
// them as their last argument; each says which of them it looks at, and ignores the others.
//
// The fields of pointers are gates that are not equal in all components by default: nil is the
// default of the component that a function stands for. Gates are only read.
type Gates struct {
	// IgnorePodLevel ignores spec.resources, like a cluster without PodLevelResources (KEP-2837).
	IgnorePodLevel bool

	// PodLevelStatus is InPlacePodLevelResourcesVerticalScaling (KEP-5419). If it is on,
	// status.resources and status.allocatedResources of a pod count, and pods with pod-level
	// resources can be resized. By default, it is on in the scheduler and for resizes, but off for
	// the usage of quotas, since the quota controller does not read it.
	PodLevelStatus *bool

	// InitContainers is InPlacePodVerticalScalingInitContainers: init containers that run to
	// completion can be resized. It is on by default. Sidecars can be resized in any case.
	InitContainers *bool

	// NodeDeclaredFeatures is the gate of that name: a resize needs the features that its node
	// declares. It is on by default, and off before Kubernetes 1.36.
	NodeDeclaredFeatures *bool
}

// isOff reports whether a gate that is on by default is off.
func isOff(gate *bool) bool { return gate != nil && !*gate }
