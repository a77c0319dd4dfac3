package poolplan_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

// A pool that has enough does not grow, nor does one that is nil.
func TestNoGrowth(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{waiting("a", 0, "pods", "1"), waiting("b", 1, "pods", "2")}
	for name, p := range map[string]*pool.ResourcePool{"just enough": newPool("pods", "3"), "more than enough": newPool("pods", "9"), "none": nil} {
		for _, of := range []types.NamespacedName{{}, {Namespace: "a", Name: "b"}} {
			if got, grows := poolplan.Growth(of, p, claims); len(got) > 0 || grows {
				t.Errorf("%s: %v %v", name, got, grows)
			}
		}
	}
}

// Several claims that pass: for up to 98 of them, the answer is exact.
func TestGrowthInManyRounds(t *testing.T) {
	for passing, want := range map[int]string{98: "99", 99: "1100"} {
		pods := fmt.Sprint(passing)
		claims := []*pool.ResourcePoolClaim{waiting("huge", 0, "secrets", "1000", "pods", pods), waiting("claim", 999, "secrets", "1")}
		for i := range passing {
			claims = append(claims, waiting(fmt.Sprint("passes-", i), i+1, "secrets", "1", "pods", "1"))
		}
		s, name := state{newPool("pods", pods), claims}, types.NamespacedName{Namespace: "a", Name: "claim"}
		got, _ := poolplan.Growth(name, s.pool, claims)
		if secrets := got["secrets"]; secrets.String() != want || len(got) != 1 {
			t.Errorf("%d pass: %v, want %s", passing, got, want)
		}
		if is := decision(grown(s, got), name); is != pool.Holding {
			t.Errorf("%d pass: it is %s", passing, is)
		}
	}
}

// Claims that have to be granted anyway take no rounds, regardless of their number: each of them
// has room next to what the claim takes in the end and what the claims in between take.
func TestGrowthForManyThatSurelyHold(t *testing.T) {
	for name, test := range map[string]struct {
		wants func(i int) int
		want  string
	}{
		"equal ones":   {func(int) int { return 1 }, "151"},
		"smaller ones": {func(i int) int { return 150 - i }, "11326"}, // 1 + 1 + 2 + … + 150
	} {
		claims := []*pool.ResourcePoolClaim{waiting("huge", 500, "secrets", "100000"), waiting("claim", 999, "secrets", "1")}
		for i := range 150 {
			claims = append(claims, waiting(fmt.Sprint("earlier-", i), i, "secrets", fmt.Sprint(test.wants(i))))
		}
		got, _ := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "claim"}, newPool(), claims)
		if secrets := got["secrets"]; secrets.String() != test.want || len(got) != 1 {
			t.Errorf("%s: %v, want %s", name, got, test.want)
		}
	}
}

func TestGrowthForAll(t *testing.T) {
	negative := holder("negative", 9, "pods", "-5", "requests.cpu", "2")
	other := waiting("other", 3, "pods", "99")
	other.Spec.Pool = "other"
	claims := []*pool.ResourcePoolClaim{
		holder("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), nil, other,
		waiting("thief", 2, "pods", "-50", "requests.cpu", "50"), negative, waiting("gpu", 6, "example.com/gpu", "1"),
	}
	got := forAll(newPool("pods", "10", "requests.cpu", "4", "secrets", "1"), claims)
	testkit.NoDiff(t, got, testkit.List("pods", "1", "requests.cpu", "1", "example.com/gpu", "1"))
	if got := forAll(nil, claims); len(got) > 0 {
		t.Errorf("no pool has to grow by %v", got)
	}
}

// A claim that is to be released waits afterwards, for what its spec requests.
func TestGrowthForAReleasedClaim(t *testing.T) {
	c := holder("c", 0, "pods", "3")
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	claims := []*pool.ResourcePoolClaim{c}
	testkit.NoDiff(t, forAll(newPool("pods", "2"), claims), testkit.List("pods", "1"), "for all")
}

// A claim that can never be granted takes nothing of the growth.
func TestGrowthBehindAnInvalidClaim(t *testing.T) {
	head := waiting("head", 1, "pods", "2")
	for _, ordered := range []bool{false, true} {
		p := newPool("pods", "1")
		p.Spec.Config.OrderedQueue = ordered
		more, _ := poolplan.Growth(head.Key(), p, []*pool.ResourcePoolClaim{waiting("invalid", 0, "pods", "2", "services", "-1"), head})
		testkit.NoDiff(t, more, testkit.List("pods", "1"), "ordered", ordered)
	}
}

// An overcommitted pool does not have to grow for resources that no claim waits for.
func TestGrowthForAllOvercommitted(t *testing.T) {
	p := newPool("pods", "2", "services", "1")
	over := holder("over", 0, "pods", "5")
	testkit.NoDiff(t, forAll(p, []*pool.ResourcePoolClaim{over}), corev1.ResourceList{}, "nobody waits")
	if diff := cmp.Diff(testkit.List("services", "1"), forAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "services", "2", "pods", "0")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for something else (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(testkit.List("pods", "4"), forAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "pods", "1")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for pods (-want +got):\n%s", diff)
	}
}
