package poolplan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestClaim(t *testing.T) {
	p := newPool("requests.cpu", "4", "limits.memory", "4Gi", "pods", "10", "requests.storage", "1")
	usage := testkit.List("cpu", "375m", "requests.cpu", "375m", "limits.memory", "1.5Gi", "pods", "1", "count/pods", "1", "requests.storage", "0")
	name := types.NamespacedName{Namespace: "solar-test", Name: "web"}
	for pods, want := range map[int]corev1.ResourceList{
		1: testkit.List("requests.cpu", "375m", "limits.memory", "1.5Gi", "pods", "1"),
		3: testkit.List("requests.cpu", "1125m", "limits.memory", "4.5Gi", "pods", "3"),
	} {
		c, err := poolplan.Claim(name, usage, pods, p)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, c.Spec.Claim); diff != "" || c.Namespace != "solar-test" || c.Name != "web" || c.Spec.Pool != "sampler" || c.Kind != "ResourcePoolClaim" || c.APIVersion != pool.APIVersion {
			t.Errorf("%d pods: %s/%s on %s (-want +got):\n%s", pods, c.Namespace, c.Name, c.Spec.Pool, diff)
		}
		if memory := c.Spec.Claim["limits.memory"]; memory.Format != "BinarySI" {
			t.Errorf("memory is spelled in %s", memory.Format)
		}
		if errs := pool.ValidateClaim(c); len(errs) > 0 {
			t.Errorf("invalid: %v", errs)
		}
	}
	huge, err := poolplan.Claim(name, testkit.List("limits.memory", "8E", "requests.cpu", "1n"), 1000, p)
	if memory := huge.Spec.Claim["limits.memory"]; err != nil || testkit.Exact(memory).RatString() != "8000000000000000000000" {
		t.Errorf("1000 pods of 8E: %v, %v", err, memory)
	}
	for _, test := range []struct {
		p     *pool.ResourcePool
		usage corev1.ResourceList
		pods  int
		want  string
	}{
		{nil, usage, 1, "claim solar-test/web: no pool"},
		{p, usage, 0, "claim solar-test/web: for 0 pods"},
		{p, usage, -1, "claim solar-test/web: for -1 pods"},
		{p, testkit.List("pods", "1", "requests.cpu", "-1"), 1, "claim solar-test/web: a pod uses requests.cpu=-1"},
		{p, testkit.List("cpu", "1", "requests.storage", "0"), 1, "claim solar-test/web: a pod uses nothing that pool sampler offers"},
		{p, nil, 1, "claim solar-test/web: a pod uses nothing that pool sampler offers"},
	} {
		c, err := poolplan.Claim(name, test.usage, test.pods, test.p)
		if c != nil || err == nil || err.Error() != test.want {
			t.Errorf("%v, %v; want %q", c, err, test.want)
		}
	}
}

// The claim for one pod owns its amounts, too.
func TestClaimForOnePodOwnsItsAmounts(t *testing.T) {
	p, name := newPool("requests.memory", "10Gi"), types.NamespacedName{Namespace: "a", Name: "c"}
	usage := testkit.List("requests.memory", "123456789012345678901234")
	testkit.Contract(t, func() any { c, err := poolplan.Claim(name, usage, 1, p); return []any{c, err} }, p, usage)
}

// A negative amount is an error even of a resource that the pool does not offer.
func TestClaimOfANegativeAmount(t *testing.T) {
	if c, err := poolplan.Claim(types.NamespacedName{Namespace: "a", Name: "c"}, testkit.List("pods", "1", "services", "-1"), 1, newPool("pods", "1")); err == nil {
		t.Errorf("%v", c.Spec.Claim)
	}
}
