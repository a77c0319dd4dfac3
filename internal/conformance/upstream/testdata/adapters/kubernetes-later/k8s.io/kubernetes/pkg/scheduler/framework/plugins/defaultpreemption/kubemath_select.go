package defaultpreemption

import (
	"context"
	"reflect"
	"slices"

	v1 "k8s.io/api/core/v1"
	policy "k8s.io/api/policy/v1"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"

	"kubemath.example/upstream/beside"
)

func (pl *DefaultPreemption) otherOrder() bool {
	return reflect.ValueOf(pl.MoreImportantVictim).Pointer() != reflect.ValueOf(preemption.MoreImportantVictim).Pointer()
}

func (pl *DefaultPreemption) SelectVictimsOnNode(ctx context.Context, state fwk.CycleState, pod *v1.Pod, nodeInfo fwk.NodeInfo, possible []*preemption.DomainVictim, pdbs []*policy.PodDisruptionBudget) ([]*v1.Pod, int, *fwk.Status) {
	original := func() selected {
		pods, violations, status := pl.upstreamSelectVictimsOnNode(ctx, state, pod, nodeInfo, possible, pdbs)
		return selected{pods, violations, status}
	}
	if slices.ContainsFunc(possible, func(v *preemption.DomainVictim) bool { return len(v.Pods()) > 1 }) {
		beside.Forward("SelectVictimsOnNode", "groups of pods")
		theirs := original()
		return theirs.pods, theirs.violations, theirs.status
	}
	eligible := func(p fwk.PodInfo) bool {
		return slices.ContainsFunc(possible, func(v *preemption.DomainVictim) bool {
			return v.Pods()[0].GetPod() == p.GetPod() && pl.isPreemptionAllowedAcrossAllVictimNodes(v, pod)
		})
	}
	return pl.selectVictims(pod, nodeInfo, pdbs, eligible, original)
}
