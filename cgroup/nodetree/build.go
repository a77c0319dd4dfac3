package nodetree

import (
	"cmp"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/qos"
)

// Build returns the root of the tree of cgroups for the given pods. Those that are nil, or
// have come to their end, have no cgroup and are passed over. Of a pod, the containers
// count that run side by side: no init containers but sidecars.
//
// It returns a PodError for a pod whose UID is missing, cannot be part of the name of a
// cgroup, or is another's, too, or whose class does not exist; and an error for a node with
// less than no CPU, or one whose driver or root cannot name a cgroup.
//
// Cost: n log n for n pods.
func Build(pods []*corev1.Pod, node Options) (Tree, error) {
	if node.MilliCPU < 0 {
		return Tree{}, fmt.Errorf("a node with %dm of CPU", node.MilliCPU)
	}
	pods = running(pods)
	if err := checkUIDs(pods); err != nil {
		return Tree{}, err
	}
	b := builder{node: &node}
	tiers := cgroupconfig.ForTiers(pods, node.Kubelet)
	root := b.group(Root, "kubepods", cgroupname.Identity{Class: corev1.PodQOSGuaranteed}, b.rootConfig(tiers.Guaranteed))
	burstable := b.group(Tier, "burstable", cgroupname.Identity{Class: corev1.PodQOSBurstable}, tiers.Burstable)
	bestEffort := b.group(Tier, "besteffort", cgroupname.Identity{Class: corev1.PodQOSBestEffort}, tiers.BestEffort)
	if b.err != nil {
		return Tree{}, b.err
	}
	for _, pod := range pods {
		g := b.pod(pod)
		if b.err != nil {
			return Tree{}, &PodError{pod.Namespace, pod.Name, b.err}
		}
		switch g.Class {
		case corev1.PodQOSGuaranteed:
			root.Children = append(root.Children, g)
		case corev1.PodQOSBurstable:
			burstable.Children = append(burstable.Children, g)
		default:
			bestEffort.Children = append(bestEffort.Children, g)
		}
	}
	root.Children = append(root.Children, burstable, bestEffort)
	b.divide(&root)
	return root, nil
}

// PodError says why a pod has no cgroup.
type PodError struct {
	Namespace, Name string
	Err             error
}

// Error returns "pod shop/web: " and the reason.
func (e *PodError) Error() string {
	return "pod " + qualified(e.Namespace, e.Name) + ": " + e.Err.Error()
}

// Unwrap returns the reason.
func (e *PodError) Unwrap() error { return e.Err }

func qualified(namespace, name string) string {
	if namespace == "" {
		return name
	}
	return namespace + "/" + name
}

// running returns the pods that have cgroups, sorted.
func running(pods []*corev1.Pod) []*corev1.Pod {
	var live []*corev1.Pod
	for _, pod := range pods {
		if pod != nil && !podwalk.HasEnded(pod) {
			live = append(live, pod)
		}
	}
	slices.SortStableFunc(live, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.UID, b.UID))
	})
	return live
}

func checkUIDs(pods []*corev1.Pod) error {
	owner := make(map[types.UID]*corev1.Pod, len(pods))
	for _, pod := range pods {
		if pod.UID == "" {
			return &PodError{pod.Namespace, pod.Name, errors.New("it has no UID")}
		}
		if other := owner[pod.UID]; other != nil {
			return &PodError{pod.Namespace, pod.Name, fmt.Errorf("it has the UID of pod %s", qualified(other.Namespace, other.Name))}
		}
		owner[pod.UID] = pod
	}
	return nil
}

// builder makes groups. The first error stays.
type builder struct {
	node *Options
	err  error
}

// group returns a group without children, of a cgroup that the kubelet makes.
func (b *builder) group(kind Level, title string, ref cgroupname.Identity, c cgroupconfig.Cgroup) Tree {
	return Tree{Level: kind, Title: title, Path: b.path(ref), Class: ref.Class, Config: b.inForce(c)}
}

func (b *builder) path(ref cgroupname.Identity) string {
	ref.Driver, ref.CgroupRoot = b.node.Driver, b.node.CgroupRoot
	path, err := ref.Path()
	if b.err == nil {
		b.err = err
	}
	return path
}

func (b *builder) inForce(c cgroupconfig.Cgroup) cgroupconfig.Cgroup {
	if b.node.Driver == cgroupname.Systemd {
		return c.UnderSystemd()
	}
	return c
}

// rootConfig returns what is set on the root, of which ForTiers gives a part.
func (b *builder) rootConfig(tier cgroupconfig.Cgroup) cgroupconfig.Cgroup {
	c := cgroupconfig.ForAllocatable(corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(b.node.MilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(b.node.Kubelet.Node.AllocatableMemory, resource.BinarySI),
	})
	c.MemoryMin, c.HugePages = tier.MemoryMin, tier.HugePages
	return c
}

func (b *builder) pod(pod *corev1.Pod) Tree {
	ref := cgroupname.Identity{Class: qos.PodClass(pod, qos.Options{}), UID: pod.UID}
	g := b.group(Pod, qualified(pod.Namespace, pod.Name), ref, cgroupconfig.ForPod(pod, b.node.Kubelet))
	cs := podwalk.Of(&pod.Spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		if !kind.RunsBesideApps() {
			continue
		}
		set := cgroupconfig.ForContainer(pod, c, b.node.Kubelet)
		g.Children = append(g.Children, Tree{
			Level: Container, Title: c.Name, Path: b.containerPath(ref, pod, c.Name), Class: ref.Class,
			Config: b.inForce(set.Cgroup), OOMScoreAdj: set.OOMScoreAdj, demand: b.demand(pod.UID, c.Name),
		})
	}
	return g
}

// demand returns what a container wants, and nil if it wants all that it can get. Nobody
// wants less than nothing.
func (b *builder) demand(pod types.UID, container string) *big.Rat {
	milliCPU, bounded := b.node.Demands[ContainerKey{pod, container}]
	if !bounded {
		return nil
	}
	return big.NewRat(max(0, milliCPU), 1)
}

// containerPath returns the path of a container, if the status of its pod tells its ID in
// a way that a path can be made of.
func (b *builder) containerPath(ref cgroupname.Identity, pod *corev1.Pod, name string) string {
	runtime, id, ok := strings.Cut(containerID(&pod.Status, name), "://")
	if !ok {
		return ""
	}
	ref.Driver, ref.CgroupRoot, ref.Container = b.node.Driver, b.node.CgroupRoot, id
	ref.Runtime = prefix(runtime, b.node.Driver)
	path, err := ref.Path()
	if err != nil {
		return ""
	}
	return path
}

// prefix returns what a runtime puts before the ID of a container.
func prefix(runtime string, driver cgroupname.Driver) string {
	switch {
	case runtime == "cri-o":
		return "crio"
	case driver == cgroupname.Cgroupfs:
		return ""
	case runtime == "containerd":
		return "cri-containerd"
	default:
		return runtime
	}
}

// containerID returns what a status calls the ID of a container, and nothing if it does
// not know one.
func containerID(status *corev1.PodStatus, name string) string {
	for _, statuses := range [...][]corev1.ContainerStatus{status.ContainerStatuses, status.InitContainerStatuses} {
		for i := range statuses {
			if statuses[i].Name == name {
				return statuses[i].ContainerID
			}
		}
	}
	return ""
}
