package noderesources_test

import (
	"fmt"
	"maps"
	"slices"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// history is a cluster with a ranking of its nodes, and what its nodes and pods are.
type history struct {
	cluster *noderesources.Cluster
	ranking *noderesources.Ranking
	nodes   map[string]corev1.ResourceList
	pods    map[types.UID]reserved
}

// reserved is a pod on a node.
type reserved struct {
	node    string
	request noderesources.Request
}

func (h *history) clone() *history {
	c := h.cluster.Clone()
	return &history{c, c.Rank(h.ranking.Request(), nil, noderesources.FitOptions{}), maps.Clone(h.nodes), maps.Clone(h.pods)}
}

// change changes a node or a pod.
func (h *history) change(t *rapid.T, number int) {
	node := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "node")
	uid := types.UID(rapid.SampledFrom([]string{"0", "1", "2", "3", "4", ""}).Draw(t, "uid"))
	_, isNode := h.nodes[node]
	switch rapid.IntRange(0, 7).Draw(t, "change") {
	case 0, 1:
		list := shape(t)
		if h.cluster.AddNode(node, list) == nil != !isNode {
			t.Fatalf("node %q is added, but %v", node, isNode)
		}
		if isNode {
			testkit.OK(t, h.cluster.UpdateNode(node, list))
		}
		h.nodes[node] = list
	case 2:
		testkit.Equal(t, h.cluster.RemoveNode(node) == nil, isNode)
		delete(h.nodes, node)
		maps.DeleteFunc(h.pods, func(_ types.UID, p reserved) bool { return p.node == node })
	case 3:
		_, isPod := h.pods[uid]
		testkit.Equal(t, h.cluster.RemovePod(uid) == nil, isPod)
		delete(h.pods, uid)
	default:
		r := placed("cpu", rapid.SampledFrom([]string{"0", "1", "1500m"}).Draw(t, "cpu"), "memory", "1Gi",
			rapid.SampledFrom([]string{"example.com/gpu", "example.com/fpga"}).Draw(t, "device"), "1")
		_, isPod := h.pods[uid]
		testkit.Equal(t, h.cluster.AddPod(uid, node, r) == nil, isNode && !isPod)
		if isNode && !isPod {
			h.pods[orEvent(uid, number)] = reserved{node, r}
		}
	}
}

// check compares the cluster with one to which everything was added anew.
func (h *history) check(t *rapid.T) {
	var fresh noderesources.Cluster
	for name, list := range h.nodes {
		testkit.OK(t, fresh.AddNode(name, list))
	}
	for uid, p := range h.pods {
		testkit.OK(t, fresh.AddPod(uid, p.node, p.request))
	}
	names, r := fresh.Nodes(), h.ranking.Request()
	testkit.Equal(t, fmt.Sprint(h.cluster.Nodes()), fmt.Sprint(names))
	testkit.NoDiff(t, h.cluster.AppendScores(nil, r, nil), fresh.AppendScores(nil, r, nil))
	testkit.Equal(t, fmt.Sprint(h.cluster.CheckFit(r, noderesources.FitOptions{})), fmt.Sprint(fresh.CheckFit(r, noderesources.FitOptions{})))
	for _, name := range names {
		same(t, node(t, h.cluster, name), node(t, &fresh, name))
	}
	h.checkRanking(t)
}

// checkRanking compares the ranking with the nodes that have room and their scores.
func (h *history) checkRanking(t *rapid.T) {
	var got, want []string
	for i, score := range h.ranking.Scores {
		got = append(got, fmt.Sprint(h.cluster.Nodes()[i], " ", score))
	}
	scores := h.cluster.AppendScores(nil, h.ranking.Request(), nil)
	for _, name := range h.cluster.AppendFits(nil, h.ranking.Request(), noderesources.FitOptions{}) {
		want = append(want, fmt.Sprint(name, " ", scores[slices.Index(h.cluster.Nodes(), name)]))
	}
	testkit.NoDiff(t, got, want)
}

// A clone and its original do not influence each other, and answer like clusters that were never copied. A ranking
// follows its own cluster.
func TestClonesAreIndependent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := &noderesources.Cluster{}
		request := placed("cpu", "1", "memory", "1Gi", "example.com/gpu", rapid.SampledFrom([]string{"0", "1"}).Draw(t, "gpu"))
		all := []*history{{c, c.Rank(request, nil, noderesources.FitOptions{}), map[string]corev1.ResourceList{}, map[types.UID]reserved{}}}
		for number := range rapid.IntRange(0, 40).Draw(t, "events") {
			h := rapid.SampledFrom(all).Draw(t, "cluster")
			switch rapid.IntRange(0, 9).Draw(t, "event") {
			case 0:
				all = append(all, h.clone())
			case 1, 2:
				h.checkRanking(t)
			default:
				h.change(t, number)
			}
		}
		for _, h := range all {
			h.check(t)
		}
	})
}

// Many may clone one cluster at the same time, and write to their clones while others read the cluster.
func TestClusterIsClonedConcurrently(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "2", "pods", "9"))
	addPod(t, c, "first", c.Nodes()[0], placed("cpu", "1"))
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			own := c.Clone()
			if err := own.AddPod(types.UID(fmt.Sprint(i)), c.Nodes()[i%2], placed("cpu", "2")); err != nil {
				t.Error(err)
			}
			if err := own.RemovePod("first"); err != nil {
				t.Error(err)
			}
			if n := len(c.AppendFits(nil, placed("cpu", "2"), noderesources.FitOptions{})); n != 2 {
				t.Errorf("%d of two nodes have room", n)
			}
		})
	}
	all.Wait()
	testkit.Equal(t, podsOf(t, c), 1)
	var none *noderesources.Cluster
	testkit.Equal(t, len(none.Clone().Nodes()), 0)
}

// A ranking that is left early, or asked again, tells the same.
func TestRankingIsLeftEarly(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "1", "pods", "9"), testkit.List("cpu", "8", "pods", "9"))
	ranking := c.Rank(placed("cpu", "2"), nil, noderesources.FitOptions{})
	for range 2 {
		for i := range ranking.Scores {
			testkit.Equal(t, i, 0)
			break
		}
	}
}

// BenchmarkClone copies a cluster of 5,000 nodes and 150,000 pods, and adds a pod.
func BenchmarkClone(b *testing.B) {
	var c noderesources.Cluster
	r := placed("cpu", "100m", "memory", "1Gi")
	for i := range 5_000 {
		name := fmt.Sprintf("node-%04d", i)
		testkit.OK(b, c.AddNode(name, testkit.List("cpu", "16", "memory", "64Gi", "pods", "110")))
		for pod := range 30 {
			testkit.OK(b, c.AddPod(types.UID(fmt.Sprint(i, "/", pod)), name, r))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		testkit.OK(b, c.Clone().AddPod("new", "node-2500", r))
	}
}
