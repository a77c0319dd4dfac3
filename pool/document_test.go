package pool_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
)

// sampler is the pool of the document's queues.
func sampler(ordered bool) *pool.ResourcePool {
	p := newPool("sampler", testkit.List("limits.cpu", "2", "limits.memory", "2Gi", "requests.cpu", "2", "requests.memory", "2Gi", "requests.storage", "5Gi"))
	p.Spec.Config.OrderedQueue = ordered
	return p
}

func memory(name string, second int, amount string) *pool.ResourcePoolClaim {
	return newClaim("solar-test", name, second, testkit.List("requests.memory", amount))
}

// outcome is what kubectl shows of a claim.
type outcome struct{ Name, Status, Reason, Message string }

func outcomes(a *pool.Allocation) (all []outcome) {
	for _, d := range a.Decisions {
		c := d.Condition(pool.Options{Documented: true})
		all = append(all, outcome{d.Claim.Name, c.Type, c.Reason, c.Message})
	}
	return all
}

func expect(t *testing.T, got []outcome, want ...outcome) {
	t.Helper()
	testkit.NoDiff(t, got, want)
}

// Section "PoolExhausted": 2Gi are requested, and 1Gi is available. (The document's table
// there shows the reason and message of the section after it; its text is followed.)
func TestDocumentPoolExhausted(t *testing.T) {
	a := pool.Allocate(sampler(false), []*pool.ResourcePoolClaim{asHolding(memory("base", 0, "1Gi")), memory("get-mem", 1, "2Gi")}, pool.Options{Documented: true})
	expect(t, outcomes(a),
		outcome{"base", "Bound", "Succeeded", "Claimed resources"},
		outcome{"get-mem", "Bound", "PoolExhausted", "requested: requests.memory=2Gi, available: requests.memory=1Gi"})
	want := map[corev1.ResourceName]pool.Exhaustion{"requests.memory": {Available: resource.MustParse("1Gi"), Requesting: resource.MustParse("2Gi")}}
	testkit.NoDiff(t, a.Exhaustions, want, "exhaustions")

	t.Run("request less", func(t *testing.T) {
		a := pool.Allocate(sampler(false), []*pool.ResourcePoolClaim{asHolding(memory("base", 0, "1Gi")), memory("get-mem", 1, "1Gi")}, pool.Options{Documented: true})
		expect(t, outcomes(a)[1:], outcome{"get-mem", "Bound", "Succeeded", "Claimed resources"})
	})
	t.Run("release another claim", func(t *testing.T) {
		base := asHolding(memory("base", 0, "1Gi"))
		base.Annotations = map[string]string{"projectcapsule.dev/release": "true"}
		a := pool.Allocate(sampler(false), []*pool.ResourcePoolClaim{base, memory("get-mem", 1, "2Gi")}, pool.Options{Documented: true})
		expect(t, outcomes(a), outcome{Name: "base"}, outcome{"get-mem", "Bound", "Succeeded", "Claimed resources"})
		pool.ApplyDecision(base, sampler(false), a.Decisions[0], midnight(), pool.Options{Documented: true})
		a = pool.Allocate(sampler(false), []*pool.ResourcePoolClaim{base, asHolding(memory("get-mem", 1, "2Gi"))}, pool.Options{Documented: true})
		expect(t, outcomes(a)[:1], outcome{"base", "Bound", "PoolExhausted", "requested: requests.memory=1Gi, available: requests.memory=0"})
	})
}

// The same section: a smaller claim passes, and the larger one finds less than before.
func TestDocumentSkipTheLine(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{asHolding(memory("base", 0, "1Gi")), memory("get-me-cpu", 1, "2Gi"), memory("skip-the-line", 2, "512Mi")}
	a := pool.Allocate(sampler(false), claims, pool.Options{Documented: true})
	if d := a.Decisions[2]; d.State != pool.Holding {
		t.Errorf("skip-the-line is %s", d.State)
	}
	claims[2] = asHolding(claims[2])
	expect(t, outcomes(pool.Allocate(sampler(false), claims, pool.Options{Documented: true}))[1:],
		outcome{"get-me-cpu", "Bound", "PoolExhausted", "requested: requests.memory=2Gi, available: requests.memory=512Mi"},
		outcome{"skip-the-line", "Bound", "Succeeded", "Claimed resources"})
}

// Section "QueueExhausted": with an ordered queue, no claim passes another unless it wants other
// resources.
func TestDocumentQueueExhausted(t *testing.T) {
	a := pool.Allocate(sampler(true), []*pool.ResourcePoolClaim{
		asHolding(memory("base", 0, "1536Mi")), memory("first", 1, "1Gi"), memory("get-mem", 2, "2Gi"), memory("skip-the-line", 3, "512Mi"),
		newClaim("solar-test", "get-me-cpu", 4, testkit.List("requests.cpu", "2")),
	}, pool.Options{Documented: true})
	expect(t, outcomes(a)[1:],
		outcome{"first", "Bound", "PoolExhausted", "requested: requests.memory=1Gi, available: requests.memory=512Mi"},
		outcome{"get-mem", "Bound", "QueueExhausted", "requested: requests.memory=2Gi, queued: requests.memory=1Gi"},
		outcome{"skip-the-line", "Bound", "QueueExhausted", "requested: requests.memory=512Mi, queued: requests.memory=1Gi"},
		outcome{"get-me-cpu", "Bound", "Succeeded", "Claimed resources"})
}

// An ordered queue is allocated again: what the second claim closed is open once it is
// behind the first, as in Capsule.
func TestOrderedQueueOpensAgain(t *testing.T) {
	p := newPool("sampler", testkit.List("limits.cpu", "1", "pods", "5", "requests.storage", "1"))
	p.Spec.Config.OrderedQueue = true
	s := state{p, []*pool.ResourcePoolClaim{
		newClaim("a", "first", 0, testkit.List("limits.cpu", "2", "pods", "3")),
		newClaim("a", "second", 1, testkit.List("pods", "1", "requests.storage", "2")),
		newClaim("a", "third", 2, testkit.List("pods", "4")),
		newClaim("a", "fourth", 3, testkit.List("requests.storage", "1")),
	}}
	states := func() (all []pool.State) {
		for _, d := range apply(s).Decisions {
			all = append(all, d.State)
		}
		return all
	}
	testkit.NoDiff(t, states(), []pool.State{pool.PoolExhausted, pool.PoolExhausted, pool.Holding, pool.QueueExhausted}, "at first")
	testkit.NoDiff(t, states(), []pool.State{pool.PoolExhausted, pool.QueueExhausted, pool.Holding, pool.Holding}, "then")
}

// Section "Defaults": what the quota of a namespace without claims limits.
func TestDocumentDefaults(t *testing.T) {
	hard := testkit.List("limits.cpu", "2", "limits.memory", "2Gi", "requests.cpu", "2", "requests.memory", "2Gi", "requests.storage", "5Gi")
	claimed := testkit.List("requests.cpu", "1", "requests.storage", "1536Mi", "pods", "0")
	for _, test := range []struct {
		name               string
		defaults           corev1.ResourceList
		zero               bool
		claimed, wantQuota corev1.ResourceList
	}{
		{"storage is blocked", testkit.List("requests.storage", "0Gi"), false, nil, testkit.List("requests.storage", "0")},
		{"no defaults", nil, false, nil, corev1.ResourceList{}},
		{"defaultsZero", testkit.List("count/persistentvolumeclaims", "3"), true, nil, testkit.List("count/persistentvolumeclaims", "3",
			"limits.cpu", "0", "limits.memory", "0", "requests.cpu", "0", "requests.memory", "0", "requests.storage", "0")},
		{"claims only", nil, false, claimed, testkit.List("requests.cpu", "1", "requests.storage", "1536Mi")},
		{"claims on top of defaults", testkit.List("requests.storage", "1Gi"), false, claimed, testkit.List("requests.cpu", "1", "requests.storage", "2560Mi")},
		{"claims, defaults and zero", testkit.List("requests.cpu", "100m"), true, claimed, testkit.List(
			"limits.cpu", "0", "limits.memory", "0", "requests.cpu", "1100m", "requests.memory", "0", "requests.storage", "1536Mi")},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("example", hard)
			p.Spec.Defaults, p.Spec.Config.DefaultsZero = test.defaults, test.zero
			q := pool.Quota(p, "example-dev", test.claimed)
			testkit.NoDiff(t, q.Spec.Hard, test.wantQuota)
			if q.Name != "capsule-pool-example" || q.Namespace != "example-dev" || q.Kind != "ResourceQuota" || q.APIVersion != "v1" {
				t.Errorf("quota %s/%s of kind %s %s", q.Namespace, q.Name, q.APIVersion, q.Kind)
			}
		})
	}
	if pool.Quota(nil, "x", nil) != nil {
		t.Error("no pool has a quota")
	}
}

// The ResourceQuota of a pool has the labels that Capsule sets, and the pool as its owner.
func TestQuotaMetadata(t *testing.T) {
	p := newPool("example", testkit.List("pods", "1"))
	yes := true
	want := metav1.ObjectMeta{
		Name: "capsule-pool-example", Namespace: "example-dev",
		Labels: map[string]string{"projectcapsule.dev/pool": "example", "projectcapsule.dev/managed-by": "controller"},
		OwnerReferences: []metav1.OwnerReference{{
			APIVersion: "capsule.clastix.io/v1beta2", Kind: "ResourcePool", Name: "example", UID: "1", Controller: &yes, BlockOwnerDeletion: &yes,
		}},
	}
	p.UID = "1"
	testkit.NoDiff(t, pool.Quota(p, "example-dev", nil).ObjectMeta, want)
	want.OwnerReferences, p.UID = nil, ""
	testkit.NoDiff(t, pool.Quota(p, "example-dev", nil).ObjectMeta, want, "of a pool that no server has stored")
}

// Amounts have the format of the pool, else of the claims, else of the default, else the decimal one;
// the same holds for the zero of DefaultsZero.
func TestFormatsOfQuota(t *testing.T) {
	of := func(n int64, format resource.Format) corev1.ResourceList {
		return corev1.ResourceList{"requests.memory": *resource.NewQuantity(n, format)}
	}
	const none = resource.Format("")
	for _, test := range []struct {
		name                    string
		hard, claimed, defaults corev1.ResourceList
		want                    resource.Format
	}{
		{"format of the pool", of(1, resource.BinarySI), of(1, resource.DecimalSI), of(1, resource.DecimalExponent), resource.BinarySI},
		{"format of the claims", of(1, none), of(1, resource.BinarySI), of(1, resource.DecimalExponent), resource.BinarySI},
		{"format of the default", nil, of(1, none), of(1, resource.DecimalExponent), resource.DecimalExponent},
		{"no format", of(1, none), of(1, none), of(1, none), resource.DecimalSI},
		{"zero", of(1, resource.BinarySI), nil, nil, resource.BinarySI},
	} {
		p := newPool("example", test.hard)
		p.Spec.Defaults, p.Spec.Config.DefaultsZero = test.defaults, true
		if got := pool.Quota(p, "x", test.claimed).Spec.Hard["requests.memory"]; got.Format != test.want {
			t.Errorf("%s: %s in %q, want %q", test.name, got.String(), got.Format, test.want)
		}
	}
}

// Capsule refuses to bind a claim for zero of an exhausted resource: it checks whether anything remains,
// not whether the remaining amount is enough.
// See docs/decisions/pool.md#zero-request-is-granted.
func TestDivergenceZeroRequestIsGranted(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		a := pool.Allocate(sampler(ordered), []*pool.ResourcePoolClaim{
			asHolding(memory("base", 0, "2Gi")), memory("waits", 1, "1"), memory("zero", 2, "0"),
			newClaim("solar-test", "nothing", 3, nil), newClaim("solar-test", "unknown", 4, testkit.List("example.com/gpu", "0")),
		}, pool.Options{Documented: true})
		for _, i := range []int{2, 3, 4} {
			if d := a.Decisions[i]; d.State != pool.Holding || d.Message() != "resource claimable from pool" {
				t.Errorf("%v is %s: %s", d.Claim, d.State, d.Message())
			}
		}
	}
}

// Capsule binds a claim with a negative request, and its pool has more to give afterwards.
// See docs/decisions/pool.md#negative-request-is-refused.
func TestDivergenceNegativeRequestIsRefused(t *testing.T) {
	a := pool.Allocate(sampler(false), []*pool.ResourcePoolClaim{
		newClaim("solar-test", "thief", 0, testkit.List("requests.memory", "-1Gi", "limits.cpu", "-500m", "requests.cpu", "1")),
		asHolding(newClaim("solar-test", "admitted", 1, testkit.List("requests.memory", "-1Gi", "requests.cpu", "1"))),
		memory("all", 2, "2Gi"), memory("more", 3, "1"),
	}, pool.Options{Documented: true})
	expect(t, outcomes(a),
		outcome{"thief", "Bound", "Invalid", "requested: limits.cpu=-500m, must not be negative; requested: requests.memory=-1Gi, must not be negative"},
		outcome{"admitted", "Bound", "Succeeded", "Claimed resources"},
		outcome{"all", "Bound", "Succeeded", "Claimed resources"},
		outcome{"more", "Bound", "PoolExhausted", "requested: requests.memory=1, available: requests.memory=0"})
	if cpu := a.Claimed["requests.cpu"]; cpu.String() != "1" {
		t.Errorf("%s CPU claimed, want 1", cpu.String())
	}
}

// A pool of 1.5Gi is still one of 1.5Gi after some calls.
func TestAskingDoesNotShrinkThePool(t *testing.T) {
	p := newPool("sampler", testkit.List("requests.memory", "1.5Gi"))
	claims := []*pool.ResourcePoolClaim{asHolding(memory("a", 0, "0.5Gi")), memory("b", 1, "0.5Gi"), memory("c", 2, "1.5Gi")}
	for range 10 {
		a := pool.Allocate(p, claims, pool.Options{Documented: true})
		if left, hard := a.Available["requests.memory"], p.Spec.Quota.Hard["requests.memory"]; left.String() != "512Mi" || hard.String() != "1536Mi" {
			t.Fatalf("%s left of %s, want 512Mi of 1536Mi", left.String(), hard.String())
		}
	}
}
