package controllers

import (
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"

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

// onlyAmounts reports whether two statuses of a claim that waits differ in nothing but the amounts of its message.
func onlyAmounts(before, after *pool.ResourcePoolClaim) bool {
	was, is := capsule.Condition(before, "Exhausted"), capsule.Condition(after, "Exhausted")
	if was.Message == is.Message || was.Reason != is.Reason || was.Status != is.Status {
		return false
	}
	same := after.DeepCopy()
	for i := range same.Status.Conditions {
		if same.Status.Conditions[i].Type == is.Type {
			same.Status.Conditions[i].Message = was.Message
		}
	}
	return len(before.Status.Changes(same.Status)) == 0
}

// Messages limits how often messages are rewritten: of each pool, some at once, and the next ones after a time. The reconcilers
// of pools and of claims share one. It is safe for concurrent use.
type Messages struct {
	mu      sync.Mutex
	written map[string]time.Time           // when some of a pool were written last
	allowed sets.Set[types.NamespacedName] // claims whose messages may be written now
}

// due returns the claims whose messages are rewritten now, and after which time the others are due, 0 if there are none.
func (m *Messages) due(poolName string, claims []types.NamespacedName, now time.Time) ([]types.NamespacedName, time.Duration) {
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
	again := time.Duration(0)
	if len(claims) > messagesAtOnce {
		claims, again = claims[:messagesAtOnce], messageDelay
	}
	if m.allowed == nil {
		m.allowed = sets.New[types.NamespacedName]()
	}
	m.allowed.Insert(claims...)
	return claims, again
}

// allows reports whether the message of a claim may be rewritten now.
func (m *Messages) allows(claim types.NamespacedName) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.allowed.Has(claim)
}

// done notes that the status of a claim has been written, or that there is no such claim any more.
func (m *Messages) done(claim types.NamespacedName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.allowed.Delete(claim)
}

func (m *Messages) forget(poolName string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.written, poolName)
}
