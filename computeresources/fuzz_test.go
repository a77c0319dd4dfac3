package computeresources_test

import (
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// For any requests of four containers, list, totals and slow twin agree, and the pod does not
// change.
func FuzzPodRequests(f *testing.F) {
	f.Add("100m", "1.5Gi", "100n", "1E")
	f.Add("0", "-1", "9223372036854775807", "0.5")
	f.Add("12.5Gi", "1e3", "1n", "18446744073709551621")
	f.Add("4503599627370496", "4503599627370497", "281474976710656m", "1.0000000001Gi")
	f.Fuzz(func(t *testing.T, app, other, side, setup string) {
		spec := &corev1.PodSpec{}
		for i, s := range []string{app, other, side, setup} {
			q, ok := testkit.Parse(s)
			if !ok {
				continue
			}
			c := container("c", corev1.ResourceList{"cpu": q, "memory": q.DeepCopy()}, nil)
			switch i {
			case 0, 1:
				spec.Containers = append(spec.Containers, c)
			case 2:
				spec.InitContainers = append(spec.InitContainers, sidecar("s", c.Resources.Requests, nil))
			case 3:
				spec.InitContainers = append(spec.InitContainers, c)
			}
		}
		before := testkit.Fingerprint(spec)
		got := computeresources.SpecRequests(spec, computeresources.Options{})
		want := slowRequests(spec.DeepCopy(), nil, computeresources.Options{})
		exact := cmp.Comparer(func(a, b *big.Rat) bool { return a.Cmp(b) == 0 })
		testkit.NoDiff(t, ratsOf(got), want, exact)
		totals := computeresources.SpecTotals(spec, computeresources.Requests, computeresources.Options{})
		testkit.Equal(t, totals.MilliCPU, rounded(want["cpu"], 1000), "MilliCPU")
		testkit.Equal(t, totals.Memory, rounded(want["memory"], 1), "Memory")
		testkit.Equal(t, testkit.Fingerprint(spec), before, "the pod has changed")
	})
}
