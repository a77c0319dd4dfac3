// Package resize decides whether a holding claim can have other amounts. It is the one rule
// of pool.Resize and of an allocator's.
package resize

import (
	"cmp"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// The states of package pool in which a claim cannot have other amounts.
const (
	Invalid        = "Invalid"
	QueueExhausted = "QueueExhausted"
	PoolExhausted  = "PoolExhausted"
)

// Request is the amounts that a holding claim is to have.
type Request struct {
	To              corev1.ResourceList
	Has             []ledger.Want // what the claim has, which is taken from the ledger
	Wants, Negative []ledger.Want // what the ledger reads in To
}

// Obstacle is a pool.Obstacle.
type Obstacle interface {
	~struct {
		Resource  corev1.ResourceName
		Requested resource.Quantity
		Other     resource.Quantity
	}
}

// Decide returns why a claim cannot have other amounts: all obstacles of one state, sorted by
// resource, and the state. There is neither if the claim can have all of them.
//
//   - Invalid, if an amount is negative;
//   - QueueExhausted, if it is to have more of a resource for which an earlier claim waits;
//     queued returns what that one requests, and whether there is one;
//   - PoolExhausted, if it is to have more of a resource than remains and than it has.
//
// An amount that is no greater than what the claim has is never an obstacle.
func Decide[O Obstacle](r Request, l *ledger.Ledger, queued func(ledger.Want) (resource.Quantity, bool)) (state string, obstacles []O) {
	behind, short := l.Resize(r.Has, r.Wants, func(w ledger.Want) bool { _, is := queued(w); return is })
	var of []ledger.Want
	var other func(ledger.Want) resource.Quantity
	switch {
	case len(r.Negative) > 0:
		state, of = Invalid, r.Negative
		other = func(ledger.Want) resource.Quantity { return resource.Quantity{} }
	case len(behind) > 0:
		state, of = QueueExhausted, behind
		other = func(w ledger.Want) resource.Quantity { q, _ := queued(w); return q }
	case len(short) > 0:
		state, of = PoolExhausted, short
		other = func(w ledger.Want) resource.Quantity {
			left := l.Left[w.Resource].Plus(ledger.AmountIn(r.Has, w.Resource), l.Resources[w.Resource].Scale)
			return l.Quantity(w.Resource, left)
		}
	}
	name := func(w ledger.Want) corev1.ResourceName { return l.Resources[w.Resource].Name }
	for _, w := range slices.SortedFunc(slices.Values(of), func(a, b ledger.Want) int { return cmp.Compare(name(a), name(b)) }) {
		obstacles = append(obstacles, O{Resource: name(w), Requested: r.To[name(w)].DeepCopy(), Other: other(w)})
	}
	return state, obstacles
}

// Refused returns the error of a claim that cannot have other amounts: the message of the decision
// says why, and is empty if the claim holds nothing.
func Refused(claim types.NamespacedName, pool, message string) error {
	if message == "" {
		message = "it holds nothing of resourcepool " + pool
	}
	return fmt.Errorf("cannot resize claim %s: %s", claim, message)
}
