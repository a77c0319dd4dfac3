package eviction

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"

	"github.com/kubemath/kubemath/qos"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

// rank sorts pods. Those that are never evicted come last. The kubelet's order is not stable: it has to leave ours as it is.
func rank(function string, pods []*corev1.Pod, stats statsFunc, pressure qos.Pressure, amount func(*corev1.Pod, statsapi.PodStats) int64, original rankFunc) {
	in := beside.Keep(function, pods)
	usage := map[types.UID]qos.PodUsage{}
	for _, pod := range pods {
		if s, known := stats(pod); known {
			usage[pod.UID] = qos.PodUsage{Amount: amount(pod, s)}
		}
	}
	var ours []*corev1.Pod
	order, err := qos.EvictionOrder(pods, qos.NodePressure{Pressure: pressure, Usage: usage}, cluster.Kubernetes())
	if err != nil {
		panic(err)
	}
	for _, e := range order {
		ours = append(ours, pods[e.Index])
	}
	in.Unchanged()
	theirs := slices.Clone(ours)
	original(theirs, stats)
	beside.Compare(function, ours, theirs)
	copy(pods, append(ours, slices.DeleteFunc(slices.Clone(pods), func(pod *corev1.Pod) bool { return slices.Contains(ours, pod) })...))
}

func rankMemoryPressure(pods []*corev1.Pod, stats statsFunc) {
	rank("rankMemoryPressure", pods, stats, qos.MemoryPressure, func(_ *corev1.Pod, s statsapi.PodStats) int64 { return memoryUsage(s.Memory).Value() }, upstreamRankMemoryPressure)
}

func rankPIDPressure(pods []*corev1.Pod, stats statsFunc) {
	rank("rankPIDPressure", pods, stats, qos.PIDPressure, func(_ *corev1.Pod, s statsapi.PodStats) int64 { return int64(processUsage(s.ProcessStats)) }, upstreamRankPIDPressure)
}

func rankDiskPressureFunc(measured []fsStatsType, name corev1.ResourceName) rankFunc {
	amount := func(pod *corev1.Pod, s statsapi.PodStats) int64 {
		used, _ := podDiskUsage(s, pod, measured)
		q := used[name]
		return q.Value()
	}
	return func(pods []*corev1.Pod, stats statsFunc) {
		rank("rankDiskPressureFunc", pods, stats, qos.Pressure(name), amount, upstreamRankDiskPressureFunc(measured, name))
	}
}

func evictionMessage(name corev1.ResourceName, pod *corev1.Pod, stats statsFunc, thresholds []evictionapi.Threshold, observations signalObservations) (string, map[string]string) {
	theirs, annotations := upstreamEvictionMessage(name, pod, stats, thresholds, observations)
	usage := map[types.UID]qos.PodUsage{}
	if s, known := stats(pod); known {
		use := qos.PodUsage{Amount: memoryUsage(s.Memory).Value(), Containers: map[string]int64{}}
		for _, c := range s.Containers {
			use.Containers[c.Name] = map[corev1.ResourceName]int64{
				corev1.ResourceMemory: memoryUsage(c.Memory).Value(), corev1.ResourceEphemeralStorage: diskUsage(c.Rootfs).Value() + diskUsage(c.Logs).Value(),
			}[name]
		}
		usage[pod.UID] = use
	}
	threshold, available := getThresholdMetInfo(name, thresholds, observations)
	node := qos.NodePressure{Pressure: qos.Pressure(name), Usage: usage, Threshold: threshold, Available: available}
	ours, err := qos.EvictionMessage(pod, node, cluster.Kubernetes())
	if err != nil {
		panic(err)
	}
	if ours == "" { // a critical pod: the kubelet writes its message before it finds out that the pod is not evicted
		ours = theirs
	}
	beside.Compare("evictionMessage", ours, theirs)
	return ours, annotations
}
