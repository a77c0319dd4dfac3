package allocator_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// With enough claims for several blocks, the same claims are holding in the same order as by pool.Allocate after
// any events, and the summaries of all blocks are correct.
func TestManyClaimsEqualAllocate(t *testing.T) {
	const n = 400
	for _, test := range []struct {
		name      string
		resources int
		amount    func(draw *rand.Rand, i int) int64
		subset    bool
		share     int64 // of the sum of all
	}{
		{"four resources", 4, func(draw *rand.Rand, i int) int64 { return 1 + draw.Int64N(1000) }, false, 2},
		{"subsets of twelve", 12, func(draw *rand.Rand, i int) int64 { return 1 + draw.Int64N(1000) }, true, 4},
		{"twenty resources, some of them without a column", 20, func(draw *rand.Rand, i int) int64 { return 1 + draw.Int64N(9) }, true, 4},
		{"three sizes", 2, func(draw *rand.Rand, i int) int64 { return []int64{1, 500, 500_000}[draw.IntN(3)] }, false, 3},
		{"all the same", 2, func(*rand.Rand, int) int64 { return 7 }, false, 2},
		{"amounts that differ by little", 2, func(draw *rand.Rand, i int) int64 { return 1_000_000_000 + draw.Int64N(3000) }, false, 2},
	} {
		t.Run(test.name, func(t *testing.T) {
			draw := rand.New(rand.NewPCG(7, n))
			amounts := func() corev1.ResourceList {
				list := corev1.ResourceList{}
				for len(list) == 0 {
					for i := range test.resources {
						if !test.subset || draw.IntN(2) == 0 {
							list[corev1.ResourceName(fmt.Sprintf("example.com/resource-%02d", i))] = *resource.NewQuantity(test.amount(draw, i), resource.DecimalSI)
						}
					}
				}
				return list
			}
			p := newPool("sampler", nil)
			p.Spec.Quota.Hard = corev1.ResourceList{}
			w := &world{Rand: draw, options: pool.Options{}, pool: p, claims: map[types.NamespacedName]*pool.ResourcePoolClaim{}, seen: map[string]int{}}
			sum := map[corev1.ResourceName]int64{}
			var all []*pool.ResourcePoolClaim
			create := func(i int) *pool.ResourcePoolClaim {
				c := newClaim(fmt.Sprint("ns-", i%3), fmt.Sprint("claim-", i), draw.IntN(n), amounts())
				w.claims[c.Key()] = c
				return c
			}
			for i := range n {
				c := create(i)
				all = append(all, c)
				for name, q := range c.Spec.Claim {
					sum[name] += q.Value()
				}
			}
			for name, total := range sum {
				p.Spec.Quota.Hard[name] = *resource.NewQuantity(total/test.share, resource.DecimalSI)
			}
			w.live = allocator.New(p, all, w.options)
			w.reconcile()
			w.compare(t, 0, "New")
			if blocks := allocator.Blocks(w.live); blocks < 2 {
				t.Errorf("the queue has %d blocks", blocks)
			}
			rounds := events() / 250
			next, names := n, make([]types.NamespacedName, 0, len(all))
			for _, c := range all {
				names = append(names, c.Key())
			}
			for round := range rounds {
				var live []types.NamespacedName
				name := names[draw.IntN(len(names))]
				old := w.claims[name]
				what := round % 7
				switch {
				case what == 0 || old == nil:
					next++
					c := create(next)
					names = append(names, c.Key())
					live, _ = w.live.Set(c)
				case what == 1:
					delete(w.claims, name)
					live = w.live.Delete(name)
				case what == 2:
					live = w.live.Release(name)
					if old.Holding() {
						old.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
					}
				case what == 3:
					c := old.DeepCopy()
					c.Spec.Claim = amounts()
					live, _ = w.live.Set(c)
					w.claims[name] = c
				case what == 4: // many together
					w.pool = w.pool.DeepCopy()
					for name, q := range w.pool.Spec.Quota.Hard {
						w.pool.Spec.Quota.Hard[name] = *resource.NewQuantity(q.Value()+sum[name]/100, resource.DecimalSI)
					}
					live = w.live.SetPool(w.pool)
				case what == 6: // many edits, which the allocator sees after a restart
					for range 20 {
						if c := w.claims[names[draw.IntN(len(names))]]; c != nil {
							c.Spec.Claim = amounts()
						}
					}
					w.live = allocator.New(w.pool, w.list(), w.options)
					w.reconcile()
					w.compare(t, 0, "edits and a restart")
				case what == 5: // so many that blocks shrink
					live = nil
					for range 40 {
						name := names[draw.IntN(len(names))]
						if c := w.claims[name]; c != nil && !c.Holding() {
							delete(w.claims, name)
							live = append(live, w.live.Delete(name)...)
						}
					}
				}
				if diff := cmp.Diff(w.reconcile(), live); diff != "" {
					t.Fatalf("round %d, event %d: holding (-batch +live):\n%s", round, what, diff)
				}
				if err := allocator.Check(w.live); err != nil {
					t.Fatalf("round %d, event %d: %v", round, what, err)
				}
			}
			w.compare(t, 0, "the last event")
		})
	}
}

// The summaries of all blocks stay correct while the queue grows and shrinks, and there are no blocks at the end.
func TestQueueGrowsAndShrinks(t *testing.T) {
	for _, order := range []string{"at random", "in turn", "against turn"} {
		draw := rand.New(rand.NewPCG(3, 1))
		p := newPool("sampler", testkit.List("pods", "0", "limits.cpu", "5"))
		l := allocator.New(p, nil, pool.Options{})
		var names []types.NamespacedName
		most := 0
		for i := range 3_000 {
			second := map[string]int{"in turn": i, "against turn": -i, "at random": draw.IntN(1000)}[order]
			c := newClaim("a", fmt.Sprintf("c-%05d", i), second, corev1.ResourceList{
				"pods": *resource.NewQuantity(1+draw.Int64N(50), ""), "limits.cpu": *resource.NewQuantity(draw.Int64N(1<<draw.IntN(20)), ""),
			})
			names = append(names, c.Key())
			granted, err := l.Set(c)
			if granted != nil || err != nil {
				t.Fatal(granted, err)
			}
			most = max(most, allocator.Blocks(l))
			if i%250 == 0 {
				if err := allocator.Check(l); err != nil {
					t.Fatalf("%s, %d claims: %v", order, i, err)
				}
			}
		}
		if most < 24 || order == "in turn" && most > 24 {
			t.Errorf("%s: %d blocks", order, most)
		}
		draw.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		for i, name := range names {
			if granted := l.Delete(name); granted != nil {
				t.Fatal(granted)
			}
			if (i+1)%100 == 0 {
				if err := allocator.Check(l); err != nil {
					t.Fatalf("%s, %d claims deleted: %v", order, i+1, err)
				}
			}
		}
		if blocks := allocator.Blocks(l); blocks != 0 {
			t.Errorf("%s: %d blocks without claims", order, blocks)
		}
	}
}
