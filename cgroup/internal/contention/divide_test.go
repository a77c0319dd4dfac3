package contention_test

import (
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

type (
	group  = contention.Group
	groups = []contention.Group
)

var compareRats = cmp.Comparer(func(a, b *big.Rat) bool { return a == b || a != nil && b != nil && a.Cmp(b) == 0 })

func rat(text string) *big.Rat {
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		panic(text)
	}
	return r
}

// leaf returns a group without children; most is empty if there is no bound.
func leaf(weight int64, most string) group {
	g := group{Weight: weight}
	if most != "" {
		g.Most = rat(most)
	}
	return g
}

func TestDivide(t *testing.T) {
	for _, test := range []struct {
		name, capacity string
		root           group
		want           []string // depth first
	}{
		{"alone", "4", group{}, []string{"4"}},
		{"alone, bounded", "4", group{Most: rat("3")}, []string{"3"}},
		{"one group, with less CPU than it can use", "4", group{Most: rat("5")}, []string{"4"}},
		{"nothing to give", "0", group{Children: groups{leaf(1, ""), leaf(2, "1")}}, []string{"0", "0", "0"}},
		{"by weight", "4", group{Children: groups{leaf(1, ""), leaf(3, "")}}, []string{"4", "1", "3"}},
		{"by weight, not in whole numbers", "1", group{Children: groups{leaf(1, ""), leaf(2, ""), leaf(4, "")}}, []string{"1", "1/7", "2/7", "4/7"}},
		{"one group needs less than its share", "4", group{Children: groups{leaf(100, ""), leaf(300, "1")}}, []string{"4", "3", "1"}},
		{"demand equals share", "4", group{Children: groups{leaf(100, ""), leaf(300, "3")}}, []string{"4", "1", "3"}},
		{"groups reach their bounds one after the other", "12", group{Children: groups{leaf(1, ""), leaf(1, "1"), leaf(1, "5"), leaf(2, "3")}}, []string{"12", "4", "1", "4", "3"}},
		{"enough for all groups", "12", group{Children: groups{leaf(1, "1"), leaf(9, "2")}}, []string{"3", "1", "2"}},
		{"idle", "4", group{Children: groups{leaf(1000, "0"), leaf(1, "")}}, []string{"4", "0", "4"}},
		{"the root's own bound", "4", group{Most: rat("1/2"), Children: groups{leaf(1, ""), leaf(1, "")}}, []string{"1/2", "1/4", "1/4"}},
		{
			"a group uses no more than those below it", "8",
			group{Children: groups{{Weight: 1000, Children: groups{leaf(1, "1"), leaf(1, "2")}}, leaf(1, "")}},
			[]string{"8", "3", "1", "2", "5"},
		},
		{
			"nor more than its own bound", "8",
			group{Children: groups{{Weight: 1, Most: rat("2"), Children: groups{leaf(1, ""), leaf(3, "")}}, leaf(1, "")}},
			[]string{"8", "2", "1/2", "3/2", "6"},
		},
		{
			"whichever is less", "8",
			group{Children: groups{{Weight: 1, Most: rat("3"), Children: groups{leaf(1, "1"), leaf(3, "1")}}, leaf(1, "")}},
			[]string{"8", "2", "1", "1", "6"},
		},
		{
			"weights count among siblings only", "8",
			group{Children: groups{{Weight: 1, Children: groups{leaf(10000, ""), leaf(10000, "")}}, {Weight: 1, Children: groups{leaf(1, "")}}}},
			[]string{"8", "4", "2", "2", "4", "4"},
		},
		{"huge weights", "2", group{Children: groups{leaf(math.MaxInt64, ""), leaf(math.MaxInt64, "")}}, []string{"2", "1", "1"}},
		{"the weight of the root", "2", group{Weight: -5, Children: groups{leaf(1, "")}}, []string{"2", "2"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			share := contention.Divide(rat(test.capacity), test.root)
			testkit.NoDiff(t, flat(share), test.want)
			testkit.NoDiff(t, flat(slowDivide(rat(test.capacity), test.root)), test.want, "the slow twin")
		})
	}
}

// If there are many groups, those with a bound are served first as well.
func TestDivideAmongMany(t *testing.T) {
	var root group
	for range 50 {
		root.Children = append(root.Children, leaf(1, ""), leaf(1, "1"))
	}
	share := contention.Divide(rat("300"), root)
	for i, c := range share.Children {
		testkit.Equal(t, c.CPU.RatString(), []string{"5", "1"}[i%2], "group", i)
	}
}

// flat returns amounts, depth first.
func flat(s contention.Share) []string {
	all := []string{s.CPU.RatString()}
	for _, c := range s.Children {
		all = append(all, flat(c)...)
	}
	return all
}
