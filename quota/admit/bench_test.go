package admit_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

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

func BenchmarkReplicas(b *testing.B) {
	namespace, pod := wide(b), testkit.StandardPod(false)
	b.ReportAllocs()
	for b.Loop() {
		testkit.Keep(namespace.Replicas([]admit.APIObject{pod}, admit.Attributes{}))
	}
}

// Possible costs little if nothing depends on the order of LimitRanges, and otherwise a Create for each set of defaults.
func BenchmarkPossible(b *testing.B) {
	item := func(amount string) corev1.LimitRangeItem {
		return corev1.LimitRangeItem{Type: corev1.LimitTypeContainer, Default: list("cpu", amount, "memory", amount+"Gi"), DefaultRequest: list("cpu", "100m", "memory", "128Mi")}
	}
	bare := testkit.StandardPod(false)
	for i := range bare.Spec.Containers {
		bare.Spec.Containers[i].Resources.Limits = nil
	}
	ranges := []*corev1.LimitRange{limitRange("a", item("4")), limitRange("b", item("5")), limitRange("c", item("6"))}
	for _, n := range []int{1, 3} {
		namespace := compile(b, ranges[:n], nil, admit.Options{})
		b.Run(fmt.Sprintf("Create, %d LimitRanges", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(namespace.Create(bare, admit.Attributes{}))
			}
		})
		b.Run(fmt.Sprintf("with Possible, %d LimitRanges", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(namespace.Create(bare, admit.Attributes{}).Possible())
			}
		})
	}
}
