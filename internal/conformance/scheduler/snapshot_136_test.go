//go:build kubernetes136

package scheduler

import "k8s.io/kubernetes/pkg/scheduler/framework/runtime"

// snapshotOptions returns the options of a framework that sees the nodes of s.
func (s *defaultScheduler) snapshotOptions() []runtime.Option {
	return []runtime.Option{runtime.WithSnapshotSharedLister(s)}
}
