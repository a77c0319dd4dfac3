// Package topologyspread answers on which nodes the topology spread constraints of a pod let it be, and how good each
// node is by them: what the scheduler's plugin PodTopologySpread filters and scores.
//
//	selector := topologyspread.DefaultSelector(pod, services, replicaSet)
//	constraints, err := topologyspread.Of(pod, selector, topologyspread.Defaults{})
//	spread := constraints.On(nodes, pods)           // counts the pods of each domain
//	message, unresolvable := spread.Refusal(i)      // why may the pod not be on node i?
//	scored := spread.Scores(feasible, scores)       // how good is each of the feasible nodes?
//	spread.Add(i, pod)                              // a pod came to node i
//
// Source: k8s.io/kubernetes/pkg/scheduler/framework/plugins/podtopologyspread; KEP-895, KEP-3022 (minDomains),
// KEP-3094 (which nodes are included) and KEP-3243 (matchLabelKeys).
package topologyspread
