package allocator

import "github.com/kubemath/kubemath/pool"

// stay is how long a claim belongs to the pool: see pool.ResourcePoolClaim.ClaimsFrom.
type stay uint8

const (
	always    stay = iota // its spec names the pool
	whileHeld             // only its status names the pool, until it has had a turn and holds nothing
	gone                  // only its status named the pool, and it was evicted
)

// stayOf returns how long a claim of the pool belongs to it.
func (l *Allocator) stayOf(c *pool.ResourcePoolClaim) stay {
	if c.Spec.Pool == l.spec.Name {
		return always
	}
	return whileHeld
}

// visit notes a waiting claim that leaves the pool if it is not granted in the next round. In the documented
// API, a decision does not make a claim leave.
func (l *Allocator) visit(c *claim) {
	if c.stay != always && l.options.API != pool.Documented {
		l.visitors = append(l.visitors, c)
	}
}

// leave drops the claims that have left the pool after a round, and reports whether there are any.
func (l *Allocator) leave() bool {
	before := l.claims.count
	for _, c := range l.visitors {
		if !c.holds {
			l.drop(c)
		}
	}
	l.visitors = nil
	return l.claims.count < before
}

// join adds a released claim to the queue, unless only its status named the pool.
func (l *Allocator) join(c *claim) {
	if c.stay != always {
		l.forget(c)
		return
	}
	l.enqueue(c)
}
