package computeresources

import (
	"fmt"
	"math"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/quantity"
)

// DownwardOptions describe how a cluster differs from a default cluster, which is the zero value,
// and the allocatable resources of the node.
type DownwardOptions struct {
	// NodeAllocatable are the allocatable resources of the node. They replace missing limits of
	// cpu, memory and ephemeral-storage. Without them, such a limit is 0.
	NodeAllocatable corev1.ResourceList

	Gates // IgnorePodLevel counts
}

// DownwardValue returns the value of a resource field of the downward API (resourceFieldRef), for
// the container that it names (an app container before an init container with the same name): the
// request or limit of cpu, memory, ephemeral-storage or hugepages, divided by the divisor and
// rounded up.
//
// A limit of cpu, memory or ephemeral-storage that is missing or zero is replaced by the pod-level
// limit, if the node has the resource, and otherwise by the allocatable amount of the node. Every
// other missing amount is 0. A divisor of zero counts as 1. Amounts and divisor are rounded up to
// milli-units of cpu, or whole units of other resources, before the division. A result that does
// not fit is math.MaxInt64 or math.MinInt64.
//
// An unknown container or resource is an error with the message of the kubelet: "container app not
// found", or "unsupported container resource : requests.pods". In an environment variable, the field may
// have no container name: the caller sets it to the container of the variable. Cost: no allocation
// unless amounts need arbitrary precision.
//
// Source: ExtractContainerResourceValue and MergeContainerResourceLimits of
// k8s.io/kubernetes/pkg/api/v1/resource, and the kubelet's defaultPodLimitsForDownwardAPI. They
// compute in floating point.
func DownwardValue(spec *corev1.PodSpec, field corev1.ResourceFieldSelector, opts DownwardOptions) (int64, error) {
	c := containerNamed(spec, field.ContainerName)
	if c == nil {
		return 0, fmt.Errorf("container %s not found", field.ContainerName)
	}
	list, name, ok := downwardField(field.Resource)
	if !ok {
		return 0, fmt.Errorf("unsupported container resource : %s", field.Resource)
	}
	amount := list.Of(&c.Resources)[name]
	if list == Limits && amount.IsZero() && !resourcelist.IsHugePages(name) {
		amount = defaultLimit(spec, name, amount, &opts)
	}
	scale := quantity.ScaleOf(name)
	divisor := quantity.Integer(field.Divisor, scale)
	if field.Divisor.IsZero() {
		divisor = quantity.Integer(*resource.NewQuantity(1, resource.DecimalSI), scale)
	}
	return ceilQuotient(quantity.Integer(amount, scale), divisor), nil
}

// downwardField returns which amount a field such as limits.cpu is.
func downwardField(text string) (list List, name corev1.ResourceName, ok bool) {
	if rest, requests := strings.CutPrefix(text, corev1.DefaultResourceRequestsPrefix); requests {
		list, name = Requests, corev1.ResourceName(rest)
	} else if rest, limits := strings.CutPrefix(text, "limits."); limits {
		list, name = Limits, corev1.ResourceName(rest)
	}
	return list, name, list != 0 && (isNative(name) || resourcelist.IsHugePages(name))
}

// containerNamed returns the first container of a name, app containers first, or nil.
func containerNamed(spec *corev1.PodSpec, name string) *corev1.Container {
	if spec == nil {
		return nil
	}
	for _, list := range [][]corev1.Container{spec.Containers, spec.InitContainers} {
		for i := range list {
			if list[i].Name == name {
				return &list[i]
			}
		}
	}
	return nil
}

// defaultLimit returns what replaces a limit that is missing or zero: own if the node does not list the resource, else
// the pod-level limit, else the allocatable amount.
func defaultLimit(
	spec *corev1.PodSpec, name corev1.ResourceName, own resource.Quantity, opts *DownwardOptions,
) resource.Quantity {
	allocatable, ok := opts.NodeAllocatable[name]
	if !ok {
		return own
	}
	if spec.Resources != nil && !opts.IgnorePodLevel && resourcelist.IsPodLevel(name) {
		if limit := spec.Resources.Limits[name]; !limit.IsZero() {
			return limit
		}
	}
	return allocatable
}

// ceilQuotient returns a/b rounded up, of b other than zero, saturating.
func ceilQuotient(a, b int64) int64 {
	if a == math.MinInt64 && b == -1 { // saturate
		return math.MaxInt64
	}
	quotient, rest := a/b, a%b
	if rest != 0 && (rest > 0) == (b > 0) {
		quotient++
	}
	return quotient
}
