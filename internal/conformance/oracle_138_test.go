//go:build kubernetes138

package conformance

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	draapi "k8s.io/dynamic-resource-allocation/api"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework/preemption"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
)

// podsOfKubelet is the PodProvider of a kubelet.
type podsOfKubelet struct{ *ownKubelet }

func (p podsOfKubelet) GetActivePods() []*corev1.Pod                  { return slices.Clone(p.active) }
func (p podsOfKubelet) GetPodByUID(uid types.UID) (*corev1.Pod, bool) { return p.find(uid) }
func (p podsOfKubelet) SyncPodNow(context.Context, *corev1.Pod)       {}
func (p podsOfKubelet) IsPodTerminatingOrTerminal(pod *corev1.Pod) bool {
	return pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
}

// preemptionManager returns the option of a scheduler that has the manager that its plugin asks.
func preemptionManager() []runtime.Option {
	return []runtime.Option{runtime.WithPreemptionManager(func(handle fwk.Handle) fwk.PreemptionManager {
		return preemption.NewPreemptionManager(handle, oracle.SchedulerFeatures())
	})}
}

func (k *ownKubelet) newManager(recorder record.EventRecorderLogger) allocation.Manager {
	ready := config.NewSourcesReady(func(sets.Set[string]) bool { return true })
	return allocation.NewInMemoryManager(klog.Background(), k.conditions, podsOfKubelet{k}, ready, recorder)
}

func (k *ownKubelet) resizeHandler(opts noderesources.KubeletOptions) lifecycle.PodAdmitHandler {
	return allocation.NewPodResizesAdmitHandler(policies{opts: opts}, modes(opts), swapping{opts: opts}, k)
}

// modes is a ResourceManager with the policies of a configuration.
type modes noderesources.KubeletOptions

func (m modes) AllocationMode(name corev1.ResourceName) cm.ResourceAllocationMode {
	if name == corev1.ResourceCPU && m.StaticCPUs || name == corev1.ResourceMemory && m.StaticMemory {
		return cm.ResourceAllocationModeExclusive
	}
	return cm.ResourceAllocationModeShared
}

func (m *deviceManager) ListWithDeviceTaintRules() ([]*draapi.ResourceSlice, error) { return nil, nil }

func (p *preemptors) NominatedPodsForNode(_ klog.Logger, name string) []fwk.PodInfo {
	return p.nominated[name]
}
