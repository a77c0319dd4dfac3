// Package interpodaffinity answers what pod affinity and anti-affinity say about the nodes for a pod: which nodes are
// refused and why, and how good the others are. The answers are those of the plugin InterPodAffinity of the scheduler
// with the default feature gates of Kubernetes 1.37.
//
// An Index has the pods on nodes and their terms, an Incoming the terms of a pod that has no node yet, and a State how
// many pods meet them in each domain of a topology. An Index is made once and serves all pods; a State is of one pod,
// or of all pods with the same namespace, labels and affinity.
//
//	index := interpodaffinity.NewIndex(nodes, podsOn)
//	state := interpodaffinity.Of(pod, namespaces, interpodaffinity.Options{}).On(index)
//	reason, preemptionMayHelp := state.Refusal(i)
//
// The scheduler compares selectors as they are stored: what the API server makes of matchLabelKeys and
// mismatchLabelKeys, which the scheduler does not read, is WithLabelKeys.
//
// Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/interpodaffinity and KEPs 2249 and 3633.
package interpodaffinity
