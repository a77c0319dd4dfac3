package noderesources

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// ReservedOptions are the settings of a kubelet that reserve resources. The zero value is a default
// kubelet: only the default eviction thresholds reserve something.
type ReservedOptions struct {
	KubeReserved   corev1.ResourceList
	SystemReserved corev1.ResourceList
	// EvictionHard are thresholds by signal, as in a KubeletConfiguration: a quantity, or a
	// percentage of the capacity. Only the signals memory.available and nodefs.available reserve
	// something. Nil means the defaults on Linux: 100Mi for memory.available and 10% for
	// nodefs.available. An empty map means no thresholds.
	EvictionHard map[string]string
	// MergeDefaultEvictionSettings is that of a KubeletConfiguration: signals that are not in
	// EvictionHard have their defaults. Without it, they have no thresholds, unless EvictionHard is
	// nil.
	MergeDefaultEvictionSettings bool
}

// Allocatable returns the allocatable resources that the kubelet reports for a node: the capacity
// minus KubeReserved, SystemReserved and hard eviction thresholds. The capacity of all hugepages is
// also subtracted from memory, one size after the other by name. Amounts are clamped to zero after
// each step. The result is never nil, and exact.
//
// A percentage is computed in floating point, and rounded down to a byte. A threshold that
// the kubelet refuses is a *field.Error in its words, the first by signal. Device plugins may report less than the
// capacity as allocatable, for example because of unhealthy devices. This is not considered.
//
// Source: GetNodeAllocatableReservation of k8s.io/kubernetes/pkg/kubelet/cm, MachineInfo of
// k8s.io/kubernetes/pkg/kubelet/nodestatus, and loadConfigFile of k8s.io/kubernetes/cmd/kubelet/app.
func Allocatable(capacity corev1.ResourceList, opts ReservedOptions) (corev1.ResourceList, error) {
	reserved, err := evictionReserved(capacity, opts.evictionHard())
	if err != nil {
		return nil, err
	}
	allocatable := less(capacity, opts.KubeReserved, opts.SystemReserved, reserved)
	if _, set := capacity[corev1.ResourceMemory]; set {
		for _, name := range quantity.Names(capacity) { // which matters if one is below zero
			if resourcelist.IsHugePages(name) {
				allocatable[corev1.ResourceMemory] = notNegative(quantity.Minus(allocatable[corev1.ResourceMemory], capacity[name]))
			}
		}
	}
	return allocatable, nil
}

// Enforced returns the limits of the cgroup of all pods, if the kubelet enforces node allocatable
// for pods: the capacity minus KubeReserved and SystemReserved. Eviction thresholds are not
// subtracted: the kubelet evicts pods when memory usage is between Allocatable and Enforced.
// Hugepages are not subtracted from memory. Amounts are never negative. The result is never nil,
// and exact.
//
// Source: getNodeAllocatableAbsolute of k8s.io/kubernetes/pkg/kubelet/cm.
func Enforced(capacity corev1.ResourceList, opts ReservedOptions) corev1.ResourceList {
	return less(capacity, opts.KubeReserved, opts.SystemReserved)
}

// less returns the capacity minus the reservations of its resources, at least zero.
func less(capacity corev1.ResourceList, reserved ...corev1.ResourceList) corev1.ResourceList {
	left := make(corev1.ResourceList, len(capacity))
	for name, q := range capacity {
		q = q.DeepCopy()
		for _, list := range reserved {
			if r, set := list[name]; set {
				q = quantity.Minus(q, r)
			}
		}
		left[name] = notNegative(q)
	}
	return left
}

func notNegative(q resource.Quantity) resource.Quantity {
	if q.Sign() < 0 {
		return resource.Quantity{Format: q.Format}
	}
	return q
}

// evictionHard returns the hard eviction thresholds of the kubelet. The defaults of other signals
// reserve nothing.
func (o ReservedOptions) evictionHard() map[string]string {
	if o.EvictionHard != nil && !o.MergeDefaultEvictionSettings {
		return o.EvictionHard
	}
	thresholds := map[string]string{"memory.available": "100Mi", "nodefs.available": "10%"}
	maps.Copy(thresholds, o.EvictionHard)
	return thresholds
}

// evictionReserved returns what hard eviction thresholds hold back.
func evictionReserved(capacity corev1.ResourceList, thresholds map[string]string) (corev1.ResourceList, error) {
	reserved, path := corev1.ResourceList{}, field.NewPath("evictionHard")
	for _, signal := range slices.Sorted(maps.Keys(thresholds)) {
		name, known := resourceOf(signal)
		if !known {
			return nil, field.Invalid(path.Key(signal), thresholds[signal], "unsupported eviction signal "+signal)
		}
		q, reason := threshold(thresholds[signal], capacity[name])
		if reason != "" {
			return nil, field.Invalid(path.Key(signal), thresholds[signal], reason)
		}
		if name != "" {
			reserved[name] = q
		}
	}
	return reserved, nil
}

// resourceOf returns the resource that an eviction signal reserves, "" if it reserves none, and whether
// the kubelet knows the signal.
func resourceOf(signal string) (name corev1.ResourceName, known bool) {
	switch signal {
	case "memory.available":
		return corev1.ResourceMemory, true
	case "nodefs.available":
		return corev1.ResourceEphemeralStorage, true
	case "nodefs.inodesFree", "imagefs.available", "imagefs.inodesFree", "containerfs.available",
		"containerfs.inodesFree", "allocatableMemory.available", "pid.available":
		return "", true
	}
	return "", false
}

// threshold returns the quantity of a threshold, or why it is invalid.
func threshold(value string, capacity resource.Quantity) (q resource.Quantity, reason string) {
	if !strings.HasSuffix(value, "%") {
		q, err := resource.ParseQuantity(value)
		switch {
		case err != nil:
			return q, err.Error()
		case q.Sign() <= 0:
			return q, "must be positive"
		}
		return q, ""
	}
	if value == "0%" || value == "100%" { // which the kubelet ignores
		return q, ""
	}
	percent, err := strconv.ParseFloat(strings.TrimRight(value, "%"), 32)
	if err != nil {
		return q, err.Error()
	}
	fraction := float32(percent) / 100
	switch {
	case !(fraction >= 0): // or not a number
		return q, "must be >= 0%"
	case fraction > 1:
		return q, "must be <= 100%"
	}
	bytes := float64(resourcelist.Integer("", capacity)) * float64(fraction)
	if bytes >= math.MaxInt64 { // saturate
		return *resource.NewQuantity(math.MaxInt64, resource.BinarySI), ""
	}
	return *resource.NewQuantity(int64(bytes), resource.BinarySI), ""
}
