// Package cgroupname formats and parses the names of cgroups: what the cgroup of a pod or container is called, and
// whose cgroup a path is.
//
//	id := cgroupname.Identity{Driver: cgroupname.Systemd, Class: corev1.PodQOSBurstable, UID: "123-456"}
//	path, err := id.Path()
//	// /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice
//	id, err = cgroupname.Parse(path)
//
// An [Identity] is the meaning of a path: the root of all pods; a tier, which is the parent of the pods
// of a QoS class; a pod; a container, for which the runtime adds a last element; or the process that
// monitors a container for its runtime.
//
// # The names
//
//	                cgroupfs                            systemd
//	root            /kubepods                           /kubepods.slice
//	tier            /kubepods/burstable                 /kubepods.slice/kubepods-burstable.slice
//	pod             /kubepods/burstable/pod<UID>        …/kubepods-burstable-pod<UID>.slice
//	Guaranteed pod  /kubepods/pod<UID>                  /kubepods.slice/kubepods-pod<UID>.slice
//	container       …/<ID>                              …/cri-containerd-<ID>.scope
//	monitor         …/crio-conmon-<ID>                  …/crio-conmon-<ID>.scope
//
// The kubelet's name of a cgroup is a list of components, which one of two drivers formats. cgroupfs joins
// them with "/". systemd makes each prefix a slice, in which "-" separates components, so a "-" within a
// component becomes "_".
//
// [UIDOf] returns the UID of a pod in these names, also of a static pod that was read from the API
// server. Nothing is looked up on a node: the cgroup need not exist.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Parsing a formatted path returns the same
// identity, and formatting a parsed identity returns the same path. A path that no kubelet or runtime
// creates is an error.
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.37 pkg/kubelet/cm;
// ExpandSlice of github.com/opencontainers/cgroups/systemd; MoveConmonToCgroup of
// github.com/cri-o/cri-o/internal/config/cgmgr; systemd.unit(5).
package cgroupname
