package controllers

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/controller/capsule"
	"github.com/kubemath/kubemath/pool"
)

// Each claim that comes or goes changes what is available, and so the messages of all claims that wait. Their reasons are
// written at once; other amounts in their messages are written for some claims at a time.
const (
	messageDelay   = 5 * time.Second
	messagesAtOnce = 50
)

// outdated returns the claims whose status no longer has the reason why they wait, and those whose message alone has other
// amounts, both in the order of the decisions.
func outdated(decisions []pool.Decision, claims []*pool.ResourcePoolClaim) (otherReason, otherAmounts []types.NamespacedName) {
	byName := make(map[types.NamespacedName]*pool.ResourcePoolClaim, len(claims))
	for _, claim := range claims {
		byName[claim.Key()] = claim
	}
	for _, d := range decisions {
		claim := byName[d.Claim]
		if claim == nil {
			continue
		}
		is := capsule.Condition(claim, "Exhausted")
		switch {
		case is.Reason != d.Condition(pool.Options{}).Reason:
			otherReason = append(otherReason, d.Claim)
		case is.Message != d.Message():
			otherAmounts = append(otherAmounts, d.Claim)
		}
	}
	return otherReason, otherAmounts
}

// messages limits how often messages are rewritten: of each pool, some at once, and the next ones after a time. It is safe for
// concurrent use.
type messages struct {
	mu      sync.Mutex
	written map[string]time.Time // when some of a pool were written last
}

// due returns the claims whose messages are rewritten now, and after which time the others are due, 0 if there are none.
func (m *messages) due(poolName string, claims []types.NamespacedName, now time.Time) ([]types.NamespacedName, time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(claims) == 0 {
		return nil, 0
	}
	if last, known := m.written[poolName]; known && now.Before(last.Add(messageDelay)) {
		return nil, last.Add(messageDelay).Sub(now)
	}
	if m.written == nil {
		m.written = map[string]time.Time{}
	}
	m.written[poolName] = now
	if len(claims) > messagesAtOnce {
		return claims[:messagesAtOnce], messageDelay
	}
	return claims, 0
}

func (m *messages) forget(poolName string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.written, poolName)
}
