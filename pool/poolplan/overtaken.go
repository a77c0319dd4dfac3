package poolplan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// Overtaking is a waiting claim, and the later claims that are bound to what it waits for.
type Overtaking struct {
	Claim types.NamespacedName
	// Created is since when it waits, at most.
	Created metav1.Time
	// Obstacles are what it is short of.
	Obstacles []pool.Obstacle
	// By are the claims after it, in the order of pool.Compare, that are bound and have
	// some of what it is short of.
	By []types.NamespacedName
}

// Overtaken returns the first n of the claims that wait in state PoolExhausted, the one that
// waits longest first, each with those that passed it. In a queue without order anybody may;
// in an ordered one, only claims that were bound before it was created later on, or before
// the queue was ordered. With n below 1, and for a nil pool, there are none.
//
// Cost: that of pool.Allocate, and n times the claims.
func Overtaken(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, n int, o pool.Options) []Overtaking {
	var overtaken []Overtaking
	a := pool.Allocate(p, claims, o)
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range claims {
		if c.ClaimsFrom(p) {
			byName[c.Key()] = c
		}
	}
	record := pool.RecordOf(p)
	holds := func(c *pool.ResourcePoolClaim) corev1.ResourceList {
		if held, bound := record.Holds(c); bound && o.API == pool.Documented {
			return held
		}
		return c.Spec.Claim // newly bound, or resized to it
	}
	for i, d := range a.Decisions {
		if d.State != pool.PoolExhausted || len(overtaken) >= n {
			continue
		}
		overtaking := Overtaking{Claim: d.Claim, Created: *byName[d.Claim].CreationTimestamp.DeepCopy(), Obstacles: d.Obstacles}
		for _, later := range a.Decisions[i+1:] {
			if later.State == pool.Bound && hasSome(holds(byName[later.Claim]), d.Obstacles) {
				overtaking.By = append(overtaking.By, later.Claim)
			}
		}
		overtaken = append(overtaken, overtaking)
	}
	return overtaken
}

// hasSome reports whether amounts have any of the resources of obstacles.
func hasSome(amounts corev1.ResourceList, obstacles []pool.Obstacle) bool {
	return slices.ContainsFunc(obstacles, func(o pool.Obstacle) bool {
		q := amounts[o.Resource]
		return q.Sign() > 0
	})
}
