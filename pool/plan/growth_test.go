package plan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/plan"
)

func TestGrowth(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), waiting("second", 2, "pods", "7"),
		waiting("cpu", 3, "requests.cpu", "2500m"), waiting("negative", 4, "pods", "-1"), waiting("fits", 5, "pods", "1"), waiting("gpu", 6, "example.com/gpu", "1"),
		waiting("third", 7, "pods", "4"),
	}
	for _, test := range []struct {
		claim   string
		ordered bool
		want    []string
	}{
		{"first", false, []string{"pods", "1", "requests.cpu", "1"}},
		{"first", true, []string{"pods", "1", "requests.cpu", "1"}},
		{"second", false, []string{"pods", "3"}},
		{"second", true, []string{"pods", "3"}}, // with 1 more, the first waits for CPU alone, and takes no pods
		{"cpu", false, []string{"requests.cpu", "500m"}},
		{"third", false, []string{"pods", "1"}},
		{"gpu", false, []string{"example.com/gpu", "1"}},
		{"base", false, nil}, {"fits", false, nil}, {"negative", false, nil}, {"nobody", false, nil},
	} {
		p := newPool("pods", "10", "requests.cpu", "2")
		p.Spec.Config.OrderedQueue = test.ordered
		got, needed := plan.Growth(p, claims, types.NamespacedName{Namespace: "a", Name: test.claim})
		if needed != (test.want != nil) {
			t.Errorf("%s: growth needed: %v", test.claim, needed)
		}
		want := testkit.List(test.want...)
		for name, q := range want {
			if q.IsZero() {
				delete(want, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" && needed {
			t.Errorf("%s, ordered %v (-want +got):\n%s", test.claim, test.ordered, diff)
		}
	}
	if _, needed := plan.Growth(nil, claims, types.NamespacedName{}); needed {
		t.Error("no pool has to grow")
	}
}

// A larger pool binds earlier claims first, which take from what was added.
func TestGrowthAllowsForEarlierClaims(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{waiting("small", 0, "pods", "2"), waiting("large", 1, "pods", "4"), waiting("last", 2, "pods", "3")}
	got, _ := plan.Growth(newPool("pods", "1"), claims, types.NamespacedName{Namespace: "a", Name: "last"})
	if diff := cmp.Diff(testkit.List("pods", "4"), got); diff != "" { // 2 + 3 - 1: with 5 pods, large still waits
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _ = plan.Growth(&pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "sampler"}}, claims, types.NamespacedName{Namespace: "a", Name: "small"})
	if diff := cmp.Diff(testkit.List("pods", "2"), got); diff != "" {
		t.Errorf("of a pool without anything (-want +got):\n%s", diff)
	}
}

func TestGrowthForAll(t *testing.T) {
	negative := bound("negative", 9, "pods", "-5", "requests.cpu", "1")
	other := waiting("other", 3, "pods", "99")
	other.Spec.Pool = "other"
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), nil, other,
		waiting("thief", 2, "pods", "-50", "requests.cpu", "50"), negative, waiting("gpu", 6, "example.com/gpu", "1"),
	}
	got := plan.GrowthForAll(newPool("pods", "10", "requests.cpu", "4", "secrets", "1"), claims)
	if diff := cmp.Diff(testkit.List("pods", "1", "example.com/gpu", "1"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := plan.GrowthForAll(nil, claims); len(got) > 0 {
		t.Errorf("no pool has to grow by %v", got)
	}
}
