// Package kueue compares quotatree with Kueue's own cohorts. Kueue requires other versions of Kubernetes than the
// modules beside this one, so that it has a module of its own.
//
// [Snapshot] loads the nodes of a tree into Kueue's cache, as its controllers do. The methods of the snapshot that the
// scheduler of Kueue works on are exported, and call the functions of resource_node.go and fair_sharing.go.
package kueue
