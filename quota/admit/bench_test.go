package admit_test

import (
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
)

func BenchmarkCreate(b *testing.B) {
	namespace := wide(b)
	bare := testkit.StandardPod(false)
	bare.Spec.Containers[0].Resources.Limits = nil
	large := testkit.StandardPod(false)
	large.Spec.Containers[0].Resources.Limits["cpu"] = list("cpu", "17")["cpu"]
	b.Run("passing", func(b *testing.B) {
		pod := testkit.StandardPod(false)
		b.ReportAllocs()
		for b.Loop() {
			testkit.Keep(namespace.Create(pod, admit.Attributes{}))
		}
	})
	b.Run("defaults", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			testkit.Keep(namespace.Create(bare, admit.Attributes{}))
		}
	})
	b.Run("refused", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			testkit.Keep(namespace.Create(large, admit.Attributes{}).Err())
		}
	})
}
