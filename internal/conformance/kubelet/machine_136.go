//go:build kubernetes136

package kubelet

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/kubernetes/pkg/kubelet/nodestatus"
)

// machineInfo returns what sets the capacity and allocatable of a node. Nothing is known of its machine, and the
// capacity is that of its "device plugins".
func machineInfo(capacity, reservation corev1.ResourceList) nodestatus.Setter {
	plugins := func() (corev1.ResourceList, corev1.ResourceList, []string) { return capacity, nil, nil }
	storage := func(bool) corev1.ResourceList { return nil }
	reserved := func() corev1.ResourceList { return reservation }
	event := func(string, string, string) {}
	return nodestatus.MachineInfo("n", 0, 0, zero, storage, plugins, reserved, event, true)
}
