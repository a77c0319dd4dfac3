package plan

import (
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/resourcelist"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// ReleaseSets are sets of bound claims, each of which would let the head of the queue bind
// if it were released.
type ReleaseSets struct {
	// Head is the first claim that waits.
	Head types.NamespacedName
	// Sets are alternatives of one size, at most MaxReleaseSets. The first is the one to
	// prefer: it takes from the youngest claims. Within a set, the youngest come first.
	// There is none if releasing all claims is not enough, and the pool has to grow.
	Sets [][]types.NamespacedName
	// Smallest reports whether no smaller set would do. Otherwise there is one set, and it
	// has at most as many times the claims of a smallest one as there are resources that
	// the head is short of.
	Smallest bool
	// AtLeast is a number of claims that no set can do without. With Smallest, it is the
	// size of the sets.
	AtLeast int
}

// MaxReleaseSets is how many alternatives Releases returns at most.
const MaxReleaseSets = 10

// searchSteps bounds the search for the smallest sets. It is more than 16 claims need,
// whatever their amounts: sets of every size up to 16, (16/2+1)·2^16.
const searchSteps = 1 << 20

// Releases returns the smallest sets of bound claims whose release lets the first waiting
// claim of a pool be bound, and whether a claim waits at all. Bound claims are those of
// their statuses; a claim that pool.Allocate would bind now does not wait, and what it
// takes is gone.
//
// The search tries sets by their size, the youngest claims first, and gives up after about
// a million steps, which it never needs for up to 16 claims that have some of what is
// lacking. Then the answer is the union of the smallest sets for each resource by itself,
// which are the claims that have most of it: see ReleaseSets. Of a single resource, that is
// a smallest set.
//
// A nil pool has no claims.
//
// Cost: that of pool.Allocate, and of the search.
func Releases(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim) (ReleaseSets, bool) {
	a := pool.Allocate(p, claims)
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
	for s.find(nil, 0, r.AtLeast); len(s.found) == 0 && s.steps > 0; s.find(nil, 0, r.AtLeast) {
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

// search looks for sets of candidates, given by their place among them.
type search struct {
	*ledger.Ledger
	lacks      []ledger.Want           // what the head is short of
	candidates []candidate             // the youngest first
	most       [][]resourcelist.Amount // by lack and place: the most that a candidate from there on has
	found      [][]int
	steps      int
}

// candidate is a bound claim that has some of what is lacking.
type candidate struct {
	claim *pool.ResourcePoolClaim
	frees []ledger.Want
}

func newSearch(p *pool.ResourcePool, head pool.Decision, claims []*pool.ResourcePoolClaim) *search {
	s := &search{Ledger: ledger.New(p.Spec.Quota.Hard), steps: searchSteps}
	s.lacks, _ = s.Read(lackOf(head.Obstacles), nil, nil)
	for _, c := range claims {
		if !c.Of(p) || !c.Bound() || c.Released() {
			continue
		}
		frees, _ := s.Read(c.Spec.Claim, nil, nil)
		frees = slices.DeleteFunc(frees, func(w ledger.Want) bool {
			return !slices.ContainsFunc(s.lacks, func(l ledger.Want) bool { return l.Resource == w.Resource })
		})
		if len(frees) > 0 {
			s.candidates = append(s.candidates, candidate{c, frees})
		}
	}
	slices.SortFunc(s.candidates, func(a, b candidate) int { return pool.Compare(b.claim, a.claim) })
	for _, lack := range s.lacks {
		most := make([]resourcelist.Amount, len(s.candidates)+1)
		for i := len(s.candidates) - 1; i >= 0; i-- {
			most[i] = most[i+1]
			if frees := s.frees(i, lack.Resource); frees.Exceeds(most[i], s.Resources[lack.Resource].Scale) {
				most[i] = frees
			}
		}
		s.most = append(s.most, most)
	}
	return s
}

// frees returns what a candidate has of a resource.
func (s *search) frees(candidate, number int) resourcelist.Amount {
	for _, w := range s.candidates[candidate].frees {
		if w.Resource == number {
			return w.Amount
		}
	}
	return resourcelist.Amount{}
}

func (s *search) names(set []int) (names []types.NamespacedName) {
	for _, i := range set {
		c := s.candidates[i].claim
		names = append(names, types.NamespacedName{Namespace: c.Namespace, Name: c.Name})
	}
	return names
}

// byResource returns, for each resource that is lacking, the smallest set that frees enough
// of that: the largest claims on it. It reports whether there is one for each.
func (s *search) byResource() (sets [][]int, possible bool) {
	for _, lack := range s.lacks {
		scale := s.Resources[lack.Resource].Scale
		var largest []int
		for i := range s.candidates {
			if !s.frees(i, lack.Resource).IsZero() {
				largest = append(largest, i)
			}
		}
		slices.SortStableFunc(largest, func(i, j int) int {
			a, b := s.frees(i, lack.Resource), s.frees(j, lack.Resource)
			switch {
			case a.Exceeds(b, scale):
				return -1
			case b.Exceeds(a, scale):
				return 1
			}
			return 0
		})
		rest, n := lack.Amount, 0
		for ; rest.Sign() > 0; n++ {
			if n == len(largest) {
				return nil, false
			}
			rest = rest.Minus(s.frees(largest[n], lack.Resource), scale)
		}
		sets = append(sets, largest[:n])
	}
	return sets, true
}

// find adds to found the sets of a size that begin with a set and go on with candidates
// from a place on, in lexical order.
func (s *search) find(set []int, from, size int) {
	if s.steps--; s.steps <= 0 || len(s.found) == MaxReleaseSets {
		return
	}
	if !s.canBeEnough(set, from, size-len(set)) {
		return
	}
	if len(set) == size {
		s.found = append(s.found, slices.Clone(set))
		return
	}
	for i := from; i < len(s.candidates); i++ {
		s.find(append(set, i), i+1, size)
	}
}

// canBeEnough reports whether a set frees enough together with n more candidates from a
// place on, if each of them had as much of every resource as any there has.
func (s *search) canBeEnough(set []int, from, n int) bool {
	for i, lack := range s.lacks {
		scale := s.Resources[lack.Resource].Scale
		rest := lack.Amount
		for _, c := range set {
			rest = rest.Minus(s.frees(c, lack.Resource), scale)
		}
		for range n {
			rest = rest.Minus(s.most[i][from], scale)
		}
		if rest.Sign() > 0 {
			return false
		}
	}
	return true
}
