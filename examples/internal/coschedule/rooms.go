package coschedule

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// rooms are the nodes that accept pods, and what is free there without the pods of the run: exact, for
// the tasks that run at the same time, and as the scheduler counts it, for the placeholder.
type rooms struct {
	candidates []*peak.Candidate
	ledgers    map[string]*noderesources.Ledger
}

// roomsOf returns the nodes without the pods of the run itself, which are in its demand.
func roomsOf(in *input, run *affinity.Run) rooms {
	r := rooms{ledgers: map[string]*noderesources.Ledger{}}
	for _, n := range in.nodes {
		if n.Spec.Unschedulable {
			continue
		}
		candidate := &peak.Candidate{Name: n.Name, Allocatable: n.Status.Allocatable}
		ledger := noderesources.New(n.Status.Allocatable)
		for i, pod := range in.pods {
			ended := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
			own := pod.Namespace == run.Namespace && pod.Labels[affinity.RunLabel] == run.Name
			if pod.Spec.NodeName == n.Name && !ended && !own {
				candidate.Pods = append(candidate.Pods, computeresources.PodRequests(pod, computeresources.Options{}))
				// Our own UID, because manifests may have none. So it is new to the ledger.
				_ = ledger.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(pod, computeresources.Options{}))
			}
		}
		r.candidates = append(r.candidates, candidate)
		r.ledgers[n.Name] = ledger
	}
	return r
}
