package cgroupname

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/enum"
)

// IdentityKind is the kind of a cgroup. The zero value is unspecified.
type IdentityKind uint8

const (
	AllPods         IdentityKind = iota + 1 // the root of all pods, which is the tier of Guaranteed ones, too
	Tier                                    // the pods of another class
	Pod                                     // one pod
	Container                               // one container
	WithinContainer                         // what a container has made below its own
	Monitor                                 // the process that watches a container: CRI-O's conmon
)

// String returns "all pods", "tier", "pod", "container", "within a container" or "monitor";
// "unspecified" for the zero value, and "unknown" for any other value.
func (k IdentityKind) String() string {
	switch k {
	case 0:
		return "unspecified"
	case AllPods:
		return "all pods"
	case Tier:
		return "tier"
	case Pod:
		return "pod"
	case Container:
		return "container"
	case WithinContainer:
		return "within a container"
	case Monitor:
		return "monitor"
	}
	return enum.Unknown
}

// MarshalText returns the name that String returns, and an error for an undefined value.
func (k IdentityKind) MarshalText() ([]byte, error) { return enum.Marshal(k) }

// UnmarshalText sets k to the kind of that name. An unknown name is an error.
func (k *IdentityKind) UnmarshalText(text []byte) error {
	return enum.Unmarshal(k, text, Monitor)
}

// Kind returns the kind of the cgroup, from the fields that are set. It is unspecified for an
// Identity with neither a class nor a pod.
func (id Identity) Kind() IdentityKind {
	switch {
	case id.Monitors != "":
		return Monitor
	case id.Below != "":
		return WithinContainer
	case id.Container != "":
		return Container
	case id.UID != "":
		return Pod
	case id.Class == corev1.PodQOSGuaranteed:
		return AllPods
	case id.Class == corev1.PodQOSBurstable, id.Class == corev1.PodQOSBestEffort:
		return Tier
	}
	return 0
}
