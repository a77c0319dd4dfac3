package poolmetrics_test

import (
	"errors"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// The example of the document with today's Capsule: the holding claim is in use.
func TestCurrent(t *testing.T) {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List("requests.cpu", "0", "requests.memory", "2Gi")
	large, skip := claim("solar-prod", "large", "2Gi"), claim("solar-test", "skip-the-line", "512Mi")
	large.CreationTimestamp.Time = time.Unix(1, 0)
	lost := claim("solar-test", "lost", "1")
	lost.Spec.Pool = "none"
	pool.ApplyAssignError(lost, errors.New(`ResourcePool.capsule.clastix.io "none" not found`), time.Time{}, pool.Options{})
	claims := []*pool.ResourcePoolClaim{skip, large}
	for range 2 {
		pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"solar-prod", "solar-test"}, time.Time{}, pool.Options{})
	}
	pool.ApplyUse(skip, true, time.Time{})
	compare(t, "current", poolmetrics.Collect([]*pool.ResourcePool{p}, []*pool.ResourcePoolClaim{skip, lost, large}, pool.Options{}))
}

// Statuses that were not written by Allocation.Apply.
func TestCurrentEdges(t *testing.T) {
	p := &pool.ResourcePool{}
	p.Name = "edges"
	p.Status.Allocation = pool.AllocationStatus{Hard: testkit.List("pods", "3", "services", "0", "secrets", "1"), Claimed: testkit.List("pods", "4", "services", "1", "secrets", "333m")}
	p.Status.Claims = map[string][]pool.RecordedClaim{"a": {{Claims: testkit.List("pods", "4", "services", "1", "configmaps", "1")}}}
	p.Status.Exhaustions = map[corev1.ResourceName]pool.Exhaustion{}
	for name, e := range map[corev1.ResourceName][2]string{"pods": {"-1", "2"}, "services": {"0", "1"}, "secrets": {"2", "2"}, "configmaps": {"2", "5"}} {
		amounts := testkit.List("available", e[0], "requesting", e[1])
		p.Status.Exhaustions[name] = pool.Exhaustion{Available: amounts["available"], Requesting: amounts["requesting"]}
	}
	p.Status.Conditions = []metav1.Condition{{Type: "Ready", Status: "False"}, {Type: "Cordoned", Status: "True"}, {Type: "Exhausted", Status: "Unknown"}}
	fresh := &pool.ResourcePoolClaim{}
	fresh.Namespace, fresh.Name = "a", "fresh"
	fresh.Status.Condition = metav1.Condition{Type: "Bound", Status: "True"} // of the documented API
	moved := claim("a", "moved", "1")
	moved.Status.Pool.Name, moved.Spec.Claim = "edges", nil
	moved.Status.Conditions = []metav1.Condition{{Type: "Exhausted", Status: "Unknown"}, {Type: "Other", Status: "True"}}
	compare(t, "edges", poolmetrics.Collect([]*pool.ResourcePool{nil, p}, []*pool.ResourcePoolClaim{moved, nil, fresh}, pool.Options{}))
}

// A namespace without claims has no samples. Capsule deletes its series by the label namespace, but they have
// the label target_namespace, so that they keep their last value.
// See docs/decisions/pool.md#namespace-that-left.
func TestDivergenceNamespaceThatLeft(t *testing.T) {
	p := &pool.ResourcePool{}
	p.Name, p.Spec.Quota.Hard = "sampler", testkit.List("requests.memory", "4Gi")
	here, left := claim("here", "one", "1Gi"), claim("left", "two", "2Gi")
	namespaces := func() (all []string) {
		for _, m := range poolmetrics.Collect([]*pool.ResourcePool{p}, nil, pool.Options{}) {
			for _, s := range m.Samples {
				for _, l := range s.Labels {
					if l.Name == "target_namespace" {
						all = append(all, m.Name+" "+l.Value)
					}
				}
			}
		}
		return all
	}
	for _, test := range []struct {
		claims []*pool.ResourcePoolClaim
		want   []string
	}{
		{[]*pool.ResourcePoolClaim{here, left}, []string{
			"capsule_pool_namespace_usage here", "capsule_pool_namespace_usage left",
			"capsule_pool_namespace_usage_percentage here", "capsule_pool_namespace_usage_percentage left",
		}},
		{[]*pool.ResourcePoolClaim{here}, []string{"capsule_pool_namespace_usage here", "capsule_pool_namespace_usage_percentage here"}},
	} {
		pool.Allocate(p, test.claims, pool.Options{}).Apply(p, test.claims, []string{"here"}, time.Time{}, pool.Options{})
		testkit.NoDiff(t, namespaces(), test.want, len(test.claims), "claims, namespaces with samples")
	}
}
