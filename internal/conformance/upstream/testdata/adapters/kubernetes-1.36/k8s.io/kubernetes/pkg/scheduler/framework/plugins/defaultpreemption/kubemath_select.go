package defaultpreemption

import (
	"context"
	"reflect"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/util"
)

func (pl *DefaultPreemption) otherOrder() bool {
	return reflect.ValueOf(pl.MoreImportantPod).Pointer() != reflect.ValueOf(util.MoreImportantPod).Pointer()
}

func (pl *DefaultPreemption) SelectVictimsOnNode(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodeInfo fwk.NodeInfo, pdbs []*policy.PodDisruptionBudget) ([]*v1.Pod, int, *fwk.Status) {
	eligible := func(p fwk.PodInfo) bool { return pl.IsEligiblePod(nodeInfo, p, pod) }
	return pl.selectVictims(pod, nodeInfo, pdbs, eligible, func() selected {
		pods, violations, status := pl.upstreamSelectVictimsOnNode(ctx, state, pod, nodeInfo, pdbs)
		return selected{pods, violations, status}
	})
}
