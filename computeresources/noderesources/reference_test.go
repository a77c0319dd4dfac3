package noderesources_test

import (
	"math/big"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// slowNode is a node in arbitrary precision, which counts afresh for each answer.
type slowNode struct {
	allocatable corev1.ResourceList
	pods        map[types.UID]slowPod
}

// slowPod is the request of a pod, each amount rounded up on its own.
type slowPod struct{ requests, limits map[corev1.ResourceName]int64 }

// podsWithoutStatus draws pods as slowPodOf reads them.
func podsWithoutStatus() *rapid.Generator[*corev1.Pod] {
	return rapid.Map(testkit.Pod(), func(pod *corev1.Pod) *corev1.Pod {
		pod.Status = corev1.PodStatus{}
		return pod
	})
}

// slowPodOf returns the request of a pod without the resources of its status.
func slowPodOf(pod *corev1.Pod) slowPod {
	requests, limits := testkit.SpecSums(&pod.Spec)
	return slowPod{integers(requests), integers(limits)}
}

func integers(amounts testkit.Amounts) map[corev1.ResourceName]int64 {
	n := map[corev1.ResourceName]int64{}
	for name, amount := range amounts {
		perOne := int64(1)
		if name == "cpu" {
			perOne = 1000
		}
		n[name] = testkit.RoundedAway(amount, perOne)
	}
	return n
}

// sum returns the sum over all pods of what of selects.
func (n slowNode) sum(of func(slowPod) int64) *big.Int {
	sum := new(big.Int)
	for _, pod := range n.pods {
		sum.Add(sum, big.NewInt(of(pod)))
	}
	return sum
}

func (n slowNode) capacity(name corev1.ResourceName) *big.Int {
	return big.NewInt(integers(testkit.AmountsOf(n.allocatable))[name])
}

func (n slowNode) used(name corev1.ResourceName) *big.Int {
	if name == "pods" {
		return big.NewInt(int64(len(n.pods)))
	}
	return n.sum(func(p slowPod) int64 { return p.requests[name] })
}

func (n slowNode) limited(name corev1.ResourceName) *big.Int {
	if name == "pods" {
		return new(big.Int)
	}
	return n.sum(func(p slowPod) int64 { return p.limits[name] })
}

func (n slowNode) free(name corev1.ResourceName) *big.Int {
	return new(big.Int).Sub(n.capacity(name), n.used(name))
}

// nodeAmounts are the amounts of one resource on a node.
type nodeAmounts struct{ Allocatable, Requested, Limited, Free int64 }

// amountsOf returns the amounts of a resource as the lists of a ledger have them.
func amountsOf(l *noderesources.Ledger, name corev1.ResourceName) nodeAmounts {
	of := func(list corev1.ResourceList) int64 { return resourcelist.Integer(name, list[name]) }
	return nodeAmounts{of(l.Allocatable()), of(l.Requested()), of(l.Limited()), of(l.Free())}
}

// amountOf returns the amount of a resource that a pod requests, or its limit.
func amountOf(r noderesources.Request, list computeresources.List, name corev1.ResourceName) int64 {
	return resourcelist.Integer(name, r.Amounts(list)[name])
}

// amounts are those of a resource, cut off at the ends of int64.
func (n slowNode) amounts(name corev1.ResourceName) nodeAmounts {
	return nodeAmounts{
		Allocatable: cut(n.capacity(name)), Requested: cut(n.used(name)),
		Limited: cut(n.limited(name)), Free: cut(n.free(name)),
	}
}

// fit returns the shortages of a pod once so many like it are there.
func (n slowNode) fit(pod slowPod, there int64) (found noderesources.Shortages) {
	names := []corev1.ResourceName{"pods", "cpu", "memory", "ephemeral-storage"}
	var others []corev1.ResourceName
	for name := range pod.requests {
		if !slices.Contains(names, name) {
			others = append(others, name)
		}
	}
	slices.Sort(others)
	for _, name := range append(names, others...) {
		wanted := pod.requests[name]
		if name == "pods" {
			wanted = 1
		}
		used := new(big.Int).Mul(big.NewInt(wanted), big.NewInt(there))
		used.Add(used, n.used(name))
		with := new(big.Int).Add(used, big.NewInt(wanted))
		if wanted > 0 && with.Cmp(n.capacity(name)) > 0 {
			found = append(found, noderesources.Shortage{
				Resource: name, Requested: wanted, Used: cut(used), Capacity: cut(n.capacity(name)),
				Unresolvable: name != "pods" && big.NewInt(wanted).Cmp(n.capacity(name)) > 0,
			})
		}
	}
	return found
}

// share returns 100·part/total, rounded down.
func share(part, total *big.Int) int64 {
	part = new(big.Int).Mul(part, big.NewInt(100))
	return part.Quo(part, total).Int64()
}

func cut(n *big.Int) int64 { return testkit.RoundedAway(new(big.Rat).SetInt(n), 1) }
