package allocator

import (
	"hash/maphash"
	"iter"

	"k8s.io/apimachinery/pkg/types"
)

// index finds claims by name. It keeps a number for each name instead of the name itself, which
// the claim already has. Claims with the same number are linked.
type index struct {
	seed   maphash.Seed
	claims map[uint64]*claim
	count  int
}

func newIndex(n int) index {
	return index{seed: maphash.MakeSeed(), claims: make(map[uint64]*claim, n)}
}

func (x *index) hash(name types.NamespacedName) uint64 { return maphash.Comparable(x.seed, name) }

// find returns the claim with a name, or nil if there is none.
func (x *index) find(name types.NamespacedName) *claim {
	for c := x.claims[x.hash(name)]; c != nil; c = c.next {
		if c.name == name.Name && c.namespace.name == name.Namespace {
			return c
		}
	}
	return nil
}

// add adds a claim whose name is not in the index yet.
func (x *index) add(c *claim) {
	hash := x.hash(c.key())
	c.next = x.claims[hash]
	x.claims[hash] = c
	x.count++
}

// remove removes a claim, which must be in the index.
func (x *index) remove(c *claim) {
	hash := x.hash(c.key())
	x.count--
	if x.claims[hash] == c {
		if c.next == nil {
			delete(x.claims, hash)
		} else {
			x.claims[hash] = c.next
		}
		return
	}
	for at := x.claims[hash]; at != nil; at = at.next {
		if at.next == c {
			at.next = c.next
		}
	}
}

// all yields every claim, in no order.
func (x *index) all() iter.Seq[*claim] {
	return func(yield func(*claim) bool) {
		for _, c := range x.claims {
			for ; c != nil; c = c.next {
				if !yield(c) {
					return
				}
			}
		}
	}
}
