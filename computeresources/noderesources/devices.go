package noderesources

import (
	"maps"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/quantity"
)

// Devices are how many devices of a DeviceClass a node has, and how many of them are allocated to
// claims.
type Devices struct{ Capacity, Allocated int64 }

// SetDevices sets the devices behind extended resources that a DeviceClass provides, by the name of the
// resource; see FitOptions.ExtendedResources. Scores count such a resource by its devices on a node
// whose allocatable amount of it is zero. Without devices, or with a capacity of zero, the resource has no
// part in the scores of the node. Devices change no other answer, and adding pods does not allocate
// any. The map is copied.
//
// Source: calculateDRAResourceTotals of
// k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources, which counts the devices.
func (l *Ledger) SetDevices(devices map[corev1.ResourceName]Devices) { l.devices = maps.Clone(devices) }

// SetDevices sets the devices of a node: see Ledger.SetDevices. If there is no node of this name, it
// returns an error and nothing has changed.
func (c *Cluster) SetDevices(node string, devices map[corev1.ResourceName]Devices) error {
	m, known := c.nodes[node]
	if !known {
		return unknownNode(node)
	}
	m.SetDevices(devices)
	c.hasDevices = c.hasDevices || len(devices) > 0
	return nil
}

// devicesOf returns the allocated devices behind a scalar resource, and how many there are.
func (l *sums) devicesOf(name corev1.ResourceName) (allocated quantity.Wide, capacity int64) {
	d := l.devices[name]
	allocated.Add(d.Allocated)
	return allocated, d.Capacity
}
