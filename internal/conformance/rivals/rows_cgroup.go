package main

import (
	"k8s.io/kubernetes/pkg/kubelet/cm"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	configSink   cgroupconfig.Cgroup
	upstreamSink *cm.ResourceConfig
)

// cgroupRows measure what the kubelet sets on the cgroup of a pod.
func cgroupRows() (rows []measure.Row) {
	for _, name := range []string{"Guaranteed", "Burstable"} {
		ours, theirs := testkit.StandardPod(name == "Guaranteed"), testkit.StandardPod(name == "Guaranteed")
		rows = append(rows, measure.Row{
			Kernel: "pod cgroup config, " + name, Rival: "kubelet ResourceConfigForPod", AtLeast: 10, Aim: 16, Allocs: 1,
			Ours:   func() { configSink = cgroupconfig.ForPod(ours, cgroupconfig.Options{}) },
			Theirs: func() { upstreamSink = cm.ResourceConfigForPod(theirs, true, cgroup.DefaultPeriod, false, "") },
		})
	}
	return rows
}
