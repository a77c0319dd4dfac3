package kueue

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"
	"sigs.k8s.io/kueue/pkg/resources"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

// How many pods of a pod set a node has room for: Kueue's topology-aware scheduling divides what is free by the
// requests of one pod, of which it has amounts, not a spec. A Ledger answers the same from these amounts, before and
// after pods are added.
func TestPodSets(t *testing.T) {
	counted, full := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.Int64Range(0, 12)
		capacity := resources.Requests{corev1.ResourcePods: rapid.Int64Range(0, 9).Draw(t, "pods")}
		one := resources.Requests{corev1.ResourcePods: 1} // Kueue adds the pod itself
		for _, name := range []corev1.ResourceName{"cpu", "memory", "example.com/gpu", "hugepages-2Mi"} {
			capacity[name] = amount.Draw(t, "capacity")
			if rapid.Bool().Draw(t, "requested") {
				one[name] = amount.Draw(t, "request")
			}
		}
		ledger := noderesources.NewLedger(resourcelist.OfIntegers(capacity))
		request := noderesources.RequestOf(resourcelist.OfIntegers(one))
		for i := range 4 {
			n, _ := ledger.Replicas(request, noderesources.FitOptions{})
			testkit.Equal(t, int64(one.CountIn(capacity)), n, n, "pods with", one, "in", capacity, "Kueue")
			if n == 0 {
				full++
				return
			}
			counted++
			testkit.OK(t, ledger.Add(uidOf(i), request))
			capacity.Sub(one)
		}
	})
	if counted == 0 || full == 0 {
		t.Errorf("%d times with room, %d times without", counted, full)
	}
}

func uidOf(i int) types.UID { return types.UID(rune('a' + i)) }
