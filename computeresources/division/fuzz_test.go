package division_test

import (
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For any amount of any resource, divided evenly or by weight, the parts add up.
func FuzzDivide(f *testing.F) {
	f.Add("cpu", "1", int64(1), int64(1), int64(1))
	f.Add("memory", "1.5Gi", int64(3), int64(0), int64(7))
	f.Add("nvidia.com/gpu", "1", int64(1), int64(1), int64(0))
	f.Add("cpu", "-1000001n", int64(1), int64(2), int64(1<<62))
	f.Add("hugepages-2Mi", "123456789012345678901234.5", int64(0), int64(-1), int64(2))
	f.Fuzz(func(t *testing.T, name, amount string, a, b, c int64) {
		q, ok := testkit.Parse(amount)
		if !ok {
			return
		}
		resource := corev1.ResourceName(name)
		n := int(uint64(a)%40) + 1
		parts, err := division.Divide(resource, q, n, division.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := sumOf(parts); got.Cmp(testkit.Exact(q)) != 0 {
			t.Errorf("%d parts of %s add up to %v", n, amount, got)
		}
		weights := []int64{a, b, c}
		weighted, err := division.Weighted(resource, q, weights, division.Options{})
		if bad := slices.Min(weights) < 0 || slices.Max(weights) == 0; bad != (err != nil) {
			t.Fatalf("weights %v: error %v", weights, err)
		}
		if err == nil && sumOf(weighted).Cmp(testkit.Exact(q)) != 0 {
			t.Errorf("weights %v of %s give %v", weights, amount, texts(weighted))
		}
	})
}
