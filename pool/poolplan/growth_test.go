package poolplan_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestGrowth(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		holder("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), waiting("second", 2, "pods", "7"),
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
		{"second", true, []string{"pods", "3"}}, // with 1 more, the first waits only for CPU, and takes no pods
		{"cpu", false, []string{"requests.cpu", "500m"}},
		{"third", false, []string{"pods", "1"}},
		{"gpu", false, []string{"example.com/gpu", "1"}},
		{"base", false, nil}, {"fits", false, nil}, {"negative", false, nil}, {"nobody", false, nil},
	} {
		p := newPool("pods", "10", "requests.cpu", "2")
		p.Spec.Config.OrderedQueue = test.ordered
		got, needed := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: test.claim}, p, claims)
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
	if _, needed := poolplan.Growth(types.NamespacedName{}, nil, claims); needed {
		t.Error("no pool has to grow")
	}
}

// A larger pool grants earlier claims first, and these take some of the growth.
func TestGrowthAllowsForEarlierClaims(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{waiting("small", 0, "pods", "2"), waiting("large", 1, "pods", "4"), waiting("last", 2, "pods", "3")}
	got, _ := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "last"}, newPool("pods", "1"), claims)
	if diff := cmp.Diff(testkit.List("pods", "4"), got); diff != "" { // 2 + 3 - 1: with 5 pods, large still waits
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _ = poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "small"}, &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "sampler"}}, claims)
	if diff := cmp.Diff(testkit.List("pods", "2"), got); diff != "" {
		t.Errorf("of a pool without anything (-want +got):\n%s", diff)
	}
}

// The growth for one resource, if a larger growth lets larger claims pass, which starve smaller
// ones.
func TestGrowthOfOneResource(t *testing.T) {
	for _, test := range []struct {
		name, hard string
		earlier    []string
		claim      string
		ordered    bool
		want       string
	}{
		{"alone", "1", nil, "3", false, "2"},
		{"earlier smaller claims are granted first", "1", []string{"1", "2", "1"}, "3", false, "6"},
		{"earlier claims of the same size are granted first", "0", []string{"3", "3"}, "3", false, "9"},
		{"earlier larger claims are passed", "0", []string{"4", "5"}, "3", false, "3"},
		{"an earlier larger claim is granted first if it fits with those in between", "0", []string{"4", "1"}, "3", false, "8"},
		{"an earlier larger claim takes the remaining amount", "6", []string{"6"}, "3", false, "3"},
		{"a second larger claim does not fit yet", "6", []string{"6", "6"}, "3", false, "3"},
		{"growth lets a larger claim pass", "8", []string{"10"}, "9", false, "1"},
		{"a larger claim that passes leaves nothing to others", "9", []string{"10", "8"}, "2", false, "3"},
		{"an earlier claim has to fit again after a larger one passes", "9", []string{"10", "8", "1"}, "1", false, "3"},
		{"growth until a second larger claim would pass", "19", []string{"10", "12", "8", "1"}, "2", false, "2"},
		{"all earlier claims come first in an ordered queue", "0", []string{"4", "5"}, "3", true, "12"},
		{"no growth is needed", "3", []string{"4"}, "3", false, ""},
		{"a negative remaining amount", "-5", []string{"9"}, "3", false, "8"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p, claims := newPool("pods", test.hard), []*pool.ResourcePoolClaim{waiting("claim", 99, "pods", test.claim), waiting("later", 100, "pods", "1")}
			p.Spec.Config.OrderedQueue = test.ordered
			for i, pods := range test.earlier {
				claims = append(claims, waiting(fmt.Sprint("earlier-", i), i, "pods", pods))
			}
			got, _ := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "claim"}, p, claims)
			more := got["pods"]
			if (test.want == "") != (len(got) == 0) || test.want != "" && more.String() != test.want {
				t.Errorf("%v, want %s", got, test.want)
			}
		})
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

// In an ordered queue, only the resources of the claim grow. Other resources may keep earlier
// claims waiting, or let them be granted.
func TestGrowthInOrder(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		holder("base", 0, "pods", "1"), waiting("both", 1, "pods", "2", "secrets", "5"), waiting("behind", 2, "secrets", "1", "pods", "9"),
		waiting("pods", 3, "pods", "4"), waiting("negative", 4, "pods", "-9"), waiting("last", 5, "pods", "1", "services", "2"),
	}
	leaves := holder("leaves", 0, "pods", "7")
	leaves.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	for _, test := range []struct{ secrets, want string }{
		{"4", "map[pods:5 services:1]"},  // both waits for secrets, and closes them: 1 + 4 + 1 - 1
		{"5", "map[pods:11 services:1]"}, // both is holding, behind waits for secrets, and must not wait for pods
		{"6", "map[pods:16 services:1]"}, // both are holding
	} {
		p := newPool("pods", "1", "secrets", test.secrets, "services", "1")
		p.Spec.Config.OrderedQueue = true
		got, _ := poolplan.Growth(types.NamespacedName{Namespace: "a", Name: "last"}, p, append(claims, leaves))
		if text := amounts(got); text != test.want {
			t.Errorf("%s secrets: %s, want %s", test.secrets, text, test.want)
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
	if diff := cmp.Diff(testkit.List("pods", "1", "requests.cpu", "1", "example.com/gpu", "1"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := forAll(nil, claims); len(got) > 0 {
		t.Errorf("no pool has to grow by %v", got)
	}
}

// An earlier claim that is short of a resource that the claim does not want waits regardless of
// the growth, and takes none of it.
func TestGrowthLeavesOutClaimsThatWaitForOtherResources(t *testing.T) {
	p := newPool("secrets", "5", "services", "4")
	hopeless := waiting("hopeless", 0, "secrets", "7", "services", "3")
	claims := []*pool.ResourcePoolClaim{
		waiting("first", 1, "pods", "4", "services", "7"), waiting("second", 2, "secrets", "5", "services", "4"),
		waiting("third", 3, "pods", "3", "secrets", "2"), waiting("claim", 4, "pods", "7", "services", "5"),
	}
	// first, second and the claim are holding: 4 + 7 pods, and 7 + 4 + 5 - 4 services. third
	// then finds no secrets.
	want := "map[pods:11 services:12]"
	name := types.NamespacedName{Namespace: "a", Name: "claim"}
	for what, all := range map[string][]*pool.ResourcePoolClaim{"with it": append(claims, hopeless), "without it": claims} {
		got, _ := poolplan.Growth(name, p, all)
		if text := amounts(got); text != want {
			t.Errorf("%s: %s, want %s", what, text, want)
		}
		if is := decision(grown(state{p, all}, got), name); is != pool.Holding {
			t.Errorf("%s: the claim is %s", what, is)
		}
	}
}

// A claim that is to be released waits afterwards, for what its spec requests.
func TestGrowthForAReleasedClaim(t *testing.T) {
	c := holder("c", 0, "pods", "3")
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	claims := []*pool.ResourcePoolClaim{c}
	if diff := cmp.Diff(testkit.List("pods", "1"), forAll(newPool("pods", "2"), claims)); diff != "" {
		t.Errorf("for all (-want +got):\n%s", diff)
	}
}

// A claim that can never be granted takes nothing of the growth.
func TestGrowthBehindAnInvalidClaim(t *testing.T) {
	head := waiting("head", 1, "pods", "2")
	for _, ordered := range []bool{false, true} {
		p := newPool("pods", "1")
		p.Spec.Config.OrderedQueue = ordered
		more, _ := poolplan.Growth(head.Key(), p, []*pool.ResourcePoolClaim{waiting("invalid", 0, "pods", "2", "services", "-1"), head})
		if diff := cmp.Diff(testkit.List("pods", "1"), more); diff != "" {
			t.Errorf("ordered %v (-want +got):\n%s", ordered, diff)
		}
	}
}

// An overcommitted pool does not have to grow for resources that no claim waits for.
func TestGrowthForAllOvercommitted(t *testing.T) {
	p := newPool("pods", "2", "services", "1")
	over := holder("over", 0, "pods", "5")
	if diff := cmp.Diff(corev1.ResourceList{}, forAll(p, []*pool.ResourcePoolClaim{over})); diff != "" {
		t.Errorf("nobody waits (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(testkit.List("services", "1"), forAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "services", "2", "pods", "0")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for something else (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(testkit.List("pods", "4"), forAll(p, []*pool.ResourcePoolClaim{over, waiting("waits", 1, "pods", "1")}), testkit.AsWritten()); diff != "" {
		t.Errorf("a claim waits for pods (-want +got):\n%s", diff)
	}
}
