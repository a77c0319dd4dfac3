package recipes_test

import (
	"fmt"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

// describe returns whose cgroup it is.
func describe(id cgroupname.Identity) string {
	switch id.Kind() {
	case cgroupname.Pod:
		return fmt.Sprintf("pod %s (%s)", id.UID, id.Class)
	case cgroupname.Container, cgroupname.WithinContainer:
		return fmt.Sprintf("container %s of pod %s%s", id.Container, id.UID, id.Below)
	case cgroupname.Monitor: // of the pod, and not of the container
		return fmt.Sprintf("monitor of container %s of pod %s", id.Monitors, id.UID)
	case cgroupname.AllPods, cgroupname.Tier:
		return fmt.Sprintf("tier %s", id.Class)
	}
	return string(id.Kind())
}

// Example_nodeAgent reads what a node shows: whose a cgroup is, and the CPU behind a weight.
func Example_nodeAgent() {
	for _, path := range []string{
		"/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice",
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7b6c_d1.slice",
		"/kubepods.slice/kubepods-pod7b6c_d1.slice/cri-containerd-0f3a.scope/init.scope",
		"/kubelet/kubepods/besteffort/podd5a2b3c4e5f60718293a4b5c6d7e8f90/crio-0f3a", // a static pod
		"/kubepods/burstable/pod7b6c-d1/crio-conmon-0f3a",
		"/init.scope",
	} {
		id, err := cgroupname.Parse(path)
		if err != nil {
			continue // not of a pod
		}
		fmt.Println(describe(id))
	}

	shares := cgroup.MilliCPUToShares(1000)
	fmt.Println("1000m is", shares, "shares")
	weight := cgroup.SharesToLinearWeight(shares)
	least, most, _ := cgroup.LinearWeightToMilliCPU(weight)
	fmt.Printf("linear weight %d, which is %d to %d milli-CPU\n", weight, least, most)
	weight = cgroup.SharesToLogarithmicWeight(shares)
	least, most, _ = cgroup.LogarithmicWeightToMilliCPU(weight)
	fmt.Printf("logarithmic weight %d, which is %d to %d milli-CPU\n", weight, least, most)
	// Output:
	// tier Burstable
	// pod 7b6c-d1 (Burstable)
	// container 0f3a of pod 7b6c-d1/init.scope
	// container 0f3a of pod d5a2b3c4e5f60718293a4b5c6d7e8f90
	// monitor of container 0f3a of pod 7b6c-d1
	// 1000m is 1024 shares
	// linear weight 39, which is 976 to 1000 milli-CPU
	// logarithmic weight 100, which is 989 to 1000 milli-CPU
}
