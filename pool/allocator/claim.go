package allocator

import (
	"cmp"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// claim is what an Allocator keeps of a claim.
type claim struct {
	seconds     int64 // of its creation
	nanoseconds int32
	bound       bool
	name        types.NamespacedName
	uid         types.UID
	wants       []ledger.Want     // above zero
	formats     []resource.Format // in which the claim spells its wants
	negative    []ledger.Want     // a claim that has any waits in no tree

	// Of the tree that the claim waits in.
	priority      uint64
	left, right   *claim
	amount, least quantity.Amount
	place         int // which tree: a resource, or a group
}

func newClaim(c *pool.ResourcePoolClaim, l *ledger.Ledger, serial uint64) *claim {
	created := c.CreationTimestamp.Time
	n := &claim{
		seconds: created.Unix(), nanoseconds: int32(created.Nanosecond()),
		name: types.NamespacedName{Namespace: c.Namespace, Name: c.Name}, uid: c.UID,
		priority: scatter(serial),
	}
	n.wants, n.negative = l.Read(c.Spec.Claim, nil, nil)
	for _, w := range append(n.wants[:len(n.wants):len(n.wants)], n.negative...) {
		n.formats = append(n.formats, c.Spec.Claim[l.Resources[w.Resource].Name].Format)
	}
	return n
}

// before is the order of pool.Compare.
func (c *claim) before(o *claim) bool {
	if c.seconds != o.seconds {
		return c.seconds < o.seconds
	}
	if c.nanoseconds != o.nanoseconds {
		return c.nanoseconds < o.nanoseconds
	}
	return cmp.Or(strings.Compare(c.name.Name, o.name.Name), strings.Compare(c.name.Namespace, o.name.Namespace)) < 0
}

// sameWants reports whether two claims of one ledger ask for the same.
func (c *claim) sameWants(o *claim, l *ledger.Ledger) bool {
	return same(c.wants, o.wants, l) && same(c.negative, o.negative, l)
}

func same(a, b []ledger.Want, l *ledger.Ledger) bool {
	if len(a) != len(b) {
		return false
	}
	for i, w := range a {
		scale := l.Resources[w.Resource].Scale
		if w.Resource != b[i].Resource || w.Amount.Exceeds(b[i].Amount, scale) || b[i].Amount.Exceeds(w.Amount, scale) {
			return false
		}
	}
	return true
}

// scatter turns consecutive numbers into ones that look drawn at random: the finalizer
// of splitmix64 (Steele, Lea, Flood 2014).
func scatter(n uint64) uint64 {
	n += 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
