// Package cgroupconfig derives the settings that the kubelet writes to the cgroups of pods, of their containers, and
// of the tiers above them (QoS class cgroups, in the kubelet's words): CPU, memory, swap and huge
// pages.
//
//	c := cgroupconfig.ForPod(pod, cgroupconfig.Options{})
//	for _, s := range c.V2(cgroup.SharesToLinearWeight) {
//		fmt.Println(s.Name, s.Value) // cpu.max 15000 100000 …
//	}
//
// [ForPod], [ForContainer], [ForTiers] and [ForAllocatable] return the settings as numbers, and
// [ForSandbox] what the kubelet passes to the runtime for a pod. The methods of [Cgroup] format them as
// files of cgroup v1 or v2, or as systemd properties, to be written to a node or compared with one.
// [Options] are the configuration of the kubelet, and the memory of its node.
//
// # What is read
//
// A manifest has no requests that follow from limits: call [computeresources.ApplyRequestDefaults] and
// [computeresources.ApplyPodLevelDefaults] first, as the API server does. The functions read only the
// spec. The kubelet passes itself a pod whose spec holds the
// allocated amounts; do the same while a pod is being resized.
//
// Limits on processes, CPU sets and devices are not included. Nothing is written to a node.
//
// # Contract
//
// The contract is in [github.com/kubemath/kubemath]. Numbers are exact; a number that does not fit
// into an int64 is math.MaxInt64.
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.37: pkg/kubelet/cm,
// pkg/kubelet/kuberuntime; KEP-2570 (memory QoS), KEP-2400 (swap), KEP-2837 (pod-level
// resources); github.com/opencontainers/cgroups v0.0.6 for files and properties.
package cgroupconfig
