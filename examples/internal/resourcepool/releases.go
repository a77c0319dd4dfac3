package resourcepool

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
)

const (
	// mostReleaseSets is how many alternatives releases returns at most.
	mostReleaseSets = 10
	// searchSteps bounds the search for the smallest sets. It is more than 16 claims need for any amounts:
	// sets of every size up to 16, (16/2+1)·2^16.
	searchSteps = 1 << 20
)

// releases returns the smallest sets of holding claims, each of which would let a waiting claim be granted if it were
// released, given the allocation of the pool. The first set has the youngest claims. Within a set, the youngest claims
// come first. There are no sets if releasing all claims is not enough, so that the pool has to grow.
//
// Sets are tried by size, the youngest claims first. If that takes too long, the result is the union of the smallest
// sets for each single resource, which are the claims that hold most of it.
func releases(
	waiting pool.Decision, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, a *pool.Allocation,
) [][]types.NamespacedName {
	s := search{steps: searchSteps}
	for _, o := range waiting.Shortages {
		lack := o.Requested.DeepCopy()
		lack.Sub(o.Available)
		s.lacks = append(s.lacks, lack)
	}
	byName := map[types.NamespacedName]*pool.ResourcePoolClaim{}
	for _, c := range claims {
		if c.ClaimsFrom(p) {
			byName[c.Key()] = c
		}
	}
	record := pool.RecordOf(p)
	for _, d := range slices.Backward(a.Decisions) {
		c := byName[d.Claim]
		holds, ok := record.Holds(c)
		if !ok || c.Released() {
			continue
		}
		frees, any := make([]resource.Quantity, len(s.lacks)), false
		for i, o := range waiting.Shortages {
			if q := holds[o.Resource]; q.Sign() > 0 {
				frees[i], any = q.DeepCopy(), true
			}
		}
		if any {
			s.candidates = append(s.candidates, candidate{d.Claim, frees})
		}
	}
	return s.smallest()
}

// search looks for sets of candidates, given by their index.
type search struct {
	lacks      []resource.Quantity   // what is missing, by resource
	candidates []candidate           // the youngest first
	most       [][]resource.Quantity // by resource and index: the most that a candidate from there on has
	found      [][]int
	steps      int // that remain
}

// candidate is a holding claim that has some of a missing resource.
type candidate struct {
	name  types.NamespacedName
	frees []resource.Quantity // by resource
}

func (s *search) smallest() (sets [][]types.NamespacedName) {
	each, possible := s.byResource()
	if !possible {
		return nil
	}
	size := 0
	for _, set := range each {
		size = max(size, len(set))
	}
	s.setMost()
	for ; len(s.found) == 0 && s.steps > 0; size++ {
		s.find(make([]int, 0, size), s.lacks, 0, size)
	}
	if len(s.found) == 0 {
		s.found = [][]int{slices.Compact(slices.Sorted(slices.Values(slices.Concat(each...))))}
	}
	for _, set := range s.found {
		var names []types.NamespacedName
		for _, i := range set {
			names = append(names, s.candidates[i].name)
		}
		sets = append(sets, names)
	}
	return sets
}

// byResource returns, for each missing resource, the smallest set that frees enough of it: the claims that hold most
// of it. It reports whether there is a set for each.
func (s *search) byResource() (sets [][]int, possible bool) {
	for resource, lack := range s.lacks {
		var largest []int
		for i, c := range s.candidates {
			if !c.frees[resource].IsZero() {
				largest = append(largest, i)
			}
		}
		slices.SortStableFunc(largest, func(a, b int) int {
			return s.candidates[b].frees[resource].Cmp(s.candidates[a].frees[resource])
		})
		rest, n := lack.DeepCopy(), 0
		for ; rest.Sign() > 0; n++ {
			if n == len(largest) {
				return nil, false
			}
			rest.Sub(s.candidates[largest[n]].frees[resource])
		}
		sets = append(sets, largest[:n])
	}
	return sets, true
}

func (s *search) setMost() {
	for i := range s.lacks {
		most := make([]resource.Quantity, len(s.candidates)+1)
		for at, c := range slices.Backward(s.candidates) {
			most[at] = most[at+1]
			if c.frees[i].Cmp(most[at]) > 0 {
				most[at] = c.frees[i]
			}
		}
		s.most = append(s.most, most)
	}
}

// find adds the sets of a size to found, in lexical order, that begin with the given set and continue with candidates
// from an index on. Rest is what the given set still lacks. It reports whether to continue.
func (s *search) find(set []int, rest []resource.Quantity, from, size int) bool {
	s.steps--
	if s.steps <= 0 {
		return false
	}
	if !s.canBeEnough(rest, from, size-len(set)) {
		return true
	}
	if len(set) == size {
		s.found = append(s.found, slices.Clone(set))
		return len(s.found) < mostReleaseSets
	}
	after := make([]resource.Quantity, len(rest))
	for at := from; at < len(s.candidates); at++ {
		for i, frees := range s.candidates[at].frees {
			after[i] = rest[i].DeepCopy()
			after[i].Sub(frees)
		}
		if !s.find(append(set, at), after, at+1, size) {
			return false
		}
	}
	return true
}

// canBeEnough reports whether n candidates from an index on would free the rest if each of them had the most of every
// resource among them.
func (s *search) canBeEnough(rest []resource.Quantity, from, n int) bool {
	for i := range rest {
		most := s.most[i][from].DeepCopy()
		most.Mul(int64(n))
		if rest[i].Cmp(most) > 0 {
			return false
		}
	}
	return true
}
