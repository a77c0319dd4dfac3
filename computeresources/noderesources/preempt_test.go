package noderesources_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// there is a pod of 1 CPU on a node.
type there struct {
	uid      types.UID
	priority int32
	start    int64 // seconds, 0 if it has not started
	labels   map[string]string
}

// preempting returns nodes of 2 CPUs with pods of 1 CPU, and what a pod preempts.
func preempting(t testkit.TB, nodes ...[]there) (*noderesources.Cluster, func(string) []noderesources.PotentialVictim) {
	t.Helper()
	pods := map[string][]noderesources.PotentialVictim{}
	var c noderesources.Cluster
	for i, all := range nodes {
		name := string(rune('a' + i))
		testkit.OK(t, c.AddNode(name, testkit.List("cpu", "2", "pods", "9")))
		for _, p := range all {
			v := noderesources.PotentialVictim{UID: p.uid, Namespace: "shop", Name: "p" + string(p.uid), Priority: p.priority, Labels: p.labels}
			if p.start > 0 {
				v.StartTime = metav1.Unix(p.start, 0)
			}
			addPod(t, &c, p.uid, name, placed("cpu", "1"))
			pods[name] = append(pods[name], v)
		}
	}
	return &c, func(node string) []noderesources.PotentialVictim { return pods[node] }
}

// preempted is a Preemption with the UIDs of the victims.
type preempted struct {
	Node          string
	Victims       []types.UID
	PDBViolations int
}

func byUID(p noderesources.Preemption, pods func(node string) []noderesources.PotentialVictim) preempted {
	q := preempted{Node: p.Node, PDBViolations: p.PDBViolations}
	for _, i := range p.Victims {
		q.Victims = append(q.Victims, pods(p.Node)[i].UID)
	}
	return q
}

// A pod counts in its budgets up to the first one by name that it violates, and up to 1.36 in all of them. Since 1.38, an
// empty selector is one of all pods, also of those without labels.
func TestBudgetsOfReleases(t *testing.T) {
	web, front, both := map[string]string{"app": "web"}, map[string]string{"tier": "front"}, map[string]string{"app": "web", "tier": "front"}
	budgetOf := func(name string, allowed int32, selector *metav1.LabelSelector) *policyv1.PodDisruptionBudget {
		return &policyv1.PodDisruptionBudget{
			ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}, Spec: policyv1.PodDisruptionBudgetSpec{Selector: selector},
			Status: policyv1.PodDisruptionBudgetStatus{DisruptionsAllowed: allowed},
		}
	}
	of := func(labels map[string]string) *metav1.LabelSelector {
		return &metav1.LabelSelector{MatchLabels: labels}
	}
	for _, test := range []struct {
		name    string
		pods    []map[string]string // labels of the victims
		budgets []*policyv1.PodDisruptionBudget
		want    map[string]int // violations by release
	}{
		{
			"the violated budget is the first", []map[string]string{both, front},
			[]*policyv1.PodDisruptionBudget{budgetOf("1", 0, of(web)), budgetOf("2", 1, of(front))}, map[string]int{"1.36": 2, "": 1, "1.38": 1},
		},
		{
			"the violated budget is the last", []map[string]string{both, front},
			[]*policyv1.PodDisruptionBudget{budgetOf("3", 0, of(web)), budgetOf("2", 1, of(front))}, map[string]int{"1.36": 2, "": 2, "1.38": 2},
		},
		{"an empty selector", []map[string]string{web, nil}, []*policyv1.PodDisruptionBudget{budgetOf("1", 0, of(nil))}, map[string]int{"1.36": 0, "": 0, "1.38": 2}},
		{"no selector", []map[string]string{web, nil}, []*policyv1.PodDisruptionBudget{budgetOf("1", 0, nil)}, map[string]int{"1.36": 0, "": 0, "1.38": 0}},
		{
			"an absent label", []map[string]string{front, nil},
			[]*policyv1.PodDisruptionBudget{budgetOf("1", 0, &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpDoesNotExist}}})},
			map[string]int{"1.36": 1, "": 1, "1.38": 2},
		},
	} {
		there := []there{{"1", 0, 1, test.pods[0]}, {"2", 0, 2, test.pods[1]}}
		for release, want := range test.want {
			for range 2 { // in both orders
				cluster, pods := preempting(t, there)
				ledger := node(t, cluster, "a")
				opts := noderesources.PreemptOptions{Priority: 1, Budgets: test.budgets, Kubernetes: computeresources.Kubernetes{Release: release}}
				got, err := ledger.Victims(placed("cpu", "2"), pods("a"), opts)
				testkit.OK(t, err)
				testkit.Equal(t, got.PDBViolations, want, test.name, "of", release)
				slices.Reverse(test.budgets)
			}
		}
	}
}

// Which node is chosen, by one criterion after the other.
func TestPreemptChooses(t *testing.T) {
	web := map[string]string{"app": "web"}
	budgetOf := func(labels map[string]string, allowed int32, disrupted ...string) *policyv1.PodDisruptionBudget {
		b := &policyv1.PodDisruptionBudget{ObjectMeta: metav1.ObjectMeta{Namespace: "shop"}, Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: labels}}}
		b.Status.DisruptionsAllowed, b.Status.DisruptedPods = allowed, map[string]metav1.Time{}
		for _, name := range disrupted {
			b.Status.DisruptedPods[name] = metav1.Time{}
		}
		return b
	}
	budgets := []*policyv1.PodDisruptionBudget{budgetOf(web, 0)}
	for _, test := range []struct {
		name    string
		request string
		nodes   [][]there
		opts    noderesources.PreemptOptions
		want    preempted
	}{
		{"fewest violations", "1", [][]there{{{"1", 0, 1, web}, {"2", 0, 1, web}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Budgets: budgets},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"lowest sum of priorities", "2", [][]there{{{"1", 5, 1, nil}, {"2", 5, 1, nil}}, {{"3", 5, 1, nil}, {"4", -5, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"3", "4"}}},
		{"one negative priority rather than two", "1", [][]there{{{"1", -5, 1, nil}, {"2", -5, 1, nil}, {"0", -5, 1, nil}}, {{"3", -5, 1, nil}, {"4", -5, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"not started is the latest", "1", [][]there{{{"1", 0, 1, nil}, {"2", 0, 9, nil}}, {{"3", 0, 1, nil}, {"4", 0, 0, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"the earliest start of a node counts", "2", [][]there{{{"1", 0, 1, nil}, {"2", 0, 9, nil}}, {{"3", 0, 2, nil}, {"4", 0, 3, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"3", "4"}}},
		{"only starts of the highest priority count", "2", [][]there{{{"1", 5, 2, nil}, {"2", 0, 9, nil}}, {{"3", 5, 3, nil}, {"4", 0, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"3", "4"}}},
		{"a violation if there is no other way", "1", [][]there{{{"1", 0, 1, web}, {"2", 9, 1, web}}, {{"3", 11, 1, nil}, {"4", 11, 1, nil}}}, noderesources.PreemptOptions{Budgets: budgets},
			preempted{Node: "a", Victims: []types.UID{"1"}, PDBViolations: 1}},
		{"a budget for each node", "1", [][]there{{{"1", 5, 1, web}, {"2", 5, 1, web}}, {{"3", 0, 1, web}, {"4", 0, 1, web}}},
			noderesources.PreemptOptions{Budgets: []*policyv1.PodDisruptionBudget{budgetOf(web, 1)}}, preempted{Node: "b", Victims: []types.UID{"3"}}},
		{"a disruption that is known", "1", [][]there{{{"1", 0, 1, web}, {"2", 0, 1, web}}},
			noderesources.PreemptOptions{Budgets: []*policyv1.PodDisruptionBudget{budgetOf(web, 0, "p2")}}, preempted{Node: "a", Victims: []types.UID{"2"}}},
		{"equal nodes by name, from an offset", "1", [][]there{{{"4", 0, 1, nil}, {"3", 0, 1, nil}}, {{"1", 0, 1, nil}, {"2", 0, 1, nil}}}, noderesources.PreemptOptions{Offset: 1},
			preempted{Node: "a", Victims: []types.UID{"4"}}},
		{"equal nodes by name, after one that costs more", "1", [][]there{{{"1", 5, 1, nil}, {"2", 5, 1, nil}}, {{"3", 0, 1, nil}, {"4", 0, 1, nil}}, {{"5", 0, 1, nil}, {"6", 0, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"a window of one node that violates a budget", "1", [][]there{{{"1", 5, 1, web}, {"2", 5, 1, web}}, {{"3", 0, 1, web}, {"4", 0, 1, web}}}, noderesources.PreemptOptions{Budgets: budgets, Count: 1},
			preempted{Node: "a", Victims: []types.UID{"2"}, PDBViolations: 1}},
		{"a window goes on until no budget is violated", "1", [][]there{{{"1", 0, 1, web}, {"2", 0, 1, web}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Budgets: budgets, Count: 1},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"a window from a negative offset", "1", [][]there{{{"1", 0, 1, nil}, {"2", 0, 1, nil}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Offset: -1, Count: 1},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"the offset counts nodes that are tried", "1", [][]there{nil, {{"1", 0, 1, nil}, {"2", 0, 1, nil}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Offset: 3, Count: 1},
			preempted{Node: "c", Victims: []types.UID{"4"}}},
		{"a negative count is no window", "1", [][]there{{{"1", 5, 1, nil}, {"2", 5, 1, nil}}, {{"3", 0, 1, nil}, {"4", 0, 1, nil}}}, noderesources.PreemptOptions{Count: -1},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"violating nodes count in a window", "1", [][]there{{{"1", 0, 1, web}, {"2", 0, 1, web}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}, {{"5", 0, 1, nil}, {"6", 0, 1, nil}}}, noderesources.PreemptOptions{Budgets: budgets, Count: 2},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"nodes that cost more count in a window", "1", [][]there{{{"1", 4, 1, nil}, {"2", 4, 1, nil}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}, {{"5", 0, 1, nil}, {"6", 0, 1, nil}}}, noderesources.PreemptOptions{Count: 2},
			preempted{Node: "a", Victims: []types.UID{"2"}}},
		{"one violation rather than two", "2", [][]there{{{"1", 0, 1, web}, {"2", 0, 1, web}}, {{"3", 5, 1, web}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Budgets: budgets},
			preempted{Node: "b", Victims: []types.UID{"3", "4"}, PDBViolations: 1}},
		{"a lower sum of more victims", "2", [][]there{{{"1", 5, 1, nil}, {"2", 5, 1, nil}}, {{"3", 5, 1, nil}, {"4", math.MinInt32, 1, nil}, {"5", math.MinInt32, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"3", "4", "5"}}},
		{"equal sums of fewer victims", "2", [][]there{{{"1", 1, 1, nil}, {"2", 0, 1, nil}, {"3", math.MinInt32, 1, nil}}, {{"4", 1, 1, nil}, {"5", 0, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"4", "5"}}},
		{"a node that is refused", "1", [][]there{{{"1", 0, 1, nil}, {"2", 0, 1, nil}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{Filter: func(node string) bool { return node != "a" }},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
		{"a node with room is not the question", "1", [][]there{{{"1", 0, 1, nil}}, {{"3", 5, 1, nil}, {"4", 5, 1, nil}}}, noderesources.PreemptOptions{},
			preempted{Node: "b", Victims: []types.UID{"4"}}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, pods := preempting(t, test.nodes...)
			test.opts.Priority = 10
			got, err := c.Preempt(placed("cpu", test.request), pods, test.opts)
			testkit.OK(t, err)
			testkit.NoDiff(t, byUID(got, pods), test.want)
		})
	}
}

// Room is kept for nominated pods of at least the same priority.
func TestPreemptKeepsRoomForNominatedPods(t *testing.T) {
	for priority, want := range map[int32]int{9: 1, 10: 2, 11: 2} {
		c, pods := preempting(t, []there{{"1", 0, 1, nil}, {"2", 0, 1, nil}})
		nominated := []noderesources.NominatedPod{{Node: "a", Priority: priority, Request: placed("cpu", "1")}, {Node: "b", Priority: priority, Request: placed("cpu", "9")}}
		got, err := c.Preempt(placed("cpu", "1"), pods, noderesources.PreemptOptions{Priority: 10, Nominated: nominated})
		testkit.OK(t, err)
		testkit.Equal(t, len(got.Victims), want, "victims beside a nominated pod of priority", priority)
	}
}

// Scalar resources count on each node by itself, in the cheap look at nodes that may cost less, too.
func TestPreemptForScalarResources(t *testing.T) {
	gpu, cpu, both := placed("example.com/gpu", "1"), placed("cpu", "2"), placed("cpu", "2", "example.com/gpu", "1")
	for name, test := range map[string]struct {
		there      []noderesources.Request // of nodes with 2 CPUs and a device
		priorities []int32
		want       string
	}{
		"a victim that has the device":        {[]noderesources.Request{both, both}, []int32{5, 0}, "b"},
		"behind a node without a free device": {[]noderesources.Request{cpu, gpu, cpu}, []int32{5, 9, 0}, "c"},
	} {
		var c noderesources.Cluster
		pods := map[string][]noderesources.PotentialVictim{}
		for i, r := range test.there {
			node := string(rune('a' + i))
			testkit.OK(t, c.AddNode(node, testkit.List("cpu", "2", "example.com/gpu", "1", "pods", "9")))
			addPod(t, &c, types.UID(node), node, r)
			pods[node] = []noderesources.PotentialVictim{{UID: types.UID(node), Priority: test.priorities[i]}}
		}
		podsOn := func(node string) []noderesources.PotentialVictim { return pods[node] }
		got, err := c.Preempt(both, podsOn, noderesources.PreemptOptions{Priority: 10})
		testkit.OK(t, err)
		testkit.NoDiff(t, byUID(got, podsOn), preempted{Node: test.want, Victims: []types.UID{types.UID(test.want)}}, name)
	}
}

// The cheap look at nodes that may cost less adds up scalar resources, leaves out those that are ignored, and does
// not count that a request below zero may stay.
func TestPreemptLooksAtNodesThatCostLess(t *testing.T) {
	ignoring := noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/gpu"}}
	half, web := placed("cpu", "1", "example.com/gpu", "1"), map[string]string{"app": "web"}
	for name, test := range map[string]struct {
		request    noderesources.Request
		there      []noderesources.Request
		priorities []int32
		opts       noderesources.FitOptions
	}{
		"two victims with a device each": {placed("cpu", "2", "example.com/gpu", "2"), []noderesources.Request{half, half}, []int32{0, 0}, noderesources.FitOptions{}},
		"devices that are ignored":       {placed("cpu", "2", "example.com/gpu", "3"), []noderesources.Request{half, half}, []int32{0, 0}, ignoring},
		"a protected negative request":   {placed("cpu", "1"), []noderesources.Request{placed("cpu", "-1"), placed("cpu", "1"), placed("cpu", "2")}, []int32{0, 0, 5}, noderesources.FitOptions{}},
	} {
		c := cluster(t, testkit.List("cpu", "2", "example.com/gpu", "2", "pods", "9"), testkit.List("cpu", "2", "example.com/gpu", "2", "pods", "9"))
		addPod(t, c, "a", "a", placed("cpu", "2", "example.com/gpu", "2"))
		pods := map[string][]noderesources.PotentialVictim{"a": {{UID: "a", Priority: 3}}}
		for i, r := range test.there {
			v := noderesources.PotentialVictim{UID: types.UID(fmt.Sprint(i)), Priority: test.priorities[i]}
			if len(test.there) == 3 && i == 0 {
				v.Labels = web
			}
			addPod(t, c, v.UID, "b", r)
			pods["b"] = append(pods["b"], v)
		}
		budget := &policyv1.PodDisruptionBudget{Spec: policyv1.PodDisruptionBudgetSpec{Selector: &metav1.LabelSelector{MatchLabels: web}}}
		got, err := c.Preempt(test.request, func(node string) []noderesources.PotentialVictim { return pods[node] },
			noderesources.PreemptOptions{FitOptions: test.opts, Priority: 10, Budgets: []*policyv1.PodDisruptionBudget{budget}})
		testkit.OK(t, err)
		testkit.Equal(t, got.Node, "b", name)
	}
}

// A nominated pod may request less than nothing. The pod has to fit without it, too.
func TestPreemptFitsWithoutNominatedPods(t *testing.T) {
	c, pods := preempting(t, []there{{"1", 0, 1, nil}, {"2", 0, 1, nil}})
	nominated := []noderesources.NominatedPod{{Node: "a", Priority: 10, Request: placed("cpu", "-1")}}
	got, err := c.Preempt(placed("cpu", "1"), pods, noderesources.PreemptOptions{Priority: 10, Nominated: nominated})
	testkit.OK(t, err)
	testkit.NoDiff(t, byUID(got, pods), preempted{Node: "a", Victims: []types.UID{"2"}})
}

// What nodes are short of is in the order of Shortages, not of the nodes.
func TestPreemptErrorSortsReasons(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "2", "memory", "1", "example.com/a", "1", "example.com/b", "1", "pods", "9"), testkit.List("cpu", "1", "memory", "2", "example.com/a", "1", "example.com/b", "1", "pods", "1"))
	all := placed("cpu", "1", "memory", "1", "example.com/a", "1", "example.com/b", "1")
	addPod(t, c, "1", "a", placed("cpu", "0", "memory", "1", "example.com/b", "1"))
	addPod(t, c, "2", "b", placed("cpu", "1", "memory", "0", "example.com/a", "1", "example.com/b", "1"))
	for _, node := range []string{"a", "b"} {
		addPod(t, c, types.UID(node), node, placed("cpu", "0", "memory", "0"))
	}
	pods := func(node string) []noderesources.PotentialVictim {
		return []noderesources.PotentialVictim{{UID: types.UID(node)}}
	}
	_, err := c.Preempt(all, pods, noderesources.PreemptOptions{Priority: 10})
	testkit.NoDiff(t, err.(*noderesources.PreemptError), &noderesources.PreemptError{Nodes: 2, Reasons: []noderesources.FitReason{
		{Message: "Insufficient cpu", Nodes: 1}, {Message: "Insufficient example.com/a", Nodes: 1}, {Message: "Insufficient example.com/b", Nodes: 2}, {Message: "Insufficient memory", Nodes: 1}, {Message: "Too many pods", Nodes: 1},
	}})
}

func TestPreemptErrors(t *testing.T) {
	c, pods := preempting(t, []there{{"1", 0, 1, nil}, {"2", 20, 1, nil}}, []there{{"3", 20, 1, nil}, {"4", 20, 1, nil}}, nil)
	const prefix = "preemption: 0/3 nodes are available: "
	for name, test := range map[string]struct {
		request noderesources.Request
		opts    noderesources.PreemptOptions
		want    noderesources.PreemptError
		message string
	}{
		"never": {placed("cpu", "2"), noderesources.PreemptOptions{PreemptionPolicy: corev1.PreemptNever},
			noderesources.PreemptError{Ineligible: "not eligible due to preemptionPolicy=Never."}, "preemption: not eligible due to preemptionPolicy=Never."},
		"not enough": {placed("cpu", "2"), noderesources.PreemptOptions{}, noderesources.PreemptError{
			Nodes: 3, NotHelpful: 1, NoVictims: 1, Reasons: []noderesources.FitReason{{Message: "Insufficient cpu", Nodes: 1}},
		}, prefix + "1 Insufficient cpu, 1 No preemption victims found for incoming pod, 1 Preemption is not helpful for scheduling."},
		"larger than the nodes":    {placed("cpu", "3"), noderesources.PreemptOptions{}, noderesources.PreemptError{Nodes: 3, NotHelpful: 3}, prefix + "3 Preemption is not helpful for scheduling."},
		"all nodes refused":        {placed("cpu", "1"), noderesources.PreemptOptions{Filter: func(string) bool { return false }}, noderesources.PreemptError{Nodes: 3, NotHelpful: 3}, prefix + "3 Preemption is not helpful for scheduling."},
		"a node that is not known": {placed("cpu", "3"), noderesources.PreemptOptions{NominatedNode: "x"}, noderesources.PreemptError{Nodes: 3, NotHelpful: 3}, prefix + "3 Preemption is not helpful for scheduling."},
	} {
		test.opts.Priority = 10
		_, err := c.Preempt(test.request, pods, test.opts)
		testkit.NoDiff(t, err.(*noderesources.PreemptError), &test.want, name)
		testkit.Equal(t, err.Error(), test.message, name)
	}
	_, err := c.Preempt(placed("cpu", "1", "memory", "0"), nil, noderesources.PreemptOptions{Priority: 10})
	testkit.Equal(t, fmt.Sprint(err), prefix+"1 Preemption is not helpful for scheduling, 2 No preemption victims found for incoming pod.")
	_, err = c.Preempt(placed("cpu", "2"), pods, noderesources.PreemptOptions{PreemptionPolicy: "never"})
	testkit.Equal(t, fmt.Sprint(err), `preemptionPolicy: Unsupported value: "never": supported values: "Never", "PreemptLowerPriority"`)
	_, err = (&noderesources.Cluster{}).Preempt(noderesources.Request{}, nil, noderesources.PreemptOptions{})
	testkit.Equal(t, fmt.Sprint(err), "preemption: no nodes available")
}

// A pod that waits for its victims on its nominated node preempts no others.
func TestPreemptWaitsForVictims(t *testing.T) {
	for name, test := range map[string]struct {
		priority  int32
		preempted bool
		request   string
		refused   bool
		waits     bool
	}{
		"its victim":                       {0, true, "1", false, true},
		"a pod of the same priority":       {10, true, "1", false, false},
		"a pod that ends by itself":        {0, false, "1", false, false},
		"preemption can no longer help":    {0, true, "3", false, false},
		"the node is refused at any price": {0, true, "1", true, false},
	} {
		c, pods := preempting(t, []there{{"1", test.priority, 1, nil}, {"2", test.priority, 1, nil}})
		pods("a")[1].Preempted = test.preempted
		_, err := c.Preempt(placed("cpu", test.request), pods, noderesources.PreemptOptions{
			Priority: 10, NominatedNode: "a", Filter: func(string) bool { return !test.refused },
		})
		testkit.Equal(t, fmt.Sprint(err) == "preemption: not eligible due to a terminating pod on the nominated node.", test.waits, name)
	}
}

// Pods of an unknown or an empty UID, and the second of two with the same UID, are ignored.
func TestVictimsIgnoresPods(t *testing.T) {
	node := noderesources.NewLedger(testkit.List("cpu", "2", "pods", "9"))
	for _, uid := range []types.UID{"1", "2", ""} {
		testkit.OK(t, node.Add(uid, placed("cpu", "1")))
	}
	pods := []noderesources.PotentialVictim{{UID: "1", Priority: -1}, {UID: "1", Priority: -2}, {UID: ""}, {UID: "3"}, {UID: "2"}}
	got, err := node.Victims(placed("cpu", "1"), pods, noderesources.PreemptOptions{Priority: 1})
	testkit.OK(t, err)
	testkit.NoDiff(t, got, noderesources.Preemption{Victims: []int{4, 0}})
	_, err = node.Victims(placed("cpu", "9"), pods, noderesources.PreemptOptions{Priority: 1})
	testkit.NoDiff(t, err.(*noderesources.PreemptError), &noderesources.PreemptError{Nodes: 1, Reasons: []noderesources.FitReason{{Message: "Insufficient cpu", Nodes: 1, Unresolvable: 1}}})
}

// Pods that are equally important are ordered by namespace, name and UID.
func TestVictimsBreaksTies(t *testing.T) {
	node := noderesources.NewLedger(testkit.List("cpu", "4", "pods", "9"))
	pods := []noderesources.PotentialVictim{{UID: "1", Namespace: "b", Name: "a"}, {UID: "2", Namespace: "a", Name: "b"}, {UID: "4", Namespace: "a", Name: "a"}, {UID: "3", Namespace: "a", Name: "a"}}
	for i := range pods {
		testkit.OK(t, node.Add(pods[i].UID, placed("cpu", "1")))
	}
	got, err := node.Victims(placed("cpu", "4"), pods, noderesources.PreemptOptions{Priority: 1})
	testkit.OK(t, err)
	testkit.NoDiff(t, got, noderesources.Preemption{Victims: []int{3, 2, 1, 0}})
}

func TestPotentialVictimOf(t *testing.T) {
	testkit.NoDiff(t, noderesources.PotentialVictimOf(nil), noderesources.PotentialVictim{})
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "7f3c", Namespace: "shop", Name: "web", Labels: map[string]string{"app": "web"}, CreationTimestamp: metav1.Unix(50, 0)}}
	want := noderesources.PotentialVictim{UID: "7f3c", Namespace: "shop", Name: "web", Labels: map[string]string{"app": "web"}}
	testkit.NoDiff(t, noderesources.PotentialVictimOf(pod), want)
	priority, at := int32(7), metav1.Unix(100, 0)
	pod.Spec.Priority, pod.Status.StartTime, pod.DeletionTimestamp = &priority, &at, &at
	pod.Status.Conditions = []corev1.PodCondition{{Type: corev1.PodReady}, {Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler}}
	want.Priority, want.StartTime, want.Preempted = 7, at, true
	testkit.NoDiff(t, noderesources.PotentialVictimOf(pod), want)
	for name, change := range map[string]func(*corev1.Pod){
		"not terminating": func(pod *corev1.Pod) { pod.DeletionTimestamp = nil },
		"another reason":  func(pod *corev1.Pod) { pod.Status.Conditions[1].Reason = "DeletionByTaintManager" },
		"no longer so":    func(pod *corev1.Pod) { pod.Status.Conditions[1].Status = corev1.ConditionFalse },
		"no condition":    func(pod *corev1.Pod) { pod.Status.Conditions = nil },
		"the first condition decides": func(pod *corev1.Pod) {
			pod.Status.Conditions[0].Type = corev1.DisruptionTarget
		},
	} {
		changed := pod.DeepCopy()
		change(changed)
		testkit.Equal(t, noderesources.PotentialVictimOf(changed).Preempted, false, name)
	}
}
