//go:build kubernetes138

package main

import (
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
)

func (nobody) NominatedPodsForNode(klog.Logger, string) []fwk.PodInfo { return nil }
