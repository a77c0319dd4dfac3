// Package places has the nodes of a cluster, the pods on them, and the pods that wait for a node. It answers where the
// scheduler puts a pod, which pods it preempts, and why a pod waits. It knows nothing of namespaces, quotas and
// controllers: callers say what else decides about a pod (see [placement.Around]).
//
// Nobody else writes to [Places]. What has been found out about the nodes holds for one version of them, which grows
// with each pod that comes or goes and each node that changes.
package places
