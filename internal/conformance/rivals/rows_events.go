package main

import (
	"fmt"
	"math/rand/v2"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// eventRows are about events of a pool with a million claims, half of which it has room for.
func eventRows() []measure.Events {
	return []measure.Events{
		{Subject: "a queue without order", Prepare: func() []measure.Event { return eventsOfHalfBound(1_000_000, false) }},
		{Subject: "an ordered queue", Prepare: func() []measure.Event { return eventsOfHalfBound(1_000_000, true) }},
	}
}

func eventsOfHalfBound(n int, ordered bool) []measure.Event {
	draw := rand.New(rand.NewPCG(1, uint64(n)))
	names := []corev1.ResourceName{"limits.cpu", "requests.cpu", "requests.memory", "pods"}
	claim := func(i int) *pool.ResourcePoolClaim {
		list := corev1.ResourceList{}
		for _, name := range names {
			list[name] = *resource.NewQuantity(draw.Int64N(1000)+1, resource.DecimalSI)
		}
		return newClaim(fmt.Sprintf("namespace-%d", i%(n/100)), fmt.Sprintf("claim-%d", i), i*7919%n, list)
	}
	p, claims := newPool("sampler", corev1.ResourceList{}), make([]*pool.ResourcePoolClaim, n)
	for i := range claims {
		claims[i] = claim(i)
	}
	for _, name := range names {
		p.Spec.Quota.Hard[name] = *resource.NewQuantity(int64(n)*250, resource.DecimalSI)
	}
	p.Spec.Config.OrderedQueue = ordered
	l := allocator.New(p, claims, pool.Options{})
	larger, next, grown := p.DeepCopy(), n, false
	larger.Spec.Quota.Hard["pods"] = *resource.NewQuantity(int64(n)*250+100, resource.DecimalSI)
	set := func(c *pool.ResourcePoolClaim) func() int {
		return func() int {
			granted, err := l.Set(c)
			if err != nil {
				panic(err)
			}
			return len(granted)
		}
	}
	return []measure.Event{
		{Name: "a claim is created", Draw: func() func() int { next++; return set(claim(next)) }},
		{Name: "one is deleted", Draw: func() func() int { name := claim(draw.IntN(n)).Key(); return func() int { return len(l.Delete(name)) } }},
		{Name: "one is released", Draw: func() func() int {
			name := claim(draw.IntN(n)).Key()
			return func() int { return len(l.Release(name)) }
		}},
		{Name: "one is edited", Draw: func() func() int { return set(claim(draw.IntN(n))) }},
		{Name: "the pool changes a bit", Draw: func() func() int {
			grown = !grown
			if grown {
				return func() int { return len(l.SetPool(larger)) }
			}
			return func() int { return len(l.SetPool(p)) }
		}},
	}
}
