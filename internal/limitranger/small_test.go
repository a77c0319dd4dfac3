package limitranger_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/limitranger"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSmall(t *testing.T) {
	const most = limitranger.MaxSmall
	set := func(n int64) limitranger.Small { return limitranger.Small{Units: n, Set: true} }
	none := limitranger.Small{}
	bounds := []struct {
		name           string
		request, limit limitranger.Small
		bound          int64
		min, max       bool
	}{
		{"nothing set", none, none, 0, false, false},
		{"a request only", set(5), none, 5, true, false},
		{"a limit only", none, set(5), 5, false, true},
		{"both at the bound", set(5), set(5), 5, true, true},
		{"request below", set(4), set(5), 5, false, true},
		{"limit below", set(5), set(4), 5, false, true},
		{"request above", set(6), set(5), 5, true, false},
		{"limit above", set(5), set(6), 5, true, false},
		{"zero is set", set(0), set(0), 0, true, true},
	}
	for _, test := range bounds {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, (&limitranger.SmallBounds{HasMin: true, Min: test.bound}).Pass(test.request, test.limit), test.min, "min")
			testkit.Equal(t, (&limitranger.SmallBounds{HasMax: true, Max: test.bound}).Pass(test.request, test.limit), test.max, "max")
		})
	}
	ratios := []struct {
		name           string
		request, limit int64
		milli          float64
		want           bool
	}{
		{"at the ratio", 1, 2, 2000, true},
		{"above the ratio", 1000, 2001, 2000, false},
		{"floats exceed a ratio that is met exactly", 100, 1610, 16100, false},
		{"a request of zero", 0, 1, 2000, false},
		{"a limit of zero", 1, 0, 2000, false},
		{"a negative request", -1, -2, 2000, false},
		{"the largest amounts", most, most, 1000, true},
		{"a larger request", most + 1, 1, 1000, false},
		{"a larger limit", 1, most + 1, 1e18, false},
	}
	for _, test := range ratios {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, (&limitranger.SmallBounds{HasRatio: true, Ratio: test.milli}).Pass(set(test.request), set(test.limit)), test.want)
		})
	}
	passes := true
	allocs := testing.AllocsPerRun(100, func() {
		passes = passes && (&limitranger.SmallBounds{HasRatio: true, Ratio: float64(resource.MaxMilliValue)}).Pass(set(most), set(most))
	})
	if allocs != 0 || !passes {
		t.Errorf("%v allocations, %v", allocs, passes)
	}
}
