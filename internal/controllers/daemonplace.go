package controllers

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/nodeaffinity"
	"github.com/kubemath/kubemath/internal/taints"
)

// DaemonPlace returns whether a daemon of a DaemonSet should run on a node, whatever its requests are, and whether an
// existing one may stay, in spite of taints with NoSchedule. Source: NodeShouldRunDaemonPod.
func DaemonPlace(set *appsv1.DaemonSet) func(n *corev1.Node) (shouldRun, mayStay bool) {
	spec := &set.Spec.Template.Spec
	tolerations, required := DaemonTolerations(spec), nodeaffinity.RequiredOf(spec)
	return func(n *corev1.Node) (shouldRun, mayStay bool) {
		if spec.NodeName != "" && spec.NodeName != n.Name || !required.Matches(n) {
			return false, false
		}
		mayStay = !taints.Untolerated(n.Spec.Taints, tolerations, corev1.TaintEffectNoExecute)
		return mayStay && !taints.Untolerated(n.Spec.Taints, tolerations, corev1.TaintEffectNoSchedule), mayStay
	}
}

// DaemonTolerations are the tolerations of the pods of a DaemonSet, with those that the controller adds. Source:
// AddOrUpdateDaemonPodTolerations.
func DaemonTolerations(spec *corev1.PodSpec) []corev1.Toleration {
	added := []corev1.Toleration{
		{Key: corev1.TaintNodeNotReady, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeUnreachable, Effect: corev1.TaintEffectNoExecute},
		{Key: corev1.TaintNodeDiskPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeMemoryPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodePIDPressure, Effect: corev1.TaintEffectNoSchedule},
		{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule},
	}
	if spec.HostNetwork {
		t := corev1.Toleration{Key: corev1.TaintNodeNetworkUnavailable, Effect: corev1.TaintEffectNoSchedule}
		added = append(added, t)
	}
	tolerations := slices.Clone(spec.Tolerations)
	for _, t := range added {
		t.Operator = corev1.TolerationOpExists
		tolerations = slices.DeleteFunc(tolerations, func(other corev1.Toleration) bool { return t.MatchToleration(&other) })
		tolerations = append(tolerations, t)
	}
	return tolerations
}
