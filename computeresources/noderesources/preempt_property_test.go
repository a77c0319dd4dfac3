package noderesources_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// preemptCase is a cluster in which a pod preempts others, as the kernel and as the reference take it.
type preemptCase struct {
	nodes     map[string]slowNode
	pods      map[string][]noderesources.PotentialVictim
	cluster   *noderesources.Cluster
	pod       slowPod
	request   noderesources.Request
	opts      noderesources.PreemptOptions
	nominated []slowPod // of opts.Nominated
	refused   string    // a node
	negative  bool      // whether any request is
}

func (c *preemptCase) podsOn(node string) []noderesources.PotentialVictim { return c.pods[node] }

func drawPreemptCase(t *rapid.T) *preemptCase {
	c := &preemptCase{nodes: map[string]slowNode{}, pods: map[string][]noderesources.PotentialVictim{}, cluster: &noderesources.Cluster{}}
	priority := rapid.SampledFrom([]int32{math.MinInt32, -1, 0, 1, 2, math.MaxInt32})
	request := func(label string, least int64) (slowPod, noderesources.Request) {
		amounts := map[corev1.ResourceName]int64{}
		for _, name := range []corev1.ResourceName{"cpu", "memory", "example.com/gpu"} {
			if rapid.IntRange(0, 2).Draw(t, label+" requests") == 0 {
				continue
			}
			amounts[name] = rapid.Int64Range(least, 4).Draw(t, string(name))
			if rapid.IntRange(0, 60).Draw(t, "negative") == 7 {
				amounts[name], c.negative = -1, true
			}
		}
		pod := slowPod{requests: amounts}
		return pod, requestOf(pod.list())
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "nodes") {
		name := string(rune('a' + i))
		n := slowNode{testkit.List("cpu", fmt.Sprint(rapid.IntRange(3, 12).Draw(t, "cpu"), "m"), "memory", fmt.Sprint(rapid.IntRange(3, 12).Draw(t, "memory")),
			"example.com/gpu", fmt.Sprint(rapid.IntRange(2, 12).Draw(t, "gpu")), "pods", fmt.Sprint(rapid.IntRange(3, 8).Draw(t, "pods"))), map[types.UID]slowPod{}}
		testkit.OK(t, c.cluster.AddNode(name, n.allocatable))
		for j := range rapid.IntRange(0, 7).Draw(t, "pods there") {
			v := noderesources.PotentialVictim{
				UID: types.UID(fmt.Sprint(name, j)), Namespace: rapid.SampledFrom([]string{"shop", "ops"}).Draw(t, "namespace"), Name: fmt.Sprint("p-", j),
				Priority: priority.Draw(t, "priority"), Preempted: rapid.IntRange(0, 4).Draw(t, "preempted") == 0,
				Labels: rapid.SampledFrom([]map[string]string{nil, {}, {"app": "web"}, {"app": "web", "tier": "front"}, {"app": "web", "tier": "front"}, {"app": "db"}}).Draw(t, "labels"),
			}
			if at := rapid.IntRange(0, 3).Draw(t, "started"); at > 0 {
				v.StartTime = metav1.Unix(int64(at), 0)
			}
			there, r := request("pod there", 0)
			n.pods[v.UID] = there
			addPod(t, c.cluster, v.UID, name, r)
			c.pods[name] = append(c.pods[name], v)
		}
		c.pods[name] = rapid.Permutation(append(c.pods[name], noderesources.PotentialVictim{UID: "unknown"})).Draw(t, "order")
		c.nodes[name] = n
	}
	c.pod, c.request = request("new pod", 1)
	c.opts.Priority = rapid.SampledFrom([]int32{math.MinInt32, 0, 1, 2, 2, math.MaxInt32, math.MaxInt32}).Draw(t, "priority of the new pod")
	someNode := rapid.SampledFrom(append(slices.Sorted(maps.Keys(c.nodes)), "", "x"))
	for range rapid.IntRange(0, 2).Draw(t, "nominated") {
		other, r := request("nominated", 0)
		c.nominated = append(c.nominated, other)
		c.opts.Nominated = append(c.opts.Nominated, noderesources.NominatedPod{Node: someNode.Draw(t, "nominated to"), Priority: priority.Draw(t, "priority"), Request: r})
	}
	c.opts.Kubernetes.Release = rapid.SampledFrom([]string{"", "1.36", "1.38"}).Draw(t, "release")
	c.opts.Budgets = rapid.SliceOfN(testkit.DisruptionBudget("p-0", "p-3"), 0, 4).Draw(t, "budgets")
	if rapid.Bool().Draw(t, "filter") {
		c.refused = someNode.Draw(t, "refused")
		c.opts.Filter = func(node string) bool { return node != c.refused }
	}
	c.opts.NominatedNode = someNode.Draw(t, "nominated node")
	c.opts.PreemptionPolicy = rapid.SampledFrom(append(slices.Repeat([]corev1.PreemptionPolicy{"", corev1.PreemptLowerPriority}, 10), corev1.PreemptNever)).Draw(t, "policy")
	c.opts.Offset, c.opts.Count = rapid.IntRange(-3, 5).Draw(t, "offset"), rapid.IntRange(-1, 3).Draw(t, "count")
	return c
}

// The chosen node and the victims on each node, or the message, are those of the plugin's text.
func TestPreemptionEqualsTheText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { preemptionSlowly(t) })
}

func FuzzPreemption(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) { preemptionSlowly(t) }))
}

// preemptionSlowly compares preemption with the reference, and returns what was reached.
func preemptionSlowly(t *rapid.T) (reached []string) {
	c := drawPreemptCase(t)
	want, message := c.preempt()
	got, err := c.cluster.Preempt(c.request, c.podsOn, c.opts)
	if message != "" {
		if err == nil || err.Error() != "preemption: "+message {
			t.Fatalf("%+v, %v; want %s", got, err, message)
		}
	} else {
		testkit.OK(t, err)
		testkit.NoDiff(t, byUID(got, c.podsOn), want.preemption(want.node), "on all nodes")
	}
	for _, part := range []string{"No preemption victims found", "Preemption is not helpful", "Insufficient cpu", "Insufficient example.com/gpu", "Too many pods"} {
		if strings.Contains(message, part) {
			reached = append(reached, part)
		}
	}
	if len(got.Victims) > 0 && c.opts.Count > 0 && c.opts.Offset > 0 {
		reached = append(reached, "a window")
	}
	if strings.HasPrefix(message, "not eligible") {
		reached = append(reached, message)
	}
	reached = append(reached, fmt.Sprint("victims ", min(len(got.Victims), 3)))
	for name := range c.nodes {
		c := c.nominatedOnly(name)
		want, reasons := c.victims(name)
		if len(c.nominated) > 0 {
			reached = append(reached, "nominated pods")
		}
		ledger, opts := node(t, c.cluster, name), c.opts
		opts.Nominated = slices.Clone(opts.Nominated)
		for i := range opts.Nominated {
			opts.Nominated[i].Node = "any"
		}
		got, err := ledger.Victims(c.request, c.podsOn(name), opts)
		if len(reasons) > 0 {
			slices.Sort(reasons)
			if want := "preemption: 0/1 nodes are available: 1 " + strings.Join(reasons, ", 1 ") + "."; err == nil || err.Error() != want {
				t.Fatalf("%+v, %v; want %s", got, err, want)
			}
			continue
		}
		testkit.OK(t, err)
		here := byUID(got, func(string) []noderesources.PotentialVictim { return c.podsOn(name) })
		testkit.NoDiff(t, here, want.preemption(""), name)
		reached = append(reached, fmt.Sprint("violations ", min(got.PDBViolations, 2)))
		if !c.negative {
			c.eachVictimIsNecessary(t, ledger, here.Victims)
		}
	}
	return reached
}

func TestDrawsOfPreemptionReachEachAnswer(t *testing.T) {
	testkit.Reached(t, 600, preemptionSlowly, "violations 0", "violations 1", "victims 1", "victims 2", "victims 3", "nominated pods",
		"not eligible due to preemptionPolicy=Never.", "not eligible due to a terminating pod on the nominated node.",
		"No preemption victims found", "Preemption is not helpful", "Insufficient cpu", "Insufficient example.com/gpu", "Too many pods", "a window")
}

// nominatedOnly returns the case with the pods that are nominated to one node.
func (c preemptCase) nominatedOnly(node string) *preemptCase {
	all, pods := c.opts.Nominated, c.nominated
	c.opts.Nominated, c.nominated = nil, nil
	for i, other := range all {
		if other.Node == node {
			c.opts.Nominated, c.nominated = append(c.opts.Nominated, other), append(c.nominated, pods[i])
		}
	}
	return &c
}

// eachVictimIsNecessary checks that the pod fits without the victims, and with none of them put back.
func (c *preemptCase) eachVictimIsNecessary(t *rapid.T, ledger *noderesources.Ledger, victims []types.UID) {
	for i, other := range c.opts.Nominated {
		if other.Priority >= c.opts.Priority {
			testkit.OK(t, ledger.Add(types.UID(fmt.Sprint("nominated", i)), other.Request))
		}
	}
	for _, uid := range victims {
		testkit.OK(t, ledger.Remove(uid))
	}
	testkit.Equal(t, ledger.Fits(c.request, c.opts.FitOptions), true, "without", victims)
	for _, uid := range victims {
		there := c.nodes[string(uid[:1])].pods[uid]
		testkit.OK(t, ledger.Add(uid, requestOf(there.list())))
		testkit.Equal(t, ledger.Fits(c.request, c.opts.FitOptions), false, "with", uid)
		testkit.OK(t, ledger.Remove(uid))
	}
}
