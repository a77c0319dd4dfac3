package pool_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// A default of zero limits, beside claims too, and DefaultsZero leaves other defaults.
func TestQuotaOfZeros(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "10", "services", "10", "secrets", "10"))
	p.Spec.Defaults = testkit.List("pods", "0", "services", "2")
	claimed := testkit.List("configmaps", "1")
	testkit.NoDiff(t, pool.Quota(p, "ns", claimed).Spec.Hard, testkit.List("pods", "0", "services", "2", "configmaps", "1"))
	p.Spec.Config.DefaultsZero = true
	if diff := cmp.Diff(testkit.List("pods", "0", "services", "2", "secrets", "0", "configmaps", "1"), pool.Quota(p, "ns", claimed).Spec.Hard); diff != "" {
		t.Errorf("with defaultsZero (-want +got):\n%s", diff)
	}
}
