package cgroup_test

import (
	"testing"

	"github.com/kubemath/kubemath/cgroup"
	"github.com/kubemath/kubemath/internal/testkit"
)

func BenchmarkSharesToWeight(b *testing.B) {
	for _, f := range []cgroup.Formula{linear, logarithmic} {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			shares := int64(minShares)
			for b.Loop() {
				shares = (shares*5+cgroup.SharesToWeight(shares, f))%maxShares + minShares
			}
		})
	}
}

func BenchmarkWeightToMilliCPU(b *testing.B) {
	for _, f := range []cgroup.Formula{linear, logarithmic} {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				least, _, _ := cgroup.WeightToMilliCPU(137, f)
				testkit.Keep(least)
			}
		})
	}
}
