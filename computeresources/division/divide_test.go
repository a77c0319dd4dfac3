package division_test

import (
	"errors"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	exact     = division.Options{}
	truncated = division.Options{Truncated: true}
	toEach    = division.Options{ToEach: true}
)

// texts writes parts out in base units.
func texts(parts []resource.Quantity) []string {
	var out []string
	for _, q := range parts {
		out = append(out, q.AsDec().String())
	}
	return out
}

func TestDivide(t *testing.T) {
	tests := []struct {
		name     string
		resource corev1.ResourceName
		whole    string
		n        int
		opts     division.Options
		want     []string
	}{
		{"cpu with a remainder", "cpu", "1", 3, exact, []string{"0.334", "0.333", "0.333"}},
		{"two milli-CPU left", "cpu", "2", 3, exact, []string{"0.667", "0.667", "0.666"}},
		{"cpu without a remainder", "cpu", "1", 4, exact, []string{"0.250", "0.250", "0.250", "0.250"}},
		{"one part", "cpu", "1", 1, exact, []string{"1.000"}},
		{"more parts than units", "cpu", "2m", 3, exact, []string{"0.001", "0.001", "0.000"}},
		{"memory", "memory", "1Gi", 3, exact, []string{"357913942", "357913941", "357913941"}},
		{"a decimal", "memory", "1.5Gi", 4, exact, []string{"402653184", "402653184", "402653184", "402653184"}},
		{"ephemeral storage", "ephemeral-storage", "10", 3, exact, []string{"4", "3", "3"}},
		{"storage", "storage", "10", 3, exact, []string{"4", "3", "3"}},
		{"pods", "pods", "7", 2, exact, []string{"4", "3"}},
		{"a resource of kubernetes.io", "example.kubernetes.io/thing", "7", 2, exact, []string{"4", "3"}},
		{"nothing", "cpu", "0", 2, exact, []string{"0.000", "0.000"}},

		{"below a milli-CPU", "cpu", "1000001n", 2, exact, []string{"0.001", "0.000000001"}},
		{"below a milli-CPU, even", "cpu", "2000001n", 2, exact, []string{"0.001000001", "0.001"}},
		{"less than a unit", "cpu", "1n", 3, exact, []string{"0.000000001", "0", "0"}},
		{"below a byte", "memory", "10500m", 3, exact, []string{"4", "3.500", "3"}},
		{"below a byte, one left for all but one", "memory", "11500m", 3, exact, []string{"4", "4", "3.500"}},

		{"rounded up first", "memory", "10500m", 3, division.Options{RoundUp: true}, []string{"4", "4", "3"}},
		{"rounded up first, and truncated", "cpu", "1500001n", 2, division.Options{RoundUp: true, Truncated: true}, []string{"0.001", "0.001"}},
		{"rounded up first, a GPU", "example.com/gpu", "1500m", 2, division.Options{RoundUp: true}, []string{"2", "0"}},

		{"negative", "cpu", "-1", 3, exact, []string{"-0.333", "-0.333", "-0.334"}},
		{"negative, even", "cpu", "-1", 2, exact, []string{"-0.500", "-0.500"}},
		{"negative, below a unit", "cpu", "-1n", 2, exact, []string{"0.000", "-0.000000001"}},
		{"negative bytes", "memory", "-1.5Gi", 4, exact, []string{"-402653184", "-402653184", "-402653184", "-402653184"}},

		{"2^52", "memory", "4503599627370496", 3, exact, []string{"1501199875790166", "1501199875790165", "1501199875790165"}},
		{"more than 2^52", "memory", "4503599627370497", 3, exact, []string{"1501199875790166", "1501199875790166", "1501199875790165"}},
		{"1E of cpu", "cpu", "1E", 3, exact, []string{"333333333333333333.334", "333333333333333333.333", "333333333333333333.333"}},
		{"more than int64", "memory", "123456789012345678901234.5", 2, exact, []string{"61728394506172839450617.5", "61728394506172839450617"}},

		{"truncated", "cpu", "1", 3, truncated, []string{"0.333", "0.333", "0.333"}},
		{"truncated below a unit", "memory", "10500m", 2, truncated, []string{"5", "5"}},
		{"truncated to nothing", "memory", "2", 3, truncated, []string{"0", "0", "0"}},
		{"truncated, negative", "cpu", "-1", 3, truncated, []string{"-0.333", "-0.333", "-0.333"}},
		{"truncated, negative, even", "cpu", "-1", 2, truncated, []string{"-0.500", "-0.500"}},
		{"truncated, negative, below a unit", "memory", "-10500m", 2, truncated, []string{"-5", "-5"}},
		{"truncated, negative, only a remainder below a unit", "memory", "-4500m", 5, truncated, []string{"0", "0", "0", "0", "0"}},

		{"a GPU over two stays whole", "nvidia.com/gpu", "1", 2, exact, []string{"1", "0"}},
		{"GPUs that would come out even", "nvidia.com/gpu", "4", 2, exact, []string{"4", "0"}},
		{"a GPU to each", "nvidia.com/gpu", "1", 2, toEach, []string{"1", "1"}},
		{"a GPU, truncated", "nvidia.com/gpu", "1", 2, truncated, []string{"1", "0"}},
		{"huge pages", "hugepages-2Mi", "4Mi", 3, exact, []string{"4194304", "0", "0"}},
		{"huge pages to each", "hugepages-1Gi", "1Gi", 2, toEach, []string{"1073741824", "1073741824"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			whole := resource.MustParse(test.whole)
			got, err := division.Divide(test.resource, whole, test.n, test.opts)
			testkit.OK(t, err)
			for i, q := range got {
				if q.Format != whole.Format {
					t.Errorf("part %d has format %s, the whole has %s", i, q.Format, whole.Format)
				}
				if want := resource.MustParse(test.want[i]); q.Cmp(want) != 0 {
					t.Errorf("part %d is %s, want %s: %v", i, q.AsDec().String(), test.want[i], texts(got))
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("got %v, want %v", texts(got), test.want)
			}
		})
	}
}

func TestDivideIntoTooFewOrTooMany(t *testing.T) {
	const text = "division: the number of parts has to be from 1 to 1048576: "
	for n, want := range map[int]string{
		0:           text + "0",
		-1:          text + "-1",
		math.MinInt: text + "-9223372036854775808",
		1<<20 + 1:   text + "1048577",
		math.MaxInt: text + "9223372036854775807",
	} {
		for _, name := range []corev1.ResourceName{"cpu", "nvidia.com/gpu"} {
			parts, err := division.Divide(name, resource.MustParse("1"), n, exact)
			if parts != nil || !errors.Is(err, division.ErrParts) || err.Error() != want {
				t.Errorf("Divide(%s) over %d: %d parts, error %v, want %s", name, n, len(parts), err, want)
			}
		}
		lists, err := division.List(nil, n, exact)
		if lists != nil || !errors.Is(err, division.ErrParts) || err.Error() != want {
			t.Errorf("List over %d: %d parts, error %v, want %s", n, len(lists), err, want)
		}
	}
}

func TestDivideIntoVeryMany(t *testing.T) {
	const n = 1 << 20
	parts, err := division.Divide("memory", resource.MustParse("1572865"), n, exact) // 1.5 for each, and one more
	if err != nil || len(parts) != n {
		t.Fatalf("%d parts, error %v", len(parts), err)
	}
	for i, want := range map[int]int64{0: 2, n / 2: 2, n/2 + 1: 1, n - 1: 1} {
		testkit.Equal(t, parts[i].Value(), want, "part", i, "is", parts[i].String())
	}
}

func TestList(t *testing.T) {
	whole := testkit.List("cpu", "1", "memory", "1Gi", "ephemeral-storage", "1", "nvidia.com/gpu", "1", "example.com/none", "0")
	tests := []struct {
		name string
		opts division.Options
		want []corev1.ResourceList
	}{
		{"exact", exact, []corev1.ResourceList{
			testkit.List("cpu", "334m", "memory", "357913942", "ephemeral-storage", "1", "nvidia.com/gpu", "1", "example.com/none", "0"),
			testkit.List("cpu", "333m", "memory", "357913941", "ephemeral-storage", "0"),
			testkit.List("cpu", "333m", "memory", "357913941", "ephemeral-storage", "0"),
		}},
		{"truncated, to each", division.Options{Truncated: true, ToEach: true}, []corev1.ResourceList{
			testkit.List("cpu", "333m", "memory", "357913941", "ephemeral-storage", "0", "nvidia.com/gpu", "1", "example.com/none", "0"),
			testkit.List("cpu", "333m", "memory", "357913941", "ephemeral-storage", "0", "nvidia.com/gpu", "1", "example.com/none", "0"),
			testkit.List("cpu", "333m", "memory", "357913941", "ephemeral-storage", "0", "nvidia.com/gpu", "1", "example.com/none", "0"),
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			parts, err := division.List(whole, 3, test.opts)
			testkit.OK(t, err)
			testkit.NoDiff(t, parts, test.want)
		})
	}
	parts, err := division.List(nil, 2, exact)
	if diff := cmp.Diff([]corev1.ResourceList{{}, {}}, parts); err != nil || diff != "" {
		t.Errorf("parts of a nil list, error %v (-want +got):\n%s", err, diff)
	}
}

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
			testkit.OK(t, err)
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
