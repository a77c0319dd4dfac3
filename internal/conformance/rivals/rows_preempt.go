package main

import (
	"context"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/informers"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultbinder"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/defaultpreemption"
	upstreamnodes "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/queuesort"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"
	tf "k8s.io/kubernetes/pkg/scheduler/testing/framework"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

var preemptionSink noderesources.Preemption

// preemptRows are about 5,000 full nodes of 30 pods each, half of which have a lower priority than the pod that preempts
// some of them. Both sides try all nodes, one after the other.
func preemptRows() []measure.Row {
	type sides struct {
		nodes  *noderesources.Cluster
		podsOn func(string) []noderesources.PotentialVictim
		infos  []fwk.NodeInfo
		plugin *defaultpreemption.DefaultPreemption
		state  fwk.CycleState
	}
	ctx, pod := context.Background(), scannedPod()
	pod.Spec.Priority = new(int32(10))
	request := noderesources.SpecRequest(&pod.Spec, computeresources.Options{})
	both := sync.OnceValue(func() (s sides) { // 300,000 pods, which other rows do not need
		var snapshot *cache.Snapshot
		s.nodes, snapshot, s.podsOn = fullNodes()
		var handle framework.Framework
		handle, s.plugin = preemptor(snapshot)
		var err error
		if s.infos, err = snapshot.NodeInfos().List(); err != nil {
			panic(err)
		}
		s.state = framework.NewCycleState()
		if _, status, _ := handle.RunPreFilterPlugins(ctx, s.state, pod); !status.IsSuccess() {
			panic(status)
		}
		return s
	})
	return []measure.Row{{
		Kernel: "victims on 5000 nodes of 30 pods", Rival: kubernetes + " DryRunPreemption and SelectCandidate", AtLeast: 8, Aim: 20, Allocs: 40,
		Ours: func() {
			var err error
			preemptionSink, err = both().nodes.Preempt(request, both().podsOn, noderesources.PreemptOptions{Priority: 10})
			if err != nil {
				panic(err)
			}
		},
		Theirs: func() {
			candidates, _, err := both().plugin.Evaluator.DryRunPreemption(ctx, both().state, pod, both().infos, nil, 0, manyNodes)
			if err != nil || len(both().plugin.Evaluator.SelectCandidate(ctx, candidates).Victims().Pods) != len(preemptionSink.Victims) {
				panic(fmt.Sprint(err, len(candidates)))
			}
		},
	}}
}

// preemptor returns a scheduler whose only filter is NodeResourcesFit, and its plugin for preemption.
func preemptor(snapshot *cache.Snapshot) (framework.Framework, *defaultpreemption.DefaultPreemption) {
	metrics.Register()
	handle, err := tf.NewFramework(context.Background(), []tf.RegisterPluginFunc{
		tf.RegisterPluginAsExtensions(upstreamnodes.Name, runtime.FactoryAdapter(gates, upstreamnodes.NewFit), "Filter", "PreFilter"),
		tf.RegisterQueueSortPlugin(queuesort.Name, queuesort.New),
		tf.RegisterBindPlugin(defaultbinder.Name, defaultbinder.New),
	}, "", append(listers(snapshot), runtime.WithPodNominator(nobody{}), runtime.WithParallelism(1),
		runtime.WithInformerFactory(informers.NewSharedInformerFactory(nil, 0)))...)
	if err != nil {
		panic(err)
	}
	plugin, err := defaultpreemption.New(context.Background(), &config.DefaultPreemptionArgs{MinCandidateNodesPercentage: 100, MinCandidateNodesAbsolute: 1}, handle, gates)
	if err != nil {
		panic(err)
	}
	return handle, plugin
}

// nobody is a PodNominator without pods.
type nobody struct{ fwk.PodNominator }

// fullNodes returns nodes as both sides hold them.
func fullNodes() (*noderesources.Cluster, *cache.Snapshot, func(string) []noderesources.PotentialVictim) {
	var nodes noderesources.Cluster
	var theirNodes []*corev1.Node
	var theirPods []*corev1.Pod
	pods := map[string][]noderesources.PotentialVictim{}
	for i := range manyNodes {
		node := &corev1.Node{}
		node.Name, node.Status.Allocatable = nodeName(i), nodeShape()
		theirNodes = append(theirNodes, node)
		if err := nodes.AddNode(node.Name, node.Status.Allocatable); err != nil {
			panic(err)
		}
		for j := range 30 {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", testkit.List("cpu", "2", "memory", "4Gi"), nil)}}}
			pod.Namespace, pod.Name = "shop", fmt.Sprintf("web-%d-%d", i, j)
			pod.UID = types.UID(fmt.Sprintf("%08x-0000-4000-8000-%012x", i*7919, j))
			pod.Spec.Priority = new(int32(j*7919%30 - 5 + i%7))
			pod.Status.StartTime = &metav1.Time{Time: time.Unix(int64(i*104729%1000), 0)}
			pod.Spec.NodeName = node.Name
			theirPods = append(theirPods, pod)
			if err := nodes.AddPod(pod.UID, node.Name, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
				panic(err)
			}
			pods[node.Name] = append(pods[node.Name], noderesources.PotentialVictimOf(pod))
		}
	}
	return &nodes, cache.NewSnapshot(theirPods, theirNodes), func(node string) []noderesources.PotentialVictim { return pods[node] }
}
