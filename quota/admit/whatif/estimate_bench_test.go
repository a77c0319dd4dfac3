package whatif_test

import (
	"fmt"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

// Pods of a large cluster, a third of which are spread or keep apart, are packed on new nodes.
func BenchmarkEstimate(b *testing.B) {
	for _, nodes := range []int{100, 400, 1600} {
		all, pods := testkit.CrowdedCluster(nodes, podsPerNode)
		c := read(b, whatif.Options{})
		b.Run(fmt.Sprint(len(pods), " pods"), func(b *testing.B) {
			for b.Loop() {
				e, _ := c.Estimate(pods, all[1], nil)
				b.ReportMetric(float64(e.Nodes), "nodes")
			}
		})
	}
}
