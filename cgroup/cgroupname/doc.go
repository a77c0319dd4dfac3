// Package cgroupname says what the cgroups of pods and containers are called, and reads those
// names back.
//
//	id := cgroupname.Identity{Driver: cgroupname.Systemd, Class: corev1.PodQOSBurstable, UID: "123-456"}
//	path, err := id.Path()
//	// /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice
//	id, err = cgroupname.Parse(path)
//
// A [Name] is the abstract name of a cgroup, as the kubelet uses it inside: a list of
// components. On a node one of two drivers formats it. cgroupfs joins the components; systemd
// makes each prefix a slice of its own, in which "-" separates components, so that a "-" within
// a component becomes "_".
//
// An [Identity] is what such a name means: the root of all pods, a tier, which is the parent of
// the pods of a class (the kubelet calls it a QoS class cgroup), a pod, a container, for which
// the runtime adds a last element, or the process that watches a container for its runtime.
//
//	                cgroupfs                            systemd
//	root            /kubepods                           /kubepods.slice
//	tier            /kubepods/burstable                 /kubepods.slice/kubepods-burstable.slice
//	pod             /kubepods/burstable/pod<UID>        …/kubepods-burstable-pod<UID>.slice
//	Guaranteed pod  /kubepods/pod<UID>                  /kubepods.slice/kubepods-pod<UID>.slice
//	container       …/<ID>                              …/cri-containerd-<ID>.scope
//	monitor         …/crio-conmon-<ID>                  …/crio-conmon-<ID>.scope
//
// Nothing is looked up on a node: a name may be that of a cgroup that does not exist.
//
// # Contract
//
// Functions are pure. Parsing what was formatted gives the same again, and formatting
// what was parsed, too. Names that no kubelet or runtime makes are errors of type
// [*InvalidNameError].
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.36 pkg/kubelet/cm;
// ExpandSlice of github.com/opencontainers/cgroups/systemd; MoveConmonToCgroup of
// github.com/cri-o/cri-o/internal/config/cgmgr; systemd.unit(5).
package cgroupname
