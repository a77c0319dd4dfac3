package pool_test

import (
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/internal/ledger"
	"k8s.io/apimachinery/pkg/types"
)

func going() *metav1.Time { t := metav1.NewTime(midnight()); return &t }

// everything selects all namespaces, which an empty selector does not.
func everything() metav1.LabelSelector {
	return metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "nowhere", Operator: "DoesNotExist"}}}
}

func TestNamespaces(t *testing.T) {
	solar, wind := namespace("solar-test", map[string]string{"tenant": "solar"}), namespace("wind-prod", map[string]string{"tenant": "wind", "env": "prod"})
	other := namespace("kube-system", nil)
	gone, terminating := solar.DeepCopy(), wind.DeepCopy()
	gone.Name, gone.DeletionTimestamp = "solar-gone", going()
	terminating.Name, terminating.Status.Phase = "wind-gone", corev1.NamespaceTerminating
	all := []*corev1.Namespace{wind, nil, other, gone, solar, terminating, solar}
	unparsable := metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "env", Operator: "Like"}}}
	for _, test := range []struct {
		name      string
		selectors []metav1.LabelSelector
		want      []string
	}{
		{"no selector", nil, nil},
		{"one", []metav1.LabelSelector{metav1Selector("tenant", "solar")}, []string{"solar-test"}},
		{"any of two", []metav1.LabelSelector{metav1Selector("tenant", "wind"), metav1Selector("tenant", "solar")}, []string{"solar-test", "wind-prod"}},
		{"empty", []metav1.LabelSelector{{}}, nil},
		{"empty labels", []metav1.LabelSelector{{MatchLabels: map[string]string{}}}, nil},
		{"empty and another", []metav1.LabelSelector{{}, metav1Selector("tenant", "solar")}, []string{"solar-test"}},
		{"all", []metav1.LabelSelector{everything()}, []string{"kube-system", "solar-test", "wind-prod"}},
		{"expression", []metav1.LabelSelector{{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "env", Operator: "In", Values: []string{"prod", "pre-prod"}}}}}, []string{"wind-prod"}},
		{"invalid and another", []metav1.LabelSelector{unparsable, metav1Selector("tenant", "solar")}, []string{"solar-test"}},
		{"only an invalid one", []metav1.LabelSelector{unparsable}, nil},
	} {
		p := newPool("sampler", nil)
		p.Spec.Selectors = test.selectors
		testkit.NoDiff(t, pool.Namespaces(p, all), test.want, test.name)
		p.DeletionTimestamp = going()
		if got := pool.Namespaces(p, all); got != nil {
			t.Errorf("%s: a pool that is going selects %v", test.name, got)
		}
	}
	if got := pool.Namespaces(nil, all); got != nil {
		t.Errorf("no pool selects %v", got)
	}
}

func TestAssign(t *testing.T) {
	ns := namespace("solar-test", map[string]string{"tenant": "solar"})
	make := func(name, tenant string, hard, claimed corev1.ResourceList) *pool.ResourcePool {
		p := newPool(name, hard)
		p.Spec.Selectors = []metav1.LabelSelector{metav1Selector("tenant", tenant)}
		p.Status.Allocation.Claimed = claimed
		return p
	}
	pools := []*pool.ResourcePool{
		nil,
		make("wind", "wind", testkit.List("requests.cpu", "9", "pods", "9"), nil),
		make("full", "solar", testkit.List("requests.cpu", "4"), testkit.List("requests.cpu", "2001m")),
		make("roomy", "solar", testkit.List("requests.cpu", "4", "pods", "1"), testkit.List("requests.cpu", "2")),
		make("zoomy", "solar", testkit.List("requests.cpu", "4"), nil),
		make("boundless", "solar", testkit.List("limits.cpu", "4"), nil),
		make("none", "solar", testkit.List("secrets", "0"), nil),
		make("over", "solar", testkit.List("services", "1"), testkit.List("services", "3")),
		make("under", "solar", testkit.List("services", "1"), nil),
	}
	dying := make("dying", "solar", testkit.List("requests.cpu", "4"), nil)
	dying.DeletionTimestamp = going()
	pools = append(pools, dying)
	heldBy := func(c *pool.ResourcePoolClaim, to string) *pool.ResourcePoolClaim {
		c = asHolding(c)
		c.Status.Pool.Name = to
		return c
	}
	claim := func(to string, pairs ...string) *pool.ResourcePoolClaim {
		c := newClaim("solar-test", "c", 0, testkit.List(pairs...))
		c.Spec.Pool = to
		return c
	}
	pools[3].UID = "new"
	another := heldBy(claim("zoomy", "requests.cpu", "1"), "roomy")
	another.Status.Pool.UID = "old"
	released := heldBy(claim("zoomy", "requests.cpu", "1"), "roomy")
	released.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	for _, test := range []struct {
		name    string
		claim   *pool.ResourcePoolClaim
		want    string
		message string
	}{
		{"by name", claim("full", "requests.cpu", "3"), "full", ""},
		{"not found", claim("sample", "requests.cpu", "2"), "", `ResourcePool.capsule.clastix.io "sample" not found`},
		{"not selected", claim("wind", "requests.cpu", "2"), "", "resourcepool not available"},
		{"going", claim("dying", "requests.cpu", "2"), "", "resourcepool not available"},
		{"not offered", claim("full", "requests.cpu", "2", "pods", "1", "limits.cpu", "1"), "", "resource limits.cpu is not available in pool full"},
		{"room, then name", claim("", "requests.cpu", "2"), "roomy", ""},
		{"room", claim("", "requests.cpu", "2001m"), "zoomy", ""},
		{"no room anywhere: name", claim("", "requests.cpu", "5"), "full", ""},
		{"only one pool has both resources", claim("", "requests.cpu", "5", "pods", "1"), "roomy", ""},
		{"nothing has room for all", claim("", "requests.cpu", "0"), "full", ""},
		{"negative request needs no room", claim("", "requests.cpu", "-1"), "full", ""},
		{"a pool of zero", claim("none", "secrets", "1"), "none", ""},
		{"none of an overcommitted resource", claim("", "services", "0"), "over", ""},
		{"some of an overcommitted resource", claim("", "services", "1"), "under", ""},
		{"unassigned", claim("", "requests.storage", "1"), "", "no pool reference was defined"},
		{"holding elsewhere", heldBy(claim("zoomy", "requests.cpu", "1"), "roomy"), "roomy", ""},
		{"holding, resource no longer offered", heldBy(claim("zoomy", "requests.cpu", "1", "secrets", "1"), "roomy"), "roomy", ""},
		{"holding of a pool that no longer exists", heldBy(claim("zoomy", "requests.cpu", "1"), "gone"), "", `ResourcePool.capsule.clastix.io "gone" not found`},
		{"holding of another of this name", another, "", `ResourcePool.capsule.clastix.io "roomy" not found`},
		{"holding, no longer selected", heldBy(claim("zoomy", "requests.cpu", "1"), "wind"), "", "resourcepool not available"},
		{"released", released, "zoomy", ""},
		{"no claim", nil, "", "no pool reference was defined"},
	} {
		t.Run(test.name, func(t *testing.T) {
			for range 2 {
				got, err := pool.Assign(test.claim, ns, pools)
				message := ""
				if err != nil {
					message = err.Error()
				}
				if got != test.want || message != test.message {
					t.Errorf("%q, want %q; error %q, want %q", got, test.want, message, test.message)
				}
				slices.Reverse(pools)
			}
		})
	}
	if _, err := pool.Assign(claim("zoomy", "requests.cpu", "1"), nil, pools); err == nil || err.Error() != "resourcepool not available" {
		t.Errorf("without a namespace: %v", err)
	}
}

// The older claim has its turn first, then the smaller name, the smaller namespace, and the smaller UID.
func TestOrderOfTheQueue(t *testing.T) {
	claim := func(namespace, name, uid string, second int) *pool.ResourcePoolClaim {
		c := newClaim(namespace, name, second, nil)
		c.UID = types.UID("uid" + uid)
		return c
	}
	fraction := claim("z", "z", "", 0)
	fraction.CreationTimestamp = metav1.NewTime(midnight().Add(time.Nanosecond))
	inOrder := []*pool.ResourcePoolClaim{
		{Spec: pool.ResourcePoolClaimSpec{Pool: "sampler"}}, claim("z", "z", "", 0), fraction, claim("z", "a", "", 1),
		claim("a", "b", "", 1), claim("b", "b", "", 1), claim("b", "b", "x", 1), claim("a", "a", "", 2),
	}
	for i, a := range inOrder {
		for j, b := range inOrder {
			if got := ledger.CompareTurns(&a.ObjectMeta, &b.ObjectMeta); got < 0 != (i < j) || got > 0 != (i > j) {
				t.Errorf("Compare(%d, %d) = %d", i, j, got)
			}
		}
	}
	shuffled := slices.Clone(inOrder)
	slices.Reverse(shuffled)
	for i, d := range pool.Allocate(newPool("sampler", nil), append(shuffled, nil), pool.Options{}).Decisions {
		testkit.Equal(t, d.Claim, inOrder[i].Key(), "turn", i, "is that of")
	}
}

func TestClaimOfPool(t *testing.T) {
	p := newPool("sampler", nil)
	p.UID = "1"
	waiting := newClaim("a", "c", 0, nil)
	has := asHolding(waiting)
	moved := has.DeepCopy()
	moved.Spec.Pool = "other"
	elsewhere := has.DeepCopy()
	elsewhere.Status.Pool.Name = "other"
	reborn := has.DeepCopy()
	reborn.Status.Pool.UID = "2"
	same := has.DeepCopy()
	same.Status.Pool.UID = "1"
	lost := has.DeepCopy()
	lost.Status.Pool.Name = ""
	failed := has.DeepCopy()
	failed.Status.Condition.Status = "False"
	assigned := has.DeepCopy()
	assigned.Status.Condition.Type = "Assigned"
	for _, test := range []struct {
		name        string
		claim       *pool.ResourcePoolClaim
		holding, of bool
	}{
		{"nil", nil, false, false},
		{"waiting", waiting, false, true},
		{"holding", has, true, true},
		{"holding, to be moved", moved, true, true},
		{"holding elsewhere", elsewhere, true, false},
		{"holding of a pool of this name", reborn, true, false},
		{"holding of this very pool", same, true, true},
		{"holding of none", lost, false, true},
		{"no longer holding", failed, false, true},
		{"assigned", assigned, false, true},
	} {
		testkit.Equal(t, test.claim.Holding(), test.holding, test.name, "holding")
		testkit.Equal(t, test.claim.ClaimsFrom(p), test.of, test.name, "of the pool")
	}
	if has.ClaimsFrom(nil) {
		t.Error("of no pool")
	}
	unread := newPool("sampler", nil) // as in a manifest
	for what, c := range map[string]*pool.ResourcePoolClaim{"holding of a pool with a UID": same, "holding of another pool with a UID": reborn, "holding of a pool without a UID": has} {
		if !c.ClaimsFrom(unread) {
			t.Errorf("%s: not of a pool of this name without a UID", what)
		}
	}
	for value, want := range map[string]bool{"true": true, "TRUE": true, "True": true, "false": false, "": false, "yes": false} {
		c := newClaim("a", "c", 0, nil)
		c.Annotations = map[string]string{"projectcapsule.dev/release": value}
		testkit.Equal(t, c.Released(), want, "release", value)
	}
}

// An unknown state does not claim anything false.
func TestUnknownState(t *testing.T) {
	d := pool.Decision{State: "Unknown", Shortages: []pool.Shortage{{Resource: "pods", Requested: resource.MustParse("2")}}}
	testkit.Equal(t, d.Message(), "requested: pods=2, ", "message")
	if got := d.Condition(pool.Options{Documented: true}); got != (metav1.Condition{}) {
		t.Errorf("condition %v", got)
	}
}
