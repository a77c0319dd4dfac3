//go:build !kubernetes138

package scheduler

import (
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

func (noNominations) NominatedPodsForNode(string) []fwk.PodInfo { return nil }

// preemptionManager returns no option: the plugin has no manager.
func preemptionManager() []runtime.Option { return nil }
