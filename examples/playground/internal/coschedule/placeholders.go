package coschedule

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// placeholdersToMove returns which placeholders have to move, and for which that is unknown.
func placeholdersToMove(in *input) (lines []string) {
	if len(in.nodes) == 0 {
		return nil
	}
	full := peak.FullNodes(in.pods, ledgers(in), noderesources.FitOptions{})
	var opts affinity.StrandedOptions
	lacks := map[types.NamespacedName]string{}
	for _, f := range full {
		opts.Full = append(opts.Full, f.Placeholder)
		lacks[f.Placeholder] = fmt.Sprintf(", for %s: %v", f.Waiting, f.Shortages.Err())
	}
	for _, s := range affinity.Stranded(in.pods, in.nodes, opts) {
		line := fmt.Sprintf("%s %s: %s: %s", deletion(s), s.Pod, s.Node, whyStranded[s.Cause])
		if s.Cause == affinity.NodeFull {
			line += lacks[s.Pod]
		}
		lines = append(lines, line)
	}
	return append(lines, onUnknownNodes(in)...)
}

// whyStranded has the causes in words.
var whyStranded = map[affinity.StrandedCause]string{
	affinity.NodeFull:     "node is full",
	affinity.NodeEmptied:  "node is being emptied",
	affinity.NodeCordoned: "node is cordoned",
	affinity.NodeGone:     "node is gone",
}

// deletion says how to delete a placeholder.
func deletion(s affinity.StrandedPlaceholder) string {
	if s.Force {
		return "force-delete"
	}
	return "delete"
}

// onUnknownNodes returns a line for each placeholder on a node that is not in the input: it would be found if
// all of these were gone.
func onUnknownNodes(in *input) (lines []string) {
	var unknown []string
	for _, pod := range in.pods {
		read := func(n *corev1.Node) bool { return n.Name == pod.Spec.NodeName }
		if !slices.ContainsFunc(in.nodes, read) {
			unknown = append(unknown, pod.Spec.NodeName)
		}
	}
	for _, s := range affinity.Stranded(in.pods, in.nodes, affinity.StrandedOptions{Gone: unknown}) {
		if s.Cause == affinity.NodeGone {
			lines = append(lines, fmt.Sprintf("%s %s if its node is gone: %s is not in the input", deletion(s), s.Pod, s.Node))
		}
	}
	return lines
}

// ledgers returns the nodes with the pods that are there, by name.
func ledgers(in *input) map[string]*noderesources.Ledger {
	all := map[string]*noderesources.Ledger{}
	for _, node := range in.nodes {
		all[node.Name] = noderesources.NewLedger(node.Status.Allocatable)
	}
	for i, pod := range in.pods {
		if !computeresources.HasEnded(pod) {
			uid := types.UID(fmt.Sprint(i)) // manifests need not have one
			_ = all[pod.Spec.NodeName].Add(uid, noderesources.PodRequest(pod, computeresources.Options{}))
		}
	}
	return all
}
