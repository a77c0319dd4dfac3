package admit_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

// BenchmarkParallel asks one namespace from all processors at once. Nothing that they share is
// written: with -cpu 1,2,4, the time of a call goes down as their number goes up, as far as the
// garbage collector keeps up.
func BenchmarkParallel(b *testing.B) {
	namespace := wide(b)
	b.Run("Create", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			pod := testkit.StandardPod(false)
			for pb.Next() {
				testkit.Keep(namespace.Create(pod, admit.Attributes{}))
			}
		})
	})
	b.Run("Replicas", func(b *testing.B) {
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			pod := testkit.StandardPod(false)
			for pb.Next() {
				testkit.Keep(namespace.Replicas([]admit.APIObject{pod}, admit.Attributes{}))
			}
		})
	})
}
