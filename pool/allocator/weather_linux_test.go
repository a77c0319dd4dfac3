package allocator_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// many returns the number of claims of the tests in this file: the value of the environment
// variable KUBEMATH_CLAIMS, or a number that is small enough for every run.
func many() int {
	if n, err := strconv.Atoi(os.Getenv("KUBEMATH_CLAIMS")); err == nil {
		return n
	}
	return 7_000
}

var fourResources = []corev1.ResourceName{"limits.cpu", "requests.cpu", "requests.memory", "pods"}

func dozen() (names []corev1.ResourceName) {
	for i := range 12 {
		names = append(names, corev1.ResourceName(fmt.Sprintf("example.com/resource-%02d", i)))
	}
	return names
}

// claimOf returns a claim with a name of 20 bytes and a UID in the format of the API server.
func claimOf(i, n int, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
	c := newClaim(fmt.Sprintf("namespace-%010d", i%(n/100+1)), fmt.Sprintf("claim-%014d", i), i*7919%n, amounts)
	c.UID = types.UID(fmt.Sprintf("%08x-1111-4222-8333-%012x", i, i))
	return c
}

// someAmounts draws amounts from 1 to 1000, of all resources or of a random subset.
func someAmounts(draw *rand.Rand, names []corev1.ResourceName, subset bool) corev1.ResourceList {
	list := corev1.ResourceList{}
	for len(list) == 0 {
		for _, name := range names {
			if !subset || draw.IntN(2) == 0 {
				list[name] = *resource.NewQuantity(draw.Int64N(1000)+1, resource.DecimalSI)
			}
		}
	}
	return list
}

// halfHolding is a pool that has enough for half of its claims, which want random amounts.
func halfHolding(n int, ordered bool, names []corev1.ResourceName, subset bool) []measure.Event {
	draw := rand.New(rand.NewPCG(1, uint64(n)))
	hard := corev1.ResourceList{}
	share := int64(n) * 500 / 2
	if subset {
		share /= 2
	}
	for _, name := range names {
		hard[name] = *resource.NewQuantity(share, resource.DecimalSI)
	}
	claims := make([]*pool.ResourcePoolClaim, n)
	for i := range claims {
		claims[i] = claimOf(i, n, someAmounts(draw, names, subset))
	}
	p := newPool("sampler", hard)
	p.Spec.Config.OrderedQueue = ordered
	live := allocator.New(p, claims, pool.Options{})
	claims = nil
	some := func() types.NamespacedName { return claimOf(draw.IntN(n), n, nil).Key() }
	next := n
	set := func(i int) func() int {
		c := claimOf(i, n, someAmounts(draw, names, subset))
		return func() int {
			granted, err := live.Set(c)
			if err != nil {
				panic(err)
			}
			return len(granted)
		}
	}
	sizes := [2]*pool.ResourcePool{p.DeepCopy(), p.DeepCopy()}
	grown := sizes[1].Spec.Quota.Hard[names[len(names)-1]]
	grown.Add(resource.MustParse("100"))
	sizes[1].Spec.Quota.Hard[names[len(names)-1]] = grown
	size := 0
	return []measure.Event{
		{Name: "create", Draw: func() func() int { next++; return set(next) }},
		{Name: "delete", Draw: func() func() int { name := some(); return func() int { return len(live.Delete(name)) } }},
		{Name: "release", Draw: func() func() int { name := some(); return func() int { return len(live.Release(name)) } }},
		{Name: "edit", Draw: func() func() int { return set(draw.IntN(n)) }},
		{Name: "pool", Draw: func() func() int {
			size = 1 - size
			return func() int { return len(live.SetPool(sizes[size])) }
		}},
	}
}

// flips is a pool on which all claims want large amounts of two resources. There is too little of
// one of them, in alternation. If mixed, half of the claims want the first two resources, and the
// others the first and the third. No claim is ever holding.
func flips(n int, ordered, mixed bool) []measure.Event {
	draw := rand.New(rand.NewPCG(2, uint64(n)))
	amount := func(from int64) resource.Quantity {
		return *resource.NewQuantity(from+draw.Int64N(1000), resource.DecimalSI)
	}
	claims := make([]*pool.ResourcePoolClaim, n)
	for i := range claims {
		second, third := int64(1_000_000), int64(1)
		if mixed && i%2 == 0 {
			second, third = third, second
		}
		claims[i] = claimOf(i, n, corev1.ResourceList{"limits.cpu": amount(1_000_000), "requests.cpu": amount(second), "requests.memory": amount(third), "pods": amount(1)})
	}
	pools := [2]*pool.ResourcePool{
		newPool("sampler", testkit.List("limits.cpu", "100k", "requests.cpu", "1G", "requests.memory", "1G", "pods", "1G")),
		newPool("sampler", testkit.List("limits.cpu", "1G", "requests.cpu", "100k", "requests.memory", "100k", "pods", "1G")),
	}
	if !mixed {
		pools[1].Spec.Quota.Hard["requests.memory"] = resource.MustParse("1G")
	}
	for _, p := range pools {
		p.Spec.Config.OrderedQueue = ordered
	}
	live := allocator.New(pools[0], claims, pool.Options{})
	at := 0
	return []measure.Event{{Name: "pool", Draw: func() func() int {
		at = 1 - at
		return func() int { return len(live.SetPool(pools[at])) }
	}}}
}

func weathers(n int) (all []measure.Events) {
	for _, ordered := range []bool{false, true} {
		add := func(subject string, prepare func() []measure.Event) {
			all = append(all, measure.Events{Subject: fmt.Sprintf("%s, ordered=%v", subject, ordered), Prepare: sync.OnceValue(prepare)})
		}
		add("4 resources", func() []measure.Event { return halfHolding(n, ordered, fourResources, false) })
		add("12 resources", func() []measure.Event { return halfHolding(n, ordered, dozen(), true) })
		add("flips, mixed=false", func() []measure.Event { return flips(n, ordered, false) })
		add("flips, mixed=true", func() []measure.Event { return flips(n, ordered, true) })
	}
	return all
}

// BenchmarkWeather reports measure.EventResult for each kind of event.
func BenchmarkWeather(b *testing.B) {
	for _, w := range weathers(many()) {
		b.Run(w.Subject, func(b *testing.B) {
			w.Prepare()
			b.ResetTimer()
			results := measure.RunEvents([]measure.Events{w}, b.N)
			b.ReportMetric(0, "ns/op")
			for _, r := range results {
				b.ReportMetric(r.P50/1000, "µs-p50/"+r.Event)
				b.ReportMetric(r.P99/1000, "µs-p99/"+r.Event)
				b.ReportMetric(r.Worst/1000, "µs-worst/"+r.Event)
				b.ReportMetric(r.P99ByDecision/1000, "µs-p99-by-decision/"+r.Event)
				b.ReportMetric(float64(r.MostChanged), "most-changed/"+r.Event)
			}
		})
	}
}

// A claim with four resources takes at most 750 bytes, holding or waiting, in either queue, after its object
// has been freed. A claim with half of twelve resources takes at most 1,000.
func TestMemoryOfAClaim(t *testing.T) {
	if measure.Race {
		t.Skip("the race detector takes memory, too")
	}
	for _, names := range [][]corev1.ResourceName{fourResources, dozen()} {
		for _, ordered := range []bool{false, true} {
			for _, holding := range []bool{false, true} {
				n := many()
				draw := rand.New(rand.NewPCG(3, uint64(n)))
				kinds := make([]corev1.ResourceList, n/12) // as a million claims on half of twelve resources are of 4,095 kinds, at least twelve of each
				for i := range kinds {
					kinds[i] = someAmounts(draw, names, len(names) == 12)
				}
				p := newPool("sampler", corev1.ResourceList{})
				p.Spec.Config.OrderedQueue = ordered
				for _, name := range names {
					p.Spec.Quota.Hard[name] = resource.MustParse("1")
					if holding {
						p.Spec.Quota.Hard[name] = resource.MustParse("1E")
					}
				}
				before := heap()
				live := allocator.New(p, nil, pool.Options{})
				for i := range n {
					amounts := kinds[i%len(kinds)].DeepCopy()
					for name := range amounts {
						amounts[name] = *resource.NewQuantity(2+draw.Int64N(1000), resource.DecimalSI)
					}
					if _, err := live.Set(claimOf(i, n, amounts)); err != nil {
						t.Fatal(err)
					}
				}
				each := float64(heap()-before) / float64(n)
				if got, _ := allocator.Counts(live); holding != (got == n) {
					t.Fatalf("%d of %d are holding", got, n)
				}
				what := fmt.Sprintf("%d resources, ordered=%v, holding=%v: %.0f bytes a claim", len(names), ordered, holding, each)
				t.Log(what)
				if each > map[int]float64{4: 750, 12: 1000}[len(names)] {
					t.Error(what)
				}
			}
		}
	}
}

func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}
