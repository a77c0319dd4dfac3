//go:build !kubernetes136

package conformance

import (
	"context"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/component-base/featuregate"
	"k8s.io/klog/v2"
	fwk "k8s.io/kube-scheduler/framework"
	podutil "k8s.io/kubernetes/pkg/api/pod"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/features"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/lifecycle"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
)

// dependents are the gates that are off if PodLevelResources is.
var dependents = []featuregate.Feature{
	features.InPlacePodLevelResourcesVerticalScaling, features.PodLevelResourcesFixDefaulting, features.PodLevelResourcesFixKubeletQOSClass,
}

// locked are the gates that cannot be turned off.
var locked = map[featuregate.Feature]bool{features.InPlacePodVerticalScalingInitContainers: true}

// applyUpstreamPodLevelDefaults sets the pod-level defaults that come right before a pod is stored.
func applyUpstreamPodLevelDefaults(pod *core.Pod) { podutil.DefaultPodLevelResources(pod) }

func upstreamStatefulSetErrors(set *apps.StatefulSet) field.ErrorList {
	return appsvalidation.ValidateStatefulSet(set, appsvalidation.StatefulSetValidationOptions{}, corevalidation.PodValidationOptions{})
}

func upstreamStatefulSetUpdateErrors(set, old *apps.StatefulSet) field.ErrorList {
	return appsvalidation.ValidateStatefulSetUpdate(set, old, appsvalidation.StatefulSetValidationOptions{}, corevalidation.PodValidationOptions{})
}

// options returns the options of a scheduler that sees the nodes of p.
func (p *preemptors) options() []runtime.Option {
	return append(preemptionManager(), runtime.WithSnapshotSharedLister(p), runtime.WithMutableSnapshotLister(p))
}

// preemptors is the MutableSnapshotSharedLister of its handle. Pods are not in groups, so that nothing is changed.
func (p *preemptors) PodGroups() fwk.PodGroupLister { return p.lister.PodGroups() }
func (p *preemptors) CompositePodGroupStates() fwk.CompositePodGroupStateLister {
	return p.lister.CompositePodGroupStates()
}
func (p *preemptors) CompositePodGroups() fwk.CompositePodGroupLister {
	return p.lister.CompositePodGroups()
}
func (p *preemptors) StartMutations() error            { return nil }
func (p *preemptors) EndMutations() error              { return nil }
func (p *preemptors) AddPod(fwk.PodInfo, string) error { panic("a pod is added to the snapshot") }
func (p *preemptors) RemovePod(klog.Logger, *corev1.Pod, string) error {
	panic("a pod is removed from the snapshot")
}

func (p *preemptors) selectVictims(
	state fwk.CycleState, pod *corev1.Pod, node fwk.NodeInfo, budgets []*policyv1.PodDisruptionBudget,
) ([]*corev1.Pod, int, *fwk.Status) {
	possible, err := p.plugin.Evaluator.GetVictimsOnNode(context.Background(), node)
	if err != nil {
		return nil, 0, fwk.AsStatus(err)
	}
	return p.plugin.SelectVictimsOnNode(context.Background(), state, pod, node.Snapshot(), possible, budgets)
}

// throttlePod sets memory.high on the cgroup of a pod.
func throttlePod(pod *corev1.Pod, c *cm.ResourceConfig, factor float64) {
	cm.ApplyPodLevelMemoryHigh(pod, c, factor)
}

// Admit records which pod is tried.
func (k *ownKubelet) Admit(_ context.Context, attrs *lifecycle.PodAdmitAttributes) lifecycle.PodAdmitResult {
	return k.try(attrs)
}

func (k *ownKubelet) allocate(pod *corev1.Pod) error {
	return k.SetAllocatedResources(klog.Background(), pod)
}

func (k *ownKubelet) add(pod *corev1.Pod) (ok bool, reason, message string) {
	return k.AddPod(context.Background(), k.active, pod)
}

func (k *ownKubelet) retryPending(pending []types.UID) {
	for _, uid := range pending {
		k.PushPendingResize(klog.Background(), uid)
	}
	k.RetryPendingResizes(context.Background(), "test")
}
