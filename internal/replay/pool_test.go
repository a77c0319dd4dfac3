package replay_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// poolAllocation is a pool with waiting claims, and the allocation of Capsule's controller.
type poolAllocation struct {
	Name         string
	Hard         corev1.ResourceList
	Defaults     corev1.ResourceList
	OrderedQueue bool
	Claims       []struct {
		Name, Namespace string
		UID             types.UID
		Created         metav1.Time
		Resources       corev1.ResourceList
	}
	Want struct {
		Claims             []claimState // in turn
		Claimed, Available corev1.ResourceList
		Exhaustions        map[corev1.ResourceName]pool.Exhaustion
		QuotaHard          map[string]corev1.ResourceList // of each namespace
	}
}

type claimState struct{ Namespace, Name, State, Message string }

// replayPoolAllocation compares every answer: the turns, states and messages, what is
// claimed, available and exhausted, and the quota of each namespace. The parts of a message
// about the queue come in no fixed order in Capsule, and sorted in ours. A live pool has to
// grant the same claims.
func replayPoolAllocation(t *testing.T, raw json.RawMessage) bool {
	var c poolAllocation
	decode(t, raw, &c)
	p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: c.Name}}
	p.Spec.Quota.Hard, p.Spec.Defaults, p.Spec.Config.OrderedQueue = c.Hard, c.Defaults, c.OrderedQueue
	var claims []*pool.ResourcePoolClaim
	for _, r := range c.Claims {
		claim := &pool.ResourcePoolClaim{Spec: pool.ResourcePoolClaimSpec{Pool: c.Name, Claim: r.Resources}}
		claim.Name, claim.Namespace, claim.UID, claim.CreationTimestamp = r.Name, r.Namespace, r.UID, r.Created
		claims = append(claims, claim)
	}
	compare := func(what string, want, got any) {
		testkit.NoDiff(t, got, want, c.Name, what)
	}
	a := pool.Allocate(p, claims, pool.Options{Documented: true})
	var states []claimState
	for i, d := range a.Decisions {
		states = append(states, claimState{d.Claim.Namespace, d.Claim.Name, string(d.State), d.Message()})
		if i < len(c.Want.Claims) && c.Want.Claims[i].State == "QueueExhausted" {
			parts := strings.Split(c.Want.Claims[i].Message, "; ")
			slices.Sort(parts)
			c.Want.Claims[i].Message = strings.Join(parts, "; ")
		}
	}
	compare("claims", c.Want.Claims, states)
	compare("claimed", c.Want.Claimed, a.Claimed)
	compare("available", c.Want.Available, a.Available)
	compare("exhaustions", c.Want.Exhaustions, a.Exhaustions)
	l := allocator.New(p, claims, pool.Options{Documented: true})
	for _, d := range a.Decisions {
		if now, _ := l.Decision(d.Claim); d.State == pool.Holding && now.State != pool.Holding {
			t.Errorf("%s: %v is %s in a live pool", c.Name, d.Claim, now.State)
		}
	}
	for namespace, want := range c.Want.QuotaHard {
		compare("quota of "+namespace, want, pool.Quota(p, namespace, a.Namespaces[namespace]).Spec.Hard)
	}
	return true
}
