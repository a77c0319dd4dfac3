package conformance

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/conformance/oracle"
	"github.com/kubemath/kubemath/internal/testkit"
)

// quantityRanges are what pods are drawn with: amounts of the whole range, those of
// manifests, and small numbers of bytes, which are often equal. Since 1.38, upstream rounds sums that would have many
// digits: see TestDivergenceSumOfFarAmounts.
var quantityRanges = map[string]*rapid.Generator[resource.Quantity]{
	"any quantity": testkit.Quantity().Filter(func(q resource.Quantity) bool {
		ofNano := q.DeepCopy()
		return oracle.Release < "1.38" || math.Abs(q.AsApproximateFloat64()) < 1e19 && ofNano.RoundUp(resource.Nano)
	}),
	"ordinary quantities": testkit.Ordinary(),
	"bytes":               testkit.Bytes(),
}

// evenPod draws pods whose containers have limits for cpu and memory, and the same
// requests, but for an amount that is moved from one request to another, or lost.
func evenPod() *rapid.Generator[*corev1.Pod] {
	return rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := &corev1.Pod{}
		for i := range rapid.IntRange(1, 4).Draw(t, "containers") {
			limits := corev1.ResourceList{
				corev1.ResourceCPU:    testkit.Positive().Draw(t, "cpu"),
				corev1.ResourceMemory: testkit.Positive().Draw(t, "memory"),
			}
			c := testkit.Container(string(rune('a'+i)), limits.DeepCopy(), limits)
			if rapid.Bool().Draw(t, "init") {
				pod.Spec.InitContainers = append(pod.Spec.InitContainers, c)
			} else {
				pod.Spec.Containers = append(pod.Spec.Containers, c)
			}
		}
		if len(pod.Spec.Containers) > 1 && rapid.Bool().Draw(t, "move") {
			amount := testkit.Positive().Draw(t, "amount")
			add(&pod.Spec.Containers[0], amount)
			if rapid.Bool().Draw(t, "to the next") {
				amount.Neg()
				add(&pod.Spec.Containers[1], amount)
			}
		}
		return pod
	})
}

func add(c *corev1.Container, memory resource.Quantity) {
	var sum resource.Quantity
	sum.Add(c.Resources.Requests[corev1.ResourceMemory])
	sum.Add(memory)
	c.Resources.Requests[corev1.ResourceMemory] = sum
}
