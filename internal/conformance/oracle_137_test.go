//go:build !kubernetes136 && !kubernetes138

package conformance

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/client-go/tools/record"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// preemptionManager returns no option: the plugin has no manager.
func preemptionManager() []runtime.Option { return nil }

func (k *ownKubelet) newManager(recorder record.EventRecorderLogger) allocation.Manager {
	sync := func(context.Context, *corev1.Pod) {}
	active := func() []*corev1.Pod { return slices.Clone(k.active) }
	ready := config.NewSourcesReady(func(sets.Set[string]) bool { return true })
	return allocation.NewInMemoryManager(klog.Background(), k.conditions, sync, active, k.find, ready, recorder)
}

func (k *ownKubelet) resizeHandler(opts noderesources.KubeletOptions) lifecycle.PodAdmitHandler {
	return allocation.NewPodResizesAdmitHandler(policies{opts: opts}, swapping{opts: opts}, k)
}
