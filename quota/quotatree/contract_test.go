package quotatree_test

import (
	"errors"
	"testing"

	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/quota/quotatree"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tree, nodes := drawTree(t, huge, 4)
		holders, request := drawHolders(t, nodes)
		charged(t, tree, nodes, holders)
		policy, demand := drawPolicy(t), drawDemand(t, newSlow(nodes), huge)
		n := request.Node
		changed := func(change func(*quotatree.Tree) error) func() any {
			return func() any {
				other := tree.Clone()
				err := change(other)
				return []any{err, other.State(n, "cpu"), tree.State(n, "cpu")}
			}
		}
		for _, call := range []func() any{
			func() any { _, err := quotatree.New(nodes, quotatree.Options{}); return err },
			func() any { return tree.State(n, "cpu") },
			func() any { return tree.Shortages(n, request.Amounts) },
			func() any { return tree.Share(n) },
			func() any { return tree.Share(n).Compare(tree.Share(nodes[0].Name)) },
			func() any { return tree.FairShares("cpu", demand) },
			func() any { got, err := tree.Reclaim(request, holders, policy); return []any{got, err} },
			func() any {
				var texts []string
				for _, short := range tree.Shortages(n, request.Amounts) {
					texts = append(texts, (*quotatree.Shortage).Error(short))
				}
				return texts
			},
			changed(func(other *quotatree.Tree) error { return other.Take(n, request.Amounts) }),
			changed(func(other *quotatree.Tree) error { return other.Charge(n, request.Amounts) }),
			changed(func(other *quotatree.Tree) error { return other.Give(n, request.Amounts) }),
		} {
			testkit.Contract(t, call, tree, nodes, holders, request, policy, demand)
		}
	})
}

// A tree does not change with the nodes that it was made of, or with its clone.
func TestTreeOwnsItsMemory(t *testing.T) {
	nodes := []quotatree.Node{{Name: "a", Nominal: amounts{"cpu": 5}, Weight: quantityOf("1")}}
	tree, err := quotatree.New(nodes, quotatree.Options{})
	testkit.OK(t, err)
	nodes[0].Nominal["cpu"], nodes[0].Name = 0, "b"
	if err := tree.Clone().Take("a", amounts{"cpu": 5}); err != nil {
		t.Error(err)
	}
	if got := tree.State("a", "cpu"); got != (quotatree.State{Quota: 5, Available: 5, Potential: 5}) {
		t.Errorf("%+v", got)
	}
}

func TestUnknown(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{{Name: "a", Nominal: amounts{"cpu": 5}, Used: amounts{"cpu": 2}}}, quotatree.Options{})
	testkit.OK(t, err)
	for _, tree := range []*quotatree.Tree{nil, tree} {
		for _, change := range []func(string, map[corev1.ResourceName]int64) error{tree.Take, tree.Charge, tree.Give} {
			if err := change("b", nil); err == nil || err.Error() != `quotatree: node "b" not found` || !errors.Is(err, computeresources.ErrNotFound) {
				t.Error(err)
			}
		}
		if got := tree.State("b", "cpu"); got != (quotatree.State{}) {
			t.Errorf("%+v", got)
		}
		if _, err := tree.Reclaim(quotatree.Holder{Node: "b"}, nil, quotatree.Policy{}); !errors.Is(err, computeresources.ErrNotFound) {
			t.Error(err)
		}
		if clone := tree.Clone(); (clone == nil) != (tree == nil) {
			t.Error("a clone")
		}
	}
	if got := (*quotatree.Tree)(nil).FairShares("cpu", nil); got != nil {
		t.Errorf("%v", got)
	}
	if got := tree.FairShares("memory", map[string]int64{"a": 1}); len(got) != 1 || got["a"] != "0" {
		t.Errorf("%v", got)
	}
	if got := tree.State("a", "memory"); got != (quotatree.State{}) {
		t.Errorf("%+v", got)
	}
	if set, ok := reclaim(t, tree, quotatree.Holder{Node: "a", Amounts: amounts{"memory": 1}}, nil, quotatree.Policy{}); set != nil || ok {
		t.Errorf("%v, %v", set, ok)
	}
	for _, test := range []struct {
		name   string
		change func(string, map[corev1.ResourceName]int64) error
		a      amounts
		want   string
	}{
		{"a negative amount of a resource that no node names", tree.Take, amounts{"disks": -1}, "quotatree: negative amount disks=-1"},
		{"a negative amount, the first by name", tree.Take, amounts{"memory": -1, "cpu": -2, "pods": 9}, "quotatree: negative amount cpu=-2"},
		{"takes what no node names", tree.Take, amounts{"pods": 1, "memory": 1, "cpu": 1}, "[quotatree: a requests memory=1, available: 0: nominal of a, quotatree: a requests pods=1, available: 0: nominal of a]"},
		{"charges what no node names", tree.Charge, amounts{"pods": 1, "memory": 1, "cpu": 1}, `quotatree: a: resource "memory" is not defined by any node`},
		{"charges too much", tree.Charge, amounts{"cpu": 1<<62 - 2}, `quotatree: a: usage of "cpu" in a would overflow`},
		{"gives what no node names", tree.Give, amounts{"memory": 1, "cpu": 1}, "quotatree: a: cannot release memory=1: only 0 in use"},
		{"gives more than it holds", tree.Give, amounts{"cpu": 3}, "quotatree: a: cannot release cpu=3: only 2 in use"},
		{"zero of anything", tree.Give, amounts{"memory": 0, "cpu": 0}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			err := test.change("a", test.a)
			if got := tree.State("a", "cpu"); got.Held != 2 {
				t.Errorf("it has changed: %+v", got)
			}
			if text := ""; err != nil {
				if text = err.Error(); text != test.want {
					t.Errorf("%s, want %s", text, test.want)
				}
			} else if test.want != "" {
				t.Error("no error")
			}
		})
	}
	if err := tree.Charge("a", amounts{"cpu": 1<<62 - 3}); err != nil {
		t.Error(err)
	}
}

// What the nodes of a tree hold together stays below 2^62, also what a node does not lend.
func TestChargeOfSiblings(t *testing.T) {
	tree, err := quotatree.New([]quotatree.Node{
		{Name: "root"}, {Name: "a", Parent: "root", Nominal: amounts{"cpu": 5}, LendingLimit: amounts{"cpu": 0}, Used: amounts{"cpu": 1 << 61}}, {Name: "b", Parent: "root"},
	}, quotatree.Options{})
	testkit.OK(t, err)
	if err := tree.Charge("b", amounts{"cpu": 1 << 61}); err == nil || err.Error() != `quotatree: b: usage of "cpu" in root would overflow` {
		t.Error(err)
	}
	testkit.OK(t, tree.Charge("b", amounts{"cpu": 1<<61 - 1}))
	if err := tree.Give("root", amounts{"cpu": 1}); err == nil || err.Error() != "quotatree: root: cannot release cpu=1: only 0 in use" {
		t.Error(err)
	}
	testkit.Equal(t, tree.State("root", "cpu"), quotatree.State{Held: 1<<62 - 1, Usage: 1<<62 - 6, Available: 6 - 1<<62})
}

// A tree of one node grants what a pool grants to its claims, in the order of its queue.
func TestOneNodeIsAPool(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "pool"}}
		list := func(a amounts) corev1.ResourceList {
			l := corev1.ResourceList{}
			for r, v := range a {
				l[r] = *resource.NewQuantity(v, resource.DecimalSI)
			}
			return l
		}
		hard := drawAmounts(t, small, 1)
		p.Spec.Quota.Hard = list(hard)
		tree, err := quotatree.New([]quotatree.Node{{Name: "pool", Nominal: hard}}, quotatree.Options{})
		testkit.OK(t, err)
		var claims []*pool.ResourcePoolClaim
		requested := map[string]amounts{}
		for i := range rapid.IntRange(0, 6).Draw(t, "claims") {
			c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Name: string(rune('a' + i)), Namespace: "n"}}
			requested[c.Name] = drawAmounts(t, small, 2)
			c.Spec.Pool, c.Spec.Claim = "pool", list(requested[c.Name])
			claims = append(claims, c)
		}
		allocation := pool.Allocate(p, claims, pool.Options{})
		for _, d := range allocation.Decisions {
			if err := tree.Take("pool", requested[d.Claim.Name]); (err == nil) != (d.State == pool.Holding) {
				t.Fatalf("%s is %s, and %v", d.Claim.Name, d.State, err)
			}
		}
		for r, q := range allocation.Available {
			if got := tree.State("pool", r).Available; got != q.Value() {
				t.Fatalf("%d %s are available, of the pool %s", got, r, q.String())
			}
		}
	})
}
