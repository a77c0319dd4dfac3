package noderesources_test

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
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
			if rapid.IntRange(0, 60).Draw(t, "negative") == 0 {
				amounts[name], c.negative = -1, true
			}
		}
		pod := slowPod{requests: amounts}
		return pod, requestOf(pod.list())
	}
	for i := range rapid.IntRange(1, 4).Draw(t, "nodes") {
		name := string(rune('a' + i))
		n := slowNode{testkit.List("cpu", fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "cpu"), "m"), "memory", fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "memory")),
			"example.com/gpu", fmt.Sprint(rapid.IntRange(0, 5).Draw(t, "gpu")), "pods", fmt.Sprint(rapid.IntRange(2, 7).Draw(t, "pods"))), map[types.UID]slowPod{}}
		testkit.OK(t, c.cluster.AddNode(name, n.allocatable))
		for j := range rapid.IntRange(0, 6).Draw(t, "pods there") {
			v := noderesources.PotentialVictim{
				UID: types.UID(fmt.Sprint(name, j)), Namespace: rapid.SampledFrom([]string{"shop", "ops"}).Draw(t, "namespace"), Name: fmt.Sprint("p-", j),
				Priority: priority.Draw(t, "priority"), Preempted: rapid.IntRange(0, 4).Draw(t, "preempted") == 0,
				Labels: rapid.SampledFrom([]map[string]string{nil, {}, {"app": "web"}, {"app": "web", "tier": "front"}, {"app": "db"}}).Draw(t, "labels"),
			}
			if at := rapid.IntRange(0, 3).Draw(t, "started"); at > 0 {
				v.StartTime = time.Unix(int64(at), 0)
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
	c.opts.Priority = priority.Draw(t, "priority of the new pod")
	someNode := rapid.SampledFrom(append(slices.Sorted(maps.Keys(c.nodes)), "", "x"))
	for range rapid.IntRange(0, 2).Draw(t, "nominated") {
		other, r := request("nominated", 0)
		c.nominated = append(c.nominated, other)
		c.opts.Nominated = append(c.opts.Nominated, noderesources.NominatedPod{Node: someNode.Draw(t, "nominated to"), Priority: priority.Draw(t, "priority"), Request: r})
	}
	c.opts.Budgets = rapid.SliceOfN(rapid.Custom(budget), 0, 3).Draw(t, "budgets")
	if rapid.Bool().Draw(t, "filter") {
		c.refused = someNode.Draw(t, "refused")
		c.opts.Filter = func(node string) bool { return node != c.refused }
	}
	c.opts.NominatedNode = someNode.Draw(t, "nominated node")
	c.opts.PreemptionPolicy = rapid.SampledFrom([]corev1.PreemptionPolicy{"", corev1.PreemptLowerPriority, "", corev1.PreemptLowerPriority, corev1.PreemptNever}).Draw(t, "policy")
	c.opts.Offset, c.opts.Count = rapid.IntRange(-3, 5).Draw(t, "offset"), rapid.IntRange(-1, 3).Draw(t, "count")
	return c
}

func budget(t *rapid.T) *policyv1.PodDisruptionBudget {
	b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: rapid.SampledFrom([]string{"shop", "ops"}).Draw(t, "namespace")}}
	b.Spec.Selector = rapid.SampledFrom([]*metav1.LabelSelector{nil, {}, {MatchLabels: map[string]string{"app": "web"}}, {MatchLabels: map[string]string{"tier": "front"}},
		{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Exists"}}}, {MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: "?"}}}}).Draw(t, "selector")
	b.Status.DisruptionsAllowed = rapid.Int32Range(-1, 2).Draw(t, "allowed")
	if rapid.IntRange(0, 2).Draw(t, "disrupted") == 0 {
		b.Status.DisruptedPods = map[string]metav1.Time{"p-0": {}, "p-3": {}}
	}
	return b
}

func (n slowNode) copy() slowNode { return slowNode{n.allocatable, maps.Clone(n.pods)} }

// shortages returns why the pod does not fit: with the pods that are nominated to the node, or else without them.
func (c *preemptCase) shortages(n slowNode, node string) (reasons []string, unresolvable bool) {
	with := n.copy()
	for i, other := range c.opts.Nominated {
		if other.Node == node && other.Priority >= c.opts.Priority {
			with.pods[types.UID(fmt.Sprint("nominated", i))] = c.nominated[i]
		}
	}
	for _, m := range []slowNode{with, n} {
		for _, s := range m.fit(c.pod, 0) {
			reasons, unresolvable = append(reasons, s.Error()), unresolvable || s.Unresolvable
		}
		if len(reasons) > 0 {
			break
		}
	}
	return reasons, unresolvable
}

// slowVictims are the victims on a node, as SelectVictimsOnNode finds them.
type slowVictims struct {
	node       string
	pods       []noderesources.PotentialVictim
	violations int
}

func (c *preemptCase) victims(node string) (found slowVictims, reasons []string) {
	found.node = node
	n := c.nodes[node].copy()
	var potential []noderesources.PotentialVictim
	for _, v := range c.pods[node] {
		if _, known := n.pods[v.UID]; known && v.Priority < c.opts.Priority {
			potential = append(potential, v)
			delete(n.pods, v.UID)
		}
	}
	if len(potential) == 0 {
		return found, []string{"No preemption victims found for incoming pod"}
	}
	if reasons, _ := c.shortages(n, node); len(reasons) > 0 {
		return found, reasons
	}
	slices.SortFunc(potential, moreImportant)
	violating, others := c.byBudgets(potential)
	for _, v := range append(violating, others...) {
		n.pods[v.UID] = c.nodes[node].pods[v.UID]
		if reasons, _ := c.shortages(n, node); len(reasons) > 0 {
			delete(n.pods, v.UID)
			found.pods = append(found.pods, v)
			if slices.ContainsFunc(violating, func(other noderesources.PotentialVictim) bool { return other.UID == v.UID }) {
				found.violations++
			}
		}
	}
	slices.SortFunc(found.pods, moreImportant)
	return found, nil
}

// byBudgets follows filterPodsWithPDBViolation.
func (c *preemptCase) byBudgets(pods []noderesources.PotentialVictim) (violating, others []noderesources.PotentialVictim) {
	disrupted := make([]int, len(c.opts.Budgets))
	for _, v := range pods {
		violates := false
		for i, b := range c.opts.Budgets {
			selector, err := metav1.LabelSelectorAsSelector(b.Spec.Selector)
			if _, isDisrupted := b.Status.DisruptedPods[v.Name]; isDisrupted || err != nil || len(v.Labels) == 0 || b.Namespace != v.Namespace ||
				selector.Empty() || !selector.Matches(labels.Set(v.Labels)) {
				continue
			}
			disrupted[i]++
			violates = violates || disrupted[i] > int(b.Status.DisruptionsAllowed)
		}
		if violates {
			violating = append(violating, v)
		} else {
			others = append(others, v)
		}
	}
	return violating, others
}

// started returns when a pod was started, in the far future if it was not.
func started(v noderesources.PotentialVictim) int64 {
	if v.StartTime.IsZero() {
		return math.MaxInt64
	}
	return v.StartTime.Unix()
}

func moreImportant(a, b noderesources.PotentialVictim) int {
	return cmp.Or(cmp.Compare(b.Priority, a.Priority), cmp.Compare(started(a), started(b)), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
}

// preempt follows Evaluator.Preempt, with a node for each turn of DryRunPreemption. A node that fits is not asked for.
func (c *preemptCase) preempt() (best slowVictims, message string) {
	if c.opts.PreemptionPolicy == corev1.PreemptNever {
		return best, "not eligible due to preemptionPolicy=Never."
	}
	if n, known := c.nodes[c.opts.NominatedNode]; known && c.refused != c.opts.NominatedNode {
		if _, unresolvable := c.shortages(n, c.opts.NominatedNode); !unresolvable {
			for _, v := range c.pods[c.opts.NominatedNode] {
				if _, known := n.pods[v.UID]; known && v.Preempted && v.Priority < c.opts.Priority {
					return best, "not eligible due to a terminating pod on the nominated node."
				}
			}
		}
	}
	counts := map[string]int{}
	var tried []string
	for _, name := range slices.Sorted(maps.Keys(c.nodes)) {
		if reasons, unresolvable := c.shortages(c.nodes[name], name); len(reasons) > 0 && !unresolvable && (c.opts.Filter == nil || name != c.refused) {
			tried = append(tried, name)
		} else {
			counts["Preemption is not helpful for scheduling"]++
		}
	}
	var violating, others []slowVictims
	count := c.opts.Count
	if count <= 0 {
		count = math.MaxInt
	}
	for i := range tried {
		found, reasons := c.victims(tried[((c.opts.Offset+i)%len(tried)+len(tried))%len(tried)])
		for _, reason := range reasons {
			counts[reason]++
		}
		switch {
		case len(reasons) > 0:
			continue
		case found.violations == 0:
			others = append(others, found)
		case len(violating) < count:
			violating = append(violating, found)
		}
		if len(others) > 0 && len(others)+len(violating) >= count {
			break
		}
	}
	if all := append(others, violating...); len(all) > 0 {
		return pickSlowly(all), ""
	}
	var reasons []string
	for reason, n := range counts {
		reasons = append(reasons, fmt.Sprint(n, " ", reason))
	}
	slices.Sort(reasons)
	return best, fmt.Sprintf("0/%d nodes are available: %s.", len(c.nodes), strings.Join(reasons, ", "))
}

// pickSlowly follows pickOneNodeForPreemption: the nodes with the highest score of each function in turn, and then the
// first by name.
func pickSlowly(all []slowVictims) slowVictims {
	for _, score := range []func(slowVictims) int64{
		func(v slowVictims) int64 { return -int64(v.violations) },
		func(v slowVictims) int64 { return -int64(v.pods[0].Priority) },
		func(v slowVictims) (sum int64) {
			for _, pod := range v.pods {
				sum -= int64(pod.Priority) + 1<<31
			}
			return sum
		},
		func(v slowVictims) int64 { return -int64(len(v.pods)) },
		func(v slowVictims) int64 {
			earliest := int64(math.MaxInt64)
			for _, pod := range v.pods {
				if pod.Priority == v.pods[0].Priority {
					earliest = min(earliest, started(pod))
				}
			}
			return earliest
		},
	} {
		most := int64(math.MinInt64)
		for _, v := range all {
			most = max(most, score(v))
		}
		all = slices.DeleteFunc(all, func(v slowVictims) bool { return score(v) < most })
	}
	slices.SortFunc(all, func(a, b slowVictims) int { return strings.Compare(a.node, b.node) })
	return all[0]
}

func (v slowVictims) preemption(node string) noderesources.Preemption {
	p := noderesources.Preemption{Node: node, PDBViolations: v.violations}
	for _, pod := range v.pods {
		p.Victims = append(p.Victims, pod.UID)
	}
	return p
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
		testkit.NoDiff(t, got, want.preemption(want.node), "on all nodes")
	}
	for _, part := range []string{"No preemption victims found", "Preemption is not helpful", "Insufficient cpu", "Insufficient example.com/gpu", "Too many pods"} {
		if strings.Contains(message, part) {
			reached = append(reached, part)
		}
	}
	if len(got.Victims) > 0 && c.opts.Count > 0 && c.opts.Offset > 0 {
		reached = append(reached, "a window")
	}
	reached = append(reached, message, fmt.Sprint("violations ", got.PDBViolations), fmt.Sprint("victims ", min(len(got.Victims), 3)))
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
		testkit.NoDiff(t, got, want.preemption(""), name)
		if !c.negative {
			c.eachVictimIsNecessary(t, ledger, got.Victims)
		}
	}
	return reached
}

func TestDrawsOfPreemptionReachEachAnswer(t *testing.T) {
	testkit.Reached(t, 600, preemptionSlowly, "violations 0", "violations 1", "violations 2", "victims 1", "victims 2", "victims 3", "nominated pods",
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

// list returns the requests as a list.
func (p slowPod) list() corev1.ResourceList {
	list := corev1.ResourceList{}
	for name, n := range p.requests {
		list[name] = *resource.NewQuantity(n, resource.DecimalSI)
		if name == "cpu" {
			list[name] = *resource.NewMilliQuantity(n, resource.DecimalSI)
		}
	}
	return list
}
