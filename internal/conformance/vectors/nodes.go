package main

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/vectors"
)

// fit asks the plugins NodeResourcesFit and NodeResourcesBalancedAllocation.
func fit(in vectors.Placement) (out vectors.Fit, err error) {
	ctx := context.Background()
	handle, err := runtime.NewFramework(ctx, nil, nil)
	if err != nil {
		return out, err
	}
	node := &corev1.Node{}
	node.Name = "n"
	node.Status.Allocatable, err = in.Allocatable.List()
	if err != nil {
		return out, err
	}
	info := framework.NewNodeInfo()
	info.SetNode(node)
	for i, p := range in.Placed {
		spec, err := p.PodSpec()
		if err != nil {
			return out, err
		}
		pod := &corev1.Pod{Spec: *spec}
		pod.Name, pod.UID = fmt.Sprint("p", i), types.UID(fmt.Sprint(i))
		info.AddPod(pod)
	}
	spec, err := in.Pod.PodSpec()
	if err != nil {
		return out, err
	}
	pod := &corev1.Pod{Spec: *spec}
	out.Reasons = []string{}
	for _, s := range noderesources.Fits(pod.DeepCopy(), info, nil, noderesources.ResourceRequestsOptions{EnablePodLevelResources: true}) {
		out.Reasons = append(out.Reasons, s.Reason)
	}
	slices.Sort(out.Reasons)

	gates := oracle.SchedulerFeatures()
	resources := []config.ResourceSpec{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}}
	for strategy, score := range map[config.ScoringStrategyType]*int64{config.LeastAllocated: &out.LeastAllocated, config.MostAllocated: &out.MostAllocated} {
		plugin, err := noderesources.NewFit(ctx, &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: strategy, Resources: resources}}, handle, gates)
		if err != nil {
			return out, err
		}
		*score, _ = plugin.(*noderesources.Fit).Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
	}
	plugin, err := noderesources.NewBalancedAllocation(ctx, &config.NodeResourcesBalancedAllocationArgs{Resources: resources}, handle, gates)
	if err != nil {
		return out, err
	}
	out.BalancedAllocation, _ = plugin.(*noderesources.BalancedAllocation).Score(ctx, framework.NewCycleState(), pod.DeepCopy(), info)
	return out, nil
}
