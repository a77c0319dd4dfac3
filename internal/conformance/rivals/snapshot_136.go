//go:build kubernetes136

package main

import (
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// listers returns the options of a scheduler that sees a snapshot.
func listers(snapshot *cache.Snapshot) []runtime.Option {
	return []runtime.Option{runtime.WithSnapshotSharedLister(snapshot)}
}
