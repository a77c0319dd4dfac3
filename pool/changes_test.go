package pool_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// decodeStatus decodes a status as the API server has it.
func decodeStatus[T any](t *testing.T, text string) (status T) {
	t.Helper()
	testkit.OK(t, json.Unmarshal([]byte(text), &status))
	return status
}

func TestPoolStatusChanges(t *testing.T) {
	const before = `{"observedGeneration": 1, "namespaceCount": 1, "claimCount": 1, "namespaces": ["red"],
		"claims": {"red": [{"name": "a", "namespace": "red", "uid": "1", "claims": {"memory": "1Gi"}}]},
		"allocation": {"hard": {"memory": "2Gi"}, "used": {"memory": "1Gi"}, "available": {"memory": "1Gi"}},
		"exhaustions": {"memory": {"available": "1Gi", "requesting": "3Gi"}},
		"conditions": [{"type": "Ready", "status": "True", "reason": "Succeeded", "message": "ready", "lastTransitionTime": "2026-01-02T03:04:05Z"}]}`
	for _, test := range []struct{ name, after, want string }{
		{"the same amounts", `{"observedGeneration": 1, "namespaceCount": 1, "claimCount": 1, "namespaces": ["red"],
			"claims": {"red": [{"name": "a", "namespace": "red", "uid": "1", "claims": {"memory": "1024Mi"}}]},
			"allocation": {"hard": {"memory": "2048Mi"}, "used": {"memory": "1Gi"}, "available": {"memory": "1Gi"}},
			"exhaustions": {"memory": {"available": "1024Mi", "requesting": "3Gi"}},
			"conditions": [{"type": "Ready", "status": "True", "reason": "Succeeded", "message": "ready", "lastTransitionTime": "2026-01-02T04:04:05+01:00"}]}`, "[]"},
		{"nothing left", `{}`, "[allocation.available allocation.hard allocation.used claimCount claims[red] conditions[Ready] exhaustions[memory] namespaceCount namespaces observedGeneration]"},
		{"a record without its namespace", strings.Replace(before, `"namespace": "red"`, `"namespace": ""`, 1), "[claims[red]]"},
		{"a record without its UID", strings.Replace(before, `"uid": "1"`, `"uid": ""`, 1), "[claims[red]]"},
		{"a record of another amount", strings.Replace(before, `"claims": {"memory": "1Gi"}`, `"claims": {"memory": "2Gi"}`, 1), "[claims[red]]"},
		{"another condition of the type, of which the first counts", strings.Replace(before, `05Z"}]`, `05Z"}, {"type": "Ready", "status": "False"}]`, 1), "[]"},
		{"less available", strings.Replace(before, `{"available": "1Gi", "requesting"`, `{"available": "1", "requesting"`, 1), "[exhaustions[memory]]"},
		{"all else", `{"observedGeneration": 2, "namespaceCount": 2, "claimCount": 2, "namespaces": ["blue", "red"],
			"claims": {"red": [{"name": "a", "namespace": "red", "uid": "2", "claims": {"memory": "1Gi"}}], "blue": []},
			"allocation": {"hard": {"memory": "3Gi"}, "used": {"memory": "1Gi", "cpu": "0"}, "available": {}},
			"exhaustions": {"memory": {"available": "1Gi", "requesting": "4Gi"}, "cpu": {"available": "1", "requesting": "2"}},
			"conditions": [{"type": "Exhausted"}, {"type": "Ready", "status": "False", "reason": "Failed", "message": "no", "observedGeneration": 1, "lastTransitionTime": "2026-01-02T03:04:06Z"}]}`,
			"[allocation.available allocation.hard allocation.used claimCount claims[blue] claims[red] conditions[Exhausted] " +
				"conditions[Ready].lastTransitionTime conditions[Ready].message conditions[Ready].observedGeneration conditions[Ready].reason conditions[Ready].status " +
				"exhaustions[cpu] exhaustions[memory] namespaceCount namespaces observedGeneration]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			a, b := decodeStatus[pool.ResourcePoolStatus](t, before), decodeStatus[pool.ResourcePoolStatus](t, test.after)
			testkit.Contract(t, func() any { return a.Changes(b) }, &a, &b)
			testkit.Equal(t, fmt.Sprint(a.Changes(b)), test.want)
			testkit.Equal(t, fmt.Sprint(b.Changes(a)), test.want)
		})
	}
	if got := (pool.ResourcePoolStatus{}).Changes(pool.ResourcePoolStatus{Claims: map[string][]pool.RecordedClaim{}, Namespaces: []string{}}); got != nil {
		t.Errorf("%q of nothing", got)
	}
}

func TestClaimStatusChanges(t *testing.T) {
	condition := func(kind, message string) metav1.Condition {
		return metav1.Condition{Type: kind, Status: metav1.ConditionTrue, Reason: "PoolExhausted", Message: message}
	}
	before := pool.ResourcePoolClaimStatus{ObservedGeneration: 1, Pool: corev1.ObjectReference{Name: "p", UID: "1"},
		Conditions: []metav1.Condition{condition("Ready", "ready"), condition("Exhausted", "available: pods=1")}}
	for _, test := range []struct {
		name   string
		change func(*pool.ResourcePoolClaimStatus)
		want   string
	}{
		{"nothing", func(*pool.ResourcePoolClaimStatus) {}, "[]"},
		{"order of conditions", func(s *pool.ResourcePoolClaimStatus) {
			s.Conditions = []metav1.Condition{s.Conditions[1], s.Conditions[0]}
		}, "[]"},
		{"amounts of the message", func(s *pool.ResourcePoolClaimStatus) {
			s.Conditions = []metav1.Condition{s.Conditions[0], condition("Exhausted", "available: pods=2")}
		}, "[conditions[Exhausted].message]"},
		{"the pool", func(s *pool.ResourcePoolClaimStatus) { s.Pool.UID = "2" }, "[pool]"},
		{"the generation", func(s *pool.ResourcePoolClaimStatus) { s.ObservedGeneration = 2 }, "[observedGeneration]"},
		{"the documented condition", func(s *pool.ResourcePoolClaimStatus) { s.Condition = condition("Bound", "bound") },
			"[condition.message condition.reason condition.status condition.type]"},
		{"what it has", func(s *pool.ResourcePoolClaimStatus) {
			s.Allocation.Hard = corev1.ResourceList{"pods": resource.MustParse("1")}
		}, "[allocation.hard]"},
	} {
		t.Run(test.name, func(t *testing.T) {
			after := before
			test.change(&after)
			testkit.Contract(t, func() any { return before.Changes(after) }, &before, &after)
			testkit.Equal(t, fmt.Sprint(before.Changes(after)), test.want)
		})
	}
}

// Each way in which the statuses of random pools and claims differ is a change, and nothing else is.
func TestChangesAreDifferences(t *testing.T) {
	at := time.Unix(1e9, 0).UTC()
	status := func(hard, first, second string) (pool.ResourcePoolStatus, []*pool.ResourcePoolClaim) {
		p := &pool.ResourcePool{}
		p.Name, p.UID, p.Spec.Quota.Hard = "p", "1", corev1.ResourceList{"pods": resource.MustParse(hard)}
		var claims []*pool.ResourcePoolClaim
		for i, amount := range []string{first, second} {
			c := &pool.ResourcePoolClaim{}
			c.Namespace, c.Name = "red", fmt.Sprint(i)
			c.Spec = pool.ResourcePoolClaimSpec{Pool: "p", Claim: corev1.ResourceList{"pods": resource.MustParse(amount)}}
			claims = append(claims, c)
		}
		pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"red"}, at, pool.Options{})
		return p.Status, claims
	}
	amounts := []string{"0", "1", "2", "3"}
	differ, equal := 0, 0
	one, ones := status("3", "2", "2")
	for _, hard := range amounts {
		for _, first := range amounts {
			for _, second := range amounts {
				other, others := status(hard, first, second)
				for _, same := range []struct {
					deep    bool
					changes []string
				}{
					{equality.Semantic.DeepEqual(one, other), one.Changes(other)},
					{equality.Semantic.DeepEqual(ones[0].Status, others[0].Status), ones[0].Status.Changes(others[0].Status)},
					{equality.Semantic.DeepEqual(ones[1].Status, others[1].Status), ones[1].Status.Changes(others[1].Status)},
				} {
					if same.deep != (len(same.changes) == 0) {
						t.Errorf("%s %s %s: %q, equal: %t", hard, first, second, same.changes, same.deep)
					}
					if same.deep {
						equal++
					} else {
						differ++
					}
				}
			}
		}
	}
	if differ == 0 || equal == 0 {
		t.Errorf("%d differ, %d are equal", differ, equal)
	}
}
