package main_test

import (
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity"
	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// nodeCases are questions about nodes and their kubelets.
var nodeCases = []libraryCase{
	{
		name:     "OutOfcpu",
		question: "A pod that names its node failed with OutOfcpu: what does the message say?",
		source:   "kubernetes/website#47264: 120 + 3803 of 3920; pkg/kubelet/lifecycle/predicate.go, v1.36.3",
		got:      func(*testing.T) string { return outOf("120m", "3803m", "3920m") },
		want:     "OutOfcpu: Node didn't have enough resource: cpu, requested: 120, used: 3803, capacity: 3920",
	},
	{
		name:     "OutOfcpu on a larger node",
		question: "Is the pod of 600m too large for the node, or is the node too full?",
		source:   "hail-is/hail#6709: requested: 600, used: 7371, capacity: 7910",
		got:      func(*testing.T) string { return outOf("600m", "7371m", "7910m") },
		want:     "OutOfcpu: Node didn't have enough resource: cpu, requested: 600, used: 7371, capacity: 7910",
	},
	{
		name:     "allocatable of the documents",
		question: "What is left for pods on a node of 16 CPU and 32Gi with these reservations?",
		source:   "kubernetes/website#8174, #41918; docs/tasks/administer-cluster/reserve-compute-resources: 14.5 CPU, 28.5Gi, 88Gi, and 29Gi for the cgroup of pods; 10% is a number of 32 bits, pkg/kubelet/eviction/helpers.go, v1.36.3",
		got: func(t *testing.T) string {
			capacity := list("cpu=16 memory=32Gi ephemeral-storage=100Gi")
			reserved := noderesources.ReservedOptions{
				KubeReserved:   list("cpu=1 memory=2Gi ephemeral-storage=1Gi"),
				SystemReserved: list("cpu=500m memory=1Gi ephemeral-storage=1Gi"),
				EvictionHard:   map[string]string{"memory.available": "500Mi", "nodefs.available": "10%"},
			}
			enforced := noderesources.Enforced(capacity, reserved)
			return resourcelist.String(allocatable(t, capacity, reserved)) + ", " + enforced.Memory().String()
		},
		want: "cpu=14500m,ephemeral-storage=94489280352,memory=29196Mi, 29Gi",
	},
	{
		name:     "allocatable with huge pages",
		question: "My node has 32Gi, 8Gi of them huge pages, and a threshold of 7%: how many bytes are allocatable?",
		source:   "Tanguille/cluster#4384: to the byte; pkg/kubelet/eviction/helpers.go, v1.36.3, keeps the percentage in 32 bits: 34359738368 - 8589934592 - 2405181696",
		got: func(t *testing.T) string {
			left := allocatable(t, list("cpu=8 memory=32Gi hugepages-2Mi=8Gi"), noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": "7%"}})
			return fmt.Sprint(left.Memory().Value())
		},
		want: "23364622080",
	},
	{
		name:     "allocatable of a default kubelet",
		question: "4039556Ki of memory, of which 3937156Ki are allocatable: how is that calculated?",
		source:   "hwchiu (medium): the threshold of 100Mi; pkg/kubelet/apis/config/v1beta1/defaults_linux.go, v1.36.3",
		got: func(t *testing.T) string {
			left := allocatable(t, list("memory=4039556Ki"), noderesources.ReservedOptions{})
			return left.Memory().String()
		},
		want: "3937156Ki",
	},
	{
		name:     "resize that the node defers",
		question: "My resize is Deferred: is the node overcommitted?",
		source:   "kubernetes/kubernetes#135107; pkg/kubelet/allocation/allocation_manager.go, v1.36.3: not before it is allocated",
		got: func(*testing.T) string {
			resized := podOf("a", "cpu=3", "")
			resized.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "app", AllocatedResources: list("cpu=1")}}
			resizes := noderesources.PendingResizes([]*corev1.Pod{resized, podOf("b", "cpu=2", "")}, list("cpu=4 pods=110"), noderesources.KubeletOptions{})
			return string(resizes[0].State) + ": " + resizes[0].Message
		},
		want: "Deferred: Node didn't have enough resource: cpu, requested: 3000, used: 2000, capacity: 4000",
	},
	{
		name:     "eviction order under memory pressure",
		question: "Why does Kubernetes kill pods that do not even use much memory?",
		source:   "tracegrid.app; pkg/kubelet/eviction/helpers.go (rankMemoryPressure), v1.36.3: those above their requests first, then by priority, then by the excess",
		got: func(*testing.T) string {
			return evictions(qos.MemoryPressure, map[string]string{"small-above-request": "10Mi 20Mi", "large-within-request": "8Gi 6Gi", "without-requests": "0 15Mi"})
		},
		want: "without-requests small-above-request large-within-request",
	},
	{
		name:     "eviction order and priorities",
		question: "Does a priority protect a pod that uses more than it requests from one that does not?",
		source:   "pkg/kubelet/eviction/helpers.go (rankMemoryPressure), v1.36.3: exceeding requests comes before the priority",
		got: func(*testing.T) string {
			high := podOf("high", "memory=10Mi", "")
			priority := int32(1000)
			high.Spec.Priority = &priority
			pods := []*corev1.Pod{podOf("low", "memory=1Gi", ""), high}
			usage := map[types.UID]qos.PodUsage{"low": {Amount: 1 << 20}, "high": {Amount: 20 << 20}}
			return pods[evictionOrder(pods, qos.MemoryPressure, usage)[0].Index].Name
		},
		want: "high",
	},
	{
		name:     "eviction message",
		question: "My pod was evicted: which of its containers used more than it requests?",
		source:   "pkg/kubelet/eviction/helpers.go (evictionMessage), v1.36.3",
		got: func(t *testing.T) string {
			pod := podOf("web", "memory=200Mi", "")
			pod.Spec.Containers = append(pod.Spec.Containers, containerOf("proxy", "memory=100Mi", ""))
			usage := map[types.UID]qos.PodUsage{"web": {Amount: 400 << 20, Containers: map[string]int64{"app": 100 << 20, "proxy": 300 << 20}}}
			threshold, available := resource.MustParse("100Mi"), resource.MustParse("80Mi")
			node := qos.NodePressure{Pressure: qos.MemoryPressure, Usage: usage, Threshold: &threshold, Available: &available}
			message, err := qos.EvictionMessage(pod, node, computeresources.Kubernetes{})
			testkit.OK(t, err)
			return strings.TrimSpace(message)
		},
		want: "The node was low on resource: memory. Threshold quantity: 100Mi, available: 80Mi. Container proxy was using 300Mi, request is 100Mi, has larger consumption of memory.",
	},
	{
		name:     "container above its ephemeral-storage limit",
		question: "Is a pod evicted, without any pressure, whose container writes more than its limit?",
		source:   "pkg/kubelet/eviction/eviction_manager.go (containerEphemeralStorageLimitEviction), v1.36.3: yes",
		got:      func(*testing.T) string { return fmt.Sprint(aboveStorageLimit(false)) },
		want:     "true",
	},
	{
		name:     "sidecar above its ephemeral-storage limit",
		question: "Is a pod evicted whose sidecar writes more than its limit?",
		source:   "kubernetes/kubernetes#138371: since 1.37; pkg/kubelet/eviction/eviction_manager.go, v1.37.2",
		got:      func(*testing.T) string { return fmt.Sprint(aboveStorageLimit(true)) },
		want:     "true",
	},
	{
		name:     "protected memory without throttling",
		question: "Does the reservation of memory (MemoryQoS) throttle containers, too?",
		source:   "kubernetes/kubernetes#140007: memory.high is not set unless memoryThrottlingFactor is; pkg/kubelet/cm/qos_container_manager_linux.go, v1.37.2",
		got: func(*testing.T) string {
			pod := podOf("web", "memory=1Gi", "memory=2Gi")
			files := cgroupconfig.ForContainer(pod, &pod.Spec.Containers[0], cgroupconfig.Options{TieredReservation: true}).Cgroup.V2(cgroup.SharesToLogarithmicWeight)
			return fmt.Sprint(strings.Contains(lines(files), "memory.high"))
		},
		want: "false",
	},
	{
		name:     "weight of 1024 shares",
		question: "I set cpu-shares 1024: why does cpu.weight print 39?",
		source:   "opencontainers/runc#4772: 39 by the linear formula, 100 by that of runc since 1.3.2; KEP-2254",
		got: func(*testing.T) string {
			return fmt.Sprint(cgroup.SharesToLinearWeight(1024), cgroup.SharesToLogarithmicWeight(1024))
		},
		want: "39 100",
	},
	{
		name:     "quota of a throttled container",
		question: "My pod uses 5% CPU and is still throttled: how long may a limit of 150m run at a time?",
		source:   "devopsbeast.com; pkg/kubelet/cm/helpers_linux.go, v1.36.3: 15 ms of each 100 ms, and never less than 1 ms",
		got: func(*testing.T) string {
			return fmt.Sprint(cgroup.MilliCPUToQuota(150, 0), cgroup.MilliCPUToQuota(5, 0))
		},
		want: "15000 1000",
	},
	{
		name:     "OOM scores of three classes",
		question: "Which of my containers does the kernel kill first, if the node of 128Gi runs out of memory?",
		source:   "kubernetes/kubernetes#133839; pkg/kubelet/qos/policy.go, v1.36.3: 1000 without requests, 1000 - 1000*62/128 and 66/128, -997 if Guaranteed",
		got: func(*testing.T) string {
			var scores []int
			for _, pod := range []*corev1.Pod{podOf("a", "", ""), podOf("b", "memory=62Gi", ""), podOf("c", "memory=66Gi", ""), podOf("d", "cpu=1 memory=1Gi", "cpu=1 memory=1Gi")} {
				scores = append(scores, qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 128<<30, computeresources.Kubernetes{}))
			}
			return lines(scores)
		},
		want: "1000; 516; 485; -997",
	},
	{
		name:     "largest size of a node group",
		question: "The node group may have three nodes: which of my five pods of 3 CPU wait?",
		source:   "kubernetes/autoscaler#5692: max node group size reached; one pod fits on a node of 4 CPU",
		got: func(*testing.T) string {
			e := noderesources.EstimateNodes(requests("cpu=3", 5), noderesources.NewLedger(list("cpu=4 memory=8Gi pods=110")), noderesources.EstimateOptions{MaxNodes: 3})
			return fmt.Sprint(e.Nodes, e.Unplaced)
		},
		want: "3 map[3:[] 4:[]]",
	},
	{
		name:     "pods that no node of a shape holds",
		question: "The autoscaler does not add a node, Insufficient cpu, although the node group is small: why?",
		source:   "kubernetes/autoscaler#2085: the DaemonSets use 500m of each node, and the pod of 3600m does not fit in the rest of 4 CPU",
		got: func(t *testing.T) string {
			template := noderesources.NewLedger(list("cpu=4 memory=8Gi pods=110"))
			testkit.OK(t, template.Add("daemon", requests("cpu=500m", 1)[0]))
			e := noderesources.EstimateNodes(requests("cpu=3600m", 1), template, noderesources.EstimateOptions{})
			return fmt.Sprint(e.Nodes, " ", e.Unplaced[0].Err())
		},
		want: "0 Insufficient cpu",
	},
	{
		name:     "node that a placeholder chooses",
		question: "The affinity assistant puts my run on a node that is too small: how large would it have to be?",
		source:   "tektoncd/pipeline#8015: the placeholder requests 50m, and two tasks of 2 CPU run at the same time, 4050m",
		got: func(t *testing.T) string {
			demand, err := peak.DemandOf(&affinity.Run{Name: "run", Tasks: []affinity.Task{
				{Name: "clone", Requests: list("cpu=3")}, {Name: "unit", Requests: list("cpu=2"), RunAfter: []string{"clone"}}, {Name: "lint", Requests: list("cpu=2"), RunAfter: []string{"clone"}},
			}}, peak.Options{})
			testkit.OK(t, err)
			demand = demand.With(list("cpu=50m"), list("cpu=50m"))
			small, large := noderesources.NewLedger(list("cpu=4 pods=110")), noderesources.NewLedger(list("cpu=8 pods=110"))
			verdicts := peak.Nodes(demand, map[string]*noderesources.Ledger{"large": large, "small": small})
			return fmt.Sprint(resourcelist.String(demand.Requests()), " ", verdicts[0].Node, " ", verdicts[0].Room, " ", verdicts[1].Node, " ", verdicts[1].Room)
		},
		want: "cpu=4050m large Holds small Waits",
	},
	{
		name:     "shares of a node in percent",
		question: "Is a node with 4 of 110 pods and 700m of 3900m below 20% of both?",
		source:   "kubernetes-sigs/descheduler#1422, #755: percent of what is allocatable, by requests, also of pods",
		got: func(*testing.T) string {
			used, allocatable := list("cpu=700m pods=4"), list("cpu=3900m pods=110")
			cpu, _ := resourcelist.Percent(used["cpu"], allocatable["cpu"])
			pods, _ := resourcelist.Percent(used["pods"], allocatable["pods"])
			return fmt.Sprint(cpu, pods)
		},
		want: "17 3",
	},
}

// outOf returns why the kubelet rejects a pod on a node with one other pod.
func outOf(cpu, used, capacity string) string {
	a := noderesources.AdmitPod(podOf("new", "cpu="+cpu, ""), list("cpu="+capacity+" pods=110"), []*corev1.Pod{podOf("other", "cpu="+used, "")}, noderesources.KubeletOptions{})
	return a.Reason + ": " + a.Message
}

func allocatable(t *testing.T, capacity corev1.ResourceList, reserved noderesources.ReservedOptions) corev1.ResourceList {
	t.Helper()
	left, err := noderesources.Allocatable(capacity, reserved)
	testkit.OK(t, err)
	return left
}

// evictions returns the names of pods in the order of their eviction. Each pod has its request and its usage.
func evictions(pressure qos.Pressure, amounts map[string]string) string {
	var pods []*corev1.Pod
	usage := map[types.UID]qos.PodUsage{}
	for name, of := range amounts {
		request, used, _ := strings.Cut(of, " ")
		amount := resource.MustParse(used)
		pods = append(pods, podOf(name, "memory="+request, ""))
		usage[types.UID(name)] = qos.PodUsage{Amount: amount.Value()}
	}
	var names []string
	for _, e := range evictionOrder(pods, pressure, usage) {
		names = append(names, pods[e.Index].Name)
	}
	return strings.Join(names, " ")
}

// aboveStorageLimit returns whether a pod is evicted because one container, or a sidecar, writes 2Gi with a limit of 1Gi. The
// other container may write 4Gi.
func aboveStorageLimit(sidecar bool) bool {
	pod := podOf("web", "", "ephemeral-storage=4Gi")
	logs := containerOf("logs", "", "ephemeral-storage=1Gi")
	if always := corev1.ContainerRestartPolicyAlways; sidecar {
		logs.RestartPolicy = &always
		pod.Spec.InitContainers = []corev1.Container{logs}
	} else {
		pod.Spec.Containers = append(pod.Spec.Containers, logs)
	}
	usage := map[types.UID]qos.PodUsage{"web": {EphemeralStorage: 2 << 30, ContainerStorage: map[string]int64{"logs": 2 << 30}}}
	order := evictionOrder([]*corev1.Pod{pod}, "", usage)
	return len(order) == 1 && order[0].AboveLimit
}

// evictionOrder returns the order under a pressure that there is.
func evictionOrder(pods []*corev1.Pod, pressure qos.Pressure, usage map[types.UID]qos.PodUsage) []qos.Eviction {
	order, err := qos.EvictionOrder(pods, qos.NodePressure{Pressure: pressure, Usage: usage}, computeresources.Kubernetes{})
	if err != nil {
		panic(err)
	}
	return order
}

// requests returns as many equal requests of pods.
func requests(amounts string, pods int) []noderesources.Request {
	of := make([]noderesources.Request, pods)
	for i := range of {
		of[i] = noderesources.PodRequest(podOf("web", amounts, ""), computeresources.Options{})
	}
	return of
}
