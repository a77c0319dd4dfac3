// Package resize decides whether a bound claim can have other amounts. It is the one rule
// of lifecycle.Resize and of an allocator's.
package resize

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

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
	isBehind, isShort := l.Resize(r.Has, r.Wants, func(w ledger.Want) bool { _, is := queued(w); return is })
	for _, w := range isBehind {
		other, _ := queued(w)
		behind = append(behind, obstacle(w, other))
	}
	for _, w := range isShort {
		left := l.Left[w.Resource].Plus(ledger.AmountIn(r.Has, w.Resource), l.Resources[w.Resource].Scale)
		short = append(short, obstacle(w, l.Quantity(w.Resource, left)))
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
