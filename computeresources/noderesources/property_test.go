package noderesources_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
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
func TestLedgerEqualsCountingAfresh(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slow := slowNode{allocatables().Draw(t, "allocatable"), map[types.UID]slowPod{}}
		node := noderesources.New(slow.allocatable)
		remaining := map[types.UID]noderesources.Request{}
		for event := range rapid.IntRange(0, 12).Draw(t, "events") {
			uid := types.UID(rapid.SampledFrom([]string{"a", "b", "c", "d", ""}).Draw(t, "uid"))
			_, known := remaining[uid]
			pod := podsWithoutStatus().Draw(t, "pod")
			request := noderesources.PodRequest(pod, none)
			var err error
			switch rapid.IntRange(0, 6).Draw(t, "event") {
			case 0, 1, 2:
				if err = node.Add(uid, request); known != (err != nil) {
					t.Fatalf("Add: %v, known %v", err, known)
				}
				if !known {
					uid = orEvent(uid, event)
					slow.pods[uid], remaining[uid] = slowPodOf(pod), request
				}
			case 3:
				if err = node.Update(uid, request); known != (err == nil) {
					t.Fatalf("Update: %v, known %v", err, known)
				}
				if known {
					slow.pods[uid], remaining[uid] = slowPodOf(pod), request
				}
			case 4, 5:
				if err = node.Remove(uid); known != (err == nil) {
					t.Fatalf("Remove: %v, known %v", err, known)
				}
				delete(slow.pods, uid)
				delete(remaining, uid)
			default:
				slow.allocatable = allocatables().Draw(t, "new allocatable")
				node.SetAllocatable(slow.allocatable)
			}
		}
		for _, name := range allNames() {
			testkit.NoDiff(t, amountsOf(node, name), slow.amounts(name), name)
		}
		fresh := noderesources.New(slow.allocatable)
		for uid, request := range remaining {
			if err := fresh.Add(uid, request); err != nil {
				t.Fatal(err)
			}
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
			want, got := fresh.Score(request, scorer), node.Score(request, scorer)
			if got != want || got < 0 || got > noderesources.MaxScore {
				t.Fatalf("%s: %d, afresh %d", strategy, got, want)
			}
		}
	})
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
		opts.Shape = []noderesources.ShapePoint{{Utilization: 20, Score: 1}, {Utilization: 70, Score: 10}, {Utilization: 100, Score: 3}}
	}
	scorer, err := noderesources.NewScorer(opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return scorer
}

// Replicas is the number of replicas that can be added one by one. The next one does not fit, for
// the reasons that Replicas gives.
func TestReplicas(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		slow := slowNode{allocatables().Draw(t, "allocatable"), map[types.UID]slowPod{}}
		node := noderesources.New(slow.allocatable)
		for i := range rapid.IntRange(0, 3).Draw(t, "pods") {
			pod := podsWithoutStatus().Draw(t, "pod")
			slow.pods[types.UID(fmt.Sprint(i))] = slowPodOf(pod)
			if err := node.Add(types.UID(fmt.Sprint(i)), noderesources.PodRequest(pod, none)); err != nil {
				t.Fatal(err)
			}
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
			if err := node.Add(types.UID(fmt.Sprint("replica-", i)), request); err != nil {
				t.Fatal(err)
			}
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
		one := noderesources.OverviewOf(pods, node)
		other := noderesources.OverviewOf(rapid.Permutation(pods).Draw(t, "shuffled"), node)
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
		if err != nil {
			t.Fatal(err)
		}
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
