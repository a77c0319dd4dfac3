package nodetree

import (
	"iter"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
)

// Options are the CPU of a node and the configuration of its kubelet. The zero value has no CPU,
// and is a default cluster otherwise.
type Options struct {
	MilliCPU   int64 // milli-units of CPU that pods can use
	Kubelet    cgroupconfig.Options
	Driver     cgroupname.Driver
	CgroupRoot string // the kubelet's --cgroup-root, as in cgroupname.Identity

	// Demands are the milli-units of CPU that containers want, by the metadata.uid of the pod,
	// also of a mirror pod, and the name of the container. A container that is not in it wants
	// all that it can get.
	Demands map[types.UID]map[string]int64
}

// Tree is a cgroup with all below it.
type Tree struct {
	// Level is AllPods for the root, Tier for a QoS class, Pod, or Container: an app container, or a
	// sidecar.
	Level cgroupname.IdentityKind `json:"level,omitempty"`

	// Title is what to call it: kubepods, burstable or besteffort, namespace/name of a
	// pod, the name of a container.
	Title string `json:"title,omitempty"`

	// Path is the path relative to the mount point. The path of a container is only known if the
	// status of its pod has the container's ID.
	Path string `json:"path,omitempty"`

	Class       corev1.PodQOSClass  `json:"class,omitempty"` // that of the pods in it; Guaranteed for the root
	Config      cgroupconfig.Cgroup `json:"config,omitzero"`
	OOMScoreAdj int                 `json:"oomScoreAdj"` // of a container

	// CPU is what the cgroup gets if all cgroups want CPU, in milli-units, exactly.
	CPU struct {
		// Shares is what cgroup v1 gives, by shares.
		Shares resourcelist.Rational `json:"shares,omitempty"`
		// Linear is what cgroup v2 gives with linear weights: those of a kubelet and of runc
		// before 1.3.2, or crun before 1.23.
		Linear resourcelist.Rational `json:"linear,omitempty"`
		// Mixed is what cgroup v2 gives with linear weights of tiers and pods, by the kubelet,
		// and logarithmic ones of containers, by runc since 1.3.2, or crun since 1.23.
		Mixed resourcelist.Rational `json:"mixed,omitempty"`
	} `json:"cpu"`

	// Demand is what a container wants, in milli-units, if it is in Options.Demands: at least 0. If nil, it wants all
	// that it can get.
	Demand *int64 `json:"demand,omitempty"`

	// Children are the Guaranteed pods and the tiers of the root, by namespace, name and
	// UID of the cgroup the pods of a tier, and the containers of a pod that run side by side: sidecars,
	// then app containers.
	Children []Tree `json:"children,omitempty"`
}

// All yields the tree and all trees below it, depth first, each with its depth below t.
func (t *Tree) All() iter.Seq2[int, *Tree] {
	return func(yield func(int, *Tree) bool) { t.visit(0, yield) }
}

// visit reports whether to go on.
func (t *Tree) visit(depth int, yield func(int, *Tree) bool) bool {
	if t == nil {
		return true
	}
	if !yield(depth, t) {
		return false
	}
	for i := range t.Children {
		if !t.Children[i].visit(depth+1, yield) {
			return false
		}
	}
	return true
}
