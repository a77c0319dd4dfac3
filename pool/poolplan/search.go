package poolplan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// searchSteps bounds the search for the smallest sets. It is more than 16 claims need for any
// amounts: sets of every size up to 16, (16/2+1)·2^16.
const searchSteps = 1 << 20

// search looks for sets of candidates, given by their index.
type search struct {
	*ledger.Ledger
	lacks      []ledger.Want       // what the head is short of
	candidates []candidate         // the youngest first
	most       [][]quantity.Amount // by lack and place: the most that a candidate from there on has
	found      [][]int
	steps      int // that are left
}

// candidate is a holding claim that has some of a lacking resource.
type candidate struct {
	claim *pool.ResourcePoolClaim
	frees []quantity.Amount // by lack
}

func newSearch(p *pool.ResourcePool, head pool.Decision, claims []*pool.ResourcePoolClaim) *search {
	s := &search{Ledger: ledger.New(p.Spec.Quota.Hard), steps: searchSteps}
	s.lacks, _ = s.Read(lackOf(head.Obstacles), nil, nil)
	record := pool.RecordOf(p)
	for _, c := range claims {
		holds, holding := record.Holds(c)
		if !holding || c.Released() {
			continue
		}
		wants, _ := s.Read(holds, nil, nil)
		frees, some := make([]quantity.Amount, len(s.lacks)), false
		for i, lack := range s.lacks {
			if at := ledger.Find(wants, lack.Resource); at >= 0 {
				frees[i], some = wants[at].Amount, true
			}
		}
		if some {
			s.candidates = append(s.candidates, candidate{c, frees})
		}
	}
	slices.SortFunc(s.candidates, func(a, b candidate) int { return ledger.CompareTurns(&b.claim.ObjectMeta, &a.claim.ObjectMeta) })
	for i := range s.lacks {
		most := make([]quantity.Amount, len(s.candidates)+1)
		for place := len(s.candidates) - 1; place >= 0; place-- {
			most[place] = most[place+1]
			if frees := s.candidates[place].frees[i]; frees.Exceeds(most[place], s.scale(i)) {
				most[place] = frees
			}
		}
		s.most = append(s.most, most)
	}
	return s
}

// lackOf returns by how much requests exceed the remaining amounts.
func lackOf(obstacles []pool.Obstacle) corev1.ResourceList {
	lacks := corev1.ResourceList{}
	for _, o := range obstacles {
		lacks[o.Resource] = quantity.Minus(o.Requested, o.Other)
	}
	return lacks
}

// scale returns the unit of a lack.
func (s *search) scale(lack int) resource.Scale { return s.Resources[s.lacks[lack].Resource].Scale }

func (s *search) names(set []int) (names []types.NamespacedName) {
	for _, place := range set {
		c := s.candidates[place].claim
		names = append(names, types.NamespacedName{Namespace: c.Namespace, Name: c.Name})
	}
	return names
}

// byResource returns, for each lacking resource, the smallest set that frees enough of it: the
// largest claims on it. It reports whether there is a set for each.
func (s *search) byResource() (sets [][]int, possible bool) {
	for i, lack := range s.lacks {
		var largest []int
		for place, c := range s.candidates {
			if !c.frees[i].IsZero() {
				largest = append(largest, place)
			}
		}
		slices.SortStableFunc(largest, func(a, b int) int {
			x, y := s.candidates[a].frees[i], s.candidates[b].frees[i]
			switch {
			case x.Exceeds(y, s.scale(i)):
				return -1
			case y.Exceeds(x, s.scale(i)):
				return 1
			}
			return 0
		})
		rest, n := lack.Amount, 0
		for ; rest.Sign() > 0; n++ {
			if n == len(largest) {
				return nil, false
			}
			rest = rest.Minus(s.candidates[largest[n]].frees[i], s.scale(i))
		}
		sets = append(sets, largest[:n])
	}
	return sets, true
}

// findAll looks for the sets of a size, in lexical order.
func (s *search) findAll(size int) {
	rest := make([]quantity.Amount, len(s.lacks))
	for i, lack := range s.lacks {
		rest[i] = lack.Amount
	}
	s.find(make([]int, 0, size), rest, 0, size)
}

// find adds the sets of a size to found that begin with the given set and continue with
// candidates from an index on. rest is what the given set still lacks. It reports whether to
// continue.
func (s *search) find(set []int, rest []quantity.Amount, from, size int) bool {
	if s.steps--; s.steps <= 0 {
		return false
	}
	if !s.canBeEnough(rest, from, size-len(set)) {
		return true
	}
	if len(set) == size {
		s.found = append(s.found, slices.Clone(set))
		return len(s.found) < maxReleaseSets
	}
	after := make([]quantity.Amount, len(rest))
	for place := from; place < len(s.candidates); place++ {
		for i, frees := range s.candidates[place].frees {
			after[i] = rest[i].Minus(frees, s.scale(i))
		}
		if !s.find(append(set, place), after, place+1, size) {
			return false
		}
	}
	return true
}

// canBeEnough reports whether n candidates from an index on free the rest, if each of them had
// the maximum of every resource among them.
func (s *search) canBeEnough(rest []quantity.Amount, from, n int) bool {
	for i := range rest {
		if rest[i].Exceeds(s.most[i][from].Times(int64(n), s.scale(i)), s.scale(i)) {
			return false
		}
	}
	return true
}
