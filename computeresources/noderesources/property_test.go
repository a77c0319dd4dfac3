package noderesources_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// none are options of a default cluster.
var none = computeresources.Options{}

// allNames are the resources that are drawn, and pods.
func allNames() []corev1.ResourceName { return append(slices.Clone(testkit.ResourceNames), "pods") }

// allocatables draws what nodes have: little or much of some resources, or plenty of all, and room
// for a few pods.
func allocatables() *rapid.Generator[corev1.ResourceList] {
	return rapid.Custom(func(t *rapid.T) corev1.ResourceList {
		list := testkit.ResourceList(testkit.Quantity()).Draw(t, "allocatable")
		if rapid.IntRange(0, 2).Draw(t, "plenty") == 0 {
			list = corev1.ResourceList{}
			for _, name := range testkit.ResourceNames {
				list[name] = *resource.NewQuantity(1<<40, resource.BinarySI)
			}
		}
		if list != nil && rapid.IntRange(0, 9).Draw(t, "no pods") > 0 {
			list["pods"] = testkit.List("pods", fmt.Sprint(rapid.IntRange(0, 9).Draw(t, "pods")))["pods"]
		}
		return list
	})
}

// withoutUID is how the UIDs of orEvent begin.
const withoutUID = "added by event "

// orEvent returns a UID of its own for a pod without UID: each of them counts, and none is known.
func orEvent(uid types.UID, event int) types.UID {
	if uid == "" {
		return types.UID(fmt.Sprint(withoutUID, event))
	}
	return uid
}

// After any events, the ledger equals one that is computed from the final state in arbitrary precision,
// and one to which only the remaining pods were added.
func TestLedgerEqualsCountingAfresh(t *testing.T) { rapid.Check(t, ledgerEqualsCountingAfresh) }

func FuzzLedger(f *testing.F) { f.Fuzz(rapid.MakeFuzz(ledgerEqualsCountingAfresh)) }

func ledgerEqualsCountingAfresh(t *rapid.T) {
	slow := slowNode{allocatables().Draw(t, "allocatable"), map[types.UID]slowPod{}}
	node := noderesources.NewLedger(slow.allocatable)
	remaining := map[types.UID]noderesources.Request{}
	for event := range rapid.IntRange(0, 12).Draw(t, "events") {
		uid := types.UID(rapid.SampledFrom([]string{"a", "b", "c", "d", ""}).Draw(t, "uid"))
		_, known := remaining[uid]
		pod := podsWithoutStatus().Draw(t, "pod")
		request := noderesources.PodRequest(pod, none)
		var err error
		switch rapid.IntRange(0, 5).Draw(t, "event") {
		case 0, 1, 2:
			err = node.Add(uid, request)
			if known != (err != nil) {
				t.Fatalf("Add: %v, known %v", err, known)
			}
			if !known {
				uid = orEvent(uid, event)
				slow.pods[uid], remaining[uid] = slowPodOf(pod), request
			}
		case 3:
			err = node.Update(uid, request)
			if known != (err == nil) {
				t.Fatalf("Update: %v, known %v", err, known)
			}
			if known {
				slow.pods[uid], remaining[uid] = slowPodOf(pod), request
			}
		default:
			err = node.Remove(uid)
			if known != (err == nil) {
				t.Fatalf("Remove: %v, known %v", err, known)
			}
			delete(slow.pods, uid)
			delete(remaining, uid)
		}
	}
	for _, name := range allNames() {
		testkit.NoDiff(t, amountsOf(node, name), slow.amounts(name), name)
	}
	fresh := noderesources.NewLedger(slow.allocatable)
	for uid, request := range remaining {
		testkit.OK(t, fresh.Add(uid, request))
	}
	same(t, fresh, node)
	pod := podsWithoutStatus().Draw(t, "another pod")
	request := noderesources.PodRequest(pod, none)
	shortages := node.Shortages(request, noderesources.FitOptions{})
	testkit.NoDiff(t, shortages, slow.fit(slowPodOf(pod), 0), "Shortages")
	if fits := node.Fits(request, noderesources.FitOptions{}); fits != (len(shortages) == 0) {
		t.Fatalf("Fits = %v, shortages %v", fits, shortages)
	}
	for _, strategy := range strategies {
		scorer := scorerOf(t, strategy)
		want, got := fresh.Score(request, only(scorer)), node.Score(request, only(scorer))
		if got != want || got < 0 || got > 100 {
			t.Fatalf("%s: %d, afresh %d", strategy, got, want)
		}
	}
}

// same fails the test unless two nodes give the same lists.
func same(t *rapid.T, want, got *noderesources.Ledger) {
	t.Helper()
	for i, list := range []func(*noderesources.Ledger) corev1.ResourceList{
		(*noderesources.Ledger).Allocatable, (*noderesources.Ledger).Requested,
		(*noderesources.Ledger).Limited, (*noderesources.Ledger).Free,
	} {
		testkit.NoDiff(t, testkit.Texts(list(got)), testkit.Texts(list(want)), "list", i)
	}
	if want.Pods() != got.Pods() {
		t.Fatalf("%d pods, afresh %d", got.Pods(), want.Pods())
	}
}

// strategies are all strategies.
var strategies = []noderesources.Strategy{
	noderesources.LeastAllocated, noderesources.MostAllocated, noderesources.RequestedToCapacityRatio, noderesources.BalancedAllocation,
}

// scorerOf returns a scorer over all resources.
func scorerOf(t testkit.TB, strategy noderesources.Strategy) noderesources.Scorer {
	t.Helper()
	return scorerOfNames(t, strategy, testkit.ResourceNames...)
}

// scorerOfNames returns a scorer over some resources.
func scorerOfNames(t testkit.TB, strategy noderesources.Strategy, names ...corev1.ResourceName) noderesources.Scorer {
	t.Helper()
	opts := noderesources.ScoreOptions{Strategy: strategy}
	for _, name := range names {
		opts.Resources = append(opts.Resources, noderesources.ResourceWeight{Name: name})
	}
	if strategy == noderesources.RequestedToCapacityRatio {
		opts.Shape = []noderesources.UtilizationShapePoint{{Utilization: 20, Score: 1}, {Utilization: 70, Score: 10}, {Utilization: 100, Score: 3}}
	}
	scorer, err := noderesources.NewScorer(opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return scorer
}

// only returns a profile of one scorer.
func only(s noderesources.Scorer) noderesources.Profile { return noderesources.Profile{{Scorer: s}} }

var leastAllocated = only(noderesources.Scorer{})

// Replicas is the number of replicas that can be added one by one. The next one does not fit, for
// the reasons that Replicas gives.
func TestReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slow := slowNode{allocatables().Draw(t, "allocatable"), map[types.UID]slowPod{}}
		node := noderesources.NewLedger(slow.allocatable)
		for i := range rapid.IntRange(0, 3).Draw(t, "pods") {
			pod := podsWithoutStatus().Draw(t, "pod")
			slow.pods[types.UID(fmt.Sprint(i))] = slowPodOf(pod)
			testkit.OK(t, node.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(pod, none)))
		}
		template := podsWithoutStatus().Draw(t, "template")
		request := noderesources.PodRequest(template, none)
		n, next := node.Replicas(request, noderesources.FitOptions{})
		if diff := cmp.Diff(slow.fit(slowPodOf(template), n), next); diff != "" || len(next) == 0 {
			t.Fatalf("what stops the next after %d (-want +got):\n%s", n, diff)
		}
		if n > 0 {
			if before := slow.fit(slowPodOf(template), n-1); len(before) > 0 {
				t.Fatalf("replica %d does not fit: %v", n, before)
			}
		}
		for i := range n { // not many, as the number of pods is limited
			if !node.Fits(request, noderesources.FitOptions{}) {
				t.Fatalf("replica %d of %d does not fit", i+1, n)
			}
			testkit.OK(t, node.Add(types.UID(fmt.Sprint("replica-", i)), request))
		}
		if !hasNegative(request) && node.Fits(request, noderesources.FitOptions{}) {
			t.Fatalf("one more than %d fits", n)
		}
	})
}

// hasNegative reports whether a pod requests a negative amount, so that each leaves more room.
func hasNegative(r noderesources.Request) bool {
	for _, q := range r.Amounts(computeresources.Requests) {
		if q.Sign() < 0 {
			return true
		}
	}
	return false
}

// requestOf returns the request of a pod with one container.
func requestOf(requests corev1.ResourceList) noderesources.Request {
	return noderesources.SpecRequest(&corev1.PodSpec{Containers: []corev1.Container{testkit.Container("c", requests, nil)}}, none)
}

// The sums of an overview do not depend on the order of the pods, and are those of the specs
// of pods that have not ended.
func TestOverviewOfShuffledPods(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pods := rapid.SliceOfN(testkit.Pod(), 0, 4).Draw(t, "pods")
		for i, pod := range pods {
			pod.Name = fmt.Sprint("p-", i)
			pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{corev1.PodRunning, "", corev1.PodFailed, corev1.PodSucceeded}).Draw(t, "phase")
		}
		node := &corev1.NodeStatus{Allocatable: allocatables().Draw(t, "allocatable")}
		one := noderesources.OverviewOf(pods, node, computeresources.Kubernetes{})
		other := noderesources.OverviewOf(rapid.Permutation(pods).Draw(t, "shuffled"), node, computeresources.Kubernetes{})
		testkit.Equal(t, testkit.Fingerprint(one), testkit.Fingerprint(other), one, "shuffled are", other)
		sums := map[corev1.ResourceName][2]*big.Rat{} // of requests and limits
		for _, pod := range pods {
			if pod.Status.Phase == corev1.PodFailed || pod.Status.Phase == corev1.PodSucceeded {
				continue
			}
			requests, limits := testkit.SpecSums(&pod.Spec)
			for i, amounts := range []testkit.Amounts{requests, limits} {
				for name, amount := range amounts {
					sum := sums[name]
					sum[i] = new(big.Rat).Add(amount, orZero(sum[i]))
					sums[name] = sum
				}
			}
		}
		for _, r := range one {
			sum := sums[r.Resource]
			for i, q := range []resource.Quantity{r.Requests, r.Limits} {
				if want := orZero(sum[i]); testkit.Exact(q).Cmp(want) != 0 {
					t.Fatalf("%s: %v of list %d, want %v", r.Resource, q.String(), i, want)
				}
			}
		}
	})
}

func orZero(n *big.Rat) *big.Rat {
	if n == nil {
		return new(big.Rat)
	}
	return n
}

// Allocatable is between zero and Enforced, which is between zero and the capacity. Enforced is the
// capacity minus the reservations in arbitrary precision, or zero.
func TestAllocatableWithinEnforced(t *testing.T) {
	positive := testkit.ResourceList(testkit.Positive())
	rapid.Check(t, func(t *rapid.T) {
		capacity := positive.Draw(t, "capacity")
		opts := noderesources.ReservedOptions{KubeReserved: positive.Draw(t, "kube"), SystemReserved: positive.Draw(t, "system")}
		allocatable, err := noderesources.Allocatable(capacity, opts)
		testkit.OK(t, err)
		enforced := noderesources.Enforced(capacity, opts)
		if len(allocatable) != len(capacity) || len(enforced) != len(capacity) {
			t.Fatalf("%v and %v of %v", allocatable, enforced, capacity)
		}
		for name, q := range capacity {
			want := testkit.Exact(q.DeepCopy())
			for _, reserved := range []corev1.ResourceList{opts.KubeReserved, opts.SystemReserved} {
				want.Sub(want, testkit.Exact(reserved[name].DeepCopy()))
			}
			if want.Sign() < 0 {
				want.SetInt64(0)
			}
			got, low := testkit.Exact(enforced[name].DeepCopy()), testkit.Exact(allocatable[name].DeepCopy())
			if got.Cmp(want) != 0 || low.Sign() < 0 || low.Cmp(got) > 0 {
				t.Fatalf("%s: enforced %v, want %v, allocatable %v", name, got, want, low)
			}
		}
	})
}

// The generators of the property tests reach each reason why a pod does not fit, and scores at and
// between the ends.
func TestDrawsReachEveryRule(t *testing.T) {
	var scores []string
	for _, strategy := range strategies {
		scores = append(scores, string(strategy)+": least", string(strategy)+": between", string(strategy)+": equal scores")
	}
	testkit.Reached(t, 300, func(t *rapid.T) (reached []string) {
		c, slow, remaining := events(t)
		request := noderesources.PodRequest(testkit.Pod().Draw(t, "another pod"), none)
		if n := len(c.AppendFits(nil, request, noderesources.FitOptions{})); n > 0 && n < len(slow) {
			reached = append(reached, "fits on some nodes")
		} else if n > 0 {
			reached = append(reached, "fits on all nodes")
		} else if len(slow) > 0 {
			reached = append(reached, "fits on no node")
		}
		for at := range slow {
			for _, s := range node(t, c, at).Shortages(request, noderesources.FitOptions{}) {
				reached = append(reached, "short of "+string(s.Resource))
				if s.Unresolvable {
					reached = append(reached, "unresolvable")
				} else {
					reached = append(reached, "resolvable")
				}
			}
			if len(remaining[at]) > 1 {
				reached = append(reached, "several pods on a node")
			}
		}
		for _, strategy := range strategies {
			scores := c.AppendScores(nil, request, only(scorerOf(t, strategy)))
			for i, score := range scores {
				where := ": between"
				switch score {
				case 0:
					where = ": least"
				case 100:
					where = ": most"
				}
				reached = append(reached, string(strategy)+where)
				if slices.Index(scores, score) < i {
					reached = append(reached, string(strategy)+": equal scores")
				}
			}
		}
		list := requests(t)
		template := noderesources.NewLedger(shape(t))
		estimate := noderesources.EstimateNodes(list, template, noderesources.EstimateOptions{})
		if len(estimate.Unplaced) > 0 {
			reached = append(reached, "estimate: too large")
		}
		if estimate.Nodes > estimate.LowerBound {
			reached = append(reached, "estimate: above the lower bound")
		} else if estimate.Nodes > 1 {
			reached = append(reached, "estimate: the lower bound")
		}
		if len(list) > 0 {
			n, next := template.Replicas(list[0], noderesources.FitOptions{})
			switch {
			case len(next) == 0:
				reached = append(reached, "replicas: no end")
			case n == 0:
				reached = append(reached, "replicas: none")
			default:
				reached = append(reached, "replicas: some")
			}
		}
		return reached
	}, append(scores,
		"fits on some nodes", "fits on all nodes", "fits on no node", "resolvable", "unresolvable", "several pods on a node",
		"short of pods", "short of cpu", "short of memory", "short of ephemeral-storage", "short of hugepages-2Mi", "short of example.com/gpu",
		"LeastAllocated: most", "MostAllocated: most",
		"estimate: too large", "estimate: the lower bound", "estimate: above the lower bound", "replicas: none", "replicas: some",
	)...)
}

// FuzzThreshold reads eviction thresholds: an accepted one reserves no negative amount, and a percentage
// reserves no more than the capacity, except for the rounding of a percentage in 32 bits.
func FuzzThreshold(f *testing.F) {
	for _, text := range []string{"10%", "100Mi", "0%", "-1", "NaN%", "1e-40%", "5%%"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if _, ok := testkit.Parse(text); !ok && len(text) > 0 && text[len(text)-1] != '%' {
			t.Skip("no quantity that is tested")
		}
		capacity := testkit.List("memory", "16Gi")
		allocatable, err := noderesources.Allocatable(capacity, noderesources.ReservedOptions{EvictionHard: map[string]string{"memory.available": text}})
		if err != nil {
			return
		}
		if q := allocatable["memory"]; q.Sign() < 0 || q.Cmp(capacity["memory"]) > 0 {
			t.Fatalf("%q leaves %s of 16Gi", text, q.String())
		}
	})
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod, other := testkit.Pod().Draw(t, "pod"), testkit.Pod().Draw(t, "other")
		testkit.Few(&pod.Spec)
		testkit.Few(&other.Spec)
		list := allocatables().Draw(t, "allocatable")
		request := noderesources.PodRequest(pod, none)
		node := noderesources.NewLedger(list)
		testkit.OK(t, node.Add("other", noderesources.PodRequest(other, none)))
		fit := noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/gpu"}, IgnoredGroups: []string{"example.org"}}
		reserved := noderesources.ReservedOptions{
			KubeReserved: testkit.ResourceList(testkit.Quantity()).Draw(t, "kube"), SystemReserved: list,
			EvictionHard: map[string]string{"memory.available": "5%", "nodefs.available": "1Gi"},
		}
		invalid := noderesources.ReservedOptions{EvictionHard: map[string]string{"x": "1"}}
		score := noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu"}, {Name: "example.com/gpu", Weight: 2}}}
		scorer, err := noderesources.NewScorer(score)
		testkit.OK(t, err)
		shortages := node.Shortages(request, noderesources.FitOptions{})
		status := &corev1.NodeStatus{Allocatable: list}
		overview := noderesources.OverviewOf([]*corev1.Pod{pod}, status, computeresources.Kubernetes{})
		pods := []*corev1.Pod{pod, nil, other, testkit.ResizingPod("r").Draw(t, "resizing").Pod}
		kubelet := noderesources.KubeletOptions{StaticCPUs: true, LimitedSwap: true}
		// Its own ledger, which the events change.
		events := func() any {
			l := noderesources.NewLedger(list)
			answers := []any{l.Add("a", request), l.Add("a", request), l.Update("a", request), l.Update("b", request), l.Remove("b")}
			return append(answers, l.Score(request, only(scorer)), l.Remove("a"), l.Pods())
		}
		nodes := cluster(t, list, testkit.List("cpu", "4", "memory", "8Gi", "pods", "3"))
		addPod(t, nodes, "other", "b", noderesources.PodRequest(other, none))
		testkit.Equal(t, len(nodes.Clone().Nodes()), 2) // it notes that there are clones
		requests := []noderesources.Request{request, noderesources.PodRequest(other, none), placed("cpu", "1")}
		names, scores := make([]string, 1, 8), make([]int64, 1, 8)
		fitErr := &noderesources.FitError{Nodes: 2, Reasons: []noderesources.FitReason{{Message: "Too many pods", Nodes: 2}, {Message: "Insufficient cpu", Nodes: 1}}}
		// Its own cluster, which the events change.
		clusterEvents := func() any {
			var c noderesources.Cluster
			return []any{c.AddNode("a", list), c.AddNode("a", list), c.AddPod("0", "a", request), c.AddPod("0", "a", request),
				c.AddPod("1", "b", request), c.UpdatePod("0", request), c.UpdatePod("1", request), c.UpdateNode("a", list), c.UpdateNode("b", list),
				c.AppendScores(nil, request, only(scorer)),
				c.RemovePod("1"), c.Nodes(), c.RemovePod("0"), c.RemoveNode("b"), c.RemoveNode("a"), c.Nodes()}
		}
		pod.Labels, pod.Namespace = map[string]string{"app": "web"}, "shop"
		potential := []noderesources.PotentialVictim{noderesources.PotentialVictimOf(other), noderesources.PotentialVictimOf(pod)}
		potential[0].UID, potential[1].UID = "other", "unknown"
		preempt := noderesources.PreemptOptions{
			FitOptions: fit, Priority: 1, Budgets: []*policyv1.PodDisruptionBudget{testkit.DisruptionBudget("p-0").Draw(t, "budget"), nil},
			Nominated: []noderesources.NominatedPod{{Node: "b", Priority: 1, Request: request}},
		}
		calls := []func() any{
			clusterEvents,
			func() any { return []bool{request.Equal(request), request.Equal(requests[2])} },
			func() any { return nodes.Nodes() },
			func() any {
				l, err := nodes.Ledger("b") // shares the requests of its pods, which do not change
				return []any{l.Requested(), l.Free(), l.Limited(), l.Pods(), l.Remove("other"), l.Requested(), err}
			},
			func() any {
				short, err := nodes.Shortages(request, "b", fit)
				return []any{short, err}
			},
			func() any { return only(scorer).MaxScore() },
			func() any { return nodes.AppendFits(nil, request, fit) },
			func() any { return nodes.AppendFits(slices.Clone(names), request, fit) },
			func() any { return nodes.CheckFit(request, fit) },
			func() any { return nodes.AppendScores(slices.Clone(scores), request, only(scorer)) },
			func() any {
				name, score, found := nodes.Best(request, only(scorer), fit)
				return []any{name, score, found}
			},
			func() any {
				own := nodes.Clone()
				return []any{own.RemovePod("other"), own.AppendScores(nil, request, only(scorer)), own.RemoveNode("a"), own.Nodes()}
			},
			func() any {
				ranking, answers := nodes.Rank(request, only(scorer), fit), []any{}
				for i, score := range ranking.Scores {
					answers = append(answers, i, score)
				}
				return append(answers, ranking.Request().Equal(request))
			},
			func() any { return nodes.FitError(request, fit, make(refusals, 2)) },
			func() any {
				n, next := nodes.Replicas(request, fit, make(refusals, 2))
				return []any{n, next}
			},
			func() any {
				score, fits := nodes.Score(request, "b", only(scorer), fit)
				return []any{score, fits}
			},
			func() any { return nodes.FirstFit(requests, fit) },
			func() any { return nodes.BestFit(requests, only(scorer), fit) },
			func() any {
				return noderesources.EstimateNodes(requests, node, noderesources.EstimateOptions{
					FitOptions: fit, Existing: nodes, MaxNodes: 1, Filter: func(pod, node int) bool { return pod != node },
				})
			},
			func() any { return fitErr.Error() },
			func() any { return noderesources.PodRequest(pod, none) },
			func() any { return noderesources.SpecRequest(&pod.Spec, none) },
			func() any { return noderesources.RequestOf(list) },
			func() any { return request.Amounts(computeresources.Limits) },
			func() any { return request.NonZero("memory") },
			func() any { return noderesources.NewLedger(list) },
			events,
			func() any { return node.Pods() },
			func() any { return node.Allocatable() },
			func() any { return node.Requested() },
			func() any { return node.Limited() },
			func() any { return node.Free() },
			func() any { return node.Fits(request, fit) },
			func() any { return fit.Delegates("example.com/gpu") },
			func() any { return node.Shortages(request, fit) },
			func() any {
				n, next := node.Replicas(request, fit)
				return []any{n, next}
			},
			func() any { return node.Score(request, only(scorer)) },
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
			func() any { return noderesources.OverviewOf(pods, status, computeresources.Kubernetes{}) },
			func() any { return noderesources.AdmitPod(pod, list, pods, kubelet) },
			func() any { return noderesources.PendingResizes(pods, list, kubelet) },
			func() any {
				victims, err := noderesources.CriticalVictims(pod, shortages, pods, kubelet)
				return []any{victims, err}
			},
			func() any { return noderesources.PotentialVictimOf(pod) },
			func() any {
				p, err := node.Victims(request, potential, preempt)
				return []any{p, err}
			},
			func() any {
				p, err := nodes.Preempt(request, func(string) []noderesources.PotentialVictim { return potential }, preempt)
				return []any{p, err}
			},
			func() any { return (&noderesources.PreemptError{Nodes: 1, NoVictims: 1}).Error() },
		}
		for range 9 { // of all, in the course of the checks
			call := rapid.SampledFrom(calls).Draw(t, "call")
			testkit.Contract(t, call, pod, other, list, request, node, fit, reserved, invalid, score, scorer, shortages, status, overview, pods, nodes, requests, fitErr, kubelet, potential, preempt)
		}
	})
}
