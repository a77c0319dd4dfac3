// Package resize decides whether a bound claim can have other amounts. It is the one rule
// of lifecycle.Resize and of an allocator's.
package resize

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Request is a bound claim and the amounts that it is to have.
type Request struct {
	Claim           types.NamespacedName
	To              corev1.ResourceList
	Has             []ledger.Want // what the claim has, which is taken from the ledger
	Wants, Negative []ledger.Want // what the ledger reads in To
}

// Decide returns the decision on a claim that is to have other amounts: without a state and
// obstacles if it can have all of them, and otherwise with all obstacles of one state, sorted
// by resource:
//
//   - Invalid, if an amount is negative;
//   - QueueExhausted, if it is to have more of a resource for which an earlier claim waits;
//     queued returns what that one requests, and whether there is one;
//   - PoolExhausted, if it is to have more of a resource than remains and than it has.
//
// An amount that is no greater than what the claim has is never an obstacle.
func Decide(r Request, l *ledger.Ledger, queued func(ledger.Want) (resource.Quantity, bool)) pool.Decision {
	var invalid, behind, short []pool.Obstacle
	obstacle := func(w ledger.Want, other resource.Quantity) pool.Obstacle {
		name := l.Resources[w.Resource].Name
		return pool.Obstacle{Resource: name, Requested: r.To[name].DeepCopy(), Other: other}
	}
	for _, w := range r.Negative {
		invalid = append(invalid, obstacle(w, resource.Quantity{}))
	}
	for _, w := range r.Wants {
		scale, has := l.Resources[w.Resource].Scale, r.has(w.Resource)
		if !w.Amount.Exceeds(has, scale) {
			continue
		}
		available := l.Left[w.Resource].Plus(has, scale)
		if other, is := queued(w); is {
			behind = append(behind, obstacle(w, other))
		} else if w.Amount.Exceeds(available, scale) {
			short = append(short, obstacle(w, l.Quantity(w.Resource, available)))
		}
	}
	switch {
	case len(invalid) > 0:
		return refusal(r.Claim, pool.Invalid, invalid)
	case len(behind) > 0:
		return refusal(r.Claim, pool.QueueExhausted, behind)
	case len(short) > 0:
		return refusal(r.Claim, pool.PoolExhausted, short)
	}
	return pool.Decision{Claim: r.Claim}
}

func refusal(claim types.NamespacedName, state pool.State, obstacles []pool.Obstacle) pool.Decision {
	slices.SortFunc(obstacles, func(a, b pool.Obstacle) int { return cmp.Compare(a.Resource, b.Resource) })
	return pool.Decision{Claim: claim, State: state, Obstacles: obstacles}
}

// has returns what the claim has of a resource.
func (r *Request) has(number int) quantity.Amount {
	if i := ledger.Find(r.Has, number); i >= 0 {
		return r.Has[i].Amount
	}
	return quantity.Amount{}
}
