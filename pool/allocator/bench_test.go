package allocator_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

func newPool(name string, hard corev1.ResourceList) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name, p.Spec.Quota.Hard = name, hard
	return p
}

func newClaim(namespace, name string, second int, amounts corev1.ResourceList) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, UID: types.UID(namespace + "/" + name)}}
	c.CreationTimestamp = metav1.NewTime(midnight.Add(time.Duration(second) * time.Second))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: amounts}
	return c
}

// scene is a pool with waiting claims, and a cycle of events.
type scene struct {
	pool   *allocator.Allocator
	events []event
	full   func()
	bytes  float64 // per claim
}

type event struct {
	name string
	do   func()
}

// waiting returns the number of claims: a million, or a tenth of that with -short.
func waiting() int {
	if testing.Short() {
		return 100_000
	}
	return 1_000_000
}

func newScene(ordered bool, n int) scene {
	p, claims := testkit.ManyClaims(n, newPool, newClaim)
	p.Spec.Config.OrderedQueue = ordered
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	l := allocator.New(p, claims, pool.Options{Documented: true})
	runtime.GC()
	runtime.ReadMemStats(&after)

	larger := p.DeepCopy()
	for name, q := range larger.Spec.Quota.Hard {
		q.Add(resource.MustParse("1"))
		larger.Spec.Quota.Hard[name] = q
	}
	newcomer := newClaim("namespace-0", "newcomer", n/2, testkit.List("requests.cpu", "1M", "requests.memory", "1Ei")) // too much
	changed := newcomer.DeepCopy()
	changed.Spec.Claim = testkit.List("requests.cpu", "1M", "limits.cpu", "2M")
	var holders []types.NamespacedName // holding claims, to be released in turn
	for _, d := range l.Allocation().Decisions {
		if d.State == pool.Holding {
			holders = append(holders, d.Claim)
		}
	}
	set := func(c *pool.ResourcePoolClaim) func() {
		return func() {
			if _, err := l.Set(c); err != nil {
				panic(err)
			}
		}
	}
	return scene{
		pool: l,
		events: []event{
			{"create", set(newcomer)},
			{"change", set(changed)},
			{"delete", func() { l.Delete(types.NamespacedName{Namespace: "namespace-0", Name: "newcomer"}) }},
			{"release", func() { holders = append(holders[1:], l.Release(holders[0])...) }},
			{"grow", func() { l.SetPool(larger) }},
			{"shrink", func() { l.SetPool(p) }},
		},
		full:  func() { pool.Allocate(p, claims, pool.Options{Documented: true}) },
		bytes: float64(after.HeapAlloc-before.HeapAlloc) / float64(n),
	}
}

// BenchmarkEvent measures each event on a pool with a million waiting claims, and reports how
// many times longer pool.Allocate takes for them.
func BenchmarkEvent(b *testing.B) {
	for _, ordered := range []bool{false, true} {
		b.Run(fmt.Sprintf("ordered=%v", ordered), func(b *testing.B) {
			s := newScene(ordered, waiting())
			start := time.Now()
			s.full()
			full := time.Since(start)
			spent := make([]time.Duration, len(s.events))
			rounds := 0
			for b.Loop() {
				rounds++
				for i, e := range s.events {
					start := time.Now()
					e.do()
					spent[i] += time.Since(start)
				}
			}
			slowest := time.Duration(0)
			for i, e := range s.events {
				each := spent[i] / time.Duration(rounds)
				slowest = max(slowest, each)
				b.ReportMetric(float64(each.Nanoseconds()), "ns/"+e.name)
			}
			_, left := allocator.Counts(s.pool)
			b.ReportMetric(float64(full)/float64(slowest), "full/slowest")
			b.ReportMetric(float64(full.Milliseconds()), "ms/full")
			b.ReportMetric(float64(left), "waiting")
			b.ReportMetric(s.bytes, "bytes/claim")
		})
	}
}
