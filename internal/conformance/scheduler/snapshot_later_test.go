//go:build !kubernetes136

package scheduler

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// snapshotOptions returns the options of a framework that sees the nodes of s.
func (s *defaultScheduler) snapshotOptions() []runtime.Option {
	return append(preemptionManager(), runtime.WithSnapshotSharedLister(s), runtime.WithMutableSnapshotLister(fixedSnapshot{s}))
}

// fixedSnapshot is a MutableSnapshotSharedLister. Pods are not in groups, so that nothing is changed.
type fixedSnapshot struct{ *defaultScheduler }

func (fixedSnapshot) StartMutations() error            { return nil }
func (fixedSnapshot) EndMutations() error              { return nil }
func (fixedSnapshot) AddPod(fwk.PodInfo, string) error { panic("a pod is added to the snapshot") }
func (fixedSnapshot) RemovePod(klog.Logger, *corev1.Pod, string) error {
	panic("a pod is removed from the snapshot")
}
