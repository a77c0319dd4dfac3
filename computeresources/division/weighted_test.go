package division_test

import (
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWeighted(t *testing.T) {
	const huge = math.MaxInt64
	tests := []struct {
		name     string
		resource corev1.ResourceName
		whole    string
		weights  []int64
		toEach   bool
		want     []string
	}{
		{"even", "cpu", "1", []int64{1, 3}, false, []string{"250m", "750m"}},
		{"equal remainders", "memory", "10", []int64{1, 1, 4}, false, []string{"2", "2", "6"}},                       // of 1.67, 1.67 and 6.67
		{"a share without a remainder", "memory", "10", []int64{4, 15, 1}, false, []string{"2", "8", "0"}},           // of 2, 7.5 and 0.5
		{"the largest remainder comes last", "memory", "10", []int64{4, 15, 10}, false, []string{"1", "5", "4"}},     // of 1.38, 5.17 and 3.45
		{"the largest remainder is not the first", "memory", "10", []int64{7, 6, 4}, false, []string{"4", "4", "2"}}, // of 4.12, 3.53 and 2.35
		{"equal weights", "cpu", "1", []int64{7, 7, 7}, false, []string{"334m", "333m", "333m"}},
		{"a weight of zero", "cpu", "1", []int64{0, 1, 0, 1}, false, []string{"0", "500m", "0", "500m"}},
		{"one weight", "cpu", "1", []int64{5}, false, []string{"1"}},
		{"nothing", "cpu", "0", []int64{1, 2}, false, []string{"0", "0"}},
		{"weights whose sum is beyond int64", "memory", "3", []int64{huge, huge, huge}, false, []string{"1", "1", "1"}},
		{"a great and a small weight", "memory", "1Gi", []int64{1, huge}, false, []string{"0", "1073741824"}},
		{"negative", "cpu", "-1", []int64{1, 2}, false, []string{"-333m", "-667m"}},
		{"below a unit, none left over", "cpu", "3000001n", []int64{2, 1}, false, []string{"2000001n", "1m"}},
		{"below a unit, after the one left over", "memory", "4500m", []int64{1, 1, 1}, false, []string{"2", "1500m", "1"}},
		{"below a unit, by remainder", "memory", "500m", []int64{1, 2}, false, []string{"0", "500m"}},
		{"below a unit, never to a weight of zero", "cpu", "1n", []int64{0, 1}, false, []string{"0", "1n"}},
		{"1E of cpu", "cpu", "1E", []int64{1, 2}, false, []string{"333333333333333333333m", "666666666666666666667m"}},

		{"a GPU goes to the greatest weight", "nvidia.com/gpu", "1", []int64{1, 3, 3}, false, []string{"0", "1", "0"}},
		{"a GPU to each", "nvidia.com/gpu", "1", []int64{1, 0, 3}, true, []string{"1", "0", "1"}},
		{"huge pages", "hugepages-2Mi", "4Mi", []int64{1, 3}, false, []string{"0", "4Mi"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			whole := resource.MustParse(test.whole)
			got, err := division.Weighted(test.resource, whole, test.weights, division.Options{ToEach: test.toEach})
			if err != nil {
				t.Fatal(err)
			}
			var want []resource.Quantity
			for _, q := range test.want {
				want = append(want, resource.MustParse(q))
			}
			testkit.NoDiff(t, got, want)
			for i, q := range got {
				if q.Format != whole.Format {
					t.Errorf("part %d has format %q, the whole has %q", i, q.Format, whole.Format)
				}
			}
		})
	}
}

func TestWeightsThatDivideNothing(t *testing.T) {
	const text = "division: weights have to be zero or more, and one of them above it: "
	tests := []struct {
		name    string
		weights []int64
		want    string
	}{
		{"none", nil, text + "all of 0 are zero"},
		{"zeros", []int64{0, 0}, text + "all of 2 are zero"},
		{"negative", []int64{3, -1}, text + "weight 1 is -1"},
		{"negative, adding up to zero", []int64{-1, 1}, text + "weight 0 is -1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			for _, name := range []corev1.ResourceName{"cpu", "nvidia.com/gpu"} {
				parts, err := division.Weighted(name, resource.MustParse("1"), test.weights, division.Options{})
				if parts != nil || err == nil || err.Error() != test.want {
					t.Errorf("Weighted: %v, error %v, want %s", parts, err, test.want)
				}
			}
		})
	}
}
