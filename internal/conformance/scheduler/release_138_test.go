//go:build kubernetes138

package scheduler

import (
	_ "unsafe" // for go:linkname

	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	kubescheduler "k8s.io/kubernetes/pkg/scheduler"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
)

func (noNominations) NominatedPodsForNode(klog.Logger, string) []fwk.PodInfo { return nil }

// preemptionManager returns the option of a scheduler that has the manager that its plugin asks.
func preemptionManager() []runtime.Option {
	return []runtime.Option{runtime.WithPreemptionManager(func(handle fwk.Handle) fwk.PreemptionManager {
		return preemption.NewPreemptionManager(handle, oracle.SchedulerFeatures())
	})}
}

type scheduler = kubescheduler.SchedulingAlgorithm

//go:linkname numFeasibleNodesToFind k8s.io/kubernetes/pkg/scheduler.(*SchedulingAlgorithm).numFeasibleNodesToFind
func numFeasibleNodesToFind(s *scheduler, percentage *int32, nodes int32) int32
