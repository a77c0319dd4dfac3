//go:build kubernetes136

package conformance

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/tools/record"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/allocation"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/config"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// dependents are the gates that are off if PodLevelResources is.
var dependents = []featuregate.Feature{features.InPlacePodLevelResourcesVerticalScaling}

// locked are the gates that cannot be turned off.
var locked = map[featuregate.Feature]bool{}

// applyUpstreamPodLevelDefaults does nothing: this release sets pod-level defaults when it decodes a pod.
func applyUpstreamPodLevelDefaults(*core.Pod) {}

func upstreamStatefulSetErrors(set *apps.StatefulSet) field.ErrorList {
	return appsvalidation.ValidateStatefulSet(set, corevalidation.PodValidationOptions{})
}

func upstreamStatefulSetUpdateErrors(set, old *apps.StatefulSet) field.ErrorList {
	return appsvalidation.ValidateStatefulSetUpdate(set, old, corevalidation.PodValidationOptions{})
}

// options returns the options of a scheduler that sees the nodes of p.
func (p *preemptors) options() []runtime.Option {
	return []runtime.Option{runtime.WithSnapshotSharedLister(p)}
}

func (p *preemptors) selectVictims(
	state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo, budgets []*policyv1.PodDisruptionBudget,
) ([]*corev1.Pod, int, *fwk.Status) {
	return p.plugin.SelectVictimsOnNode(context.Background(), state, pod, node.Snapshot(), budgets)
}

// throttlePod sets nothing: only containers are throttled.
func throttlePod(*corev1.Pod, *cm.ResourceConfig, float64) {}

func (k *ownKubelet) newManager(recorder record.EventRecorderLogger) allocation.Manager {
	active := func() []*corev1.Pod { return slices.Clone(k.active) }
	ready := config.NewSourcesReady(func(sets.Set[string]) bool { return true })
	return allocation.NewInMemoryManager(k.conditions, func(*corev1.Pod) {}, active, k.find, ready, recorder)
}

func (k *ownKubelet) resizeHandler(opts noderesources.KubeletOptions) lifecycle.PodAdmitHandler {
	return allocation.NewPodResizesAdmitHandler(policies{opts: opts}, swapping{opts: opts}, k, klog.Background())
}

// Admit records which pod is tried.
func (k *ownKubelet) Admit(attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return k.try(attrs)
}

func (k *ownKubelet) allocate(pod *corev1.Pod) error { return k.SetAllocatedResources(pod) }

func (k *ownKubelet) add(pod *corev1.Pod) (ok bool, reason, message string) {
	return k.AddPod(k.active, pod)
}

func (k *ownKubelet) retryPending(pending []types.UID) {
	for _, uid := range pending {
		k.PushPendingResize(uid)
	}
	k.RetryPendingResizes("test")
}
