package kubelet

import (
	"context"
	"errors"
	"maps"
	_ "unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	_ "k8s.io/kubernetes/pkg/kubelet/cm" // hardEvictionReservation
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
)

//go:linkname hardEvictionReservation k8s.io/kubernetes/pkg/kubelet/cm.hardEvictionReservation
func hardEvictionReservation(thresholds []evictionapi.Threshold, capacity corev1.ResourceList) corev1.ResourceList

// EvictionHard returns the hard eviction thresholds of a KubeletConfiguration, with the kubelet's
// defaults. It is the end of loadConfigFile of k8s.io/kubernetes/cmd/kubelet/app, which reads the
// configuration from a file.
func EvictionHard(set map[string]string, mergeDefaultEvictionSettings bool) map[string]string {
	if set == nil {
		return eviction.DefaultEvictionHard
	}
	thresholds := maps.Clone(set)
	if mergeDefaultEvictionSettings {
		for k, v := range eviction.DefaultEvictionHard {
			if _, exists := thresholds[k]; !exists {
				thresholds[k] = v
			}
		}
	}
	return thresholds
}

// Allocatable is noderesources.Allocatable, computed by the kubelet's functions for thresholds
// and for the status of a node. The sum of what is reserved, between these, is that of its
// container manager, which cannot be built here. The error of a threshold is the kubelet's own.
func Allocatable(capacity, kubeReserved, systemReserved corev1.ResourceList, evictionHard map[string]string) (corev1.ResourceList, error) {
	thresholds, err := eviction.ParseThresholdConfig([]string{"pods"}, evictionHard, nil, nil, nil)
	if err != nil {
		return nil, err
	}
	evicted := hardEvictionReservation(thresholds, capacity)
	reservation := corev1.ResourceList{}
	for name := range capacity {
		sum := resource.NewQuantity(0, resource.DecimalSI)
		for _, list := range []corev1.ResourceList{systemReserved, kubeReserved, evicted} {
			sum.Add(list[name])
		}
		if !sum.IsZero() {
			reservation[name] = *sum
		}
	}
	node := &corev1.Node{Status: corev1.NodeStatus{Capacity: capacity.DeepCopy()}}
	// Without information about the machine, the capacity is that of the node's status but for
	// cpu, memory and pods, which are put back as they were by the "device plugins".
	if err := machineInfo(capacity, reservation)(context.Background(), node); err != nil {
		return nil, errors.Join(errors.New("kubelet: setting the status of a node"), err)
	}
	return node.Status.Allocatable, nil
}

// zero returns what says nothing, whatever its type is. The type of the kubelet's information about a machine moved in 1.37.
func zero[T any]() (*T, error) { return new(T), nil }
