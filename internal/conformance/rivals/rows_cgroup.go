package main

import (
	"strings"

	"k8s.io/kubernetes/pkg/kubelet/cm"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	configSink   cgroupconfig.Cgroup
	upstreamSink *cm.ResourceConfig
	identitySink cgroupname.Identity
	nameSink     cm.CgroupName
)

// cgroupRows are about the cgroup settings of a pod, and about parsing a cgroup path.
func cgroupRows() (rows []measure.Row) {
	for _, name := range []string{"Guaranteed", "Burstable"} {
		ours, theirs := testkit.StandardPod(name == "Guaranteed"), testkit.StandardPod(name == "Guaranteed")
		rows = append(rows, measure.Row{
			Kernel: "pod cgroup config, " + name, Rival: "kubelet ResourceConfigForPod", AtLeast: 10, Aim: 16, Allocs: 1,
			Floor:  func() { floorSink = lookUps(&ours.Spec) },
			Above:  "two thirds of the time sum up the pod by its kinds of containers; the rest rounds the sums to shares, a quota and bytes",
			Ours:   func() { configSink = cgroupconfig.ForPod(ours, cgroupconfig.Options{}) },
			Theirs: func() { upstreamSink = cm.ResourceConfigForPod(theirs, true, 100000, false, "") },
		})
	}
	const path = "/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0f1e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice/cri-containerd-0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9.scope"
	uid := []byte("0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0")
	pod := strings.TrimSuffix(path, path[strings.LastIndexByte(path, '/'):])
	return append(rows, measure.Row{
		// The kubelet only parses a pod's path, not that of a container.
		Kernel: "what a container's cgroup path is", Rival: "kubelet ParseSystemdToCgroupName of its pod", AtLeast: 0.02, Aim: 0.05, Allocs: 48,
		Floor: func() { floorSink = bytesOf(path, uid) },
		Above: "the path is formatted again, as a proof that no other has its identity",
		Ours: func() {
			id, err := cgroupname.Parse(path)
			if err != nil {
				panic(err)
			}
			identitySink = id
		},
		Theirs: func() { nameSink = cm.ParseSystemdToCgroupName(pod) },
	})
}
