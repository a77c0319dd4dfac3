package cm

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"kubemath.example/upstream/beside"
)

// kubemath has what is allocatable, the kubelet what is reserved: the rest of the capacity, where that
// is enough.
func (cm *containerManagerImpl) GetNodeAllocatableReservation() corev1.ResourceList {
	in := beside.Keep("GetNodeAllocatableReservation", cm.capacity)
	theirs := cm.upstreamGetNodeAllocatableReservation()
	cm.RLock()
	defer cm.RUnlock()
	for name, reserved := range theirs {
		if capacity := cm.capacity[name]; reserved.Sign() < 0 || reserved.Cmp(capacity) > 0 {
			beside.Forward("GetNodeAllocatableReservation", "more than the capacity, or less than zero, is reserved")
			return theirs
		}
	}
	opts := noderesources.ReservedOptions{
		KubeReserved: cm.NodeConfig.KubeReserved, SystemReserved: cm.NodeConfig.SystemReserved,
		EvictionHard: thresholds(cm.HardEvictionThresholds),
	}
	allocatable, err := noderesources.Allocatable(cm.capacity, opts)
	if err != nil {
		beside.Compare("GetNodeAllocatableReservation: an error", err.Error(), "")
		return theirs
	}
	ours := resourcelist.RemoveZeros(resourcelist.Subtract(cm.capacity, allocatable))
	in.Unchanged()
	beside.Compare("GetNodeAllocatableReservation", ours, theirs)
	return ours
}

func (cm *containerManagerImpl) getNodeAllocatableAbsoluteImpl(capacity corev1.ResourceList) corev1.ResourceList {
	in := beside.Keep("getNodeAllocatableAbsoluteImpl", capacity)
	theirs := cm.upstreamGetNodeAllocatableAbsoluteImpl(capacity.DeepCopy())
	ours := noderesources.Enforced(capacity, noderesources.ReservedOptions{KubeReserved: cm.NodeConfig.KubeReserved, SystemReserved: cm.NodeConfig.SystemReserved})
	in.Unchanged()
	beside.Compare("getNodeAllocatableAbsoluteImpl", ours, theirs)
	return ours
}

// thresholds returns thresholds as a configuration has them.
func thresholds(parsed []evictionapi.Threshold) map[string]string {
	texts := map[string]string{}
	for _, t := range parsed {
		switch {
		case t.Operator != evictionapi.OpLessThan:
		case t.Value.Quantity != nil:
			texts[string(t.Signal)] = t.Value.Quantity.String()
		default:
			texts[string(t.Signal)] = fmt.Sprintf("%g%%", t.Value.Percentage*100)
		}
	}
	return texts
}
