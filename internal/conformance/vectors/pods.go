package main

import (
	"fmt"

	"github.com/opencontainers/cgroups"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/component-helpers/resource"
	classes "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	"k8s.io/kubernetes/pkg/kubelet/qos"

	"github.com/kubemath/kubemath/internal/vectors"
)

func totals(in vectors.Pod) (out vectors.Totals, err error) {
	spec, err := in.PodSpec()
	pod := &corev1.Pod{Spec: *spec}
	out.Requests = vectors.AmountsOf(resource.PodRequests(pod.DeepCopy(), resource.PodResourcesOptions{}))
	out.Limits = vectors.AmountsOf(resource.PodLimits(pod.DeepCopy(), resource.PodResourcesOptions{}))
	return out, err
}

func class(in vectors.PodOnNode) (out vectors.Class, err error) {
	spec, err := in.PodSpec()
	pod := &corev1.Pod{Spec: *spec}
	out.QOSClass = classes.ComputePodQOS(pod.DeepCopy())
	out.OOMScoreAdj = map[string]int{}
	for _, list := range [][]corev1.Container{spec.InitContainers, spec.Containers} {
		for i := range list {
			out.OOMScoreAdj[list[i].Name] = qos.GetContainerOOMScoreAdjust(pod.DeepCopy(), list[i].DeepCopy(), in.NodeMemory)
		}
	}
	return out, err
}

func numbers(in vectors.Conversion) (out vectors.Numbers, err error) {
	switch {
	case in.MilliCPU != nil:
		shares, quota := int64(cm.MilliCPUToShares(*in.MilliCPU)), cm.MilliCPUToQuota(*in.MilliCPU, *in.Period)
		out.Shares, out.Quota = &shares, &quota
	case in.Shares != nil:
		weight := int64(cgroups.ConvertCPUSharesToCgroupV2Value(uint64(*in.Shares)))
		linear := 1 + (*in.Shares-2)*9999/262142 // KEP-2254, "Phase 1"; the kubelet does not export it
		out.Weight, out.LinearWeight = &weight, &linear
	case in.Identity != nil:
		parent := cm.NewCgroupName(cm.RootCgroupName, "kubepods")
		switch in.Identity.QOSClass {
		case corev1.PodQOSBurstable:
			parent = cm.NewCgroupName(parent, "burstable")
		case corev1.PodQOSBestEffort:
			parent = cm.NewCgroupName(parent, "besteffort")
		}
		name := cm.NewCgroupName(parent, cm.GetPodCgroupNameSuffix(types.UID(in.Identity.UID)))
		out.Cgroupfs, out.Systemd = name.ToCgroupfs(), name.ToSystemd()
	case in.Pod != nil:
		spec, err := in.Pod.PodSpec()
		if err != nil {
			return out, err
		}
		config := cm.ResourceConfigForPod(&corev1.Pod{Spec: *spec}, true, 100000, false, "")
		if config.CPUShares != nil {
			shares := int64(*config.CPUShares)
			out.Shares = &shares
		}
		if config.CPUQuota != nil && *config.CPUQuota > 0 {
			out.Quota = config.CPUQuota
		}
		if config.Memory != nil && *config.Memory > 0 {
			out.Memory = config.Memory
		}
	default:
		return out, fmt.Errorf("nothing is requested")
	}
	return out, err
}
