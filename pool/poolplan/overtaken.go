package poolplan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// Overtaking is a waiting claim, and the later claims that hold what it waits for.
type Overtaking struct {
	Claim types.NamespacedName `json:"claim,omitzero"`
	// Created is when the claim was created. It may have started to wait later.
	Created metav1.Time `json:"created,omitzero"`
	// Shortages are the resources that the claim is short of.
	Shortages []pool.Shortage `json:"shortages,omitempty"`
	// By are the later claims, in the order of the queue, that hold some of a
	// resource that the claim is short of.
	By []types.NamespacedName `json:"by,omitempty"`
}

// Overtaken returns the first n claims that wait in the state PoolExhausted, in the order of the
// queue, each with the claims that passed it. In an unordered queue, any later claim may pass; in
// an ordered one, only claims that were granted before the waiting claim was created, or before the
// queue was ordered. The result is empty if n is less than 1, or if the pool is nil.
//
// Cost: that of pool.Allocate, and n times the claims.
func Overtaken(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, n int, opts pool.Options) []Overtaking {
	var overtaken []Overtaking
	a := pool.Allocate(p, claims, opts)
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range claims {
		if c.ClaimsFrom(p) {
			byName[c.Key()] = c
		}
	}
	record := pool.RecordOf(p)
	holds := func(c *pool.ResourcePoolClaim) corev1.ResourceList {
		if held, holding := record.Holds(c); holding && opts.Documented {
			return held
		}
		return c.Spec.Claim // newly granted, or resized to it
	}
	for i, d := range a.Decisions {
		if d.State != pool.PoolExhausted || len(overtaken) >= n {
			continue
		}
		created := *byName[d.Claim].CreationTimestamp.DeepCopy()
		overtaking := Overtaking{Claim: d.Claim, Created: created, Shortages: d.Shortages}
		for _, later := range a.Decisions[i+1:] {
			if later.State == pool.Holding && hasSome(holds(byName[later.Claim]), d.Shortages) {
				overtaking.By = append(overtaking.By, later.Claim)
			}
		}
		overtaken = append(overtaken, overtaking)
	}
	return overtaken
}

// hasSome reports whether amounts have any of the resources of shortages.
func hasSome(amounts corev1.ResourceList, shortages []pool.Shortage) bool {
	return slices.ContainsFunc(shortages, func(o pool.Shortage) bool {
		q := amounts[o.Resource]
		return q.Sign() > 0
	})
}
