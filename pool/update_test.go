package pool_test

import (
	"slices"
	"testing"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func TestValidatePoolUpdate(t *testing.T) {
	const cpu, pods = "spec.quota.hard[requests.cpu]: ", "spec.quota.hard[pods]: "
	for _, test := range []struct {
		name string
		to   *pool.ResourcePool
		want []string
	}{
		{"larger", samplerOf("requests.cpu", "3", "pods", "3", "requests.storage", "1"), nil},
		{"as much as is claimed", samplerOf("requests.cpu", "1500m", "pods", "0", "requests.storage", "0"), nil},
		{"less than is claimed", samplerOf("requests.cpu", "1499m", "pods", "3"), []string{
			cpu + "can not reduce requests.cpu usage to 1499m because quantity 1500m is claimed . Remove corresponding claims or keep the resources in the pool"}},
		{"unused is dropped", samplerOf("requests.cpu", "2"), nil},
		{"used is dropped", samplerOf("pods", "3"), []string{
			cpu + "can not remove resource requests.cpu as it is still being allocated. Remove corresponding claims or keep the resources in the pool"}},
		{"below zero", samplerOf("requests.cpu", "2", "pods", "-1"), []string{
			pods + "can not reduce pods usage to -1 because quantity 0 is claimed . Remove corresponding claims or keep the resources in the pool"}},
		{"everything, sorted", samplerOf("pods", "-1"), []string{
			pods + "can not reduce pods usage to -1 because quantity 0 is claimed . Remove corresponding claims or keep the resources in the pool",
			cpu + "can not remove resource requests.cpu as it is still being allocated. Remove corresponding claims or keep the resources in the pool"}},
		{"two are reduced", samplerOf("pods", "-1", "requests.cpu", "1"), []string{
			pods + "can not reduce pods usage to -1 because quantity 0 is claimed . Remove corresponding claims or keep the resources in the pool",
			cpu + "can not reduce requests.cpu usage to 1 because quantity 1500m is claimed . Remove corresponding claims or keep the resources in the pool"}},
	} {
		from := samplerOf("requests.cpu", "2", "pods", "3")
		from.Status.Allocation.Claimed = testkit.List("requests.cpu", "1.5", "pods", "0")
		testkit.NoDiff(t, refused(pool.ValidatePool(from, test.to)), test.want, test.name)
	}
	invalid := field.ErrorList{field.Required(field.NewPath("spec", "quota", "hard"), "a pool needs resources")}
	for _, old := range []*pool.ResourcePool{nil, samplerOf("pods", "1")} {
		testkit.NoDiff(t, details(pool.ValidatePool(old, samplerOf())), details(invalid), "no resources, old", old)
	}
	// A pool that has less than is claimed already may still change its selectors.
	from := samplerOf("pods", "1")
	from.Status.Allocation.Claimed = testkit.List("pods", "2")
	if errs := pool.ValidatePool(from, samplerOf("pods", "1000m")); errs != nil {
		t.Errorf("unchanged: %v", errs)
	}
	if errs := pool.ValidatePool(from, samplerOf("pods", "1", "secrets", "1")); len(errs) != 1 {
		t.Errorf("changed, and still less than is claimed: %v", errs)
	}
}

// refused returns the details of the errors about an update.
func refused(errs field.ErrorList) []string {
	return details(slices.DeleteFunc(errs, func(err *field.Error) bool { return err.Type != field.ErrorTypeForbidden }))
}

func TestValidateClaimUpdate(t *testing.T) {
	const detail = "cannot change the requested resources while claim is allocated to a resourcepool sampler"
	moved := waiting("a", "c", 0, "pods", "1")
	moved.Spec.Pool = "other"
	both := waiting("a", "c", 0, "pods", "2")
	both.Spec.Pool = "other"
	for _, test := range []struct {
		name     string
		to, from *pool.ResourcePoolClaim
		want     []string
	}{
		{"waiting", both, waiting("a", "c", 0, "pods", "1"), nil},
		{"holding, unchanged", waiting("a", "c", 9, "pods", "1000m"), holding("a", "c", 0, "pods", "1"), nil},
		{"empty stays empty", &pool.ResourcePoolClaim{Spec: pool.ResourcePoolClaimSpec{Pool: "sampler"}}, holding("a", "c", 0), nil},
		{"more", waiting("a", "c", 0, "pods", "2"), holding("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail}},
		{"less", waiting("a", "c", 0), holding("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail}},
		{"another pool", moved, holding("a", "c", 0, "pods", "1"), []string{"spec.pool: " + detail}},
		{"both", both, holding("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail, "spec.pool: " + detail}},
		{"released before", both, pool.Release(holding("a", "c", 0, "pods", "1"), pool.Options{Documented: true}), nil},
		{"from nil", both, nil, nil},
	} {
		testkit.NoDiff(t, refused(pool.ValidateClaim(test.from, test.to, pool.AdmissionOptions{Documented: true})), test.want, test.name)
	}
}

func TestValidateClaimDeletion(t *testing.T) {
	want := []string{"status.condition: cannot delete the pool while claim is used in resourcepool sampler"}
	testkit.NoDiff(t, details(pool.ValidateClaimDeletion(holding("a", "c", 0), pool.AdmissionOptions{Documented: true})), want, "holding")
	if errs := pool.ValidateClaimDeletion(waiting("a", "c", 0), pool.AdmissionOptions{Documented: true}); errs != nil {
		t.Errorf("waiting: %v", errs)
	}
	if errs := pool.ValidateClaimDeletion(nil, pool.AdmissionOptions{Documented: true}); errs != nil {
		t.Errorf("nil: %v", errs)
	}
}
