package allocator_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
)

// A resized claim requests its new amounts, in their new format. When it is released, it waits
// for these.
func TestReleaseAfterResize(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		p := newPool("sampler", testkit.List("pods", "5", "limits.cpu", "5", "requests.memory", "8Gi"))
		p.Spec.Config.OrderedQueue = ordered
		l := allocator.New(p, []*pool.ResourcePoolClaim{
			newClaim("a", "resized", 1, testkit.List("pods", "2", "requests.memory", "1Gi")), newClaim("a", "first", 0, testkit.List("limits.cpu", "1", "pods", "3")),
		}, pool.Options{API: pool.Documented})
		to := testkit.List("pods", "1e0", "limits.cpu", "1500m", "requests.memory", "4G")
		if _, err := l.Resize(name("resized"), to); err != nil {
			t.Fatal(err)
		}
		if granted, err := l.Set(newClaim("a", "large", -1, testkit.List("limits.cpu", "4", "pods", "2", "requests.memory", "8Gi"))); err != nil || granted != nil {
			t.Fatalf("%v are holding, %v", granted, err)
		}
		l.Delete(name("first"))
		if diff := cmp.Diff([]types.NamespacedName{name("large")}, l.Release(name("resized"))); diff != "" {
			t.Errorf("ordered %v: holding by the release (-want +got):\n%s", ordered, diff)
		}
		d, _ := l.Decision(name("resized"))
		want := "requested: limits.cpu=1500m, available: limits.cpu=1; requested: requests.memory=4G, available: requests.memory=0"
		if d.State != pool.PoolExhausted || d.Message() != want {
			t.Errorf("ordered %v: %s, %s; want %s", ordered, d.State, d.Message(), want)
		}
		if diff := cmp.Diff(testkit.List("pods", "3", "limits.cpu", "1", "requests.memory", "0"), l.Available()); diff != "" {
			t.Errorf("ordered %v: available (-want +got):\n%s", ordered, diff)
		}
	}
}

// Holding claims with the release annotation keep their resources until all others had their turn: New ends
// in the same state as a controller that allocates until nothing changes.
func TestNewWithReleasedClaims(t *testing.T) {
	toRelease := func(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
		pool.ApplyDecision(c, newPool("sampler", nil), pool.Decision{State: pool.Holding}, midnight, pool.Options{API: pool.Documented})
		c.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
		return c
	}
	one := func(name string, second int, pods string) *pool.ResourcePoolClaim {
		return newClaim("a", name, second, testkit.List("pods", pods))
	}
	for _, test := range []struct {
		name, hard    string
		claims        []*pool.ResourcePoolClaim
		holding, wait []string
	}{
		{"the only one is granted again", "1", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "1"))}, []string{"released"}, nil},
		{"a later waiting claim is granted first", "1", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "1")), one("waits", 1, "1")}, []string{"waits"}, []string{"released"}},
		{"the amount that remains after the others is enough", "3", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "1")), one("waits", 1, "2")}, []string{"released", "waits"}, nil},
		{"the earlier of two to be released is granted again", "3", []*pool.ResourcePoolClaim{toRelease(one("late", 2, "2")), one("waits", 3, "1"), toRelease(one("early", 1, "2"))}, []string{"early", "waits"}, []string{"late"}},
		{"a claim that waited for the released amount is holding", "2", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "2")), one("waits", 1, "2"), one("small", 2, "1")}, []string{"waits"}, []string{"released", "small"}},
		{"a released claim of zero", "0", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "0"))}, []string{"released"}, nil},
		{"negative request", "1", []*pool.ResourcePoolClaim{toRelease(one("released", 0, "-1")), one("waits", 1, "1")}, []string{"waits"}, []string{"released"}},
	} {
		for _, ordered := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, ordered %v", test.name, ordered), func(t *testing.T) {
				p := newPool("sampler", testkit.List("pods", test.hard))
				p.Spec.Config.OrderedQueue = ordered
				l := allocator.New(p, test.claims, pool.Options{API: pool.Documented})
				var holding, wait []string
				for _, c := range test.claims {
					d, known := l.Decision(name(c.Name))
					switch {
					case !known:
						t.Errorf("%s is not known", c.Name)
					case d.State == pool.Holding:
						holding = append(holding, c.Name)
					default:
						wait = append(wait, c.Name)
					}
				}
				slices.Sort(holding)
				slices.Sort(wait)
				if diff := cmp.Diff([][]string{test.holding, test.wait}, [][]string{holding, wait}); diff != "" {
					t.Errorf("holding, waiting (-want +got):\n%s", diff)
				}
				if has, waits := l.Counts(); has != len(test.holding) || waits != len(test.wait) {
					t.Errorf("%d holding, %d waiting", has, waits)
				}
			})
		}
	}
}

// A claim with another UID is another claim. The resources of the old one are released before the
// new one arrives, and go to waiting claims.
func TestSetOfAnotherUID(t *testing.T) {
	for _, ordered := range []bool{false, true} {
		p := newPool("sampler", testkit.List("pods", "1"))
		p.Spec.Config.OrderedQueue = ordered
		l := allocator.New(p, []*pool.ResourcePoolClaim{newClaim("a", "again", 0, testkit.List("pods", "1")), newClaim("a", "waits", 1, testkit.List("pods", "1"))}, pool.Options{API: pool.Documented})
		again := newClaim("a", "again", 0, testkit.List("pods", "1"))
		again.UID = "another"
		granted, err := l.Set(again)
		if diff := cmp.Diff([]types.NamespacedName{name("waits")}, granted); diff != "" || err != nil {
			t.Errorf("ordered %v: %v, holding (-want +got):\n%s", ordered, err, diff)
		}
		if d, _ := l.Decision(name("again")); d.State != pool.PoolExhausted {
			t.Errorf("ordered %v: the new claim is %s", ordered, d.State)
		}
		// A claim with the same UID is the same claim, and keeps its resources.
		if granted, err := l.Set(newClaim("a", "waits", 1, testkit.List("pods", "1"))); granted != nil || err != nil {
			t.Errorf("ordered %v: set again, %v are holding, %v", ordered, granted, err)
		}
	}
}

// Resources that a pool no longer offers, or offers in another format, are reported as by
// pool.Allocate.
func TestFormatsAfterSetPool(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{newClaim("a", "has", 0, testkit.List("requests.memory", "1Gi", "pods", "1")), newClaim("a", "waits", 1, testkit.List("requests.memory", "4Gi"))}
	p := newPool("sampler", testkit.List("requests.memory", "2Gi", "pods", "1e0"))
	l := allocator.New(p, claims, pool.Options{API: pool.Documented})
	pool.ApplyDecision(claims[0], p, pool.Decision{State: pool.Holding}, midnight, pool.Options{API: pool.Documented})
	for _, hard := range []corev1.ResourceList{
		testkit.List("pods", "1"), testkit.List("pods", "1", "requests.memory", "2147483648"), testkit.List("requests.memory", "1e9"), {}, testkit.List("requests.memory", "2Gi"),
	} {
		p = p.DeepCopy()
		p.Spec.Quota.Hard = hard
		l.SetPool(p)
		if diff := cmp.Diff(pool.Allocate(p, claims, pool.Options{API: pool.Documented}), l.Allocation(), testkit.AsWritten()); diff != "" {
			t.Errorf("a pool of %v (-batch +live):\n%s", testkit.Texts(hard), diff)
		}
	}
}
