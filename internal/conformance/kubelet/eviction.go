package kubelet

import (
	"context"
	"reflect"
	"unsafe" // for go:linkname

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	statsapi "k8s.io/kubelet/pkg/apis/stats/v1alpha1"
	"k8s.io/kubernetes/pkg/kubelet/eviction"
	evictionapi "k8s.io/kubernetes/pkg/kubelet/eviction/api"
	"k8s.io/utils/clock"

	"github.com/kubemath/kubemath/qos"
)

type statsFunc = func(*corev1.Pod) (statsapi.PodStats, bool)

//go:linkname rankMemoryPressure k8s.io/kubernetes/pkg/kubelet/eviction.rankMemoryPressure
func rankMemoryPressure(pods []*corev1.Pod, stats statsFunc)

//go:linkname rankPIDPressure k8s.io/kubernetes/pkg/kubelet/eviction.rankPIDPressure
func rankPIDPressure(pods []*corev1.Pod, stats statsFunc)

//go:linkname rankDiskPressureFunc k8s.io/kubernetes/pkg/kubelet/eviction.rankDiskPressureFunc
func rankDiskPressureFunc(measured []string, name corev1.ResourceName) func([]*corev1.Pod, statsFunc)

//go:linkname synchronize k8s.io/kubernetes/pkg/kubelet/eviction.(*managerImpl).synchronize
func synchronize(manager unsafe.Pointer, ctx context.Context, disks eviction.DiskInfoProvider, pods eviction.ActivePodsFunc) ([]*corev1.Pod, error)

// Stats are the statistics of the pods of a node, which has one file system.
type Stats map[types.UID]statsapi.PodStats

func (s Stats) of(pod *corev1.Pod) (statsapi.PodStats, bool) {
	stats, known := s[pod.UID]
	return stats, known
}

// Rank sorts pods as the kubelet does under a pressure. It leaves pods as they are if that is in order.
func Rank(pods []*corev1.Pod, pressure qos.Pressure, stats Stats) {
	switch pressure {
	case qos.MemoryPressure:
		rankMemoryPressure(pods, stats.of)
	case qos.StoragePressure, qos.InodePressure:
		rankDiskPressureFunc([]string{"images", "root", "logs", "localVolumeSource"}, corev1.ResourceName(pressure))(pods, stats.of)
	case qos.PIDPressure:
		rankPIDPressure(pods, stats.of)
	}
}

// UsageOf returns what the statistics of a pod say about the resource under pressure, and about its limits. The
// volumes are local.
func UsageOf(stats statsapi.PodStats, pressure qos.Pressure) qos.PodUsage {
	use := qos.PodUsage{
		Containers: map[string]int64{}, ContainerStorage: map[string]int64{}, VolumeStorage: map[string]int64{},
		EphemeralStorage: int64(*stats.EphemeralStorage.UsedBytes),
	}
	var bytes, inodes int64
	for _, c := range stats.Containers {
		storage := int64(*c.Rootfs.UsedBytes + *c.Logs.UsedBytes)
		use.ContainerStorage[c.Name], use.Containers[c.Name] = storage, storage
		if pressure == qos.MemoryPressure {
			use.Containers[c.Name] = int64(*c.Memory.WorkingSetBytes)
		}
		bytes += storage
		inodes += int64(*c.Rootfs.InodesUsed + *c.Logs.InodesUsed)
	}
	for _, v := range stats.VolumeStats {
		use.VolumeStorage[v.Name] = int64(*v.UsedBytes)
		bytes += int64(*v.UsedBytes)
		inodes += int64(*v.InodesUsed)
	}
	use.Amount = map[qos.Pressure]int64{
		qos.MemoryPressure: int64(*stats.Memory.WorkingSetBytes), qos.StoragePressure: bytes,
		qos.InodePressure: inodes, qos.PIDPressure: int64(*stats.ProcessStats.ProcessCount),
	}[pressure]
	return use
}

// Evict returns the messages of the pods that the kubelet evicts in one round, of which 5 units are available
// and the threshold is 10.
func Evict(pods []*corev1.Pod, pressure qos.Pressure, stats Stats) (map[types.UID]string, error) {
	messages := map[types.UID]string{}
	kill := func(pod *corev1.Pod, _ bool, _ *int64, set func(*corev1.PodStatus)) error {
		var status corev1.PodStatus
		set(&status)
		messages[pod.UID] = status.Message
		return nil
	}
	config := eviction.Config{}
	if pressure != "" {
		signal := map[qos.Pressure]evictionapi.Signal{
			qos.MemoryPressure: evictionapi.SignalMemoryAvailable, qos.StoragePressure: evictionapi.SignalNodeFsAvailable,
			qos.InodePressure: evictionapi.SignalNodeFsInodesFree, qos.PIDPressure: evictionapi.SignalPIDAvailable,
		}[pressure]
		config.Thresholds = []evictionapi.Threshold{{
			Signal: signal, Operator: evictionapi.OpLessThan, Value: evictionapi.ThresholdValue{Quantity: resource.NewQuantity(10, resource.BinarySI)},
		}}
	}
	ctx := klog.NewContext(context.Background(), klog.Logger{}) // logs nothing
	manager, _ := eviction.NewManager(node(stats), config, kill, node(nil), node(nil), &record.FakeRecorder{}, nil, clock.RealClock{}, true)
	_, err := synchronize(reflect.ValueOf(manager).UnsafePointer(), ctx, node(nil), func() []*corev1.Pod { return pods })
	return messages, err
}

// node is a node that is short of everything, where nothing can be collected.
type node Stats

func (n node) Get(context.Context, bool) (*statsapi.Summary, error) {
	available, capacity, processes := uint64(5), uint64(100), int64(95)
	maxPID := int64(100)
	summary := &statsapi.Summary{Node: statsapi.NodeStats{
		Memory: &statsapi.MemoryStats{AvailableBytes: &available, WorkingSetBytes: &capacity},
		Fs:     &statsapi.FsStats{AvailableBytes: &available, CapacityBytes: &capacity, InodesFree: &available, Inodes: &capacity},
		Rlimit: &statsapi.RlimitStats{MaxPID: &maxPID, NumOfRunningProcesses: &processes},
	}}
	for uid, stats := range n {
		stats.PodRef.UID = string(uid)
		summary.Pods = append(summary.Pods, stats)
	}
	return summary, nil
}

func (n node) GetCPUAndMemoryStats(ctx context.Context) (*statsapi.Summary, error) {
	return n.Get(ctx, false)
}
func (node) HasDedicatedImageFs(context.Context) (bool, error)     { return false, nil }
func (node) HasDedicatedContainerFs(context.Context) (bool, error) { return false, nil }
func (node) DeleteUnusedImages(context.Context) error              { return nil }
func (node) DeleteAllUnusedContainers(context.Context) error       { return nil }
