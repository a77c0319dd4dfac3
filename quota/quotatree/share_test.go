package quotatree_test

import (
	"math/big"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// slowShare is a dominant share by its definition.
type slowShare struct {
	resource  corev1.ResourceName
	borrowing bool
	infinite  bool
	ratio     *big.Rat
	weighted  *big.Rat // ratio if infinite
}

func (s slowShare) compare(other slowShare) int {
	if s.infinite != other.infinite {
		if s.infinite {
			return 1
		}
		return -1
	}
	return s.weighted.Cmp(other.weighted)
}

func (s *slow) share(n string, countsAs map[corev1.ResourceName]corev1.ResourceName) slowShare {
	share := slowShare{ratio: new(big.Rat), weighted: new(big.Rat)}
	parent := s.nodes[n].Parent
	if parent == "" {
		return share
	}
	borrowed, lendable := map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}
	for _, r := range resources {
		as := r
		if other, ok := countsAs[r]; ok {
			as = other
		}
		if borrowed[as] == nil {
			borrowed[as], lendable[as] = new(big.Rat), new(big.Rat)
		}
		borrowed[as].Add(borrowed[as], rat(max(0, s.usage(n, r)-s.quota(n, r))))
		lendable[as].Add(lendable[as], rat(s.empty().available(parent, r)))
	}
	for _, r := range resources { // sorted
		if borrowed[r] == nil || borrowed[r].Sign() == 0 {
			continue
		}
		share.borrowing = true
		if lendable[r].Sign() > 0 {
			if ratio := new(big.Rat).Quo(borrowed[r], lendable[r]); ratio.Cmp(share.ratio) > 0 {
				share.resource, share.ratio, share.weighted = r, ratio, ratio
			}
		}
	}
	switch w := weightOf(s.nodes[n]); {
	case w.Sign() > 0:
		share.weighted = new(big.Rat).Quo(share.ratio, w)
	case share.ratio.Sign() > 0:
		share.infinite = true
	}
	return share
}

func TestShares(t *testing.T) {
	countsAs := map[corev1.ResourceName]corev1.ResourceName{"spot/cpu": "cpu"}
	rapid.Check(t, func(t *rapid.T) {
		_, nodes := drawTree(t, huge, 6)
		tree, err := quotatree.New(nodes, quotatree.Options{CountsAs: countsAs})
		testkit.OK(t, err)
		s := newSlow(nodes)
		for _, n := range s.names {
			a := drawAmounts(t, huge, 2)
			testkit.OK(t, tree.Charge(n, a))
			s.hold(n, a, 1)
		}
		for _, n := range s.names {
			got, want := tree.Share(n), s.share(n, countsAs)
			if got.Resource != want.resource || got.Borrowing != want.borrowing || string(got.Ratio) != want.ratio.RatString() {
				t.Fatalf("%s: %+v, want %+v", n, got, want)
			}
			if got.Infinite != want.infinite || want.infinite != (got.Weighted == "") || !want.infinite && string(got.Weighted) != want.weighted.RatString() {
				t.Fatalf("%s weighs %v, want %+v", n, got.Weighted, want)
			}
			for _, other := range s.names {
				if order := got.Compare(tree.Share(other)); order != want.compare(s.share(other, countsAs)) {
					t.Fatalf("%s and %s compare as %d", n, other, order)
				}
			}
		}
	})
}

func TestZeroShares(t *testing.T) {
	tree, _ := quotatree.New(nil, quotatree.Options{})
	unknown := tree.Share("a")
	if unknown != (quotatree.Share{Ratio: "0", Weighted: "0"}) {
		t.Errorf("an unknown node has %+v", unknown)
	}
	borrowed := quotatree.Share{Ratio: "1", Infinite: true}
	for _, test := range []struct {
		name string
		a, b quotatree.Share
		want int
	}{
		{"zero values", quotatree.Share{}, quotatree.Share{}, 0},
		{"zero value and nothing borrowed", quotatree.Share{}, unknown, 0},
		{"infinite and zero value", borrowed, quotatree.Share{}, 1},
		{"zero value and infinite", quotatree.Share{}, borrowed, -1},
		{"two infinite ones", borrowed, quotatree.Share{Ratio: "2", Infinite: true}, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			testkit.Equal(t, test.a.Compare(test.b), test.want)
		})
	}
}

func TestDominantResource(t *testing.T) {
	most := int64(1<<62 - 1)
	countsAs := map[corev1.ResourceName]corev1.ResourceName{"x/cpu": "cpu", "y/cpu": "cpu", "z/cpu": "cpu", "a/memory": "memory", "w/cpu": "x/cpu"}
	for _, test := range []struct {
		name      string
		has, used amounts
		want      corev1.ResourceName
		ratio     *big.Rat
	}{
		{"equal ones, the first by name", amounts{"memory": 4, "cpu": 2}, amounts{"memory": 2, "cpu": 1}, "cpu", big.NewRat(1, 2)},
		{"equal ones, the first by what they count as", amounts{"a/memory": 4, "cpu": 2}, amounts{"a/memory": 2, "cpu": 1}, "cpu", big.NewRat(1, 2)},
		{"what counts as a name that counts as another one", amounts{"w/cpu": 4, "x/cpu": 4}, amounts{"w/cpu": 2, "x/cpu": 1}, "x/cpu", big.NewRat(1, 2)},
		{"the larger one", amounts{"memory": 4, "cpu": 2}, amounts{"memory": 3, "cpu": 1}, "memory", big.NewRat(3, 4)},
		{"sums beyond an int64", amounts{"x/cpu": 1 << 61, "y/cpu": 1 << 61, "z/cpu": 1 << 61}, amounts{"x/cpu": most, "y/cpu": most, "z/cpu": most}, "cpu", big.NewRat(most, 1<<61)},
		{"nothing to lend", amounts{"memory": 4}, amounts{"cpu": 1}, "", new(big.Rat)},
	} {
		t.Run(test.name, func(t *testing.T) {
			tree, err := quotatree.New([]quotatree.Node{{Name: "root", Nominal: test.has}, {Name: "a", Parent: "root", Used: test.used}}, quotatree.Options{CountsAs: countsAs})
			testkit.OK(t, err)
			if got := tree.Share("a"); got.Resource != test.want || string(got.Ratio) != test.ratio.RatString() || !got.Borrowing {
				t.Errorf("%+v", got)
			}
		})
	}
}

// As floats, these two shares are equal.
// See docs/decisions/quota.md#shares-are-fractions.
func TestDivergenceSharesAreExact(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root", Nominal: amounts{"memory": 1 << 60}},
		{Name: "a", Parent: "root", Used: amounts{"memory": 1<<53 + 1}},
		{Name: "b", Parent: "root", Used: amounts{"memory": 1 << 53}},
	}, quotatree.Options{})
	testkit.OK(t, err)
	a, b := tree.Share("a"), tree.Share("b")
	float := func(s quotatree.Share) float64 {
		ratio := s.Ratio.Rat()
		return float64(ratio.Num().Int64()) / float64(ratio.Denom().Int64())
	}
	if float(a) != float(b) || a.Compare(b) != 1 {
		t.Errorf("%v and %v compare as %d", a.Ratio, b.Ratio, a.Compare(b))
	}
}

// A resource of which there is nothing does not hide what is borrowed of others.
func TestShareBesideNothing(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root", Nominal: amounts{"memory": 8}}, {Name: "a", Parent: "root", Used: amounts{"cpu": 1, "memory": 2}},
	}, quotatree.Options{})
	testkit.OK(t, err)
	if s := tree.Share("a"); s.Resource != "memory" || s.Ratio != "1/4" {
		t.Errorf("%+v", s)
	}
}

// Of several unknown resources, the first by name is in the error.
func TestUnknownResources(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{{Name: "a", Max: amounts{"limited": 1}}}, quotatree.Options{})
	testkit.OK(t, err)
	if err := tree.Charge("a", amounts{"limited": 2}); err != nil {
		t.Error(err) // a node names it
	}
	for range 20 {
		for _, do := range []func(string, map[corev1.ResourceName]int64) error{tree.Charge, tree.Give} {
			err := do("a", amounts{"c": 1, "b": 1, "d": 1})
			if err == nil || !strings.Contains(err.Error(), "b=1") && !strings.Contains(err.Error(), `"b"`) {
				t.Fatal(err)
			}
		}
	}
}
