//go:build !kubernetes138

package scheduler

import (
	_ "unsafe" // for go:linkname

	fwk "k8s.io/kube-scheduler/framework"
	kubescheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

func (noNominations) NominatedPodsForNode(string) []fwk.PodInfo { return nil }

// preemptionManager returns no option: the plugin has no manager.
func preemptionManager() []runtime.Option { return nil }

type scheduler = kubescheduler.Scheduler

//go:linkname numFeasibleNodesToFind k8s.io/kubernetes/pkg/scheduler.(*Scheduler).numFeasibleNodesToFind
func numFeasibleNodesToFind(s *scheduler, percentage *int32, nodes int32) int32
