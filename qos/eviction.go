package qos

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/criticalpod"
	"github.com/kubemath/kubemath/internal/eviction"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/quantity"
)

// Pressure is what a node is short of, by its name in the messages of the kubelet. The zero value is no
// pressure.
type Pressure string

const (
	MemoryPressure  Pressure = "memory"
	StoragePressure Pressure = "ephemeral-storage" // of the node, of images or of containers
	InodePressure   Pressure = "inodes"            // on any of these file systems
	PIDPressure     Pressure = "pids"
)

// NodePressure is what EvictionOrder and EvictionMessage have to know of a node. The zero value means no pressure, and
// that no usage is known.
type NodePressure struct {
	Pressure Pressure

	// Usage is what the pods use, by their UID.
	Usage map[types.UID]PodUsage

	// Threshold is that of the eviction signal, and Available its last value, for EvictionMessage. The message has
	// neither if one of them is nil.
	Threshold *resource.Quantity
	Available *resource.Quantity
}

// validate returns an error for an unknown pressure.
func (n *NodePressure) validate() error {
	switch n.Pressure {
	case "", MemoryPressure, StoragePressure, InodePressure, PIDPressure:
		return nil
	}
	return field.NotSupported(field.NewPath("pressure"), n.Pressure,
		[]Pressure{StoragePressure, InodePressure, MemoryPressure, PIDPressure})
}

// PodUsage is what a pod uses, as the kubelet's summary API reports it.
type PodUsage struct {
	// Amount is what the pod uses of the resource under pressure: bytes of memory (the working set), bytes
	// or inodes on the file system under pressure, or processes. On the file system of the node, the
	// kubelet adds up logs and local volumes; on that of images and containers, the writable layers; and
	// all three if there is only one file system.
	Amount int64

	// Containers is what the containers use of it, by name, for EvictionMessage: memory, or the sum of logs
	// and writable layer. It is not read for inodes and process IDs.
	Containers map[string]int64

	// EphemeralStorage is the local storage of the pod in bytes: writable layers, logs, local volumes and
	// /etc/hosts. ContainerStorage is that of its containers, by name, and VolumeStorage that of its volumes.
	// They are compared with the limits of the pod. The storage of a container is its logs and, unless there
	// is a file system for images, its writable layer. A container or volume without an entry is above no
	// limit.
	EphemeralStorage int64
	ContainerStorage map[string]int64
	VolumeStorage    map[string]int64
}

// Eviction is a pod that the kubelet may evict.
type Eviction struct {
	Index int `json:"index"` // of the pod in the list of pods

	// AboveLimit is whether the pod uses more local storage than a limit of its own allows: the size limit
	// of an emptyDir, the sum of its limits, or the limit of an app container or, since 1.37, a sidecar. The
	// kubelet evicts such a pod at once, without any pressure.
	AboveLimit bool `json:"aboveLimit,omitempty"`

	// NoUsage is whether the usage of the pod is not known. Excess is zero then.
	NoUsage bool `json:"noUsage,omitempty"`

	// Request is what the pod requests of the resource under pressure, and Excess its usage minus this
	// request, which is negative if it uses less. Inodes and process IDs cannot be requested.
	Request resource.Quantity `json:"request"`
	Excess  resource.Quantity `json:"excess"`
}

// EvictionOrder returns the pods of a node in the order in which its kubelet evicts them under a
// pressure, one by one until that ends:
//
//   - memory and storage: pods of unknown usage first, then those that use more than they request, then
//     all others; each by priority, the lowest first, then by usage minus request, the largest first
//   - inodes: the same with requests of zero, except that the request for ephemeral-storage is
//     subtracted at the end, as the kubelet does
//   - process IDs: by priority, then pods of unknown usage, then by their number, the largest first
//
// Pods above a limit of their own for local storage come before all others, in the same order. Without
// pressure, the result has these alone, by priority. An unknown pressure is an error. Ties are broken by namespace,
// name and UID. Critical pods are never evicted, and not in the result: static pods, mirror pods, and those of
// priority 2,000,000,000 or more. Neither are pods that have ended (computeresources.HasEnded), and nil pods.
//
// Requests are those of the pod specs, and exact. The kubelet has the
// allocated amounts there while a pod is resized. If a pod has pod-level resources, its containers do not
// count, not even for ephemeral-storage. Overhead is added only to resources that are requested. A missing
// priority is zero. Of the gates, only PodLevelResources counts.
//
// Cost: one pass over the containers of each pod, and n log n for n pods.
//
// Source: rankMemoryPressure, rankDiskPressureFunc, rankPIDPressure and localStorageEviction of
// k8s.io/kubernetes/pkg/kubelet/eviction.
func EvictionOrder(pods []*corev1.Pod, node NodePressure, kubernetes computeresources.Kubernetes) ([]Eviction, error) {
	if err := node.validate(); err != nil {
		return nil, err
	}
	candidates := make([]candidate, 0, len(pods))
	requests := make(corev1.ResourceList, 4) // of one pod after the other
	for i, pod := range pods {
		if !isEvictable(pod) {
			continue
		}
		used, known := node.Usage[pod.UID]
		c := candidate{pod: pod, eviction: Eviction{Index: i, NoUsage: !known}}
		if known {
			c.eviction.AboveLimit = exceededLimit(&pod.Spec, &used, kubernetes) != ""
		}
		if c.rank(node.Pressure, used.Amount, requests, kubernetes) || c.eviction.AboveLimit {
			candidates = append(candidates, c)
		}
	}
	slices.SortFunc(candidates, compareCandidates)
	order := slices.Grow([]Eviction(nil), len(candidates))
	for i := range candidates {
		order = append(order, candidates[i].eviction)
	}
	return order, nil
}

// isEvictable reports whether the kubelet may evict a pod.
func isEvictable(pod *corev1.Pod) bool {
	return pod != nil && !computeresources.HasEnded(pod) && !criticalpod.Is(pod)
}

// candidate is an Eviction and what its place depends on.
type candidate struct {
	eviction Eviction
	pod      *corev1.Pod
	tier     int
	rankBy   quantity.Amount // decides at equal priority, the largest first: Eviction.Excess, except for inodes
}

// The tiers under pressure of memory, storage and inodes, the first to be evicted first.
const (
	unknownUsage = iota
	aboveRequest
	withinRequest
)

// rank sets what follows from the pressure and the usage, and reports whether there is a pressure. It overwrites
// requests.
func (c *candidate) rank(
	pressure Pressure, used int64, requests corev1.ResourceList, kubernetes computeresources.Kubernetes,
) bool {
	var request, rankRequest quantity.Amount
	format := resource.DecimalSI
	switch pressure {
	case MemoryPressure, StoragePressure:
		format = resource.BinarySI
		request = requestOf(c.pod, corev1.ResourceName(pressure), requests, kubernetes)
		rankRequest = request
	case InodePressure:
		// As in the kubelet (rankDiskPressureFunc), the request is in bytes although usage counts inodes.
		rankRequest = requestOf(c.pod, corev1.ResourceEphemeralStorage, requests, kubernetes)
	case PIDPressure:
	default:
		return false
	}
	c.eviction.Request = readable(request, format)
	if c.eviction.NoUsage {
		return true
	}
	amount := quantity.AmountOfUnits(used)
	c.eviction.Excess = readable(amount.Minus(request, 0), format)
	c.rankBy = amount.Minus(rankRequest, 0)
	switch {
	case pressure == PIDPressure: // one tier
	case amount.Exceeds(request, 0):
		c.tier = aboveRequest
	default:
		c.tier = withinRequest
	}
	return true
}

// readable returns an amount in a format, or if it is round in decimal, in that: 1M and not 1000000.
func readable(a quantity.Amount, format resource.Format) resource.Quantity {
	q := a.Quantity(0, format)
	if format == resource.BinarySI {
		q.Format = resourcelist.Quantity(corev1.ResourceMemory, quantity.Integer(q, 0)).Format
	}
	return q
}

// requestOf returns what a pod requests of one resource. It overwrites dst.
func requestOf(
	pod *corev1.Pod, name corev1.ResourceName, dst corev1.ResourceList, kubernetes computeresources.Kubernetes,
) quantity.Amount {
	request := eviction.Requests(dst, &pod.Spec, kubernetes)[name]
	return quantity.AmountOf(&request, 0)
}

func compareCandidates(a, b candidate) int {
	return cmp.Or(
		ordering.TrueFirst(a.eviction.AboveLimit, b.eviction.AboveLimit),
		cmp.Compare(a.tier, b.tier),
		cmp.Compare(eviction.Priority(a.pod), eviction.Priority(b.pod)),
		ordering.TrueFirst(a.eviction.NoUsage, b.eviction.NoUsage),
		ordering.TrueFirst(a.rankBy.Exceeds(b.rankBy, 0), b.rankBy.Exceeds(a.rankBy, 0)),
		ordering.Pods(a.pod, b.pod),
		cmp.Compare(a.eviction.Index, b.eviction.Index),
	)
}
