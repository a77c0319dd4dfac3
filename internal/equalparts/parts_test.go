package equalparts_test

import (
	"math"
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/equalparts"
)

// Parts are not stored one by one: there may be any number of them.
func TestVeryManyParts(t *testing.T) {
	parts := equalparts.Of("memory", resource.MustParse("1e30"), math.MaxInt, equalparts.Options{})
	first, last := parts.At(0), parts.At(math.MaxInt-1)
	if first.String() != "108420217249" || last.String() != "108420217248" {
		t.Errorf("from %s to %s", first.String(), last.String())
	}
	gpu := equalparts.Of("nvidia.com/gpu", resource.MustParse("1"), math.MaxInt, equalparts.Options{})
	if !gpu.Has(0) || gpu.Has(1) || gpu.Has(math.MaxInt-1) {
		t.Error("another part than the first has the GPU")
	}
}

func TestPartsBeyondTheLast(t *testing.T) {
	parts := equalparts.Of("cpu", resource.MustParse("1"), 2, equalparts.Options{})
	for _, i := range []int{-1, 2, math.MaxInt, math.MinInt} {
		if q := parts.At(i); !q.IsZero() {
			t.Errorf("part %d is %s", i, q.String())
		}
	}
	if q := (equalparts.Parts{}).At(0); !q.IsZero() {
		t.Errorf("the first of no parts is %s", q.String())
	}
}

func TestAllocs(t *testing.T) {
	cpu, fraction := resource.MustParse("1"), resource.MustParse("1.5Gi")
	if got := testing.AllocsPerRun(100, func() {
		equalparts.Of("cpu", cpu, 1_000_000_000, equalparts.Options{}).At(7)
		equalparts.Of("memory", fraction, 3, equalparts.Options{}).At(2)
	}); got > 0 {
		t.Errorf("%v allocations", got)
	}
}
