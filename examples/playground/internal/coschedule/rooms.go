package coschedule

import (
	"fmt"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// roomsOf returns the ledgers of the nodes that accept pods, without the pods of the run itself, which are
// in its demand.
func roomsOf(in *input, run *affinity.Run) map[string]*noderesources.Ledger {
	ledgers := map[string]*noderesources.Ledger{}
	for _, n := range in.nodes {
		if n.Spec.Unschedulable {
			continue
		}
		ledger := noderesources.NewLedger(n.Status.Allocatable)
		for i, pod := range in.pods {
			own := pod.Namespace == run.Namespace && pod.Labels["tekton.dev/pipelineRun"] == run.Name
			if pod.Spec.NodeName == n.Name && !computeresources.HasEnded(pod) && !own {
				// Our own UID, because manifests may have none. So it is new to the ledger.
				_ = ledger.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(pod, computeresources.Options{}))
			}
		}
		ledgers[n.Name] = ledger
	}
	return ledgers
}
