package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

var statusSink pool.ResourcePoolStatus

// poolRows are about the status of a pool: beside the loop of an author of a controller, who has a list of claims and
// knows which of them are bound. It has no exhaustions and no conditions.
func poolRows() []measure.Row {
	const n = 1000
	p := newPool("sampler", testkit.List("requests.cpu", strconv.Itoa(n), "requests.memory", strconv.Itoa(n)+"Gi"))
	claims := make([]*pool.ResourcePoolClaim, n)
	var namespaces []string
	for i := range claims {
		claims[i] = newClaim(fmt.Sprint("namespace-", i%50), fmt.Sprint("claim-", i), i*7919%n,
			testkit.List("requests.cpu", fmt.Sprint(1+i%4), "requests.memory", fmt.Sprint(1+i%4, "Gi")))
	}
	for i := range 50 {
		namespaces = append(namespaces, fmt.Sprint("namespace-", i))
	}
	allocation := pool.Allocate(p, claims, pool.Options{})
	allocation.Apply(p, claims, namespaces, testkit.Now(), pool.Options{})
	return []measure.Row{{
		Kernel: fmt.Sprintf("status of a pool with %d claims", n), Rival: "written by hand, without exhaustions", AtLeast: 1.5, Aim: 2, Allocs: 1500,
		Floor: func() {
			for _, c := range claims {
				floorSink += int64(len(c.Spec.Claim))
				usedSink = maps.Clone(c.Spec.Claim)
			}
		},
		Above:  "the claims that wait, what they wait for, the conditions, and the records in order",
		Ours:   func() { statusSink = allocation.Status(p, claims, namespaces, testkit.Now(), pool.Options{}) },
		Theirs: func() { statusSink = statusByHand(p, claims, namespaces) },
	}}
}

// statusByHand returns what bound claims use of a pool.
func statusByHand(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, namespaces []string) (s pool.ResourcePoolStatus) {
	s.Namespaces, s.NamespaceCount = slices.Sorted(slices.Values(namespaces)), len(namespaces)
	s.Claims = map[string][]pool.RecordedClaim{}
	s.Allocation = pool.AllocationStatus{Hard: p.Spec.Quota.Hard.DeepCopy(), Claimed: corev1.ResourceList{}, Available: corev1.ResourceList{}}
	for _, c := range claims {
		if !c.Holding() {
			continue
		}
		s.ClaimCount++
		s.Claims[c.Namespace] = append(s.Claims[c.Namespace], pool.RecordedClaim{Name: c.Name, UID: c.UID, Claims: c.Spec.Claim.DeepCopy()})
		for name, q := range c.Spec.Claim {
			sum := s.Allocation.Claimed[name]
			sum.Add(q)
			s.Allocation.Claimed[name] = sum
		}
	}
	for _, list := range s.Claims {
		slices.SortFunc(list, func(a, b pool.RecordedClaim) int { return cmp.Compare(a.Name, b.Name) })
	}
	for name, hard := range s.Allocation.Hard {
		free := hard.DeepCopy()
		free.Sub(s.Allocation.Claimed[name])
		s.Allocation.Available[name] = free
	}
	return s
}
