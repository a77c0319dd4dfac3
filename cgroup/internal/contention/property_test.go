package contention_test

import (
	"errors"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/internal/contention"
	"github.com/kubemath/kubemath/internal/testkit"
)

func amount(most int64) *rapid.Generator[*big.Rat] {
	return rapid.Custom(func(t *rapid.T) *big.Rat {
		return big.NewRat(rapid.Int64Range(0, most).Draw(t, "numerator"), rapid.SampledFrom([]int64{1, 1, 1, 2, 3, 1000}).Draw(t, "denominator"))
	})
}

// tree draws groups on a few levels: bounded, unbounded and idle ones.
func tree(levels int) *rapid.Generator[group] {
	return rapid.Custom(func(t *rapid.T) group {
		g := group{Weight: rapid.OneOf(rapid.Int64Range(1, 5), rapid.Int64Range(1, 262144)).Draw(t, "weight")}
		if rapid.Bool().Draw(t, "bounded") {
			g.Most = amount(20).Draw(t, "most")
		}
		if levels > 0 && rapid.IntRange(0, 3).Draw(t, "leaf") > 0 {
			g.Children = rapid.SliceOfN(tree(levels-1), 0, 5).Draw(t, "children")
		}
		return g
	})
}

func TestDivideEqualsSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, capacity := tree(3).Draw(t, "tree"), amount(60).Draw(t, "capacity")
		testkit.Contract(t, func() any {
			share, err := contention.Divide(capacity, root)
			return []any{share, err}
		}, capacity, root)
		child := root
		child.Weight = 0
		idle := group{Weight: 1, Children: []group{child}}
		testkit.Contract(t, func() any {
			_, err := contention.Divide(capacity, idle)
			var refused *contention.GroupError
			if !errors.As(err, &refused) {
				t.Fatalf("a weight of zero: %v", err)
			}
			return []any{err, refused.Error()}
		}, capacity, idle)
		share, err := contention.Divide(capacity, root)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(slowDivide(capacity, root), share, compareRats); diff != "" {
			t.Fatalf("-slow +kubemath:\n%s", diff)
		}
		if share.CPU.Cmp(capacity) > 0 {
			t.Fatalf("%v of %v given out", share.CPU, capacity)
		}
		checkShare(t, root, share)
		checkOwned(t, share, map[*big.Rat]bool{capacity: true})
	})
}

// checkShare checks that the children of a group together get what the group gets, that no group gets
// more than it can use, and that groups that could use more have the same amount by weight, which is not
// below that of any other group.
func checkShare(t *rapid.T, g group, s contention.Share) {
	if g.Most != nil && s.CPU.Cmp(g.Most) > 0 {
		t.Fatalf("%v is more than %v", s.CPU, g.Most)
	}
	if len(g.Children) == 0 {
		return
	}
	sum := new(big.Rat)
	for _, c := range s.Children {
		sum.Add(sum, c.CPU)
	}
	if sum.Cmp(s.CPU) != 0 {
		t.Fatalf("children get %v of %v", sum, s.CPU)
	}
	perWeight := func(i int) *big.Rat { return new(big.Rat).Quo(s.Children[i].CPU, big.NewRat(g.Children[i].Weight, 1)) }
	for i := range g.Children {
		for j := range g.Children {
			if hungry(g.Children[i], s.Children[i]) && perWeight(i).Cmp(perWeight(j)) < 0 {
				t.Fatalf("child %d could use more, and has less for its weight than child %d", i, j)
			}
		}
		checkShare(t, g.Children[i], s.Children[i])
	}
}

// hungry reports whether a group could use more than it has.
func hungry(g group, s contention.Share) bool {
	if g.Most != nil && s.CPU.Cmp(g.Most) >= 0 {
		return false
	}
	for i := range g.Children {
		if hungry(g.Children[i], s.Children[i]) {
			return true
		}
	}
	return len(g.Children) == 0
}

// checkOwned checks that no two amounts share memory.
func checkOwned(t *rapid.T, s contention.Share, seen map[*big.Rat]bool) {
	if seen[s.CPU] {
		t.Fatal("an amount is shared")
	}
	seen[s.CPU] = true
	for _, c := range s.Children {
		checkOwned(t, c, seen)
	}
}

// The result depends only on the proportions of the weights of siblings, and not on their order.
func TestWeightsScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, capacity := tree(3).Draw(t, "tree"), amount(60).Draw(t, "capacity")
		want, err := contention.Divide(capacity, root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := contention.Divide(capacity, scaled(t, root))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, reversed(got), compareRats); diff != "" {
			t.Fatalf("-as drawn +scaled:\n%s", diff)
		}
	})
}

// scaled returns g with the weights of siblings multiplied, and their order reversed.
func scaled(t *rapid.T, g group) group {
	by := rapid.Int64Range(1, 1000).Draw(t, "factor")
	r := group{Weight: g.Weight, Most: g.Most}
	for i := len(g.Children) - 1; i >= 0; i-- {
		c := scaled(t, g.Children[i])
		c.Weight *= by
		r.Children = append(r.Children, c)
	}
	return r
}

func reversed(s contention.Share) contention.Share {
	r := contention.Share{CPU: s.CPU, Children: []contention.Share{}}
	for i := len(s.Children) - 1; i >= 0; i-- {
		r.Children = append(r.Children, reversed(s.Children[i]))
	}
	return r
}

// Multiplying all amounts multiplies the result.
func TestAmountsScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root, capacity := tree(2).Draw(t, "tree"), amount(60).Draw(t, "capacity")
		by := big.NewRat(rapid.Int64Range(1, 1000).Draw(t, "factor"), 7)
		share, err := contention.Divide(capacity, root)
		if err != nil {
			t.Fatal(err)
		}
		got, err := contention.Divide(new(big.Rat).Mul(capacity, by), multiplied(root, by))
		if err != nil {
			t.Fatal(err)
		}
		want := flat(share)
		for i := range want {
			want[i] = new(big.Rat).Mul(rat(want[i]), by).RatString()
		}
		if diff := cmp.Diff(want, flat(got)); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	})
}

func multiplied(g group, by *big.Rat) group {
	r := group{Weight: g.Weight}
	if g.Most != nil {
		r.Most = new(big.Rat).Mul(g.Most, by)
	}
	for _, c := range g.Children {
		r.Children = append(r.Children, multiplied(c, by))
	}
	return r
}
