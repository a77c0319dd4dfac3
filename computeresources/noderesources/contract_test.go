package noderesources_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod, other := testkit.Pod().Draw(t, "pod"), testkit.Pod().Draw(t, "other")
		list := allocatables().Draw(t, "allocatable")
		request := noderesources.PodRequest(pod, none)
		node := noderesources.New(list)
		if err := node.Add("other", noderesources.PodRequest(other, none)); err != nil {
			t.Fatal(err)
		}
		fit := noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/gpu"}, IgnoredGroups: []string{"example.org"}}
		reserved := noderesources.ReservedOptions{
			KubeReserved: testkit.ResourceList(testkit.Quantity()).Draw(t, "kube"), SystemReserved: list,
			EvictionHard: map[string]string{"memory.available": "5%", "nodefs.available": "1Gi"},
		}
		invalid := noderesources.ReservedOptions{EvictionHard: map[string]string{"x": "1"}}
		score := noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}, {Name: "example.com/gpu", Weight: 2}}}
		scorer, err := noderesources.NewScorer(score)
		if err != nil {
			t.Fatal(err)
		}
		shortages := node.Shortages(request, noderesources.FitOptions{})
		status := &corev1.NodeStatus{Allocatable: list}
		overview := noderesources.OverviewOf([]*corev1.Pod{pod}, status)
		pods := []*corev1.Pod{pod, nil, other}
		devices := map[corev1.ResourceName]noderesources.Devices{"example.com/gpu": {Capacity: 4, Allocated: 1}}
		// Its own ledger, which the events change.
		events := func() any {
			l := noderesources.New(list)
			answers := []any{l.Add("a", request), l.Add("a", request), l.Update("a", request), l.Update("b", request), l.Remove("b")}
			l.SetAllocatable(list)
			l.SetDevices(devices)
			return append(answers, l.Score(request, scorer), l.Remove("a"), l.Pods())
		}
		nodes := cluster(t, list, testkit.List("cpu", "4", "memory", "8Gi", "pods", "3"))
		addPod(t, nodes, "other", "b", noderesources.PodRequest(other, none))
		requests := []noderesources.Request{request, noderesources.PodRequest(other, none), placed("cpu", "1")}
		names, scores := make([]string, 1, 8), make([]int64, 1, 8)
		fitErr := &noderesources.FitError{Nodes: 2, Reasons: []noderesources.FitReason{{Resource: "pods", Nodes: 2}, {Resource: "cpu", Nodes: 1}}}
		// Its own cluster, which the events change.
		clusterEvents := func() any {
			var c noderesources.Cluster
			return []any{c.AddNode("a", list), c.AddNode("a", list), c.AddPod("0", "a", request), c.AddPod("0", "a", request),
				c.AddPod("1", "b", request), c.UpdatePod("0", request), c.UpdatePod("1", request), c.UpdateNode("a", list), c.UpdateNode("b", list),
				c.SetDevices("a", devices), c.SetDevices("b", devices), c.AppendScores(nil, request, scorer),
				c.RemovePod("1"), c.Nodes(), c.RemovePod("0"), c.RemoveNode("b"), c.RemoveNode("a"), c.Nodes()}
		}
		calls := []func() any{
			clusterEvents,
			func() any { return nodes.Nodes() },
			func() any {
				name, known := nodes.NodeOf("other")
				return []any{name, known}
			},
			func() any {
				l, err := nodes.Ledger("b") // shares the requests of its pods, which do not change
				return []any{l.Requested(), l.Free(), l.Limited(), l.Pods(), l.Remove("other"), l.Requested(), err}
			},
			func() any { return nodes.AppendFits(nil, request, fit) },
			func() any { return nodes.AppendFits(slices.Clone(names), request, fit) },
			func() any { return nodes.CheckFit(request, fit) },
			func() any { return nodes.AppendScores(slices.Clone(scores), request, scorer) },
			func() any {
				name, score, found := nodes.Best(request, scorer, fit)
				return []any{name, score, found}
			},
			func() any { return nodes.FirstFit(requests, fit) },
			func() any { return nodes.BestFit(requests, scorer, fit) },
			func() any { return noderesources.EstimateNodes(requests, node, fit) },
			func() any { return fitErr.Error() },
			func() any { return noderesources.PodRequest(pod, none) },
			func() any { return noderesources.SpecRequest(&pod.Spec, none) },
			func() any { return request.Amounts(computeresources.Limits) },
			func() any { return request.NonZero("memory") },
			func() any { return noderesources.New(list) },
			events,
			func() any { return node.Pods() },
			func() any { return node.Allocatable() },
			func() any { return node.Requested() },
			func() any { return node.Limited() },
			func() any { return node.Free() },
			func() any { return node.Fits(request, fit) },
			func() any { return node.Shortages(request, fit) },
			func() any {
				n, next := node.Replicas(request, fit)
				return []any{n, next}
			},
			func() any { return node.Score(request, scorer) },
			func() any {
				s, err := noderesources.NewScorer(score)
				return []any{s, err}
			},
			func() any { return shortages.Err() },
			func() any { return shortages.Unresolvable() },
			func() any { return shortages.Shortfall() },
			func() any { return (&noderesources.Shortage{Resource: "cpu"}).Error() },
			func() any {
				allocatable, err := noderesources.Allocatable(list, reserved)
				return []any{allocatable, err}
			},
			func() any {
				allocatable, err := noderesources.Allocatable(list, invalid)
				return []any{allocatable, err}
			},
			func() any { return noderesources.Enforced(list, reserved) },
			func() any { return noderesources.OverviewOf(pods, status) },
		}
		for range 9 { // of all, in the course of the checks
			call := rapid.SampledFrom(calls).Draw(t, "call")
			testkit.Contract(t, call, pod, other, list, request, node, fit, reserved, invalid, score, scorer, shortages, status, overview, pods, nodes, requests, fitErr, devices)
		}
	})
}
