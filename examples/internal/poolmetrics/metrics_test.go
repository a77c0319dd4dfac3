package poolmetrics_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/examples/internal/poolmetrics"
	"github.com/kubemath/kubemath/internal/golden"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

var documented = pool.Options{Documented: true}

// scene is that of the document: one claim holding, one too large.
func scene() ([]*pool.ResourcePool, []*pool.ResourcePoolClaim) {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List("limits.cpu", "2", "limits.memory", "2Gi", "requests.cpu", "2", "requests.memory", "2Gi", "requests.storage", "5Gi")
	large, skip := claim("solar-prod", "large", "2Gi"), claim("solar-test", "skip-the-line", "512Mi")
	claims := []*pool.ResourcePoolClaim{skip, large}
	for range 2 {
		a := pool.Allocate(p, claims, documented)
		for _, d := range a.Decisions {
			for _, c := range claims {
				if c.Name == d.Claim.Name {
					pool.ApplyDecision(c, p, d, time.Time{}, documented)
				}
			}
		}
		p.Status = a.Status(p, claims, []string{"solar-test", "solar-prod"}, time.Time{}, documented)
		claims = []*pool.ResourcePoolClaim{skip, large}
	}
	return []*pool.ResourcePool{p}, claims
}

func claim(namespace, name, memory string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = namespace, name
	if name == "large" {
		c.CreationTimestamp.Time = time.Unix(1, 0)
	}
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List("requests.memory", memory)}
	return c
}

// lines writes metrics as the document shows them.
func lines(all []poolmetrics.Metric) (lines []string) {
	for _, m := range all {
		lines = append(lines, "# HELP "+m.Name+" "+m.Help)
		for _, s := range m.Samples {
			line := m.Name + "{"
			for i, l := range s.Labels {
				if i > 0 {
					line += ","
				}
				line += fmt.Sprintf("%s=%q", l.Name, l.Value)
			}
			lines = append(lines, fmt.Sprintf("%s} %v", line, s.Value))
		}
	}
	return lines
}

// compare compares metrics with a file.
func compare(t *testing.T, name string, all []poolmetrics.Metric) {
	t.Helper()
	golden.Compare(t, "testdata/"+name+".txt", strings.Join(lines(all), "\n")+"\n")
}

// The example of the document.
func TestDocument(t *testing.T) {
	pools, claims := scene()
	compare(t, "document", poolmetrics.Collect(pools, claims, documented))
}

// Claims that failed or are new, and amounts that are huge, zero or negative.
func TestOthers(t *testing.T) {
	if got := poolmetrics.Collect(nil, nil, documented); len(got) > 0 {
		t.Errorf("of nothing: %v", got)
	}
	failed, fresh := claim("a", "failed", "1"), claim("a", "fresh", "1")
	pool.ApplyAssignError(failed, errors.New(`ResourcePool.capsule.clastix.io "sampler" not found`), time.Time{}, documented)
	huge := &pool.ResourcePool{}
	huge.Name = "huge"
	huge.Status.Allocation.Hard = testkit.List("limits.cpu", "1E", "pods", "0")
	huge.Status.Claims = map[string][]pool.RecordedClaim{
		"b": {{Claims: testkit.List("pods", "1", "limits.cpu", "250m")}, {Claims: testkit.List("limits.cpu", "1.5", "pods", "-5")}}, "a": {{Claims: testkit.List("pods", "0")}}, "c": {{Claims: testkit.List("pods", "-5")}},
	}
	compare(t, "others", poolmetrics.Collect([]*pool.ResourcePool{nil, huge}, []*pool.ResourcePoolClaim{nil, fresh, failed}, documented))
}

func TestContract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pools, claims := scene()
		pools[0].Status.Allocation.Claimed = testkit.PoolAmounts(5).Draw(t, "claimed")
		pools[0].Status.Allocation.Hard = testkit.PoolAmounts(5).Draw(t, "hard")
		pools[0].Status.Claims = map[string][]pool.RecordedClaim{"a": {{Claims: testkit.PoolAmounts(5).Draw(t, "claims")}, {Claims: testkit.PoolAmounts(5).Draw(t, "more")}}}
		pools[0].Status.Exhaustions = map[corev1.ResourceName]pool.Exhaustion{}
		for name, q := range pools[0].Status.Allocation.Hard {
			pools[0].Status.Exhaustions[name] = pool.Exhaustion{Requesting: q, Available: pools[0].Status.Allocation.Claimed[name]}
		}
		for _, o := range []pool.Options{{}, documented} {
			testkit.Contract(t, func() any { return poolmetrics.Collect(pools, claims, o) }, pools, claims)
		}
	})
}

// Samples are sorted by their labels, then by their values: the metrics do not depend on the order of
// pools with the same name.
func TestOrderOfSamples(t *testing.T) {
	var pools []*pool.ResourcePool
	var claims []*pool.ResourcePoolClaim
	for _, n := range []int{3, 1, 2, 20, 13, 7, 11, 5, 4, 6, 8, 9, 10, 12, 14} {
		p := &pool.ResourcePool{}
		p.Name = []string{"twin", "other"}[n%2]
		p.Status.Allocation = pool.AllocationStatus{
			Hard: testkit.List("pods", fmt.Sprint(n)), Claimed: testkit.List("pods", fmt.Sprint(n*n%7)), Available: testkit.List("pods", fmt.Sprint(n*n%5)),
		}
		p.Status.Claims = map[string][]pool.RecordedClaim{"a": {{Claims: testkit.List("pods", fmt.Sprint(n))}}}
		pools = append(pools, p)
		c := claim("a", "twin", "1")
		c.Status.Condition.Type = []string{"Bound", "Assigned"}[n%2]
		claims = append(claims, c)
	}
	want := lines(poolmetrics.Collect(pools, claims, documented))
	if want[5] != `capsule_pool_available{pool="other",resource="pods"} 4` || want[8] != `capsule_pool_available{pool="twin",resource="pods"} 0` {
		t.Errorf("not sorted by value: %v", want[:20])
	}
	rapid.Check(t, func(t *rapid.T) {
		got := lines(poolmetrics.Collect(rapid.Permutation(pools).Draw(t, "pools"), rapid.Permutation(claims).Draw(t, "claims"), documented))
		testkit.NoDiff(t, got, want, "in another order")
	})
}

// Amounts such as 1.5Gi are added up without a change to the status.
func TestSumsLeaveTheStatus(t *testing.T) {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Status.Claims = map[string][]pool.RecordedClaim{"a": {
		{Name: "one", Claims: testkit.List("requests.memory", "1.5Gi")}, {Name: "two", Claims: testkit.List("requests.memory", "1.5Gi")},
	}}
	for range 2 {
		for _, m := range poolmetrics.Collect([]*pool.ResourcePool{p}, nil, pool.Options{}) {
			if m.Samples[0].Value != 3<<30 {
				t.Errorf("%s: %v", m.Name, m.Samples)
			}
		}
	}
}

// The lists of the caller keep their objects, and those that are nil.
func TestCollectLeavesTheLists(t *testing.T) {
	pools, claims := []*pool.ResourcePool{nil, {}}, []*pool.ResourcePoolClaim{nil, {}}
	poolmetrics.Collect(pools, claims, pool.Options{})
	if pools[0] != nil || pools[1] == nil || claims[0] != nil || claims[1] == nil {
		t.Error(pools, claims)
	}
}
