package qos_test

import (
	"testing"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// BenchmarkParallel reads one pod on all processors concurrently: with -cpu 1,2,4, the time of a call
// decreases as their number increases.
func BenchmarkParallel(b *testing.B) {
	pod := testkit.StandardPod(false)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			testkit.Keep(qos.OOMScoreAdj(pod, &pod.Spec.Containers[0], 16<<30, computeresources.Gates{}))
		}
	})
}
