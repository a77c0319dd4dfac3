package pool_test

import (
	"encoding/json"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/internal/testkit/pooltest"
	"github.com/kubemath/kubemath/pool"
)

// scene is all that the functions of the package read.
type scene struct {
	Pool, Old *pool.ResourcePool
	Claims    []*pool.ResourcePoolClaim
	Namespace *corev1.Namespace
	Used      corev1.ResourceList
	Options   pool.Options
}

func scenes() *rapid.Generator[scene] {
	return rapid.Custom(func(t *rapid.T) scene {
		s := stored().Draw(t, "stored")
		s.pool.Spec.Defaults = testkit.PoolAmounts(3).Draw(t, "defaults")
		s.pool.Spec.Selectors = append(s.pool.Spec.Selectors, metav1Selector("tenant", "solar"))
		s.pool.Spec.Quota.Scopes = []corev1.ResourceQuotaScope{"PriorityClass"}
		s.pool.Spec.Quota.ScopeSelector = &corev1.ScopeSelector{MatchExpressions: []corev1.ScopedResourceSelectorRequirement{{Operator: "Exists", ScopeName: "PriorityClass", Values: []string{"x"}}}}
		old, _ := pooltest.UpdatePool(t, s.pool)
		return scene{s.pool, old, s.claims, namespace("ns", map[string]string{"tenant": "solar"}), testkit.PoolAmounts(6).Draw(t, "used"), apis().Draw(t, "options")}
	})
}

// read returns the answers of all functions that change nothing.
func (s scene) read() []any {
	p, record, a := s.Pool, pool.RecordOf(s.Pool), pool.Allocate(s.Pool, s.Claims, s.Options)
	admission := pool.AdmissionOptions{Documented: s.Options.Documented}
	status := a.Status(p, s.Claims, []string{"b", "a"}, midnight(), s.Options)
	deleted, kept := pool.DeletePool(p, s.Claims, s.Options)
	answers := []any{
		&status, pool.Quota(p, "ns", p.Spec.Quota.Hard), pool.ValidatePool(s.Old, p).ToAggregate(), deleted, kept,
		pool.Namespaces(p, []*corev1.Namespace{s.Namespace, nil}), pool.Needed("ns-0-0", s.Used, p, s.Claims),
	}
	for _, c := range append(s.Claims[:len(s.Claims):len(s.Claims)], nil) {
		holds, holding := record.Holds(c)
		assigned, err := pool.Assign(c, s.Namespace, []*pool.ResourcePool{p})
		answers = append(answers, holds, holding, assigned, fmt.Sprint(err), c.Key(), c.InUse(), c.Holding(), c.Released(), c.ClaimsFrom(p), pool.Release(c, s.Options),
			pool.ValidateClaim(s.Claims[0], c, admission).ToAggregate(), pool.ValidateClaimDeletion(c, admission).ToAggregate())
	}
	for _, d := range a.Decisions {
		condition := d.Condition(s.Options)
		answers = append(answers, d.Message(), &condition)
	}
	return append(answers, a)
}

// write returns copies of the objects after the functions that change them.
func (s scene) write() (answers []any) {
	p, claims := s.Pool.DeepCopy(), []*pool.ResourcePoolClaim{nil}
	for i, c := range s.Claims {
		claims = append(claims, c.DeepCopy())
		pool.ApplyUse(claims[i+1], true, midnight())
		decided, failed, assigned, kept := c.DeepCopy(), c.DeepCopy(), c.DeepCopy(), c.DeepCopy()
		pool.ApplyDecision(decided, s.Pool, pool.Decision{State: allStates[i%len(allStates)]}, midnight(), s.Options)
		pool.ApplyAssignError(failed, errNotFound("sampler"), midnight(), s.Options)
		pool.ApplyAssignment(assigned, s.Pool, midnight(), s.Options)
		pool.ApplyReleasePolicy(kept, pool.AdmissionOptions{Documented: s.Options.Documented})
		answers = append(answers, []runtime.Object{decided, failed, assigned, kept, c.DeepCopyObject()})
	}
	pool.Allocate(p, claims, s.Options).Apply(p, claims, []string{"b", "a"}, midnight(), s.Options)
	objects := []runtime.Object{p, s.Old.DeepCopyObject()}
	for _, c := range claims {
		objects = append(objects, c)
	}
	return append(answers, objects)
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := scenes().Draw(t, "scene")
		testkit.Contract(t, func() any { return append(s.read(), s.write()...) }, s)
		testkit.NoDiff(t, s.Pool.DeepCopy(), s.Pool)
		pools, claims := &pool.ResourcePoolList{}, &pool.ResourcePoolClaimList{}
		pools.ResourceVersion, claims.ResourceVersion = "7", "8"
		pools.Items = append(pools.Items, *s.Pool)
		for _, c := range s.Claims {
			claims.Items = append(claims.Items, *c)
		}
		testkit.Contract(t, func() any { return []runtime.Object{pools.DeepCopyObject(), claims.DeepCopyObject()} }, pools, claims)
		testkit.Contract(t, func() any { return []any{pools.DeepCopy(), claims.DeepCopy()} }, pools, claims)
		testkit.NoDiff(t, pools.DeepCopy(), pools)
		testkit.NoDiff(t, claims.DeepCopy(), claims)
	})
}

// Copies have all that an object has, also what no function of the package writes.
func TestDeepCopy(t *testing.T) {
	const head = `{"apiVersion": "capsule.clastix.io/v1beta2", "kind": "X", "metadata": {"name": "a", "labels": {"b": "c"}}, `
	const conditions = `[{"type": "Ready", "status": "True", "reason": "Succeeded", "message": "ready", "observedGeneration": 2, "lastTransitionTime": "2026-01-02T03:04:05Z"}]`
	const amounts = `{"hard": {"memory": "2Gi"}, "used": {"memory": "1Gi"}, "available": {"memory": "12345678901234567890123"}}`
	var p pool.ResourcePool
	testkit.OK(t, json.Unmarshal([]byte(head+`"spec": {"selectors": [{"matchLabels": {"a": "b"}}], "quota": {"hard": {"memory": "1Gi"}, "scopes": ["BestEffort"]},
		"defaults": {"memory": "1"}, "config": {"orderedQueue": true, "defaultsZero": true, "deleteBoundResources": true}},
		"status": {"observedGeneration": 1, "namespaceCount": 2, "claimCount": 3, "namespaces": ["red"],
		"claims": {"red": [{"name": "a", "namespace": "red", "uid": "1", "claims": {"memory": "1Gi"}}]}, "allocation": `+amounts+`,
		"exhaustions": {"memory": {"available": "12345678901234567890123", "requesting": "12345678901234567890124"}}, "conditions": `+conditions+`}}`), &p))
	var c pool.ResourcePoolClaim
	testkit.OK(t, json.Unmarshal([]byte(head+`"spec": {"pool": "p", "claim": {"memory": "1Gi"}}, "status": {"observedGeneration": 1, "pool": {"name": "p", "uid": "2"},
		"condition": {"type": "Bound", "status": "True"}, "allocation": `+amounts+`, "conditions": `+conditions+`}}`), &c))
	remaining := int64(3)
	list := metav1.ListMeta{ResourceVersion: "7", Continue: "x", RemainingItemCount: &remaining}
	pools := &pool.ResourcePoolList{TypeMeta: p.TypeMeta, ListMeta: list, Items: []pool.ResourcePool{p}}
	claims := &pool.ResourcePoolClaimList{TypeMeta: c.TypeMeta, ListMeta: *list.DeepCopy(), Items: []pool.ResourcePoolClaim{c}}
	for _, object := range []runtime.Object{&p, &c, pools, claims} {
		testkit.NoDiff(t, object.DeepCopyObject(), object)
		testkit.Contract(t, func() any { return object.DeepCopyObject() }, object)
	}
	var (
		noPool   *pool.ResourcePool
		noClaim  *pool.ResourcePoolClaim
		noPools  *pool.ResourcePoolList
		noClaims *pool.ResourcePoolClaimList
	)
	if noPool.DeepCopy() != nil || noClaim.DeepCopy() != nil || noPools.DeepCopy() != nil || noClaims.DeepCopy() != nil {
		t.Error("the copy of nil is not nil")
	}
	testkit.NoDiff(t, pool.Needed("ns", testkit.List("pods", "1"), nil, nil), nil)
}

// Nil and empty lists and maps are treated the same everywhere in the input.
func TestEmptyIsNil(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		testkit.EmptyIsNil(t, scenes().Draw(t, "scene"), func(s scene) any { return s.read() })
	})
}
