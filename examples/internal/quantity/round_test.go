package quantity_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/examples/internal/quantity"
	"github.com/kubemath/kubemath/internal/testkit"
)

// Amounts are rounded to those that people write.
func TestRound(t *testing.T) {
	for _, test := range []struct {
		name     corev1.ResourceName
		q        string
		down, up string
	}{
		{"cpu", "19m", "19m", "19m"},
		{"cpu", "99m", "95m", "100m"},
		{"cpu", "875m", "850m", "900m"},
		{"cpu", "2664m", "2650m", "2700m"},
		{"limits.cpu", "11", "11", "11"},
		{"requests.cpu", "12300m", "12", "12500m"},
		{"cpu", "500u", "1m", "1m"},
		{"memory", "1000", "1k", "1k"},
		{"memory", "412719513", "384Mi", "448Mi"},
		{"memory", "2863311530", "2688Mi", "2816Mi"},
		{"requests.memory", "8960Mi", "8704Mi", "9Gi"},
		{"limits.ephemeral-storage", "70Mi", "64Mi", "80Mi"},
		{"requests.storage", "33Gi", "33Gi", "33Gi"},
		{"requests.storage", "1500Mi", "1472Mi", "1536Mi"},
		{"memory", "6E", "6E", "6E"},
		{"memory", "4000000000000000001", "3725290298Gi", "3725290299Gi"}, // near half an int64
		{"hugepages-2Mi", "6Mi", "6Mi", "6Mi"},
		{"nvidia.com/gpu", "7", "7", "7"},
		{"count/jobs.batch", "1001", "1001", "1001"},
		{"cpu", "0", "0", "0"},
	} {
		q := resource.MustParse(test.q)
		down, up := quantity.Round(test.name, q, false), quantity.Round(test.name, q, true)
		testkit.Equal(t, quantity.Canonical(down), test.down, test.name, test.q, "down")
		testkit.Equal(t, quantity.Canonical(up), test.up, test.name, test.q, "up")
	}
}
