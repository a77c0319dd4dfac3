package v1

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"kubemath.example/upstream/beside"
	"kubemath.example/upstream/cluster"
)

func SetDefaults_Pod(obj *corev1.Pod) {
	theirs := upstreamDefaultedPod(obj)
	apps, inits := obj.Spec.Containers, obj.Spec.InitContainers
	computeresources.ApplyRequestDefaults(&obj.Spec, cluster.Kubernetes())
	// Upstream's tests keep pointers to containers, which kubemath replaces where it changes them.
	copy(apps, obj.Spec.Containers)
	copy(inits, obj.Spec.InitContainers)
	obj.Spec.Containers, obj.Spec.InitContainers = apps, inits
	otherDefaults(obj)
	if obj.Spec.EnableServiceLinks == nil {
		enabled := corev1.DefaultEnableServiceLinks
		obj.Spec.EnableServiceLinks = &enabled
	}
	if obj.Spec.HostNetwork {
		defaultHostNetworkPorts(&obj.Spec.Containers)
		defaultHostNetworkPorts(&obj.Spec.InitContainers)
	}
	beside.Compare("SetDefaults_Pod", obj, theirs)
}

// upstreamDefaultedPod returns what upstream makes of a pod, rounded: ours is already, as theirs will be.
func upstreamDefaultedPod(obj *corev1.Pod) *corev1.Pod {
	theirs := obj.DeepCopy()
	upstreamSetDefaults_Pod(theirs)
	rounded := func(requirements *corev1.ResourceRequirements) {
		SetDefaults_ResourceList(&requirements.Limits)
		SetDefaults_ResourceList(&requirements.Requests)
	}
	for i := range theirs.Spec.Containers {
		rounded(&theirs.Spec.Containers[i].Resources)
	}
	for i := range theirs.Spec.InitContainers {
		rounded(&theirs.Spec.InitContainers[i].Resources)
	}
	if theirs.Spec.Resources != nil {
		rounded(theirs.Spec.Resources)
	}
	SetDefaults_ResourceList(&theirs.Spec.Overhead)
	return theirs
}

func SetDefaults_LimitRangeItem(obj *corev1.LimitRangeItem) {
	in := beside.Keep("SetDefaults_LimitRangeItem", obj)
	theirs := upstreamDefaultedItem(obj)
	ours := limitrange.WithDefaults(*obj)
	in.Unchanged()
	*obj = ours
	beside.Compare("SetDefaults_LimitRangeItem", obj, theirs)
}

func upstreamDefaultedItem(obj *corev1.LimitRangeItem) *corev1.LimitRangeItem {
	theirs := obj.DeepCopy()
	upstreamSetDefaults_LimitRangeItem(theirs)
	return theirs
}
