package pooltest

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sort"
	"strings"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// Slow is an allocation in fractions.
type Slow struct {
	order       []string          // namespace/name of the claims, in their order
	state       map[string]string // by namespace/name
	because     map[string]string // the shortages, by namespace/name: resource, wanted, other
	claimed     map[corev1.ResourceName]*big.Rat
	namespaces  map[string]map[corev1.ResourceName]*big.Rat
	exhaustions map[corev1.ResourceName][2]*big.Rat // available, requesting

	holding map[string]int // claims, by namespace
}

// Allocate is the definition of an allocation. Every amount is a fraction, and no function of package pool is
// called.
func Allocate(p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, o pool.Options) Slow {
	s := Slow{
		state: map[string]string{}, because: map[string]string{}, claimed: map[corev1.ResourceName]*big.Rat{},
		namespaces: map[string]map[corev1.ResourceName]*big.Rat{}, exhaustions: map[corev1.ResourceName][2]*big.Rat{},
		holding: map[string]int{},
	}
	var queue []*pool.ResourcePoolClaim
	for _, c := range claims {
		if c != nil && claimsFrom(c, p) {
			queue = append(queue, c)
		}
	}
	sort.SliceStable(queue, func(i, j int) bool { return before(queue[i], queue[j]) })
	for _, c := range queue {
		s.order = append(s.order, c.Namespace+"/"+c.Name)
		if held := heldBy(p, c); held != nil && !isReleased(c) {
			s.grant(c, held)
		}
	}
	for _, c := range queue {
		held := heldBy(p, c)
		switch {
		case held == nil:
			s.turn(p, c, nil)
		case isReleased(c):
			s.state[c.Namespace+"/"+c.Name] = "Released"
		case !o.Documented && !same(held, c.Spec.Claim):
			s.takeBack(c, held)
			s.turn(p, c, held)
		}
	}
	s.holding = nil
	for _, sums := range append(slices.Collect(maps.Values(s.namespaces)), s.claimed) {
		maps.DeleteFunc(sums, func(_ corev1.ResourceName, sum *big.Rat) bool { return sum.Sign() == 0 })
	}
	return s
}

// Diff returns how an allocation differs from that of Allocate.
func (s Slow) Diff(a *pool.Allocation) string {
	holding := 0
	for _, state := range s.state {
		if state == "Bound" {
			holding++
		}
	}
	if a.Holding != holding {
		return fmt.Sprintf("%d claims are holding, want %d", a.Holding, holding)
	}
	return cmp.Diff(s, summary(a), cmp.AllowUnexported(Slow{}), cmp.Comparer(func(x, y *big.Rat) bool { return x.Cmp(y) == 0 }))
}

// turn decides on a claim. A claim that held resources has released them before.
func (s *Slow) turn(p *pool.ResourcePool, c *pool.ResourcePoolClaim, held map[corev1.ResourceName]*big.Rat) {
	key := c.Namespace + "/" + c.Name
	negative, closed, short := map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}, map[corev1.ResourceName]*big.Rat{}
	for name, q := range c.Spec.Claim {
		wanted := testkit.Exact(q.DeepCopy())
		left := new(big.Rat)
		if hard, offered := p.Spec.Quota.Hard[name]; offered {
			left = testkit.Exact(hard.DeepCopy())
		}
		if s.claimed[name] != nil {
			left = new(big.Rat).Sub(left, s.claimed[name])
		}
		e, exhausted := s.exhaustions[name]
		switch {
		case wanted.Sign() < 0:
			negative[name] = new(big.Rat)
		case wanted.Sign() == 0:
		case held[name] != nil && wanted.Cmp(held[name]) <= 0:
		default:
			behind := exhausted && p.Spec.Config.OrderedQueue
			if behind {
				closed[name] = e[1]
			}
			if wanted.Cmp(left) > 0 && (held == nil || !behind) {
				short[name] = left
			}
		}
	}
	switch {
	case len(negative) > 0:
		s.state[key], s.because[key] = "Invalid", describe(c, negative)
	case len(closed) > 0:
		s.state[key], s.because[key] = "QueueExhausted", describe(c, closed)
	case len(short) > 0:
		s.state[key], s.because[key] = "PoolExhausted", describe(c, short)
		for name, left := range short {
			wanted := testkit.Exact(c.Spec.Claim[name].DeepCopy())
			if e, exhausted := s.exhaustions[name]; exhausted {
				s.exhaustions[name] = [2]*big.Rat{e[0], new(big.Rat).Add(e[1], wanted)}
			} else {
				s.exhaustions[name] = [2]*big.Rat{left, wanted}
			}
		}
	default:
		s.grant(c, positive(c.Spec.Claim))
	}
}

// heldBy returns what a claim holds: the recorded amounts, or the requested ones if its
// documented condition says that it is holding; nil otherwise.
func heldBy(p *pool.ResourcePool, c *pool.ResourcePoolClaim) map[corev1.ResourceName]*big.Rat {
	if namesPool(c, p) {
		for _, b := range p.Status.Claims[c.Namespace] {
			if b.Name == c.Name && (b.UID == c.UID || b.UID == "" || c.UID == "") {
				return positive(b.Claims)
			}
		}
	}
	if isHolding(c) {
		return positive(c.Spec.Claim)
	}
	return nil
}

func claimsFrom(c *pool.ResourcePoolClaim, p *pool.ResourcePool) bool {
	if stays(c) {
		return namesPool(c, p)
	}
	return c.Spec.Pool == p.Name
}

func namesPool(c *pool.ResourcePoolClaim, p *pool.ResourcePool) bool {
	return c.Status.Pool.Name == p.Name && (c.Status.Pool.UID == p.UID || c.Status.Pool.UID == "" || p.UID == "")
}

// stays reports whether a claim cannot be moved to another pool.
func stays(c *pool.ResourcePoolClaim) bool {
	for _, is := range c.Status.Conditions {
		if is.Type == "Bound" && is.Status == "True" && c.Status.Pool.Name != "" {
			return true
		}
	}
	return isHolding(c)
}

// positive returns the amounts above zero.
func positive(list corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
	amounts := map[corev1.ResourceName]*big.Rat{}
	for name, q := range list {
		if amount := testkit.Exact(q.DeepCopy()); amount.Sign() > 0 {
			amounts[name] = amount
		}
	}
	return amounts
}

// same reports whether a list requests exactly what is held.
func same(held map[corev1.ResourceName]*big.Rat, list corev1.ResourceList) bool {
	asked := positive(list)
	for _, q := range list {
		if q.Sign() < 0 {
			return false
		}
	}
	for name, amount := range asked {
		if held[name] == nil || held[name].Cmp(amount) != 0 {
			return false
		}
	}
	return len(asked) == len(held)
}

func (s *Slow) takeBack(c *pool.ResourcePoolClaim, held map[corev1.ResourceName]*big.Rat) {
	for name, amount := range held {
		for _, sums := range []map[corev1.ResourceName]*big.Rat{s.claimed, s.namespaces[c.Namespace]} {
			sums[name] = new(big.Rat).Sub(sums[name], amount)
		}
	}
	s.holding[c.Namespace]--
	if s.holding[c.Namespace] == 0 {
		delete(s.namespaces, c.Namespace)
	}
}

func (s *Slow) grant(c *pool.ResourcePoolClaim, amounts map[corev1.ResourceName]*big.Rat) {
	s.state[c.Namespace+"/"+c.Name] = "Bound"
	s.holding[c.Namespace]++
	if s.namespaces[c.Namespace] == nil {
		s.namespaces[c.Namespace] = map[corev1.ResourceName]*big.Rat{}
	}
	for name, wanted := range amounts {
		for _, sums := range []map[corev1.ResourceName]*big.Rat{s.claimed, s.namespaces[c.Namespace]} {
			if sums[name] == nil {
				sums[name] = new(big.Rat)
			}
			sums[name] = new(big.Rat).Add(sums[name], wanted)
		}
	}
}

func describe(c *pool.ResourcePoolClaim, others map[corev1.ResourceName]*big.Rat) string {
	var parts []string
	for name, other := range others {
		parts = append(parts, fmt.Sprint(name, " ", testkit.Exact(c.Spec.Claim[name].DeepCopy()), " ", other))
	}
	slices.Sort(parts)
	return strings.Join(parts, ", ")
}

func before(a, b *pool.ResourcePoolClaim) bool {
	switch {
	case !a.CreationTimestamp.Time.Equal(b.CreationTimestamp.Time):
		return a.CreationTimestamp.Time.Before(b.CreationTimestamp.Time)
	case a.Name != b.Name:
		return a.Name < b.Name
	case a.Namespace != b.Namespace:
		return a.Namespace < b.Namespace
	default:
		return a.UID < b.UID
	}
}

func isHolding(c *pool.ResourcePoolClaim) bool {
	return c.Status.Condition.Type == "Bound" && c.Status.Condition.Status == "True" && c.Status.Pool.Name != ""
}

func isReleased(c *pool.ResourcePoolClaim) bool {
	return strings.ToLower(c.Annotations["projectcapsule.dev/release"]) == "true"
}

// summary returns an allocation in the form of Allocate.
func summary(a *pool.Allocation) Slow {
	s := Slow{
		state: map[string]string{}, because: map[string]string{}, claimed: map[corev1.ResourceName]*big.Rat{},
		namespaces: map[string]map[corev1.ResourceName]*big.Rat{}, exhaustions: map[corev1.ResourceName][2]*big.Rat{},
	}
	for _, d := range a.Decisions {
		key := d.Claim.Namespace + "/" + d.Claim.Name
		s.order = append(s.order, key)
		s.state[key] = string(d.State)
		var parts []string
		for _, o := range d.Shortages {
			other := o.Available.DeepCopy()
			if d.State == pool.QueueExhausted {
				other = o.Queued.DeepCopy()
			}
			parts = append(parts, fmt.Sprint(o.Resource, " ", testkit.Exact(o.Requested.DeepCopy()), " ", testkit.Exact(other)))
		}
		if len(parts) > 0 {
			s.because[key] = strings.Join(parts, ", ")
		}
	}
	exact := func(list corev1.ResourceList) map[corev1.ResourceName]*big.Rat {
		m := map[corev1.ResourceName]*big.Rat{}
		for name, q := range list {
			if value := testkit.Exact(q.DeepCopy()); value.Sign() != 0 {
				m[name] = value
			}
		}
		return m
	}
	s.claimed = exact(a.Claimed)
	for namespace, list := range a.Namespaces {
		s.namespaces[namespace] = exact(list)
	}
	for name, e := range a.Exhaustions {
		s.exhaustions[name] = [2]*big.Rat{testkit.Exact(e.Available.DeepCopy()), testkit.Exact(e.Requesting.DeepCopy())}
	}
	return s
}
