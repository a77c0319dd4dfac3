package poolplan_test

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestOvertaken(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		holder("base", 0, "pods", "6"), waiting("first", 1, "pods", "9", "requests.cpu", "1"), holder("skips", 2, "pods", "2"), holder("cpu", 3, "requests.cpu", "1"),
		waiting("second", 4, "pods", "5"), holder("again", 5, "pods", "1"), holder("zero", 6, "pods", "0"), nil,
	}
	got := poolplan.Overtaken(newPool("pods", "10", "requests.cpu", "4"), claims, 5, pool.Options{Documented: true})
	type short struct {
		Claim, Since, Message string
		By                    []string
	}
	var all []short
	for _, o := range got {
		s := short{o.Claim.Name, o.Created.UTC().Format(time.TimeOnly), pool.Decision{State: pool.PoolExhausted, Shortages: o.Shortages}.Message(), nil}
		for _, by := range o.By {
			s.By = append(s.By, by.Name)
		}
		all = append(all, s)
	}
	want := []short{
		{"first", "00:00:01", "requested: pods=9, available: pods=1", []string{"skips", "again"}},
		{"second", "00:00:04", "requested: pods=5, available: pods=1", []string{"again"}},
	}
	testkit.NoDiff(t, all, want)
	if got := poolplan.Overtaken(newPool("pods", "10"), claims, 1, pool.Options{Documented: true}); len(got) != 1 || got[0].Claim.Name != "first" {
		t.Errorf("the first one: %v", got)
	}
	for _, n := range []int{0, -1} {
		if got := poolplan.Overtaken(newPool("pods", "10"), claims, n, pool.Options{Documented: true}); got != nil {
			t.Errorf("the first %d: %v", n, got)
		}
	}
	if got := poolplan.Overtaken(nil, claims, 1, pool.Options{Documented: true}); got != nil {
		t.Errorf("no pool: %v", got)
	}
}

// A claim that was edited has passed another one with what it is holding to: in the current API what
// its spec requests, and in the documented one what it held before. One of several shortages is enough.
func TestOvertakenByAnEditedClaim(t *testing.T) {
	for _, test := range []struct {
		name       string
		documented bool
		to         []string // what the later claim, which holds pods, requests by now
		want       []types.NamespacedName
	}{
		{"no longer of pods", false, []string{"services", "1"}, nil},
		{"still of pods by what it holds", true, []string{"services", "1"}, []types.NamespacedName{{Namespace: "a", Name: "later"}}},
		{"evicted, since it requests more than there is", false, []string{"pods", "5"}, nil},
		{"still of what it holds, whatever it requests", true, []string{"pods", "5"}, []types.NamespacedName{{Namespace: "a", Name: "later"}}},
		{"of one resource of two", false, []string{"pods", "1"}, []types.NamespacedName{{Namespace: "a", Name: "later"}}},
	} {
		p := newPool("pods", "2", "secrets", "1", "services", "1")
		head, later := waiting("head", 0, "pods", "3", "secrets", "2"), waiting("later", 1, "pods", "1")
		hold(p, later)
		later.Spec.Claim = testkit.List(test.to...)
		got := poolplan.Overtaken(p, []*pool.ResourcePoolClaim{head, later}, 1, pool.Options{Documented: test.documented})
		if len(got) != 1 || len(got[0].Shortages) != 2 {
			t.Fatalf("%s: %+v", test.name, got)
		}
		testkit.NoDiff(t, got[0].By, test.want, test.name)
	}
}

// Claims that wait behind another one are not overtaken.
func TestOvertakenInOrder(t *testing.T) {
	p := newPool("pods", "2")
	p.Spec.Config.OrderedQueue = true
	got := poolplan.Overtaken(p, []*pool.ResourcePoolClaim{waiting("head", 0, "pods", "3"), waiting("next", 1, "pods", "1")}, 5, pool.Options{})
	if len(got) != 1 || got[0].Claim.Name != "head" {
		t.Errorf("%+v", got)
	}
}
