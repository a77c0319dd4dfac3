package pool_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

func TestApplyDecision(t *testing.T) {
	p := newPool("sampler", nil)
	p.UID = "42"
	c := newClaim("a", "c", 0, nil)
	c.Generation = 7
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true", "other": "stays"}
	waits := pool.Decision{State: pool.PoolExhausted, Shortages: []pool.Shortage{{Resource: "pods", Requested: testkit.List("x", "2")["x"], Available: testkit.List("x", "1")["x"], Queued: testkit.List("x", "1")["x"]}}}
	at := func(second int) time.Time { return midnight().Add(time.Duration(second) * time.Second) }
	check := func(what string, want metav1.Condition, second int) {
		t.Helper()
		want.ObservedGeneration, want.LastTransitionTime = 7, metav1.NewTime(at(second))
		got := pool.ResourcePoolClaimStatus{Pool: corev1.ObjectReference{Name: "sampler", UID: "42"}, Condition: want}
		testkit.NoDiff(t, got, c.Status, what)
	}
	waiting := metav1.Condition{Type: "Bound", Status: "False", Reason: "PoolExhausted", Message: "requested: pods=2, available: pods=1"}
	pool.ApplyDecision(c, p, waits, at(1), pool.Options{Documented: true})
	check("waiting", waiting, 1)
	testkit.NoDiff(t, c.Annotations, map[string]string{"other": "stays"}, "annotations of a claim that was not holding")
	waits.State, waiting.Reason, waiting.Message = pool.QueueExhausted, "QueueExhausted", "requested: pods=2, queued: pods=1"
	pool.ApplyDecision(c, p, waits, at(2), pool.Options{Documented: true})
	check("waiting for another reason", waiting, 1)
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, at(3), pool.Options{Documented: true})
	check("holding", metav1.Condition{Type: "Bound", Status: "True", Reason: "Succeeded", Message: "Claimed resources"}, 3)
	c.Annotations[pool.ReleaseAnnotation] = "true"
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, at(4), pool.Options{Documented: true})
	if !c.Released() {
		t.Error("the annotation of a holding claim is gone")
	}
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Released}, at(5), pool.Options{Documented: true})
	if diff := cmp.Diff(pool.ResourcePoolClaimStatus{}, c.Status); diff != "" || c.Released() {
		t.Errorf("released: %v, %v\n%s", c.Status, c.Annotations, diff)
	}
	pool.ApplyDecision(nil, p, waits, at(6), pool.Options{Documented: true})
	pool.ApplyDecision(c, nil, waits, at(6), pool.Options{Documented: true})
	testkit.NoDiff(t, c.Status, pool.ResourcePoolClaimStatus{}, "without a pool")
	testkit.Equal(t, (pool.Decision{State: pool.Released}).Message(), "claim is disassociated from the pool", "message of a release")
}

func TestApplyAssignError(t *testing.T) {
	_, unassigned := pool.Assign(nil, nil, nil)
	c := asHolding(newClaim("a", "c", 0, nil))
	pool.ApplyAssignError(c, errNotFound("sample"), midnight(), pool.Options{Documented: true})
	want := pool.ResourcePoolClaimStatus{Condition: metav1.Condition{Type: "Assigned", Status: "False", Reason: "Failed",
		Message: `ResourcePool.capsule.clastix.io "sample" not found`, LastTransitionTime: metav1.NewTime(midnight())}}
	testkit.NoDiff(t, c.Status, want, "not found")
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true", "kept": "yes"}
	pool.ApplyAssignError(c, unassigned, midnight().Add(time.Hour), pool.Options{Documented: true})
	testkit.NoDiff(t, c.Annotations, map[string]string{"kept": "yes"}, "annotations")
	want.Condition.Reason, want.Condition.Message = "Unassigned", "no pool reference was defined"
	testkit.NoDiff(t, c.Status, want, "unassigned")
	pool.ApplyAssignError(nil, unassigned, midnight(), pool.Options{Documented: true})
	pool.ApplyAssignError(c, nil, midnight(), pool.Options{Documented: true})
	testkit.NoDiff(t, c.Status, want, "no error")
}

func TestApplyAssignErrorOfAGeneration(t *testing.T) {
	c := newClaim("a", "c", 0, nil)
	c.Generation = 7
	pool.ApplyAssignError(c, errNotFound("sample"), midnight(), pool.Options{})
	testkit.Equal(t, c.Status.ObservedGeneration, 7)
}

func TestApplyWithoutAPool(t *testing.T) {
	c := newClaim("a", "c", 0, nil)
	a := pool.Allocate(nil, []*pool.ResourcePoolClaim{c}, pool.Options{})
	a.Apply(nil, []*pool.ResourcePoolClaim{c}, []string{"a"}, midnight(), pool.Options{})
	testkit.NoDiff(t, c, newClaim("a", "c", 0, nil))
	if got := a.Status(nil, nil, nil, midnight(), pool.Options{}).Conditions; got != nil {
		t.Errorf("the conditions of no pool: %v", got)
	}
}

// Lists without amounts are nil, as they are after JSON.
func TestStatusOfEmptyLists(t *testing.T) {
	a := pool.Allocation{Hard: testkit.List(), Claimed: testkit.List(), Available: testkit.List()}
	got := a.Status(nil, nil, nil, midnight(), pool.Options{}).Allocation
	if got.Hard != nil || got.Claimed != nil || got.Available != nil {
		t.Errorf("%#v", got)
	}
}

func TestAllocationStatus(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "3", "requests.memory", "1Gi"))
	claims := []*pool.ResourcePoolClaim{
		newClaim("b", "x", 0, testkit.List("pods", "1")), newClaim("a", "y", 1, testkit.List("pods", "2", "requests.memory", "1Gi")),
		nil, newClaim("b", "z", 2, testkit.List("pods", "1")), newClaim("b", "w", 3, testkit.List("pods", "0")),
	}
	got := pool.Allocate(p, claims, pool.Options{Documented: true}).Status(p, claims, []string{"b", "a", "c"}, midnight(), pool.Options{Documented: true})
	want := pool.ResourcePoolStatus{
		NamespaceCount: 3, ClaimCount: 3, Namespaces: []string{"a", "b", "c"},
		Claims: map[string][]pool.RecordedClaim{
			"a": {{Name: "y", UID: "uid-a-y", Claims: testkit.List("pods", "2", "requests.memory", "1Gi")}},
			"b": {{Name: "x", UID: "uid-b-x", Claims: testkit.List("pods", "1")}, {Name: "w", UID: "uid-b-w", Claims: testkit.List("pods", "0")}},
		},
		Allocation: pool.AllocationStatus{
			Hard:    testkit.List("pods", "3", "requests.memory", "1Gi"),
			Claimed: testkit.List("pods", "3", "requests.memory", "1Gi"), Available: testkit.List("pods", "0", "requests.memory", "0"),
		},
		Exhaustions: map[corev1.ResourceName]pool.Exhaustion{"pods": {Available: testkit.List("x", "0")["x"], Requesting: testkit.List("x", "1")["x"]}},
	}
	testkit.NoDiff(t, got, want)
	text, err := json.Marshal(got)
	testkit.OK(t, err)
	const wantJSON = `{"namespaceCount":3,"claimCount":3,"namespaces":["a","b","c"],` +
		`"claims":{"a":[{"name":"y","uid":"uid-a-y","claims":{"pods":"2","requests.memory":"1Gi"}}],"b":[{"name":"x","uid":"uid-b-x","claims":{"pods":"1"}},{"name":"w","uid":"uid-b-w","claims":{"pods":"0"}}]},` +
		`"allocation":{"hard":{"pods":"3","requests.memory":"1Gi"},"used":{"pods":"3","requests.memory":"1Gi"},"available":{"pods":"0","requests.memory":"0"}},` +
		`"exhaustions":{"pods":{"available":"0","requesting":"1"}}}`
	testkit.NoDiff(t, string(text), wantJSON, "JSON")
	// A claim that is holding in the allocation and not given has no place in the status.
	if got := pool.Allocate(p, claims, pool.Options{Documented: true}).Status(p, claims[1:], nil, midnight(), pool.Options{Documented: true}); len(got.Claims["b"]) != 1 {
		t.Errorf("claims of b: %v", got.Claims["b"])
	}
}
