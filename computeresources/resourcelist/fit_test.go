package resourcelist_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFits(t *testing.T) {
	tests := []struct {
		name         string
		want, free   corev1.ResourceList
		insufficient names
	}{
		{"nil", nil, nil, names{}},
		{"nothing", list(), list("cpu", "1"), names{}},
		{"exactly", list("cpu", "1", "memory", "1.5Gi"), list("cpu", "1000m", "memory", "1536Mi"), names{}},
		{"one milli-CPU too much", list("cpu", "1001m"), list("cpu", "1"), names{"cpu"}},
		{"one byte too much", list("memory", "1610612737"), list("memory", "1.5Gi"), names{"memory"}},
		{"one byte too little", list("memory", "1.5Gi"), list("memory", "1610612735"), names{"memory"}},
		{"a billionth too much", list("cpu", "1000000001n"), list("cpu", "1"), names{"cpu"}},
		{"a GPU on a node without GPUs", list("cpu", "1", "nvidia.com/gpu", "1"), list("cpu", "8", "memory", "64Gi"), names{"nvidia.com/gpu"}},
		{"GPU with a nil free list", list("nvidia.com/gpu", "1"), nil, names{"nvidia.com/gpu"}},
		{"request for zero of a missing resource", list("nvidia.com/gpu", "0"), nil, names{}},
		{"request for zero with a negative free amount", list("memory", "0"), list("memory", "-1Gi"), names{}},
		{"negative request with a smaller free amount", list("memory", "-1"), list("memory", "-2"), names{}},
		{"request with a negative free amount", list("memory", "1"), list("memory", "-1Gi"), names{"memory"}},
		{"negative free amount of a resource that is not requested", list("cpu", "1"), list("cpu", "1", "memory", "-1Gi"), names{}},
		{"several, sorted", list("pods", "1", "memory", "2", "cpu", "1", "a", "1"), list("a", "1", "memory", "1"), names{"cpu", "memory", "pods"}},
		{"beyond int64", list("cpu", "9223372036854775808"), list("cpu", "9223372036854775807"), names{"cpu"}},
		{"beyond int64, and it fits", list("memory", "1e30"), list("memory", "1e31"), names{}},
		{"fractions of a byte", list("memory", "1500m"), list("memory", "1Ki"), names{}},
		{"more fractions of a byte", list("memory", "1.1Ki"), list("memory", "1126"), names{"memory"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := resourcelist.Insufficient(test.want, test.free)
			if !slices.Equal(got, test.insufficient) || got == nil {
				t.Errorf("Insufficient = %#v, want %v", got, test.insufficient)
			}
			if fits := resourcelist.Fits(test.want, test.free); fits != (len(test.insufficient) == 0) {
				t.Errorf("Fits = %v", fits)
			}
		})
	}
}

// What fits leaves no less than zero of anything that is wanted, and conversely.
func TestFitsEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want, free := lists().Draw(t, "want"), lists().Draw(t, "free")
		short := names{}
		for _, name := range testkit.ResourceNames {
			if w := orZero(rats(want)[name]); w.Sign() > 0 && w.Cmp(orZero(rats(free)[name])) > 0 {
				short = append(short, name)
			}
		}
		slices.Sort(short)
		if got := resourcelist.Insufficient(want, free); !slices.Equal(got, short) {
			t.Fatalf("Insufficient = %v, want %v", got, short)
		}
		if got := resourcelist.Fits(want, free); got != (len(short) == 0) {
			t.Fatalf("Fits = %v, insufficient %v", got, short)
		}
	})
}
