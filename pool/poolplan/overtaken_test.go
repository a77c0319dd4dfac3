package poolplan_test

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestOvertaken(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "9", "requests.cpu", "1"), bound("skips", 2, "pods", "2"), bound("cpu", 3, "requests.cpu", "1"),
		waiting("second", 4, "pods", "5"), bound("again", 5, "pods", "1"), bound("zero", 6, "pods", "0"), nil,
	}
	got := poolplan.Overtaken(newPool("pods", "10", "requests.cpu", "4"), claims, 5, pool.Options{API: pool.Documented})
	type short struct {
		Claim, Since, Message string
		By                    []string
	}
	var all []short
	for _, o := range got {
		s := short{o.Claim.Name, o.Created.UTC().Format(time.TimeOnly), pool.Decision{State: pool.PoolExhausted, Obstacles: o.Obstacles}.Message(), nil}
		for _, by := range o.By {
			s.By = append(s.By, by.Name)
		}
		all = append(all, s)
	}
	want := []short{
		{"first", "00:00:01", "requested: pods=9, available: pods=1", []string{"skips", "again"}},
		{"second", "00:00:04", "requested: pods=5, available: pods=1", []string{"again"}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := poolplan.Overtaken(newPool("pods", "10"), claims, 1, pool.Options{API: pool.Documented}); len(got) != 1 || got[0].Claim.Name != "first" {
		t.Errorf("the first one: %v", got)
	}
	for _, n := range []int{0, -1} {
		if got := poolplan.Overtaken(newPool("pods", "10"), claims, n, pool.Options{API: pool.Documented}); got != nil {
			t.Errorf("the first %d: %v", n, got)
		}
	}
	if got := poolplan.Overtaken(nil, claims, 1, pool.Options{API: pool.Documented}); got != nil {
		t.Errorf("no pool: %v", got)
	}
}
