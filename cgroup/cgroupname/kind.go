package cgroupname

import corev1 "k8s.io/api/core/v1"

// IdentityKind is the kind of a cgroup. The zero value is unspecified.
type IdentityKind string

const (
	AllPods         IdentityKind = "AllPods"         // the root of all pods, and the tier of Guaranteed ones
	Tier            IdentityKind = "Tier"            // the pods of another class
	Pod             IdentityKind = "Pod"             // one pod
	Container       IdentityKind = "Container"       // one container
	WithinContainer IdentityKind = "WithinContainer" // what a container has created below its own
	Monitor         IdentityKind = "Monitor"         // the process that watches a container: CRI-O's conmon
)

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
	return ""
}
