package poolplan

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

// ReleaseSets are sets of holding claims, each of which would let the head of the queue be granted
// if it were released.
type ReleaseSets struct {
	// Head is the first claim that waits.
	Head types.NamespacedName
	// Sets are alternatives of one size, at most ten. The first one is preferable: it
	// has the youngest claims. Within a set, the youngest claims come first. There are no sets if
	// releasing all claims is not enough, so that the pool has to grow.
	Sets [][]types.NamespacedName
	// Smallest reports whether no smaller set would do. Otherwise there is one set, and it
	// has at most as many times the claims of a smallest one as there are resources that
	// the head is short of.
	Smallest bool
	// AtLeast is a number of claims that no set can do without. With Smallest, it is the
	// size of the sets.
	AtLeast int
}

// maxReleaseSets is how many alternatives Releases returns at most.
const maxReleaseSets = 10

// Releases returns the smallest sets of holding claims whose release lets the first waiting
// claim of a pool be granted, and whether a claim waits at all. Holding claims are those that hold
// something by their own status and the pool's, as pool.Record.Holds says. A claim that
// pool.Allocate would grant now does not wait, and its resources count as used, but it cannot be
// released: call Allocation.Apply before, also for edits of holding claims.
//
// The search tries sets by size, the youngest claims first, and stops after about a million steps,
// which is enough for 16 claims that hold some of the missing resources. If it stops, the result is
// the union of the smallest sets for each single resource, which are the claims that hold most of
// it: see ReleaseSets. For a single resource, this is a smallest set.
//
// A nil pool has no claims.
//
// Cost: that of pool.Allocate, and of the search, whose steps take time by the resources
// that the head is short of.
func Releases(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) (ReleaseSets, bool) {
	a := pool.Allocate(p, claims, o)
	i := slices.IndexFunc(a.Decisions, func(d pool.Decision) bool { return d.State == pool.PoolExhausted })
	if i < 0 {
		return ReleaseSets{}, false
	}
	r := ReleaseSets{Head: a.Decisions[i].Claim}
	s := newSearch(p, a.Decisions[i], claims)
	each, possible := s.byResource()
	if !possible {
		return r, true
	}
	for _, set := range each {
		r.AtLeast = max(r.AtLeast, len(set))
	}
	union := slices.Compact(slices.Sorted(slices.Values(slices.Concat(each...))))
	for s.findAll(r.AtLeast); len(s.found) == 0 && s.steps > 0; s.findAll(r.AtLeast) {
		r.AtLeast++
	}
	if len(s.found) == 0 {
		s.found = [][]int{union}
	}
	r.Smallest = len(s.found[0]) == r.AtLeast
	for _, set := range s.found {
		r.Sets = append(r.Sets, s.names(set))
	}
	return r, true
}
