// Package cgroupconfig says what the kubelet sets on the cgroups of pods, of their containers,
// and of the tiers above them, which the kubelet calls QoS class cgroups: CPU, memory, swap and
// huge pages.
//
//	c := cgroupconfig.ForPod(pod, cgroupconfig.Options{})
//	for _, s := range c.V2(cgroup.Linear) {
//		fmt.Println(s.Name, s.Value) // cpu.max 15000 100000 …
//	}
//
// [ForPod], [ForContainer], [ForTiers] and [ForAllocatable] give what is set, as numbers, and
// [ForSandbox] what the runtime is told of a pod;
// the methods of [Cgroup] write it as files of cgroup v1 or v2, or as properties of
// systemd, to be written to a node or compared with one. [Options] is how the kubelet is
// configured, and what it knows of the memory of its node.
//
// Pods are taken as they are: requests that follow from limits have to be filled in before
// (computeresources.ApplyRequestDefaults), as the API server does. While a pod is resized in
// place, what counts is its spec, as for the kubelet, which keeps what it has allocated
// there.
//
// Limits on processes, CPU sets and devices are no part of this, and nothing is written to
// a node.
//
// # Contract
//
// Functions are pure and only read their arguments. Results own their memory. Numbers are
// exact, and within int64: what does not fit is math.MaxInt64.
//
// # Sources
//
// The kubelet's "Pod level resource management"; k8s.io/kubernetes v1.36: pkg/kubelet/cm,
// pkg/kubelet/kuberuntime; KEP-2570 (memory QoS), KEP-2400 (swap), KEP-2837 (pod-level
// resources); github.com/opencontainers/cgroups v0.0.6 for files and properties.
package cgroupconfig
