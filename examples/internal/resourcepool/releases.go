package resourcepool

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
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
	s := search{steps: searchSteps, lacks: corev1.ResourceList{}}
	for _, o := range waiting.Shortages {
		lack := o.Requested.DeepCopy()
		lack.Sub(o.Available)
		s.lacks[o.Resource] = lack
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
		frees := resourcelist.Mask(holds, resourcelist.ResourceNames(s.lacks))
		maps.DeleteFunc(frees, func(_ corev1.ResourceName, q resource.Quantity) bool { return q.Sign() <= 0 })
		if len(frees) > 0 {
			s.candidates = append(s.candidates, candidate{d.Claim, frees})
		}
	}
	return s.smallest()
}

// search looks for sets of candidates, given by their index.
type search struct {
	lacks      corev1.ResourceList   // what is missing
	candidates []candidate           // the youngest first
	most       []corev1.ResourceList // by index: the most that a candidate from there on has of each resource
	found      [][]int
	steps      int // that remain
}

// candidate is a holding claim that has some of a missing resource.
type candidate struct {
	name  types.NamespacedName
	frees corev1.ResourceList
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
	s.most = make([]corev1.ResourceList, len(s.candidates)+1)
	for at, c := range slices.Backward(s.candidates) {
		s.most[at] = resourcelist.Max(s.most[at+1], c.frees)
	}
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
	for _, name := range resourcelist.ResourceNames(s.lacks) {
		largest := make([]int, len(s.candidates))
		for i := range largest {
			largest[i] = i
		}
		slices.SortStableFunc(largest, func(a, b int) int {
			more := s.candidates[b].frees[name]
			return more.Cmp(s.candidates[a].frees[name])
		})
		n := 0
		for rest := s.lacks[name].DeepCopy(); rest.Sign() > 0; n++ {
			if n == len(largest) {
				return nil, false
			}
			rest.Sub(s.candidates[largest[n]].frees[name])
		}
		sets = append(sets, largest[:n])
	}
	return sets, true
}

// find adds the sets of a size to found, in lexical order, that begin with the given set and continue with candidates
// from an index on. Rest is what the given set still lacks. It reports whether to continue.
func (s *search) find(set []int, rest corev1.ResourceList, from, size int) bool {
	s.steps--
	if s.steps <= 0 {
		return false
	}
	if most := resourcelist.Multiply(s.most[from], int64(size-len(set))); !resourcelist.Fits(rest, most) {
		return true // even if each of the others had the most of every resource among them
	}
	if len(set) == size {
		s.found = append(s.found, slices.Clone(set))
		return len(s.found) < mostReleaseSets
	}
	for at := from; at < len(s.candidates); at++ {
		if !s.find(append(set, at), resourcelist.Subtract(rest, s.candidates[at].frees), at+1, size) {
			return false
		}
	}
	return true
}
