package pool_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/yaml"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// A claim and its pool as the current Capsule stores them.
const (
	storedClaim = `
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePoolClaim
metadata: {name: base, namespace: solar-test, uid: 5f0c7a3e-0000-4000-8000-000000000001, generation: 2, creationTimestamp: "2026-08-21T10:00:00Z"}
spec: {pool: sampler, claim: {requests.memory: 3Gi}}
status:
  observedGeneration: 2
  pool: {name: sampler, uid: 5f0c7a3e-0000-4000-8000-000000000002}
  allocation: {hard: {requests.memory: 1Gi}}
  conditions:
  - {type: Ready, status: "True", reason: Succeeded, message: reconciled, lastTransitionTime: "2026-08-21T10:00:01Z"}
  - {type: Exhausted, status: "False", reason: NoExhaustions, message: resource claimable from pool, observedGeneration: 1, lastTransitionTime: "2026-08-21T10:00:01Z"}
  - {type: Bound, status: "False", reason: Unused, message: claim is unused, observedGeneration: 1, lastTransitionTime: "2026-08-21T10:00:02Z"}
  fieldOfTomorrow: {any: thing}
`
	storedPool = `
apiVersion: capsule.clastix.io/v1beta2
kind: ResourcePool
metadata: {name: sampler, uid: 5f0c7a3e-0000-4000-8000-000000000002, generation: 1, finalizers: [controller.projectcapsule.dev/finalizer]}
spec:
  selectors: [{matchLabels: {tenant: solar}}]
  config: {defaultsZero: false, orderedQueue: false, deleteBoundResources: false}
  quota: {hard: {requests.memory: 2Gi}}
status:
  observedGeneration: 1
  namespaceCount: 1
  claimCount: 1
  namespaces: [solar-test]
  claims:
    solar-test:
    - {name: base, namespace: solar-test, uid: 5f0c7a3e-0000-4000-8000-000000000001, claims: {requests.memory: 1Gi}}
  allocation: {hard: {requests.memory: 2Gi}, used: {requests.memory: 1Gi}, available: {requests.memory: 1Gi}}
  exhaustions: {}
  conditions: [{type: Ready, status: "True", reason: Succeeded, message: reconciled, lastTransitionTime: "2026-08-21T10:00:01Z"}]
`
)

// decode reads a manifest as clients do: unknown fields are ignored.
func decode[T any](t *testing.T, manifest string) *T {
	t.Helper()
	object := new(T)
	testkit.OK(t, yaml.Unmarshal([]byte(manifest), object))
	return object
}

func TestManifestsOfTheCurrentAPI(t *testing.T) {
	c, p := decode[pool.ResourcePoolClaim](t, storedClaim), decode[pool.ResourcePool](t, storedPool)
	if !c.Holding() || c.InUse() || len(c.Status.Conditions) != 3 || c.Status.ObservedGeneration != 2 || c.Status.Allocation.Hard == nil {
		t.Errorf("holding %v, in use %v, status %v", c.Holding(), c.InUse(), c.Status)
	}
	if len(p.Status.Conditions) != 1 || p.Status.ObservedGeneration != 1 || p.Status.Claims["solar-test"][0].Namespace != "solar-test" {
		t.Errorf("status %v", p.Status)
	}
	// A status that was written can be read again, by either API.
	for _, documented := range []bool{false, true} {
		o, claims := pool.Options{Documented: documented}, []*pool.ResourcePoolClaim{c.DeepCopy()}
		q := p.DeepCopy()
		pool.Allocate(q, claims, o).Apply(q, claims, []string{"solar-test"}, midnight(), o)
		for object, again := range map[any]any{q: &pool.ResourcePool{}, claims[0]: &pool.ResourcePoolClaim{}} {
			written, err := json.Marshal(object)
			testkit.OK(t, err)
			if err := yaml.UnmarshalStrict(written, again); err != nil {
				t.Errorf("documented %v: %v of %s", documented, err, written)
			}
		}
	}
}

// The record counts for the claim that it is about, as long as the claim's status names the pool.
func TestRecordHolds(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "10"))
	p.UID = "pool"
	for _, test := range []struct {
		name   string
		change func(*pool.ResourcePoolClaim)
		want   corev1.ResourceList
	}{
		{"recorded", func(*pool.ResourcePoolClaim) {}, testkit.List("pods", "5")},
		{"edited", func(c *pool.ResourcePoolClaim) { c.Spec.Claim = testkit.List("pods", "9") }, testkit.List("pods", "5")},
		{"without conditions", func(c *pool.ResourcePoolClaim) { c.Status.Conditions = nil }, testkit.List("pods", "5")},
		{"created again", func(c *pool.ResourcePoolClaim) { c.UID = "another" }, nil},
		{"of another namespace", func(c *pool.ResourcePoolClaim) { c.Namespace = "b" }, nil},
		{"released", func(c *pool.ResourcePoolClaim) { c.Status = pool.ResourcePoolClaimStatus{} }, nil},
		{"of another pool of that name", func(c *pool.ResourcePoolClaim) { c.Status.Pool.UID = "former" }, nil},
		{"moved", func(c *pool.ResourcePoolClaim) { c.Spec.Pool = "other" }, nil},
		{"moved while it is in use", func(c *pool.ResourcePoolClaim) {
			c.Spec.Pool = "other"
			pool.ApplyUse(c, true, midnight())
		}, testkit.List("pods", "5")},
	} {
		c := newClaim("a", "c", 0, testkit.List("pods", "5"))
		claims := []*pool.ResourcePoolClaim{c}
		pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
		test.change(c)
		got, holding := pool.RecordOf(p).Holds(c)
		if diff := cmp.Diff(test.want, got); diff != "" || holding != (test.want != nil) {
			t.Errorf("%s: holding %v (-want +got):\n%s", test.name, holding, diff)
		}
		p.Status = pool.ResourcePoolStatus{}
	}
	// The claim's status was written, and the pool's status could not be written.
	c := newClaim("a", "c", 0, testkit.List("pods", "5"))
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, midnight(), pool.Options{})
	if _, holding := pool.RecordOf(p).Holds(c); holding || !c.Holding() {
		t.Errorf("without a record: holding %v, by its own status %v", holding, c.Holding())
	}
}

// Conditions of the current API, through the life of a claim.
func TestCurrentConditions(t *testing.T) {
	p, c := newPool("sampler", testkit.List("pods", "1")), newClaim("a", "c", 0, testkit.List("pods", "2"))
	c.Generation, p.Generation = 7, 3
	c.Status.Condition = metav1.Condition{Type: "Bound", Status: "False"}
	now := midnight()
	expect := func(what string, want ...string) {
		t.Helper()
		var got []string
		for _, is := range c.Status.Conditions {
			got = append(got, strings.Join([]string{is.Type, string(is.Status), is.Reason, is.Message, is.LastTransitionTime.UTC().Format("15:04")}, " | "))
		}
		if diff := cmp.Diff(want, got); diff != "" || c.Status.Condition.Type != "" {
			t.Errorf("%s: %v (-want +got):\n%s", what, c.Status.Condition, diff)
		}
		now = now.Add(time.Minute)
	}
	run := func() {
		claims := []*pool.ResourcePoolClaim{c}
		pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, []string{"a"}, now, pool.Options{})
	}
	run()
	pool.ApplyUse(c, true, now) // a claim that holds nothing is not in use
	expect("waits", "Ready | True | Succeeded | reconciled | 00:00", "Exhausted | True | PoolExhausted | requested: pods=2, available: pods=1 | 00:00", "Bound | False | Failed | claim causes exhaustions | 00:00")
	p.Spec.Quota.Hard = testkit.List("pods", "2")
	run()
	expect("holding", "Ready | True | Succeeded | reconciled | 00:00", "Exhausted | False | NoExhaustions | resource claimable from pool | 00:01", "Bound | False | Unused | claim is unused | 00:00")
	pool.ApplyUse(c, true, now)
	run()
	expect("in use", "Ready | True | Succeeded | reconciled | 00:00", "Exhausted | False | NoExhaustions | resource claimable from pool | 00:01", "Bound | True | InUse | claim is used | 00:02")
	if !c.InUse() || c.Status.ObservedGeneration != 7 {
		t.Errorf("in use %v, generation %d", c.InUse(), c.Status.ObservedGeneration)
	}
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Released}, now, pool.Options{})
	expect("released", "Ready | True | Succeeded | reconciled | 00:00")
	pool.ApplyAssignError(c, errors.New("resourcepool not available"), now, pool.Options{})
	expect("not selected", "Ready | False | Failed | resourcepool not available | 00:04")
	if p.Status.ObservedGeneration != 3 {
		t.Errorf("generation %d of the pool", p.Status.ObservedGeneration)
	}
	waited := pool.ResourcePool{}
	waited.Name, waited.Spec = p.Name, p.Spec
	pool.Allocate(&waited, []*pool.ResourcePoolClaim{newClaim("a", "large", 0, testkit.List("pods", "3"))}, pool.Options{}).Apply(&waited, nil, nil, midnight(), pool.Options{})
	for i, want := range []string{
		"[Ready True Succeeded reconciled 00:00 Exhausted False NoExhaustions no exhaustions 00:01]",
		"[Ready True Succeeded reconciled 00:00 Exhausted True PoolExhausted Pool has exhaustions 00:00]",
	} {
		var got []string
		for _, is := range []*pool.ResourcePool{p, &waited}[i].Status.Conditions {
			got = append(got, is.Type, string(is.Status), is.Reason, is.Message, is.LastTransitionTime.UTC().Format("15:04"))
		}
		if fmt.Sprint(got) != want {
			t.Errorf("conditions of the pool: %v, want %s", got, want)
		}
	}
}

// A claim that names no pool is on the one that it is assigned to: its pool grants it.
func TestAssignedClaimsAreOnTheirPool(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "2"))
	for named, want := range map[string]string{"": "sampler", "sampler": "sampler", "other": "other"} {
		c := newClaim("a", "c", 0, testkit.List("pods", "2"))
		c.Spec.Pool = named
		pool.ApplyAssignment(c, p, midnight(), pool.Options{})
		testkit.Equal(t, c.Spec.Pool, want, named)
		testkit.Equal(t, len(pool.Allocate(p, []*pool.ResourcePoolClaim{c}, pool.Options{}).Decisions) == 1, want == "sampler", named)
	}
}

// A claim is assigned before its pool decides on it. Decisions of another pool are removed.
func TestApplyAssignment(t *testing.T) {
	conditions := func(c *pool.ResourcePoolClaim) (all []string) {
		for _, is := range c.Status.Conditions {
			all = append(all, is.Type+" "+string(is.Status)+" "+is.LastTransitionTime.UTC().Format("15:04"))
		}
		return all
	}
	p, q := newPool("sampler", testkit.List("pods", "2")), newPool("other", testkit.List("pods", "2"))
	p.UID, q.UID = "1", "2"
	c := newClaim("a", "c", 0, testkit.List("pods", "2"))
	c.Generation = 7
	pool.ApplyAssignment(c, p, midnight(), pool.Options{})
	want := pool.ResourcePoolClaimStatus{ObservedGeneration: 7, Pool: corev1.ObjectReference{Name: "sampler", UID: "1"}, Conditions: []metav1.Condition{
		{Type: "Ready", Status: "True", Reason: "Succeeded", Message: "reconciled", LastTransitionTime: metav1.NewTime(midnight())},
	}}
	if diff := cmp.Diff(want, c.Status); diff != "" || c.Holding() {
		t.Errorf("holding %t (-want +got):\n%s", c.Holding(), diff)
	}
	pool.ApplyDecision(c, p, pool.Decision{State: pool.Holding}, midnight(), pool.Options{})
	pool.ApplyAssignment(c, p, midnight().Add(time.Minute), pool.Options{})
	testkit.NoDiff(t, conditions(c), []string{"Ready True 00:00", "Exhausted False 00:00", "Bound False 00:00"}, "assigned again")
	pool.ApplyAssignment(c, q, midnight().Add(time.Minute), pool.Options{})
	if diff := cmp.Diff([]string{"Ready True 00:00"}, conditions(c)); diff != "" || c.Status.Pool.UID != "2" {
		t.Errorf("moved to %v (-want +got):\n%s", c.Status.Pool, diff)
	}
	again := newPool("other", nil)
	again.UID = "3"
	pool.ApplyDecision(c, q, pool.Decision{State: pool.Holding}, midnight(), pool.Options{})
	pool.ApplyAssignment(c, again, midnight(), pool.Options{})
	if c.Holding() || c.Status.Pool.UID != "3" {
		t.Errorf("holding %t to %v, which is another pool of the same name", c.Holding(), c.Status.Pool)
	}

	documented := newClaim("a", "c", 0, testkit.List("pods", "2"))
	pool.ApplyAssignment(documented, p, midnight(), pool.Options{Documented: true})
	testkit.NoDiff(t, documented.Status, pool.ResourcePoolClaimStatus{Pool: want.Pool}, "documented")
	pool.ApplyAssignment(nil, p, midnight(), pool.Options{})
	before := c.DeepCopy()
	pool.ApplyAssignment(c, nil, midnight(), pool.Options{})
	if cmp.Diff(before, c) != "" {
		t.Error("no pool changes a claim")
	}
}

// A smaller request is granted even by a pool that is overcommitted; Capsule evicts the claim.
// See docs/decisions/pool.md#lowering-never-evicts.
func TestDivergenceLoweringNeverEvicts(t *testing.T) {
	p, c := newPool("sampler", testkit.List("pods", "10")), newClaim("a", "c", 0, testkit.List("pods", "5"))
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
	p.Spec.Quota.Hard, c.Spec.Claim = testkit.List("pods", "2"), testkit.List("pods", "4")
	if a := pool.Allocate(p, claims, pool.Options{}); a.Decisions[0].State != pool.Holding || a.Available.Pods().Value() != -2 {
		t.Errorf("%s, %v left", a.Decisions[0].State, a.Available)
	}
}

// An increase of a holding claim does not bypass an ordered queue; Capsule resizes it.
// See docs/decisions/pool.md#resize-is-in-the-queue.
func TestDivergenceResizeIsInTheQueue(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "10"))
	p.Spec.Config.OrderedQueue = true
	c := newClaim("a", "c", 1, testkit.List("pods", "5"))
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
	c.Spec.Claim = testkit.List("pods", "6")
	claims = append(claims, newClaim("a", "earlier", 0, testkit.List("pods", "6")))
	if d := pool.Allocate(p, claims, pool.Options{}).Decisions[1]; d.State != pool.QueueExhausted || d.Message() != "requested: pods=6, queued: pods=6" {
		t.Errorf("%s, %s", d.State, d.Message())
	}
}

// Amounts have the format of the pool, and requests that of the claim.
// See docs/decisions/pool.md#formats-of-amounts.
func TestDivergenceNotation(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.memory", "1G", "requests.storage", "0", "pods", "1"))
	claims := []*pool.ResourcePoolClaim{
		asHolding(newClaim("a", "has", 0, testkit.List("requests.memory", "256Mi", "requests.storage", "512Mi"))), newClaim("a", "waits", 1, testkit.List("requests.storage", "512Mi", "pods", "3e0")),
	}
	a := pool.Allocate(p, claims, pool.Options{})
	claimed := a.Claimed["requests.memory"]
	testkit.Equal(t, claimed.String(), "268435456", "claimed")
	if got, want := a.Decisions[1].Message(), "requested: pods=3e0, available: pods=1; requested: requests.storage=512Mi, available: requests.storage=-536870912"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	requesting := a.Exhaustions["pods"].Requesting
	testkit.Equal(t, requesting.String(), "3e0", "requesting")
}

// The claimed amount of a resource that was removed from the pool is missing; Capsule reports 0.
// See docs/decisions/pool.md#dropped-resource.
func TestDivergenceDroppedResource(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "1"))
	a := pool.Allocate(p, []*pool.ResourcePoolClaim{asHolding(newClaim("a", "has", 0, testkit.List("services", "2"))), newClaim("a", "waits", 1, testkit.List("services", "1"))}, pool.Options{})
	testkit.Equal(t, a.Decisions[1].Message(), "requested: services=1, available: services=-2")
}

// An unused claim releases its resources when it is moved, even to a pool that does not exist;
// Capsule keeps them until that pool exists.
// See docs/decisions/pool.md#moved-to-no-pool.
func TestDivergenceMovedToNoPool(t *testing.T) {
	p, c := newPool("sampler", testkit.List("pods", "10")), newClaim("a", "c", 0, testkit.List("pods", "5"))
	p.Spec.Selectors = []metav1.LabelSelector{everything()}
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
	c.Spec.Pool = "nowhere"
	_, err := pool.Assign(c, namespace("a", nil), []*pool.ResourcePool{p})
	if err == nil || err.Error() != `ResourcePool.capsule.clastix.io "nowhere" not found` {
		t.Fatalf("%v", err)
	}
	pool.ApplyAssignError(c, err, midnight(), pool.Options{})
	if a := pool.Allocate(p, claims, pool.Options{}); c.Status.Pool.Name != "" || a.Claimed.Pods().Value() != 0 {
		t.Errorf("pool %v, claimed %v", c.Status.Pool, a.Claimed)
	}
}

// All resources of a claim decide whether a pool suits it and has room for it; Capsule stops at the first one
// that is missing, in the order of a map. Of eight resources, each is the one that counts once, so that an
// answer by the first one is hardly ever right for all.
// See docs/decisions/pool.md#assign-to-a-pool-with-room.
func TestDivergenceAssignLooksAtAll(t *testing.T) {
	names := []corev1.ResourceName{"configmaps", "limits.cpu", "limits.memory", "pods", "requests.cpu", "requests.memory", "secrets", "services"}
	of := func(amount string, others ...corev1.ResourceName) corev1.ResourceList {
		list := corev1.ResourceList{}
		for _, name := range names {
			if !slices.Contains(others, name) {
				list[name] = resource.MustParse(amount)
			}
		}
		return list
	}
	for _, name := range names {
		shortOfOne := of("9", name)
		shortOfOne[name] = resource.MustParse("1")
		for what, first := range map[string]*pool.ResourcePool{
			"short of " + string(name):              newPool("a", shortOfOne),
			"without " + string(name):               newPool("a", of("9", name)),
			"short of all, without " + string(name): newPool("a", of("1", name)),
		} {
			second := newPool("b", of("5"))
			if strings.HasPrefix(what, "short of all") {
				second = newPool("b", of("1")) // as full, but it suits the claim
			}
			first.Spec.Selectors, second.Spec.Selectors = []metav1.LabelSelector{everything()}, []metav1.LabelSelector{everything()}
			c := newClaim("ns", "c", 0, of("2"))
			c.Spec.Pool = ""
			if got, err := pool.Assign(c, namespace("ns", nil), []*pool.ResourcePool{first, second}); got != "b" || err != nil {
				t.Errorf("beside a pool %s: %q, %v", what, got, err)
			}
		}
	}
}

// The sum that claims are short of is written as the first of them writes it, and not as the pool does.
func TestNotationOfAnExhaustion(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.memory", "1G"))
	claims := []*pool.ResourcePoolClaim{newClaim("a", "a", 0, testkit.List("requests.memory", "2Gi")), newClaim("a", "b", 1, testkit.List("requests.memory", "2Gi"))}
	e := pool.Allocate(p, claims, pool.Options{}).Exhaustions["requests.memory"]
	if e.Requesting.String() != "4Gi" || e.Available.String() != "1G" {
		t.Errorf("%v of %v", &e.Requesting, &e.Available)
	}
}

// Claims that nothing tells apart have their turns in the order in which they are given, however many
// they are.
func TestOrderOfManyTwins(t *testing.T) {
	var claims []*pool.ResourcePoolClaim
	for i := range 500 {
		claims = append(claims, newClaim("a", fmt.Sprint("twin-", i*i%11), 0, testkit.List("pods", fmt.Sprint(i+1))))
	}
	last := map[types.NamespacedName]int64{}
	for _, d := range pool.Allocate(newPool("sampler", testkit.List("pods", "0")), claims, pool.Options{}).Decisions {
		given := d.Shortages[0].Requested.Value()
		if given < last[d.Claim] {
			t.Fatalf("claim %d has its turn after claim %d of that name", given, last[d.Claim])
		}
		last[d.Claim] = given
	}
}

// More claims than 16 bits number are told apart.
func TestManyClaims(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "1M"))
	claims := make([]*pool.ResourcePoolClaim, 1<<16+10)
	for i := range claims {
		claims[i] = newClaim("a", fmt.Sprintf("c-%06d", i), 0, testkit.List("pods", "1"))
	}
	for i, d := range pool.Allocate(p, claims, pool.Options{}).Decisions {
		if d.Claim != claims[i].Key() {
			t.Fatalf("decision %d is on %v", i, d.Claim)
		}
	}
}

// A copy shares nothing in its status.
func TestDeepCopyOfAStatus(t *testing.T) {
	p, c := newPool("sampler", nil), newClaim("a", "c", 0, nil)
	p.Status.Namespaces = []string{"a"}
	c.Status.Allocation = pool.AllocationStatus{Hard: testkit.List("pods", "1"), Claimed: testkit.List("pods", "1"), Available: testkit.List("pods", "1")}
	before := testkit.Fingerprint([]any{p, c})
	testkit.Scramble([]any{p.DeepCopy(), c.DeepCopy()})
	if testkit.Fingerprint([]any{p, c}) != before {
		t.Error("changing a copy changed the original")
	}
}

// In the documented API, an edit of the spec does not change the record.
func TestEditedClaimKeepsItsRecord(t *testing.T) {
	o := pool.Options{Documented: true}
	p, claims := newPool("sampler", testkit.List("pods", "9")), []*pool.ResourcePoolClaim{newClaim("a", "c", 0, testkit.List("pods", "5"))}
	pool.Allocate(p, claims, o).Apply(p, claims, nil, midnight(), o)
	claims[0].Spec.Claim = testkit.List("pods", "1")
	record := pool.Allocate(p, claims, o).Status(p, claims, nil, midnight(), o).Claims["a"]
	if len(record) != 1 || record[0].Claims.Pods().Value() != 5 {
		t.Errorf("%v", record)
	}
}

// Of all entries of a name, the one with the UID of the claim counts.
func TestRecordOfOneNameThrice(t *testing.T) {
	p := newPool("sampler", testkit.List("pods", "9"))
	for i, uid := range []types.UID{"first", "second", "third"} {
		p.Status.Claims = map[string][]pool.RecordedClaim{"a": append(p.Status.Claims["a"], pool.RecordedClaim{Name: "c", UID: uid, Claims: testkit.List("pods", fmt.Sprint(i+1))})}
	}
	record := pool.RecordOf(p)
	for uid, want := range map[types.UID]string{"first": "1", "second": "2", "third": "3", "fourth": "0"} {
		c := newClaim("a", "c", 0, nil)
		c.UID, c.Status.Pool.Name = uid, "sampler"
		if holds, holding := record.Holds(c); holds.Pods().String() != want || holding != (want != "0") {
			t.Errorf("%s holds %v, %v", uid, holds, holding)
		}
	}
}

// The status has the namespaces in order, and the caller's list stays as it is.
func TestStatusSortsNamespaces(t *testing.T) {
	p, namespaces := newPool("sampler", nil), []string{"b", "a"}
	s := pool.Allocate(p, nil, pool.Options{}).Status(p, nil, namespaces, midnight(), pool.Options{})
	testkit.NoDiff(t, [][]string{s.Namespaces, namespaces}, [][]string{{"a", "b"}, {"b", "a"}})
}

// All conditions of a decision are of the generation of the claim. They are written into a list of
// their own: a copy of the claim, such as that of a cache, keeps its own.
func TestConditionsAreOfTheGeneration(t *testing.T) {
	p, c := newPool("sampler", testkit.List("pods", "1")), newClaim("a", "c", 0, testkit.List("pods", "1"))
	for i, d := range []pool.Decision{{Claim: c.Key(), State: pool.PoolExhausted}, {Claim: c.Key(), State: pool.Holding}, {Claim: c.Key(), State: pool.PoolExhausted}} {
		c.Generation = int64(i + 5)
		cached, before := *c, testkit.Fingerprint(c.Status)
		pool.ApplyDecision(c, p, d, midnight().Add(time.Duration(i)*time.Second), pool.Options{})
		pool.ApplyUse(c, true, midnight().Add(time.Duration(i)*time.Second))
		if testkit.Fingerprint(cached.Status) != before {
			t.Errorf("%s: the copy has changed", d.State)
		}
		for _, is := range c.Status.Conditions {
			if is.Type != "Ready" && is.ObservedGeneration != c.Generation {
				t.Errorf("%s: condition %s is of generation %d, want %d", d.State, is.Type, is.ObservedGeneration, c.Generation)
			}
		}
	}
	cached, before := *c, testkit.Fingerprint(c.Status)
	pool.ApplyAssignError(c, errNotFound("other"), midnight(), pool.Options{})
	if testkit.Fingerprint(cached.Status) != before {
		t.Error("not assigned: the copy has changed")
	}
}

// If a claim is deleted and created again under its name before the pool has seen either, the new claim has
// its turn, and what the old one held is available again. Capsule clears the status of the new claim, which
// it finds by name, so that it has no pool, and keeps the record of the old one.
// See docs/decisions/pool.md#recreated-claim.
func TestDivergenceRecreatedClaim(t *testing.T) {
	p, c := newPool("sampler", testkit.List("pods", "2")), newClaim("a", "c", 0, testkit.List("pods", "2"))
	p.UID, c.UID = "pool", "old"
	claims := []*pool.ResourcePoolClaim{c}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
	again := newClaim("a", "c", 1, testkit.List("pods", "1"))
	again.UID = "new"
	pool.ApplyAssignment(again, p, midnight(), pool.Options{})
	claims = []*pool.ResourcePoolClaim{again}
	pool.Allocate(p, claims, pool.Options{}).Apply(p, claims, nil, midnight(), pool.Options{})
	want := map[string][]pool.RecordedClaim{"a": {{Name: "c", Namespace: "a", UID: "new", Claims: testkit.List("pods", "1")}}}
	if diff := cmp.Diff(want, p.Status.Claims); diff != "" || again.Status.Pool.Name != "sampler" || !again.Holding() {
		t.Errorf("pool %q, holding %v, recorded (-want +got):\n%s", again.Status.Pool.Name, again.Holding(), diff)
	}
	testkit.NoDiff(t, p.Status.Allocation.Available, testkit.List("pods", "1"), "available")
}

// A released claim joins the queue in the next run, after claims that waited, even younger ones. By the
// document, it requeues instantly, and the oldest claim comes first: it would get back what it returned. In
// Capsule, nothing assigns it to its pool again.
// See docs/decisions/pool.md#released-claim-waits-again.
func TestDivergenceReleasedClaimWaitsAgain(t *testing.T) {
	for _, o := range []pool.Options{{}, {Documented: true}} {
		p := newPool("sampler", testkit.List("pods", "3"))
		p.UID = "pool"
		older, younger := newClaim("a", "older", 0, testkit.List("pods", "2")), newClaim("a", "younger", 1, testkit.List("pods", "2"))
		claims := []*pool.ResourcePoolClaim{younger, older}
		run := func(want ...pool.State) {
			t.Helper()
			a := pool.Allocate(p, claims, o)
			var got []pool.State
			for _, d := range a.Decisions {
				got = append(got, d.State)
			}
			testkit.NoDiff(t, got, want, o, "older, younger")
			a.Apply(p, claims, nil, midnight(), o)
		}
		run(pool.Holding, pool.PoolExhausted)
		older.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		run(pool.Released, pool.Holding)
		run(pool.PoolExhausted, pool.Holding)
		p.Spec.Quota.Hard = testkit.List("pods", "4") // the claim waits, and needs no edit to be granted
		run(pool.Holding, pool.Holding)
	}
}

// The number in a status is what somebody wrote.
func TestRecordOfAWrongCount(t *testing.T) {
	p := &pool.ResourcePool{Status: pool.ResourcePoolStatus{ClaimCount: 1 << 30, Claims: map[string][]pool.RecordedClaim{"a": {{Name: "b"}}}}}
	if bytes := testkit.Allocated(func() { pool.RecordOf(p) }); bytes > 10_000 {
		t.Errorf("%d bytes", bytes)
	}
}
