package scheduler

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// The scheduler compares as many of the nodes with room as we say.
func TestSample(t *testing.T) {
	reached := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		percent := rapid.Int32Range(0, 100).Draw(t, "percent")
		if rapid.Bool().Draw(t, "default") {
			percent = 0
		}
		n := rapid.IntRange(2, 400).Draw(t, "nodes")
		if rapid.IntRange(0, 3).Draw(t, "many") == 0 {
			n = rapid.IntRange(1000, 7000).Draw(t, "many nodes")
		}
		small := rapid.IntRange(0, n/2).Draw(t, "without room")
		var objects []admit.APIObject
		for i := range n {
			cpu := "2"
			if i < small {
				cpu = "1"
			}
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("n-%04d", i)}}
			node.Status.Allocatable = testkit.List("cpu", cpu, "memory", "8Gi", "pods", "5")
			objects = append(objects, node)
		}
		c, err := whatif.Read(objects, whatif.Options{Profile: &whatif.Profile{PercentageOfNodesToScore: percent}})
		testkit.OK(t, err)
		pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "pod"}}
		pod.Spec.Containers = []corev1.Container{testkit.Container("app", testkit.List("cpu", "1500m"), nil)}
		result, _ := c.Apply(pod)
		got := result.Pods[0].Choice
		if n-small == 1 {
			testkit.NoDiff(t, got, whatif.Choice{})
			return
		}
		want := min(int(numFeasibleNodesToFind(&scheduler{}, &percent, int32(n))), n-small)
		testkit.Equal(t, got.Feasible, n-small)
		testkit.Equal(t, got.Scored, want, n, percent)
		reached[fmt.Sprint("all: ", want == n-small)]++
	})
	t.Log(reached)
}
