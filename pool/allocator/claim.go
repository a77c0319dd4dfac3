package allocator

import (
	"cmp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
)

// claim is the Allocator's state of a claim.
type claim struct {
	request          // of the claim or, if it is holding, what it holds
	later   *request // what a holding claim waits for after its release, if that differs

	created   time.Time
	name      types.NamespacedName
	uid       types.UID
	namespace *namespace
	holds     bool
	queued    bool // it is in the queue
	moved     bool // its spec names another pool, so it leaves this one once a decision denies it what it wants
}

// request is what a claim wants.
type request struct {
	wants    []ledger.Want       // above zero
	negative []ledger.Want       // a claim that has any is Invalid, and not in the queue
	written  []resource.Quantity // of wants and then of negative, in the notation of the claim
}

// read returns what a list requests.
func (l *Allocator) read(list corev1.ResourceList) request {
	var r request
	r.wants, r.negative = l.ledger.Read(list, make([]ledger.Want, 0, len(list)), nil)
	r.written = make([]resource.Quantity, 0, len(list))
	for _, wants := range [][]ledger.Want{r.wants, r.negative} {
		for _, w := range wants {
			r.written = append(r.written, list[l.ledger.Resources[w.Resource].Name].DeepCopy())
		}
	}
	return r
}

func (r *request) valid() bool { return len(r.negative) == 0 }

// same reports whether two requests are for the same amounts.
func (r *request) same(o *request, l *ledger.Ledger) bool {
	return l.Same(r.wants, o.wants) && l.Same(r.negative, o.negative)
}

// quantity returns the amount of a resource in the notation of the claim.
func (r *request) quantity(number int) resource.Quantity {
	i := ledger.Find(r.wants, number)
	if i < 0 {
		i = len(r.wants) + ledger.Find(r.negative, number)
	}
	return r.written[i].DeepCopy()
}

// afterRelease returns what a holding claim waits for after its release.
func (c *claim) afterRelease() request {
	if c.later != nil {
		return *c.later
	}
	return c.request
}

// compare is the order of the queue.
func (c *claim) compare(o *claim) int {
	return cmp.Or(
		c.created.Compare(o.created),
		strings.Compare(c.name.Name, o.name.Name),
		strings.Compare(c.name.Namespace, o.name.Namespace),
	)
}

func (c *claim) before(o *claim) bool { return c.compare(o) < 0 }

// namespace holds the sum of the holding claims of a namespace, their number, and the number of all its claims.
type namespace struct {
	totals          ledger.Totals
	holding, claims int
}

// insert adds a claim that wants some amounts and is neither holding nor in the queue.
func (l *Allocator) insert(c *pool.ResourcePoolClaim, wants corev1.ResourceList) *claim {
	in := l.namespaces[c.Namespace]
	if in == nil {
		in = &namespace{}
		l.namespaces[c.Namespace] = in
	}
	in.claims++
	n := &claim{
		request: l.read(wants), created: c.CreationTimestamp.Time, name: c.Key(), uid: c.UID,
		namespace: in, moved: c.Spec.Pool != l.spec.Name,
	}
	l.claims[n.name] = n
	return n
}

// insertHolding adds a claim that holds some amounts.
func (l *Allocator) insertHolding(c *pool.ResourcePoolClaim, holds corev1.ResourceList) *claim {
	n := l.insert(c, holds)
	l.grant(n)
	return n
}

// insertWaiting adds a claim that waits. In the current API, a claim that has moved leaves the pool if it is not
// granted in the next round; in the documented API, no decision makes it leave.
func (l *Allocator) insertWaiting(c *pool.ResourcePoolClaim) *claim {
	n := l.insert(c, c.Spec.Claim)
	if n.moved && !l.options.Documented {
		l.leaving = append(l.leaving, n)
	}
	return n
}

// enqueue lets a claim wait for its turn. An invalid one never has a turn, and one that requests nothing needs
// none.
func (l *Allocator) enqueue(c *claim) {
	switch {
	case !c.valid():
	case len(c.wants) == 0:
		l.grant(c)
		l.unreported = append(l.unreported, c)
	default:
		c.queued = true
		l.queue.add(c, l.rowOf(c))
		l.fresh = append(l.fresh, c)
	}
}

// requeue lets a released claim wait again, unless it has moved.
func (l *Allocator) requeue(c *claim) {
	if c.moved {
		l.forget(c)
		return
	}
	l.enqueue(c)
}

// drop removes a claim and what it holds.
func (l *Allocator) drop(c *claim) {
	switch {
	case c.holds:
		l.takeBack(c)
	case c.queued:
		c.queued = false
		l.queue.remove(c)
	}
	l.forget(c)
}

// forget removes a claim that is neither holding nor in the queue.
func (l *Allocator) forget(c *claim) {
	delete(l.claims, c.name)
	c.namespace.claims--
	if c.namespace.claims == 0 {
		delete(l.namespaces, c.name.Namespace)
	}
}

// grant lets a claim hold what it wants.
func (l *Allocator) grant(c *claim) {
	c.holds = true
	l.holding++
	l.ledger.Take(c.wants)
	c.namespace.holding++
	c.namespace.totals = c.namespace.totals.Add(l.ledger, c.wants)
}

// takeBack returns what a claim holds to the pool.
func (l *Allocator) takeBack(c *claim) {
	c.holds = false
	l.holding--
	l.ledger.Give(c.wants)
	c.namespace.holding--
	c.namespace.totals.Remove(l.ledger, c.wants)
}
