package v1

import (
	corev1 "k8s.io/api/core/v1"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/features"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/limitrange"
	"kubemath.example/upstream/beside"
)

func SetDefaults_Pod(obj *corev1.Pod) {
	theirs := obj.DeepCopy()
	upstreamSetDefaults_Pod(theirs)

	computeresources.ApplyRequestDefaults(&obj.Spec, computeresources.DefaultOptions{
		IgnorePodLevel: !utilfeature.DefaultFeatureGate.Enabled(features.PodLevelResources),
	})
	// What is no resource.
	obj.Spec.EnableServiceLinks = theirs.Spec.EnableServiceLinks
	if obj.Spec.HostNetwork {
		defaultHostNetworkPorts(&obj.Spec.Containers)
		defaultHostNetworkPorts(&obj.Spec.InitContainers)
	}

	// Ours are rounded already, as theirs will be.
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
	beside.Compare("SetDefaults_Pod", obj, theirs)
}

func SetDefaults_LimitRangeItem(obj *corev1.LimitRangeItem) {
	in := beside.Keep("SetDefaults_LimitRangeItem", obj)
	theirs := obj.DeepCopy()
	upstreamSetDefaults_LimitRangeItem(theirs)
	ours := limitrange.WithDefaults(*obj, limitrange.ServerRules)
	in.Unchanged()
	*obj = ours
	beside.Compare("SetDefaults_LimitRangeItem", obj, theirs)
}
