package pool

import (
	"cmp"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// Allocation is the assignment of a pool to its claims.
type Allocation struct {
	// Decisions are those on the claims of the pool, in the order of the queue.
	Decisions []Decision `json:"decisions,omitempty"`
	// Hard is the capacity of the pool, Claimed what holding claims hold, and Available the
	// difference, which is negative if the pool is overcommitted. All three have the resources that
	// the pool offers; Claimed also has others that holding claims hold.
	Hard      corev1.ResourceList `json:"hard,omitempty"`
	Claimed   corev1.ResourceList `json:"claimed,omitempty"`
	Available corev1.ResourceList `json:"available,omitempty"`
	// Namespaces has the sum of the holding claims of each namespace, without zeros. Namespaces
	// without holding claims are not included.
	Namespaces map[string]corev1.ResourceList `json:"namespaces,omitempty"`
	// Exhaustions are the resources that claims in state PoolExhausted are short of.
	Exhaustions map[corev1.ResourceName]Exhaustion `json:"exhaustions,omitempty"`
	// Holding counts the decisions in state Holding.
	Holding int `json:"holding"`
}

// Allocate decides which claims of a pool have their resources. Holding claims, which are those that
// hold something by the pool's record ([Record.Holds]), keep what is recorded, even if the pool has
// shrunk below it: Allocation.Available is negative then. A holding claim with the release annotation returns its
// resources in this run and joins the queue in the next one, in its old place: in this run, all other claims come
// first, even younger ones. They have their turn in the order of the queue: the older claim first, then the
// smaller name, the smaller namespace, and the smaller UID.
//
//   - A claim is granted if every requested amount remains.
//   - Otherwise it waits: PoolExhausted. Unless the queue is ordered, later claims may
//     pass it.
//   - In an ordered queue, a resource that a waiting claim is short of is closed for all later
//     claims that request it: QueueExhausted. Other resources that the waiting claim requests
//     remain open.
//
// If the spec of a holding claim requests other amounts than it holds:
//
//   - In the current API, it also has its turn. If the pool has enough for the increase, the claim
//     is resized and keeps holding. Otherwise it loses what it holds and waits; it can be granted in
//     the next run. What it returns is available to later claims in this run, and to earlier ones
//     in the next run. A decrease is always granted.
//   - In the documented API, it keeps what is recorded.
//
// A request for zero always fits. A resource that the pool does not list has a capacity of zero. A
// claim with a negative amount is Invalid and gets nothing. A recorded negative amount counts as
// zero.
//
// Claims on other pools (ResourcePoolClaim.ClaimsFrom) and nil claims are ignored. Two claims with
// the same name, namespace and UID keep the order in which they are passed. Allocate does not check
// whether the pool selects the namespaces: see Assign. A nil pool has no claims.
//
// Calling Allocate again with its result applied (Allocation.Apply) grants no more claims, unless
// claims were released, resized or evicted, or the queue is ordered: there, a claim that had its
// turn may now come after another one, and the resource that it was short of is then open for
// others. A controller that calls Allocate after every change reaches a stable state.
//
// Cost: O(n log n) for n claims, most of it their order, and a lookup for each claim and resource
// of the pool.
//
// Source: Capsule's Resource Pools, sections "OrderedQueue", "Queue" and "Priority", and
// reconcileResourceClaim of its controller.
func Allocate(p *ResourcePool, claims []*ResourcePoolClaim, opts Options) *Allocation {
	if p == nil {
		return &Allocation{}
	}
	r := run{
		Ledger:     ledger.New(p.Spec.Quota.Hard),
		record:     RecordOf(p),
		options:    opts,
		ordered:    p.Spec.Config.OrderedQueue,
		namespaces: map[string]*namespaceTotals{},
	}
	for _, c := range claims {
		if !c.ClaimsFrom(p) || c.Released() {
			continue
		}
		if holds, holding := r.record.holds(c); holding {
			r.keep(c, holds)
		}
	}
	queue := inOrder(p, claims)
	decisions := make([]Decision, len(queue))
	for i, turn := range queue {
		c, d := claims[turn.index], &decisions[i]
		r.undecided = len(queue) - i
		d.Claim = c.Key()
		holds, holding := r.record.holds(c)
		if holding && c.Released() {
			d.State = Released
			continue
		}
		r.decide(c, d, holds, holding)
	}
	return r.allocation(p, decisions)
}

// run is an allocation in progress.
type run struct {
	*ledger.Ledger
	record     *Record
	options    Options
	ordered    bool
	exhausted  []exhausted // by resource
	namespaces map[string]*namespaceTotals
	holding    int

	has, wants, negative []ledger.Want // of the current claim
	behind, short        []ledger.Want // wants that it cannot have
	undecided            int           // claims from that one on
	shortages            []Shortage    // some that no decision has yet
}

// namespaceTotals are what the holding claims of a namespace hold, and how many they are.
type namespaceTotals struct {
	ledger.Totals
	holding int
}

// exhausted is a resource that a claim was short of.
type exhausted struct {
	available, requesting quantity.Amount
	first                 resource.Quantity // of the first such claim, as written
	claims                int
}

// keep counts the resources that a claim already holds.
func (r *run) keep(c *ResourcePoolClaim, holds corev1.ResourceList) {
	r.wants, r.negative = r.Read(holds, r.wants[:0], r.negative[:0])
	r.grant(c)
}

// decide gives a claim its turn. In the current API, a claim that already holds resources has one if it is edited.
func (r *run) decide(c *ResourcePoolClaim, d *Decision, holds corev1.ResourceList, holding bool) {
	if holding && r.options.Documented {
		d.State = Holding
		return
	}
	r.has, _ = r.Read(holds, r.has[:0], nil)
	r.wants, r.negative = r.Read(c.Spec.Claim, r.wants[:0], r.negative[:0])
	if holding && len(r.negative) == 0 && r.Same(r.has, r.wants) {
		d.State = Holding
		return
	}
	r.behind, r.short = r.Resize(r.has, r.wants, r.isClosed, r.behind[:0], r.short[:0])
	if holding {
		r.takeBack(c)
	}
	switch {
	case len(r.negative) > 0:
		d.State = Invalid
		r.refuse(c, d, r.negative, func(ledger.Want) Shortage { return Shortage{} })
	case len(r.behind) > 0:
		d.State = QueueExhausted
		r.refuse(c, d, r.behind, func(w ledger.Want) Shortage { return Shortage{Queued: r.requesting(w.Resource)} })
	case len(r.short) > 0:
		d.State = PoolExhausted
		r.refuse(c, d, r.short, func(w ledger.Want) Shortage {
			return Shortage{Available: r.Quantity(w.Resource, r.Left[w.Resource])}
		})
		for _, w := range r.short {
			r.exhaust(c, w)
		}
	default:
		d.State = Holding
		r.grant(c)
	}
}

// isClosed reports whether an earlier claim waits for a resource in an ordered queue.
func (r *run) isClosed(w ledger.Want) bool {
	return r.ordered && w.Resource < len(r.exhausted) && !r.exhausted[w.Resource].requesting.IsZero()
}

// requesting returns the sum of what the claims that were short of a resource request. For a
// single claim, it keeps the notation of the claim.
func (r *run) requesting(number int) resource.Quantity {
	e := r.exhausted[number]
	if e.claims == 1 {
		return e.first.DeepCopy()
	}
	return e.requesting.Quantity(r.Resources[number].Scale, e.first.Format)
}

// exhaust records that a claim was short of a resource.
func (r *run) exhaust(c *ResourcePoolClaim, w ledger.Want) {
	for len(r.exhausted) <= w.Resource {
		r.exhausted = append(r.exhausted, exhausted{})
	}
	e, of := &r.exhausted[w.Resource], r.Resources[w.Resource]
	e.claims++
	if e.claims == 1 {
		e.available, e.first = r.Left[w.Resource], c.Spec.Claim[of.Name]
	}
	e.requesting = e.requesting.Plus(w.Amount, of.Scale)
}

// grant takes the amounts that a claim wants.
func (r *run) grant(c *ResourcePoolClaim) {
	r.holding++
	r.Take(r.wants)
	t := r.namespaces[c.Namespace]
	if t == nil {
		t = &namespaceTotals{Totals: make(ledger.Totals, len(r.Resources))}
		r.namespaces[c.Namespace] = t
	}
	t.holding++
	t.Totals = t.Add(r.Ledger, r.wants)
}

// takeBack returns the amounts of a claim to the pool.
func (r *run) takeBack(c *ResourcePoolClaim) {
	r.holding--
	r.Give(r.has)
	t := r.namespaces[c.Namespace]
	t.holding--
	t.Remove(r.Ledger, r.has)
}

// refuse sets the shortages of a decision, sorted by resource. By returns one without its resource and request.
func (r *run) refuse(c *ResourcePoolClaim, d *Decision, of []ledger.Want, by func(ledger.Want) Shortage) {
	n := len(of)
	if cap(r.shortages) < n {
		r.shortages = make([]Shortage, 0, max(n, min(1024, r.undecided*len(r.Resources))))
	}
	d.Shortages, r.shortages = r.shortages[:n:n], r.shortages[n:n]
	for i, w := range of {
		name := r.Resources[w.Resource].Name
		s := by(w)
		s.Resource, s.Requested = name, c.Spec.Claim[name].DeepCopy()
		d.Shortages[i] = s
	}
	slices.SortFunc(d.Shortages, func(a, b Shortage) int { return cmp.Compare(a.Resource, b.Resource) })
}

func (r *run) allocation(p *ResourcePool, decisions []Decision) *Allocation {
	a := &Allocation{
		Decisions:   decisions,
		Hard:        p.Spec.Quota.Hard.DeepCopy(),
		Claimed:     r.All(r.Claimed),
		Available:   r.Available(),
		Namespaces:  make(map[string]corev1.ResourceList, len(r.namespaces)),
		Exhaustions: map[corev1.ResourceName]Exhaustion{},
		Holding:     r.holding,
	}
	for namespace, t := range r.namespaces {
		if t.holding > 0 {
			a.Namespaces[namespace] = r.NonZero(t.Totals)
		}
	}
	for number, e := range r.exhausted {
		if !e.requesting.IsZero() {
			a.Exhaustions[r.Resources[number].Name] = Exhaustion{
				Available:  r.Quantity(number, e.available),
				Requesting: r.requesting(number),
			}
		}
	}
	return a
}
