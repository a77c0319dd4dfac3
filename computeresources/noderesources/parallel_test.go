package noderesources_test

import (
	"sync"
	"testing"

	"github.com/kubemath/kubemath/computeresources/noderesources"
)

// BenchmarkParallel uses ledgers from all processors at once. Nodes that are only read, and ledgers of
// one goroutine each, share nothing that is written: with -cpu 1,2,4, the time of a call goes down as
// their number goes up. A ledger that several goroutines change needs a lock, whose holder the others
// wait for.
func BenchmarkParallel(b *testing.B) {
	b.Run("scan of 5000 nodes", func(b *testing.B) {
		nodes, r := benchmarkNodes(b, 5000)
		b.ReportAllocs()
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				fit := 0
				for _, node := range nodes {
					if node.Fits(r, noderesources.FitOptions{}) {
						fit++
					}
				}
				if fit != len(nodes)/2 {
					b.Errorf("%d fit", fit)
				}
			}
		})
	})
	b.Run("in and out of a ledger each", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			nodes, r := benchmarkNodes(b, 1)
			for pb.Next() {
				if nodes[0].Add("a", r) != nil || nodes[0].Remove("a") != nil {
					b.Error("an error")
				}
			}
		})
	})
	b.Run("in and out of a locked ledger", func(b *testing.B) {
		nodes, r := benchmarkNodes(b, 1)
		var lock sync.Mutex
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				lock.Lock()
				err := nodes[0].Add("a", r)
				if err == nil {
					err = nodes[0].Remove("a")
				}
				lock.Unlock()
				if err != nil {
					b.Error(err)
				}
			}
		})
	})
}
