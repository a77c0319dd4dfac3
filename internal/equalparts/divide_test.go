package equalparts_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/equalparts"
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

// divide returns the parts of an amount.
func divide(name corev1.ResourceName, q resource.Quantity, n int, opts division.Options) []resource.Quantity {
	divided := equalparts.Of(name, q, n, opts)
	parts := make([]resource.Quantity, n)
	for i := range parts {
		parts[i] = divided.At(i)
	}
	return parts
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
			got := divide(test.resource, whole, test.n, test.opts)
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

func TestDivideIntoVeryMany(t *testing.T) {
	const n = 1 << 20
	parts := divide("memory", resource.MustParse("1572865"), n, exact) // 1.5 for each, and one more
	if len(parts) != n {
		t.Fatalf("%d parts", len(parts))
	}
	for i, want := range map[int]int64{0: 2, n / 2: 2, n/2 + 1: 1, n - 1: 1} {
		testkit.Equal(t, parts[i].Value(), want, "part", i, "is", parts[i].String())
	}
}
