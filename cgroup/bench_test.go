package cgroup_test

import (
	"github.com/kubemath/kubemath/internal/testkit"
	"testing"
)

func BenchmarkSharesToWeight(b *testing.B) {
	for _, f := range []formula{linear, logarithmic} {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			shares := int64(minShares)
			for b.Loop() {
				shares = (shares*5+sharesToWeight(shares, f))%maxShares + minShares
			}
		})
	}
}

func BenchmarkWeightToMilliCPU(b *testing.B) {
	for _, f := range []formula{linear, logarithmic} {
		b.Run(string(f), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				least, _, _ := weightToMilliCPU(137, f)
				testkit.Keep(least)
			}
		})
	}
}
