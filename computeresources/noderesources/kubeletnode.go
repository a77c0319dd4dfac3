package noderesources

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/release"
)

// kubeletNode is a node as its kubelet counts it.
type kubeletNode struct {
	sums
	opts     *KubeletOptions
	pods     []*corev1.Pod // with their allocated resources, nil for those that do not count; only read
	requests []Request     // of these pods
}

// newKubeletNode returns a node with those of the pods that count.
func newKubeletNode(allocatable corev1.ResourceList, pods []*corev1.Pod, opts *KubeletOptions) *kubeletNode {
	n := &kubeletNode{opts: opts, pods: opts.active(pods), requests: make([]Request, len(pods))}
	n.setAllocatable(allocatable)
	for i, pod := range n.pods {
		if pod != nil {
			n.add(i, pod)
		}
	}
	return n
}

// active returns the pods with their allocated resources, and nil for those that do not count: nil pods, pods
// that have ended, and all but the first with one UID.
func (o *KubeletOptions) active(pods []*corev1.Pod) []*corev1.Pod {
	active, known := make([]*corev1.Pod, len(pods)), map[types.UID]bool{}
	for i, pod := range pods {
		if pod != nil && !podwalk.HasEnded(pod) && (pod.UID == "" || !known[pod.UID]) {
			known[pod.UID] = true
			active[i], _ = o.allocated(pod)
		}
	}
	return active
}

// add adds a pod with the resources in its spec as the allocated ones.
func (n *kubeletNode) add(i int, pod *corev1.Pod) {
	n.pods[i], n.requests[i] = pod, PodRequest(pod, computeresources.Options{Kubernetes: n.opts.Kubernetes})
	n.count(&n.requests[i])
}

func (n *kubeletNode) remove(i int) {
	n.pods[i] = nil
	n.discount(&n.requests[i])
}

// counted returns the spec of a pod without the requests that the kubelet ignores. It is only to be read.
//
// Source: removeMissingExtendedResources of k8s.io/kubernetes/pkg/kubelet/lifecycle.
func (n *kubeletNode) counted(pod *corev1.Pod) *corev1.PodSpec {
	spec := pod.Spec
	for _, containers := range []*[]corev1.Container{&spec.Containers, &spec.InitContainers} {
		*containers = slices.Clone(*containers)
		for i := range *containers {
			c := &(*containers)[i]
			c.Resources.Requests = maps.Clone(c.Resources.Requests)
			for name := range c.Resources.Requests {
				if resourcelist.IsExtended(name) && !n.columnOf(name).isListed || isClaimed(pod, c.Name, name) {
					delete(c.Resources.Requests, name)
				}
			}
		}
	}
	return &spec
}

// isClaimed reports whether the request of a container is served by a resource claim.
func isClaimed(pod *corev1.Pod, container string, name corev1.ResourceName) bool {
	claims := pod.Status.ExtendedResourceClaimStatus
	isDeviceClass := strings.HasPrefix(string(name), resourcev1.ResourceDeviceClassPrefix)
	if claims == nil || !resourcelist.IsExtended(name) && !isDeviceClass {
		return false
	}
	return slices.ContainsFunc(claims.RequestMappings, func(m corev1.ContainerExtendedResourceRequest) bool {
		return m.ContainerName == container && m.ResourceName == string(name)
	})
}

// allocated returns the pod with the resources that its node has allocated in the place of the desired ones,
// and whether they differ. It is the pod itself, or a copy that shares all else with the pod and is only
// to be read.
//
// Statuses tell allocated requests, of containers each and of the pod in total. They have no allocated limits:
// those in effect count for containers, and the desired ones for the pod.
//
// Source: updatePodFromAllocation of k8s.io/kubernetes/pkg/kubelet/allocation, and
// convertToAPIContainerStatuses of k8s.io/kubernetes/pkg/kubelet, which writes the statuses.
func (o *KubeletOptions) allocated(pod *corev1.Pod) (_ *corev1.Pod, differs bool) {
	own := *pod
	containers := podwalk.Of(&pod.Spec)
	for i := range containers.Len() {
		kind, c := containers.At(i)
		status := statusOf(&pod.Status, c.Name)
		if !o.isResizable(kind) || status == nil {
			continue
		}
		limits := c.Resources.Limits
		if status.Resources != nil {
			limits = status.Resources.Limits
		}
		if resourcelist.Equals(c.Resources.Requests, status.AllocatedResources) &&
			resourcelist.Equals(c.Resources.Limits, limits) {
			continue
		}
		if !differs {
			own.Spec.Containers = slices.Clone(own.Spec.Containers)
			own.Spec.InitContainers = slices.Clone(own.Spec.InitContainers)
		}
		differs = true
		_, c = podwalk.Of(&own.Spec).At(i)
		c.Resources.Requests, c.Resources.Limits = status.AllocatedResources, limits
	}
	if requests, differ := o.allocatedOfPod(pod); differ {
		own.Spec.Resources = &corev1.ResourceRequirements{Requests: requests, Limits: pod.Spec.Resources.Limits}
		differs = true
	}
	if !differs {
		return pod, false
	}
	own.Status.QOSClass = eviction.Class(pod, release.Rules(o.Kubernetes)) // which a resize never changes
	return &own, true
}

// allocatedOfPod returns the allocated pod-level requests, if they differ from the desired ones. The kubelet
// reports them with the overhead of the pod.
func (o *KubeletOptions) allocatedOfPod(pod *corev1.Pod) (requests corev1.ResourceList, differ bool) {
	if pod.Spec.Resources == nil || !release.Rules(o.Kubernetes).ResizesPodLevel() {
		return nil, false
	}
	requests = maps.Clone(pod.Spec.Resources.Requests)
	for name, desired := range pod.Spec.Resources.Requests {
		total, known := pod.Status.AllocatedResources[name]
		if !known || !resourcelist.IsPodLevel(name) {
			continue
		}
		if overhead, set := pod.Spec.Overhead[name]; set {
			total = quantity.Minus(total, overhead)
		}
		if total.Cmp(desired) != 0 {
			requests[name], differ = total, true
		}
	}
	return requests, differ
}

// statusOf returns the status of a container by which the node reports resources, and nil if there is none.
func statusOf(status *corev1.PodStatus, name string) *corev1.ContainerStatus {
	for _, list := range [...][]corev1.ContainerStatus{status.ContainerStatuses, status.InitContainerStatuses} {
		for i := range list {
			if s := &list[i]; s.Name == name && (s.Resources != nil || s.AllocatedResources != nil) {
				return s
			}
		}
	}
	return nil
}

// isResizable reports whether the node allocates resources anew for containers of a kind.
func (o *KubeletOptions) isResizable(kind podwalk.Kind) bool {
	return kind.RunsBesideApps() || release.Rules(o.Kubernetes).ResizesInitContainers()
}
