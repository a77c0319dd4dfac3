package noderesources_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// slowCluster is a set of nodes in arbitrary precision, which counts afresh for each answer.
type slowCluster map[string]slowNode

func (c slowCluster) names() []string { return slices.Sorted(maps.Keys(c)) }

func (c slowCluster) fits(pod slowPod) (names []string) {
	for _, name := range c.names() {
		if len(c[name].fit(pod, 0)) == 0 {
			names = append(names, name)
		}
	}
	return names
}

// reasons counts the shortages on all nodes.
func (c slowCluster) reasons(pod slowPod) (reasons []noderesources.FitReason) {
	counted := map[string]noderesources.FitReason{}
	for _, n := range c {
		for _, s := range n.fit(pod, 0) {
			message := "Insufficient " + string(s.Resource)
			if s.Resource == "pods" {
				message = "Too many pods"
			}
			r := counted[message]
			r.Message = message
			r.Nodes++
			if s.Unresolvable {
				r.Unresolvable++
			}
			counted[message] = r
		}
	}
	for _, message := range slices.Sorted(maps.Keys(counted)) {
		reasons = append(reasons, counted[message])
	}
	return reasons
}

// find returns the node of a pod.
func (c slowCluster) find(uid types.UID) (name string, known bool) {
	for name, n := range c {
		if _, there := n.pods[uid]; there {
			return name, true
		}
	}
	return "", false
}

// events returns a cluster after random events, and its expected state.
func events(t *rapid.T) (*noderesources.Cluster, slowCluster, map[string]map[types.UID]noderesources.Request) {
	var c noderesources.Cluster
	slow, remaining := slowCluster{}, map[string]map[types.UID]noderesources.Request{}
	must := func(name string, err error, want bool) { testkit.Equal(t, (err == nil), want, name, err) }
	for event := range rapid.IntRange(0, 14).Draw(t, "events") {
		node := rapid.SampledFrom([]string{"a", "b", "c", ""}).Draw(t, "node")
		uid := types.UID(rapid.SampledFrom([]string{"0", "1", "2", "3", ""}).Draw(t, "uid"))
		_, knownNode := slow[node]
		at, known := slow.find(uid)
		switch rapid.IntRange(0, 9).Draw(t, "event") {
		case 0, 1, 2:
			list := allocatables().Draw(t, "allocatable")
			must("AddNode", c.AddNode(node, list), !knownNode)
			if !knownNode {
				slow[node], remaining[node] = slowNode{list, map[types.UID]slowPod{}}, map[types.UID]noderesources.Request{}
			}
		case 3:
			list := allocatables().Draw(t, "allocatable")
			must("UpdateNode", c.UpdateNode(node, list), knownNode)
			if knownNode {
				slow[node] = slowNode{list, slow[node].pods}
			}
		case 4:
			must("RemoveNode", c.RemoveNode(node), knownNode)
			delete(slow, node)
			delete(remaining, node)
		case 5, 6, 7:
			pod := podsWithoutStatus().Draw(t, "pod")
			request := noderesources.PodRequest(pod, none)
			must("AddPod", c.AddPod(uid, node, request), knownNode && !known)
			if knownNode && !known {
				uid = orEvent(uid, event)
				slow[node].pods[uid], remaining[node][uid] = slowPodOf(pod), request
			}
		case 8:
			pod := podsWithoutStatus().Draw(t, "pod")
			request := noderesources.PodRequest(pod, none)
			must("UpdatePod", c.UpdatePod(uid, request), known)
			if known {
				slow[at].pods[uid], remaining[at][uid] = slowPodOf(pod), request
			}
		default:
			must("RemovePod", c.RemovePod(uid), known)
			if known {
				delete(slow[at].pods, uid)
				delete(remaining[at], uid)
			}
		}
	}
	return &c, slow, remaining
}

// After any events, a cluster equals one that is computed from the final state in arbitrary precision,
// and one to which only the remaining pods were added, in any order.
func TestClusterEqualsCountingAfresh(t *testing.T) { rapid.Check(t, clusterEqualsCountingAfresh) }

func FuzzCluster(f *testing.F) { f.Fuzz(rapid.MakeFuzz(clusterEqualsCountingAfresh)) }

func clusterEqualsCountingAfresh(t *rapid.T) {
	c, slow, remaining := events(t)
	if diff := cmp.Diff(slow.names(), c.Nodes()); diff != "" && len(slow) > 0 {
		t.Fatalf("Nodes (-want +got):\n%s", diff)
	}
	pods := 0
	for at, n := range slow {
		pods += len(n.pods)
		ledger := node(t, c, at)
		for _, name := range allNames() {
			testkit.NoDiff(t, amountsOf(ledger, name), n.amounts(name), name, "of", at)
		}
	}
	fresh := afresh(t, slow, remaining)
	if podsOf(t, c) != pods || podsOf(t, fresh) != pods {
		t.Fatalf("%d pods, afresh %d, want %d", podsOf(t, c), podsOf(t, fresh), pods)
	}
	pod := podsWithoutStatus().Draw(t, "another pod")
	request := noderesources.PodRequest(pod, none)
	want := slow.fits(slowPodOf(pod))
	if got := c.AppendFits(nil, request, noderesources.FitOptions{}); !slices.Equal(got, want) {
		t.Fatalf("fits on %q, want %q", got, want)
	}
	err := c.CheckFit(request, noderesources.FitOptions{})
	testkit.Equal(t, (err == nil), (len(want) > 0), "CheckFit:", err, "fits on", want)
	if err != nil && len(slow) > 0 {
		testkit.NoDiff(t, err.(*noderesources.FitError).Reasons, slow.reasons(slowPodOf(pod)), "reasons")
	}
	for at := range slow {
		ledger, freshLedger := node(t, c, at), node(t, fresh, at)
		testkit.NoDiff(t, ledger.Shortages(request, noderesources.FitOptions{}), slow[at].fit(slowPodOf(pod), 0), "shortages of", at)
		same(t, freshLedger, ledger)
		emptied(t, ledger, remaining[at])
		emptied(t, freshLedger, remaining[at])
	}
	for _, strategy := range strategies {
		scorer := scorerOf(t, strategy)
		got := c.AppendScores(nil, request, only(scorer))
		if want := fresh.AppendScores(nil, request, only(scorer)); !slices.Equal(got, want) {
			t.Fatalf("%s: %d, afresh %d", strategy, got, want)
		}
		bestSlowly(t, c, request, only(scorer), want, got)
	}
	profile := profiles(t)
	bestSlowly(t, c, request, profile, want, c.AppendScores(nil, request, profile))
}

// profiles draws the default profile, or one of several scorers over all resources.
func profiles(t *rapid.T) (p noderesources.Profile) {
	for _, strategy := range rapid.SliceOfN(rapid.SampledFrom(strategies), 0, 3).Draw(t, "strategies") {
		p = append(p, noderesources.WeightedScorer{Scorer: scorerOf(t, strategy), Weight: rapid.SampledFrom([]int32{-1, 0, 1, 2, 5, 1000}).Draw(t, "weight")})
	}
	return p
}

// emptied removes the pods of a ledger that have UIDs. Without others, nothing is requested.
func emptied(t *rapid.T, l *noderesources.Ledger, pods map[types.UID]noderesources.Request) {
	others := 0
	for uid := range pods {
		if strings.HasPrefix(string(uid), withoutUID) {
			others++
		} else if err := l.Remove(uid); err != nil {
			t.Fatal(err)
		}
	}
	if l.Pods() != others || others == 0 && len(l.Requested()) > len(l.Allocatable()) {
		t.Fatalf("without its pods, there are %d, want %d, and %v", l.Pods(), others, l.Requested())
	}
}

// afresh returns a cluster to which what remains was added in another order.
func afresh(t *rapid.T, slow slowCluster, remaining map[string]map[types.UID]noderesources.Request) *noderesources.Cluster {
	var fresh noderesources.Cluster
	for _, node := range rapid.Permutation(slow.names()).Draw(t, "nodes") {
		testkit.OK(t, fresh.AddNode(node, slow[node].allocatable))
		for _, uid := range rapid.Permutation(slices.Sorted(maps.Keys(remaining[node]))).Draw(t, "pods") {
			testkit.OK(t, fresh.AddPod(uid, node, remaining[node][uid]))
		}
	}
	return &fresh
}

// bestSlowly compares the best node with the choice among all, by score and name, of scores
// that are those of the ledgers.
func bestSlowly(t *rapid.T, c *noderesources.Cluster, r noderesources.Request, p noderesources.Profile, fits []string, scores []int64) {
	wantName, wantScore := "", int64(-1)
	for i, name := range c.Nodes() {
		ledger, err := c.Ledger(name)
		testkit.OK(t, err)
		score := ledger.Score(r, p)
		short, err := c.Shortages(r, name, noderesources.FitOptions{})
		testkit.OK(t, err)
		testkit.NoDiff(t, short, ledger.Shortages(r, noderesources.FitOptions{}), name)
		if got, fit := c.Score(r, name, p, noderesources.FitOptions{}); fit != slices.Contains(fits, name) || fit && got != score || !fit && got != 0 {
			t.Fatalf("%q has the score %d and fits: %v; want %d among %q", name, got, fit, score, fits)
		}
		if score > p.MaxScore() {
			t.Fatalf("%q has the score %d of %d", name, score, p.MaxScore())
		}
		if scores[i] != score {
			t.Fatalf("%q has the score %d, its ledger %d", name, scores[i], score)
		}
		if slices.Contains(fits, name) && score > wantScore {
			wantName, wantScore = name, score
		}
	}
	if _, fits := c.Score(r, "no node", p, noderesources.FitOptions{}); fits {
		t.Fatal("it fits on no node")
	}
	name, score, found := c.Best(r, p, noderesources.FitOptions{})
	if found != (wantScore >= 0) || found && (name != wantName || score != wantScore) {
		t.Fatalf("%q with %d, %v; want %q with %d", name, score, found, wantName, wantScore)
	}
}

// requests draws requests of a few kinds, most of them small enough to fit.
func requests(t *rapid.T) []noderesources.Request {
	one := rapid.Custom(func(t *rapid.T) noderesources.Request {
		list := []string{"cpu", rapid.SampledFrom([]string{"0", "1", "1500m", "2", "7"}).Draw(t, "cpu")}
		if amount := rapid.SampledFrom([]string{"", "", "1Gi", "1537Mi", "9E", "-1Gi"}).Draw(t, "memory"); amount != "" {
			list = append(list, "memory", amount)
		}
		if amount := rapid.SampledFrom([]string{"", "", "", "1", "2"}).Draw(t, "gpu"); amount != "" {
			list = append(list, "example.com/gpu", amount)
		}
		return placed(list...)
	})
	return rapid.SliceOfN(one, 0, 12).Draw(t, "requests")
}

// shape draws a node with room for some of requests.
func shape(t *rapid.T) corev1.ResourceList {
	return testkit.List("cpu", rapid.SampledFrom([]string{"2", "3", "5"}).Draw(t, "cpu"), "memory", rapid.SampledFrom([]string{"2Gi", "5Gi", "9E"}).Draw(t, "memory"),
		"example.com/gpu", rapid.SampledFrom([]string{"0", "2", "3"}).Draw(t, "gpu"), "pods", rapid.SampledFrom([]string{"1", "3", "9"}).Draw(t, "pods"))
}

// Placing pods gives the same result as finding a node for each in turn, and adding it.
func TestPlacementsEqualSteps(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.SliceOfN(rapid.Custom(shape), 0, 4).Draw(t, "nodes")
		list := requests(t)
		opts := noderesources.FitOptions{}
		if rapid.Bool().Draw(t, "ignore") {
			opts.IgnoredGroups = []string{"example.com"}
		}
		profile := profiles(t)
		for name, test := range map[string]struct {
			place func(*noderesources.Cluster) noderesources.Placements
			next  func(*noderesources.Cluster, noderesources.Request) string
		}{
			"FirstFit": {
				func(c *noderesources.Cluster) noderesources.Placements { return c.FirstFit(list, opts) },
				func(c *noderesources.Cluster, r noderesources.Request) string { return firstOf(c, r, opts) },
			},
			"BestFit": {
				func(c *noderesources.Cluster) noderesources.Placements { return c.BestFit(list, profile, opts) },
				func(c *noderesources.Cluster, r noderesources.Request) string {
					name, _, _ := c.Best(r, profile, opts)
					return name
				},
			},
		} {
			got := test.place(cluster(t, nodes...))
			var want noderesources.Placements
			steps := cluster(t, nodes...)
			want.Nodes = make([]string, len(list))
			for i, r := range list {
				next := test.next(steps, r)
				if next == "" {
					err := steps.CheckFit(r, opts)
					if want.Unplaced == nil {
						want.Unplaced = map[int]*noderesources.FitError{}
					}
					want.Unplaced[i] = err.(*noderesources.FitError)
					continue
				}
				want.Nodes[i] = next
				addPod(t, steps, types.UID(fmt.Sprint(i)), next, r)
			}
			testkit.NoDiff(t, got, want, name)
		}
	})
}

// An estimate is at least its bound, is a valid placement in which no pod of a later node fits on
// an earlier node at the end, and does not depend on the order of the pods.
func TestEstimateLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		list := requests(t)
		template := noderesources.NewLedger(shape(t))
		if rapid.Bool().Draw(t, "daemon") {
			testkit.OK(t, template.Add("daemon", placed("cpu", "500m", "memory", "1Gi")))
		}
		opts := noderesources.FitOptions{}
		if rapid.Bool().Draw(t, "ignore") {
			opts.IgnoredGroups = []string{"example.com"}
		}
		e := noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{FitOptions: opts})
		shuffled := rapid.Permutation(indices(len(list))).Draw(t, "order")
		var other []noderesources.Request
		for _, i := range shuffled {
			other = append(other, list[i])
		}
		if s := noderesources.EstimateNodes(other, template, noderesources.EstimateOptions{FitOptions: opts}); s.Nodes != e.Nodes || s.LowerBound != e.LowerBound || len(s.Unplaced) != len(e.Unplaced) {
			t.Fatalf("%+v, shuffled %+v", e, s)
		}
		if e.Nodes < e.LowerBound || e.LowerBound < 0 || (e.LowerBound == 0) != (e.Nodes == 0) {
			t.Fatalf("%d nodes, at least %d", e.Nodes, e.LowerBound)
		}
		var c noderesources.Cluster
		negative := false
		for i := range e.Nodes {
			testkit.OK(t, c.AddNode(fmt.Sprintf("n-%02d", i), template.Allocatable()))
			if template.Pods() > 0 {
				addPod(t, &c, types.UID(fmt.Sprint("daemon-", i)), fmt.Sprintf("n-%02d", i), placed("cpu", "500m", "memory", "1Gi"))
			}
		}
		for pod, node := range e.Placed {
			negative = negative || hasNegative(list[pod])
			if fits := template.Fits(list[pod], opts); fits != (node >= 0) {
				t.Fatalf("pod %d fits: %v, is placed on %d", pod, fits, node)
			}
			if node >= 0 {
				addPod(t, &c, types.UID(fmt.Sprint(pod)), fmt.Sprintf("n-%02d", node), list[pod])
			}
		}
		if negative { // pods that leave more room than there was
			return
		}
		for pod, node := range e.Placed {
			if node >= 0 {
				if first := firstOf(&c, list[pod], opts); first != "" && first < fmt.Sprintf("n-%02d", node) {
					t.Fatalf("pod %d is on node %d, and fits on %s", pod, node, first)
				}
			}
		}
		for i, name := range c.Nodes() {
			ledger := node(t, &c, name)
			free := resourcelist.Integers(ledger.Free())
			if free["cpu"] < 0 || free["memory"] < 0 || free["pods"] < 0 ||
				len(opts.IgnoredGroups) == 0 && free["example.com/gpu"] < 0 || ledger.Pods() == template.Pods() {
				t.Fatalf("node %d: free %v of %d pods", i, ledger.Free(), ledger.Pods())
			}
		}
	})
}

func indices(n int) []int {
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	return order
}

// Identical pods that divide the node evenly meet the lower bound exactly.
func TestEstimateOfPodsThatDivideTheNode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		on, times := rapid.IntRange(1, 5).Draw(t, "pods of a node"), rapid.IntRange(0, 20).Draw(t, "pods")
		name := rapid.SampledFrom([]string{"cpu", "memory", "ephemeral-storage", "example.com/gpu", "hugepages-2Mi"}).Draw(t, "resource")
		template := noderesources.NewLedger(testkit.List(name, fmt.Sprint(7*on), "pods", "200"))
		list := slices.Repeat([]noderesources.Request{placed(name, "7")}, times)
		e := noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{})
		if want := (times + on - 1) / on; e.Nodes != want || e.LowerBound != want {
			t.Fatalf("%d nodes, at least %d, want %d", e.Nodes, e.LowerBound, want)
		}
	})
}
