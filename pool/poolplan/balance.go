package poolplan

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"github.com/kubemath/kubemath/pool/internal/order"
)

// Rebalance is a plan to shrink holding claims so that a waiting claim can be granted.
type Rebalance struct {
	// Claim is the first waiting claim that can be granted this way. It is zero if there is none.
	Claim types.NamespacedName
	// Shrinks are the claims to shrink, the youngest first. In total, they provide exactly what
	// Claim is short of.
	Shrinks []Shrink
	// Stuck are the claims that wait before Claim, in the order of the queue, and that no
	// shrinking within the usage lets be granted. The pool has to grow for them: see Growth.
	Stuck []types.NamespacedName
}

// Shrink is a holding claim that is to have less.
type Shrink struct {
	Claim types.NamespacedName
	// By are the reductions of the resources that change. To are the new amounts of all resources
	// of the claim; they may be zero.
	By, To corev1.ResourceList
}

// Balance returns which holding claims are to shrink, and by how much, for the queue to move: for the
// first claim in state pool.PoolExhausted that can be granted so. Each shrink is needed, to the last
// unit. It is a plan: pool.Resize, of one shrink after the other, returns the objects. By the
// current API, the webhooks of Capsule let a claim be edited only while it is unused (pool.Needed).
//
// Used is the usage by namespace: status.used of the pool's ResourceQuota in it. The sum of the
// claims of a namespace and the defaults of the pool never drops below its usage. If the usage of a
// namespace or of a resource is missing, it is unknown, and its claims do not shrink.
//
// The youngest claims shrink first, each as far as the usage allows. Claims with the release
// annotation do not shrink, and neither do, in the current API, claims whose spec differs from what
// they hold; what these hold does not count for their namespace. Call pool.Allocate before, so that
// there are no such edits and no claims that can be granted now: the plan is valid for the pool if it
// is allocated once after all shrinks. With a nil pool, no claim waits.
//
// Cost: that of pool.Allocate, and linear in the claims, by their resources.
func Balance(used map[string]corev1.ResourceList, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) Rebalance {
	var plan Rebalance
	if p == nil {
		return plan
	}
	a := pool.Allocate(p, claims, o)
	b := newBalance(used, p, a, claims, o)
	for _, d := range a.Decisions {
		if d.State != pool.PoolExhausted {
			continue
		}
		lacks, _ := b.Read(lackOf(d.Obstacles), nil, nil)
		if slices.ContainsFunc(lacks, b.exceedsSpare) {
			plan.Stuck = append(plan.Stuck, d.Claim)
			continue
		}
		plan.Claim, plan.Shrinks = d.Claim, b.shrinks(lacks)
		break
	}
	return plan
}

// balance is what can be taken from holding claims.
type balance struct {
	*ledger.Ledger
	donors []donor                  // the youngest first
	spare  map[string]ledger.Totals // by namespace: the amounts that are held but not used
	total  ledger.Totals            // of all namespaces
}

// donor is a holding claim that may be shrunk.
type donor struct {
	claim *pool.ResourcePoolClaim
	holds corev1.ResourceList
	has   []ledger.Want
}

func newBalance(used map[string]corev1.ResourceList, p *pool.ResourcePool, a *pool.Allocation, claims []*pool.ResourcePoolClaim, o pool.Options) *balance {
	b := &balance{Ledger: ledger.New(p.Spec.Quota.Hard), spare: map[string]ledger.Totals{}}
	record := pool.RecordOf(p)
	for _, c := range claims {
		holds, holding := record.Holds(c)
		if !holding || c.Released() {
			continue
		}
		has, _ := b.Read(holds, nil, nil)
		if o.API != pool.Documented {
			if wants, negative := b.Read(c.Spec.Claim, nil, nil); len(negative) > 0 || !b.Same(has, wants) {
				continue
			}
		}
		b.donors = append(b.donors, donor{c, holds, has})
	}
	slices.SortFunc(b.donors, func(x, y donor) int { return order.Compare(&y.claim.ObjectMeta, &x.claim.ObjectMeta) })
	b.setSpare(used, p)
	return b
}

// setSpare computes what each namespace holds, with the defaults of the pool, and does not use.
func (b *balance) setSpare(used map[string]corev1.ResourceList, p *pool.ResourcePool) {
	held := map[string]ledger.Totals{}
	for _, g := range b.donors {
		held[g.claim.Namespace] = held[g.claim.Namespace].Add(b.Ledger, g.has)
	}
	for namespace, holds := range held {
		spare := make([]ledger.Want, 0, len(holds))
		for number, amount := range holds {
			of := b.Resources[number]
			usage, known := used[namespace][of.Name]
			if !known {
				continue
			}
			byDefault := p.Spec.Defaults[of.Name]
			left := amount.Plus(quantity.AmountOf(&byDefault, of.Scale), of.Scale).Minus(quantity.AmountOf(&usage, of.Scale), of.Scale)
			if left.Exceeds(amount, of.Scale) {
				left = amount
			}
			if left.Sign() > 0 {
				spare = append(spare, ledger.Want{Resource: number, Amount: left})
			}
		}
		b.spare[namespace] = ledger.Totals{}.Add(b.Ledger, spare)
		b.total = b.total.Add(b.Ledger, spare)
	}
}

// exceedsSpare reports whether more is lacking than all claims can give.
func (b *balance) exceedsSpare(lack ledger.Want) bool {
	return lack.Resource >= len(b.total) || lack.Amount.Exceeds(b.total[lack.Resource], b.Resources[lack.Resource].Scale)
}

// shrinks takes the missing amounts from the donors.
func (b *balance) shrinks(lacks []ledger.Want) (shrinks []Shrink) {
	for _, g := range b.donors {
		var donations []ledger.Want
		for i, lack := range lacks {
			if amount := b.donation(g, lack); amount.Sign() > 0 {
				donations = append(donations, ledger.Want{Resource: lack.Resource, Amount: amount})
				lacks[i].Amount = lack.Amount.Minus(amount, b.Resources[lack.Resource].Scale)
			}
		}
		if len(donations) == 0 {
			continue
		}
		b.spare[g.claim.Namespace].Remove(b.Ledger, donations)
		shrink := Shrink{Claim: g.claim.Key(), By: b.NonZero(ledger.Totals{}.Add(b.Ledger, donations)), To: g.holds.DeepCopy()}
		for name, by := range shrink.By {
			shrink.To[name] = quantity.Minus(shrink.To[name], by)
		}
		shrinks = append(shrinks, shrink)
	}
	return shrinks
}

// donation returns how much a claim gives: at most the missing amount, what it has, and what its namespace
// does not use.
func (b *balance) donation(g donor, lack ledger.Want) quantity.Amount {
	least, scale := lack.Amount, b.Resources[lack.Resource].Scale
	spare := b.spare[g.claim.Namespace]
	if lack.Resource >= len(spare) {
		return quantity.Amount{}
	}
	for _, limit := range []quantity.Amount{ledger.AmountIn(g.has, lack.Resource), spare[lack.Resource]} {
		if least.Exceeds(limit, scale) {
			least = limit
		}
	}
	return least
}
