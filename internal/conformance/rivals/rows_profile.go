package main

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes/fake"
	fwk "k8s.io/kube-scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/apis/config/latest"
	"k8s.io/kubernetes/pkg/scheduler/backend/cache"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins"
	"k8s.io/kubernetes/pkg/scheduler/framework/plugins/names"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"
	"k8s.io/kubernetes/pkg/scheduler/metrics"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/interpodaffinity"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/placement"
	"github.com/kubemath/kubemath/internal/testkit"
)

// profileRows ask for the nodes that a pod fits on, and their scores, in a crowded cluster. Both sides have counted what
// nodes hold, and parsed the terms of their pods: the snapshot of the scheduler, our ledgers and the index.
func profileRows() []measure.Row {
	objects := sync.OnceValues(func() ([]*corev1.Node, []*corev1.Pod) { return testkit.CrowdedCluster(manyNodes, podsPerNode) })
	ours := sync.OnceValue(func() *kernels { return newKernels(objects()) })
	theirs := sync.OnceValue(func() *profile { return newProfile(objects()) })
	row := func(what string, pod *corev1.Pod) measure.Row {
		return measure.Row{
			Kernel: "filters and scores of the default profile, " + what, Rival: kubernetes + " framework", AtLeast: 10, Aim: 20, Allocs: 300,
			Ours: func() { foundSink = ours().judge(pod) },
			Theirs: func() {
				if found := theirs().judge(pod); found != foundSink {
					panic(fmt.Sprint(found, foundSink))
				}
			},
		}
	}
	return []measure.Row{row("plain pod", testkit.CrowdedPod(31)), row("spread and anti-affinity", spreadPod())}
}

// profileScales begin with objects.
func profileScales() []measure.Scale {
	return []measure.Scale{{
		Subject: "filters and scores of the default profile, from objects", Yardstick: "the scheduler's snapshot and framework", AtMost: 1. / 2,
		Prepare: func() (func(), func(), time.Duration) {
			nodes, pods := testkit.CrowdedCluster(manyNodes, podsPerNode)
			pod := spreadPod()
			return func() { foundSink = newKernels(nodes, pods).judge(pod) }, func() { foundSink = newProfile(nodes, pods).judge(pod) }, 0
		},
	}}
}

func spreadPod() *corev1.Pod {
	pod := testkit.CrowdedPod(30)
	testkit.SpreadAndApart(&pod.Spec, pod.Labels)
	return pod
}

var foundSink found

// found is how many nodes a pod fits on, and the sum of their scores.
type found struct {
	nodes  int
	scores int64
}

// kernels are nodes and pods as ours has prepared them.
type kernels struct {
	nodes   []*corev1.Node
	podsOn  [][]*corev1.Pod
	ledgers []*noderesources.Ledger
	index   *interpodaffinity.Index
	room    []int
	scores  []int64
}

func newKernels(nodes []*corev1.Node, pods []*corev1.Pod) *kernels {
	k := &kernels{nodes: nodes, podsOn: make([][]*corev1.Pod, len(nodes))}
	indices := map[string]int{}
	for i, n := range nodes {
		indices[n.Name] = i
		k.ledgers = append(k.ledgers, noderesources.NewLedger(n.Status.Allocatable))
	}
	for _, p := range pods {
		i := indices[p.Spec.NodeName]
		k.podsOn[i] = append(k.podsOn[i], p)
		if err := k.ledgers[i].Add(p.UID, noderesources.PodRequest(p, computeresources.Options{})); err != nil {
			panic(err)
		}
	}
	k.index = interpodaffinity.NewIndex(nodes, k.on)
	return k
}

func (k *kernels) on(i int) []*corev1.Pod { return k.podsOn[i] }

func (k *kernels) judge(pod *corev1.Pod) (f found) {
	state := placement.Of(pod, placement.Around{}).On(k.nodes, k.index, k.on)
	request := noderesources.PodRequest(pod, computeresources.Options{})
	k.room, k.scores = k.room[:0], k.scores[:0]
	for i, ledger := range k.ledgers {
		if state.Accepts(i) && ledger.Fits(request, noderesources.FitOptions{}) {
			k.room, k.scores = append(k.room, i), append(k.scores, ledger.Score(request, nil))
		}
	}
	state.AddScores(k.room, k.scores)
	for _, score := range k.scores {
		f.scores += score
	}
	f.nodes = len(k.room)
	return f
}

// profile is the scheduler's default profile, without volumes and devices, which asks one node after the other.
type profile struct {
	framework.Framework
	nodes []fwk.NodeInfo
}

func newProfile(nodes []*corev1.Node, pods []*corev1.Pod) *profile {
	metrics.Register()
	c, err := latest.Default()
	if err != nil {
		panic(err)
	}
	defaults := &c.Profiles[0]
	defaults.Plugins.MultiPoint.Enabled = slices.DeleteFunc(defaults.Plugins.MultiPoint.Enabled, func(p config.Plugin) bool {
		return slices.Contains([]string{names.DynamicResources, names.NodeVolumeLimits, names.VolumeBinding, names.VolumeZone,
			names.VolumeRestrictions, names.DefaultPreemption, names.NodeDeclaredFeatures}, p.Name)
	})
	snapshot, client := cache.NewSnapshot(pods, nodes), fake.NewClientset()
	f, err := runtime.NewFramework(context.Background(), plugins.NewInTreeRegistry(), defaults, append(listers(snapshot),
		runtime.WithClientSet(client), runtime.WithInformerFactory(informers.NewSharedInformerFactory(client, 0)), runtime.WithParallelism(1))...)
	if err != nil {
		panic(err)
	}
	infos, err := snapshot.NodeInfos().List()
	if err != nil {
		panic(err)
	}
	return &profile{f, infos}
}

func (p *profile) judge(pod *corev1.Pod) (f found) {
	ctx, state := context.Background(), framework.NewCycleState()
	if _, status, _ := p.RunPreFilterPlugins(ctx, state, pod); !status.IsSuccess() {
		panic(status)
	}
	var feasible []fwk.NodeInfo
	for _, node := range p.nodes {
		if p.RunFilterPlugins(ctx, state, pod, node).IsSuccess() {
			feasible = append(feasible, node)
		}
	}
	if status := p.RunPreScorePlugins(ctx, state, pod, feasible); !status.IsSuccess() {
		panic(status)
	}
	scored, status := p.RunScorePlugins(ctx, state, pod, feasible)
	if !status.IsSuccess() {
		panic(status)
	}
	for _, node := range scored {
		f.scores += node.TotalScore
	}
	f.nodes = len(feasible)
	return f
}
