package computeresources

// Gates are the feature gates of a cluster that change its answers about resources. The zero value is a default
// cluster, as the contract of the module says. Options embed Gates, and functions without other options take them
// as their last argument; each says which of them it looks at, and ignores the others.
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

	// MaxPerContainer selects the sums of Kubernetes 1.36 for pods that are resized in place
	// (KEP-1287): the largest of the desired, allocated and actuated amounts of each container are
	// added up. Since 1.37, the largest of the three sums counts, because a resize is allocated and
	// actuated for all containers at once (kubernetes/kubernetes 140046). For example, while one
	// container is resized from 1 CPU to 2, and another one from 2 to 1, 1.36 counts 4 CPUs and 1.37
	// counts 3. A scheduler or quota for a cluster of 1.36 has to set it. Functions that count the
	// status of a pod look at it.
	//
	// Also as in 1.36, the status of a container only counts if it has resources, and never that of
	// an init container that runs to completion; the pod-level status only counts for resources
	// that spec.resources sets; and limits do not include Options.ClaimedFromNode, also of pod specs.
	MaxPerContainer bool
}

// isOff reports whether a gate that is on by default is off.
func isOff(gate *bool) bool { return gate != nil && !*gate }
