package nodetree

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/qos"
)

// Build returns the root of the tree of cgroups for the given pods. Nil pods and pods that have
// ended (computeresources.HasEnded) are ignored: they have no cgroup. The containers of a pod that
// run at the same time count: app containers and sidecars. Mirror pods have the cgroups of their static pods:
// see cgroupname.UIDOf.
//
// It returns an error, which names the pod, if the UID of a pod is missing, is that of another pod, or
// cannot be part of the name of a cgroup, or if its class does not exist; and an error if opts.MilliCPU
// is negative, or the driver or the root cannot name a cgroup.
//
// Cost: n log n for n pods. For each container, its whole pod is read.
func Build(pods []*corev1.Pod, opts Options) (Tree, error) {
	if opts.MilliCPU < 0 {
		return Tree{}, fmt.Errorf("a node with %dm of CPU", opts.MilliCPU)
	}
	pods = running(pods)
	if err := checkUIDs(pods); err != nil {
		return Tree{}, err
	}
	b := builder{opts: &opts}
	tiers := cgroupconfig.ForTiers(pods, opts.Kubelet)
	root := b.tree(cgroupname.AllPods, "kubepods", cgroupname.Identity{Class: corev1.PodQOSGuaranteed},
		b.rootConfig(tiers.Guaranteed))
	burstable := b.tree(cgroupname.Tier, "burstable", cgroupname.Identity{Class: corev1.PodQOSBurstable}, tiers.Burstable)
	bestEffort := b.tree(cgroupname.Tier, "besteffort", cgroupname.Identity{Class: corev1.PodQOSBestEffort},
		tiers.BestEffort)
	if b.err != nil {
		return Tree{}, b.err
	}
	for _, pod := range pods {
		tree := b.pod(pod)
		if b.err != nil {
			return Tree{}, ofPod(pod, b.err)
		}
		switch tree.Class {
		case corev1.PodQOSGuaranteed:
			root.Children = append(root.Children, tree)
		case corev1.PodQOSBurstable:
			burstable.Children = append(burstable.Children, tree)
		default:
			bestEffort.Children = append(bestEffort.Children, tree)
		}
	}
	root.Children = append(root.Children, burstable, bestEffort)
	b.divide(&root)
	return root, nil
}

// ofPod returns "pod shop/web: " and the reason.
func ofPod(pod *corev1.Pod, reason error) error {
	return fmt.Errorf("pod %s: %w", qualified(pod), reason)
}

func qualified(pod *corev1.Pod) string {
	if pod.Namespace == "" {
		return pod.Name
	}
	return pod.Namespace + "/" + pod.Name
}

// running returns the pods that have cgroups, sorted.
func running(pods []*corev1.Pod) []*corev1.Pod {
	var live []*corev1.Pod
	for _, pod := range pods {
		if pod != nil && !computeresources.HasEnded(pod) {
			live = append(live, pod)
		}
	}
	slices.SortStableFunc(live, func(a, b *corev1.Pod) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name),
			cmp.Compare(cgroupname.UIDOf(a), cgroupname.UIDOf(b)))
	})
	return live
}

func checkUIDs(pods []*corev1.Pod) error {
	owner := make(map[types.UID]*corev1.Pod, len(pods))
	for _, pod := range pods {
		uid := cgroupname.UIDOf(pod)
		if uid == "" {
			return ofPod(pod, errors.New("it has no UID"))
		}
		if other := owner[uid]; other != nil {
			return ofPod(pod, fmt.Errorf("it has the UID of pod %s", qualified(other)))
		}
		owner[uid] = pod
	}
	return nil
}

// builder builds trees. It keeps the first error.
type builder struct {
	opts *Options
	err  error
}

// tree returns a tree without children, of a cgroup that the kubelet makes.
func (b *builder) tree(
	level cgroupname.IdentityKind, title string, id cgroupname.Identity, c cgroupconfig.Cgroup,
) Tree {
	return Tree{Level: level, Title: title, Path: b.path(id), Class: id.Class, Config: b.inForce(c)}
}

func (b *builder) path(id cgroupname.Identity) string {
	id.Driver, id.CgroupRoot = b.opts.Driver, b.opts.CgroupRoot
	path, err := id.Path()
	if b.err == nil {
		b.err = err
	}
	return path
}

// inForce returns the effect of setting c through the driver: systemd rounds the quota up to whole
// hundredths of a CPU.
func (b *builder) inForce(c cgroupconfig.Cgroup) cgroupconfig.Cgroup {
	if b.opts.Driver == cgroupname.Systemd && c.Quota.Set {
		_, c.Quota.Amount = cgroup.SystemdQuota(c.Quota.Amount, c.Period.Amount)
	}
	return c
}

// rootConfig returns the configuration of the root. ForTiers returns a part of it.
func (b *builder) rootConfig(tier cgroupconfig.Cgroup) cgroupconfig.Cgroup {
	c := cgroupconfig.ForAllocatable(corev1.ResourceList{
		corev1.ResourceCPU:    *resource.NewMilliQuantity(b.opts.MilliCPU, resource.DecimalSI),
		corev1.ResourceMemory: *resource.NewQuantity(b.opts.Kubelet.NodeMemory.Allocatable, resource.BinarySI),
	})
	c.MemoryMin, c.MemoryLow, c.HugePages = tier.MemoryMin, tier.MemoryLow, tier.HugePages
	return c
}

func (b *builder) pod(pod *corev1.Pod) Tree {
	id := cgroupname.Identity{Class: qos.PodClass(pod, b.opts.Kubelet.Kubernetes), UID: cgroupname.UIDOf(pod)}
	tree := b.tree(cgroupname.Pod, qualified(pod), id, cgroupconfig.ForPod(pod, b.opts.Kubelet))
	cs := podwalk.Of(&pod.Spec)
	for i := range cs.Len() {
		kind, c := cs.At(i)
		if !kind.RunsBesideApps() {
			continue
		}
		set := cgroupconfig.ForContainer(pod, c, b.opts.Kubelet)
		tree.Children = append(tree.Children, Tree{
			Level: cgroupname.Container, Title: c.Name, Path: b.containerPath(id, pod, c.Name), Class: id.Class,
			Config: b.inForce(set.Cgroup), OOMScoreAdj: set.OOMScoreAdj, Demand: b.demand(pod.UID, c.Name),
		})
	}
	return tree
}

// demand returns the CPU that a container wants, or nil if it wants all that it can get. A
// negative demand counts as zero.
func (b *builder) demand(pod types.UID, container string) *int64 {
	milliCPU, bounded := b.opts.Demands[pod][container]
	if !bounded {
		return nil
	}
	milliCPU = max(0, milliCPU)
	return &milliCPU
}

// containerPath returns the path of a container if the status of its pod has an ID from which a
// path can be built.
func (b *builder) containerPath(id cgroupname.Identity, pod *corev1.Pod, name string) string {
	runtime, container, ok := strings.Cut(containerID(&pod.Status, name), "://")
	if !ok {
		return ""
	}
	id.Driver, id.CgroupRoot, id.Container = b.opts.Driver, b.opts.CgroupRoot, container
	id.Runtime = prefix(runtime, b.opts.Driver)
	path, err := id.Path()
	if err != nil {
		return ""
	}
	return path
}

// prefix returns the prefix that a runtime puts before the ID of a container.
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

// containerID returns the ID of a container in a status, or "" if the status has none.
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
