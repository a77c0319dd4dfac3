package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"
	"k8s.io/kubernetes/pkg/scheduler/apis/config"
	"k8s.io/kubernetes/pkg/scheduler/framework"
	upstreamnodes "k8s.io/kubernetes/pkg/scheduler/framework/plugins/noderesources"
	"k8s.io/kubernetes/pkg/scheduler/framework/runtime"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
)

const manyNodes = 5_000

// The results of the measured functions are stored here.
var (
	namesSink      []string
	scoresSink     []int64
	sumSink        int64
	placementsSink noderesources.Placements
)

// nodeRows are about one node, and about 5,000 nodes, half of which have room for a pod that requests
// four resources and an extended one.
func nodeRows() []measure.Row {
	nodes, infos := scannedNodes()
	theirs := scannedPod()
	request := noderesources.SpecRequest(&theirs.Spec, computeresources.Options{})
	names, integers, amounts := make([]string, 0, manyNodes), make([]int64, 5*manyNodes), amountsOfNodes()
	fit, scores := schedulerFit(config.LeastAllocated), make([]int64, 0, manyNodes)
	ctx, state := context.Background(), framework.NewCycleState()
	if _, status := fit.PreFilter(ctx, state, theirs, nil); status != nil {
		panic(status)
	}
	floor := func() {
		for _, n := range integers {
			sumSink += n
		}
	}
	scan := func() {
		namesSink = nodes.AppendFits(names, request, noderesources.FitOptions{})
		if len(namesSink) != manyNodes/2 {
			panic(len(namesSink))
		}
	}
	rows := []measure.Row{
		inAndOutOfNode(infos[0]),
		{
			Kernel: "which of 5000 nodes have room", Rival: kubernetes + " Filter after one PreFilter", AtLeast: 8, Aim: 100, FloorWithin: 3, Allocs: 1,
			Ours: scan, Floor: floor,
			Theirs: func() {
				for _, info := range infos {
					fitSink = fit.Filter(ctx, state, theirs, info) == nil
				}
			},
		},
		{
			Kernel: "which of 5000 nodes have room", Rival: kubernetes + " noderesources.Fits", AtLeast: 15, Aim: 200, FloorWithin: 3, Allocs: 1,
			Ours: scan, Floor: floor,
			Theirs: func() {
				for _, info := range infos {
					fitSink = len(upstreamnodes.Fits(theirs, info, nil, upstreamnodes.ResourceRequestsOptions{EnablePodLevelResources: true})) == 0
				}
			},
		},
	}
	for _, row := range []struct {
		strategy     noderesources.Strategy
		atLeast, aim float64
	}{
		{noderesources.LeastAllocated, 10, 15}, {noderesources.MostAllocated, 8, 10}, {noderesources.RequestedToCapacityRatio, 10, 15},
		{noderesources.BalancedAllocation, 6, 10},
	} {
		strategy, profile := row.strategy, noderesources.Profile{{Scorer: scorerOf(row.strategy)}}
		rows = append(rows, measure.Row{
			Kernel: "scores of 5000 nodes, " + string(strategy), Rival: kubernetes + " Score after one PreScore", AtLeast: row.atLeast, Aim: row.aim, Allocs: 6,
			Ours: func() { scoresSink = nodes.AppendScores(scores, request, profile) }, Theirs: theirScores(strategy, theirs, infos),
			Floor: func() { scoresSink = divideTwice(scores, amounts) },
			Above: aboveScores(strategy),
		})
	}
	return rows
}

func aboveScores(strategy noderesources.Strategy) string {
	switch strategy {
	case noderesources.BalancedAllocation:
		return "floating-point numbers, in the order of the plugin"
	case noderesources.RequestedToCapacityRatio:
		return "the same as LeastAllocated, the score of each percentage in a table of the shape, and a quotient of floats, rounded as in the plugin"
	case noderesources.LeastAllocated, noderesources.MostAllocated:
	}
	return "divisions, comparisons with zero and with what is allocatable, guards of 64 bits"
}

// amountsOfNodes returns what is allocatable and requested of cpu and memory for each node.
func amountsOfNodes() [][4]int64 {
	amounts := make([][4]int64, manyNodes)
	for i := range amounts {
		amounts[i] = [4]int64{64_000, 256 << 30, int64(30_000 * (1 + i%2)), 120 << 30}
	}
	return amounts
}

// divideTwice is the least that scores nodes by their utilization: for each, one division for cpu and
// one for memory.
func divideTwice(dst []int64, amounts [][4]int64) []int64 {
	for i := range amounts {
		a := &amounts[i]
		dst = append(dst, (a[2]*100/a[0]+a[3]*100/a[1])/2)
	}
	return dst
}

// inAndOutOfNode is about a running pod, whose requests both sides compute.
func inAndOutOfNode(info *framework.NodeInfo) measure.Row {
	node := noderesources.NewLedger(info.Node().Status.Allocatable)
	for i := range 30 {
		if err := node.Add(types.UID(fmt.Sprint(i)), noderesources.Request{}); err != nil {
			panic(err)
		}
	}
	ours, theirs := testkit.RunningPod(true), testkit.RunningPod(true)
	ours.UID, theirs.UID = "new", "new"
	known := map[types.UID]int{}
	for i := range 30 {
		known[types.UID(fmt.Sprint(i))] = i
	}
	logger := klog.Background()
	return measure.Row{
		Kernel: "pod in and out of a node", Rival: kubernetes + " NodeInfo.AddPod, RemovePod", AtLeast: 10, Aim: 12,
		Ours: func() {
			if err := node.Add(ours.UID, noderesources.PodRequest(ours, computeresources.Options{})); err != nil {
				panic(err)
			}
			if err := node.Remove(ours.UID); err != nil {
				panic(err)
			}
		},
		Theirs: func() {
			info.AddPod(theirs)
			if err := info.RemovePod(logger, theirs); err != nil {
				panic(err)
			}
		},
		Above: "statuses are matched to containers, the amounts are counted by the node, and the request is kept by the pod's UID",
		Floor: func() { // its amounts, as they are running, and one entry for it
			floorSink = lookUps(&ours.Spec) + lookUp(ours.Status.AllocatedResources) + lookUp(ours.Status.Resources.Requests)
			known[ours.UID] = 1
			delete(known, ours.UID)
		},
	}
}

// scannedPod requests more cpu than every other node has free.
func scannedPod() *corev1.Pod {
	return &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
		testkit.Container("c", testkit.List("cpu", "10", "memory", "4Gi", "ephemeral-storage", "10Gi", "nvidia.com/gpu", "1"), nil),
	}}}
}

// scannedNodes returns nodes with 30 pods each, as both sides hold them.
func scannedNodes() (*noderesources.Cluster, []*framework.NodeInfo) {
	var nodes noderesources.Cluster
	var infos []*framework.NodeInfo
	for i := range manyNodes {
		node := &corev1.Node{}
		node.Name, node.Status.Allocatable = nodeName(i), nodeShape()
		info := framework.NewNodeInfo()
		info.SetNode(node)
		if err := nodes.AddNode(node.Name, node.Status.Allocatable); err != nil {
			panic(err)
		}
		for j := range 30 {
			pod := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{
				testkit.Container("c", testkit.List("cpu", fmt.Sprint(1+i%2), "memory", "4Gi"), nil),
			}}}
			pod.UID = types.UID(fmt.Sprint(i, "/", j))
			info.AddPod(pod)
			if err := nodes.AddPod(pod.UID, node.Name, noderesources.PodRequest(pod, computeresources.Options{})); err != nil {
				panic(err)
			}
		}
		infos = append(infos, info)
	}
	return &nodes, infos
}

func nodeName(i int) string { return fmt.Sprintf("node-%04d", i) }

func nodeShape() corev1.ResourceList {
	return testkit.List("cpu", "64", "memory", "256Gi", "ephemeral-storage", "1Ti", "nvidia.com/gpu", "4", "pods", "110")
}

func scorerOf(strategy noderesources.Strategy) noderesources.Scorer {
	opts := noderesources.ScoreOptions{Strategy: strategy}
	if strategy == noderesources.RequestedToCapacityRatio {
		opts.Shape = []noderesources.UtilizationShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}
	}
	scorer, err := noderesources.NewScorer(opts)
	if err != nil {
		panic(err)
	}
	return scorer
}

// gates are those of a default scheduler.
var gates = oracle.SchedulerFeatures()

var cpuAndMemory = []config.ResourceSpec{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}}

func schedulerFit(strategy config.ScoringStrategyType) *upstreamnodes.Fit {
	args := &config.NodeResourcesFitArgs{ScoringStrategy: &config.ScoringStrategy{Type: strategy, Resources: cpuAndMemory}}
	if strategy == config.RequestedToCapacityRatio {
		args.ScoringStrategy.RequestedToCapacityRatio = &config.RequestedToCapacityRatioParam{
			Shape: []config.UtilizationShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}},
		}
	}
	plugin, err := upstreamnodes.NewFit(context.Background(), args, handle(), gates)
	if err != nil {
		panic(err)
	}
	return plugin.(*upstreamnodes.Fit)
}

func handle() framework.Framework {
	handle, err := runtime.NewFramework(context.Background(), nil, nil)
	if err != nil {
		panic(err)
	}
	return handle
}

// theirScores scores all nodes with what PreScore has computed.
func theirScores(strategy noderesources.Strategy, pod *corev1.Pod, infos []*framework.NodeInfo) func() {
	ctx, state := context.Background(), framework.NewCycleState()
	scores := make([]int64, len(infos))
	if strategy != noderesources.BalancedAllocation {
		fit := schedulerFit(config.ScoringStrategyType(strategy))
		if status := fit.PreScore(ctx, state, pod, nil); status != nil {
			panic(status)
		}
		return func() {
			for i, info := range infos {
				scores[i], _ = fit.Score(ctx, state, pod, info)
			}
		}
	}
	plugin, err := upstreamnodes.NewBalancedAllocation(ctx, &config.NodeResourcesBalancedAllocationArgs{Resources: cpuAndMemory}, handle(), gates)
	if err != nil {
		panic(err)
	}
	balanced := plugin.(*upstreamnodes.BalancedAllocation)
	if status := balanced.PreScore(ctx, state, pod, nil); status != nil {
		panic(status)
	}
	return func() {
		for i, info := range infos {
			scores[i], _ = balanced.Score(ctx, state, pod, info)
		}
	}
}

// placementRows place pods of 100 kinds, in turn, onto 5,000 nodes.
func placementRows() (rows []measure.Scale) {
	for _, n := range []int{25_000, 50_000, 100_000, 150_000} {
		rows = append(rows, measure.Scale{
			Subject: fmt.Sprintf("%d pods onto 5000 nodes by first fit", n), Yardstick: "sorting them", AtMost: 10,
			Prepare: func() (func(), func(), time.Duration) { return placeBesideSort(n, firstFit) },
		}, measure.Scale{
			Subject: fmt.Sprintf("%d pods onto 5000 nodes by best score", n), Yardstick: "sorting them", AtMost: 60,
			Prepare: func() (func(), func(), time.Duration) { return placeBesideSort(n, bestFit) },
		}, measure.Scale{
			Subject: fmt.Sprintf("how many nodes %d pods need", n), Yardstick: "sorting them", AtMost: 15,
			Prepare: func() (func(), func(), time.Duration) { return placeBesideSort(n, estimate) },
		})
	}
	return rows
}

func firstFit(nodes *noderesources.Cluster, list []noderesources.Request) {
	placementsSink = nodes.FirstFit(list, noderesources.FitOptions{})
}

func bestFit(nodes *noderesources.Cluster, list []noderesources.Request) {
	placementsSink = nodes.BestFit(list, noderesources.Profile{}, noderesources.FitOptions{})
}

func estimate(_ *noderesources.Cluster, list []noderesources.Request) {
	intSink = noderesources.EstimateNodes(list, noderesources.NewLedger(nodeShape()), noderesources.EstimateOptions{}).Nodes
}

func placeBesideSort(n int, place func(*noderesources.Cluster, []noderesources.Request)) (placing, order func(), _ time.Duration) {
	var nodes noderesources.Cluster
	for i := range manyNodes {
		if err := nodes.AddNode(nodeName(i), nodeShape()); err != nil {
			panic(err)
		}
	}
	list := make([]noderesources.Request, n)
	for i := range list {
		kind := i * 7919 % 100
		list[i] = noderesources.SpecRequest(&corev1.PodSpec{Containers: []corev1.Container{
			testkit.Container("c", testkit.List("cpu", fmt.Sprint(100+kind*1009%1900, "m"), "memory", fmt.Sprint(100+kind*7919%8000, "Mi")), nil),
		}}, computeresources.Options{})
	}
	order = func() {
		sorted := slices.Clone(list)
		slices.SortFunc(sorted, func(a, b noderesources.Request) int { return cmp.Compare(a.NonZero("cpu"), b.NonZero("cpu")) })
	}
	return func() { place(&nodes, list) }, order, 0
}
