package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/lifecycle"
)

func newPool(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List(pairs...)
	return p
}

func waiting(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = namespace, name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List(pairs...)}
	return c
}

func bound(namespace, name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(namespace, name, second, pairs...)
	pool.ApplyDecision(c, newPool(), pool.Decision{State: pool.Bound}, c.CreationTimestamp.Time)
	return c
}

func released(c *pool.ResourcePoolClaim) *pool.ResourcePoolClaim {
	c.Annotations = map[string]string{pool.ReleaseAnnotation: "true", "other": "stays"}
	return c
}

func details(errs field.ErrorList) (all []string) {
	for _, e := range errs {
		all = append(all, e.Field+": "+e.Detail)
	}
	return all
}

func TestValidatePoolUpdate(t *testing.T) {
	const cpu, pods = "spec.quota.hard[requests.cpu]: ", "spec.quota.hard[pods]: "
	for _, test := range []struct {
		name string
		to   *pool.ResourcePool
		want []string
	}{
		{"larger", newPool("requests.cpu", "3", "pods", "3", "requests.storage", "1"), nil},
		{"as much as is claimed", newPool("requests.cpu", "1500m", "pods", "0", "requests.storage", "0"), nil},
		{"less than is claimed", newPool("requests.cpu", "1499m", "pods", "3"), []string{
			cpu + "can not reduce requests.cpu usage to 1499m because quantity 1500m is claimed . Remove corresponding claims or keep the resources in the pool"}},
		{"unused is dropped", newPool("requests.cpu", "2"), nil},
		{"used is dropped", newPool("pods", "3"), []string{
			cpu + "can not remove resource requests.cpu as it is still being allocated. Remove corresponding claims or keep the resources in the pool"}},
		{"below zero", newPool("requests.cpu", "2", "pods", "-1"), []string{
			pods + "can not reduce pods usage to -1 because quantity 0 is claimed . Remove corresponding claims or keep the resources in the pool"}},
		{"everything, sorted", newPool("pods", "-1"), []string{
			pods + "can not reduce pods usage to -1 because quantity 0 is claimed . Remove corresponding claims or keep the resources in the pool",
			cpu + "can not remove resource requests.cpu as it is still being allocated. Remove corresponding claims or keep the resources in the pool"}},
		{"nil", nil, nil},
	} {
		from := newPool("requests.cpu", "2", "pods", "3")
		from.Status.Allocation.Claimed = testkit.List("requests.cpu", "1.5", "pods", "0")
		if diff := cmp.Diff(test.want, details(lifecycle.ValidatePoolUpdate(test.to, from))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
	if errs := lifecycle.ValidatePoolUpdate(newPool(), nil); errs != nil {
		t.Errorf("from nothing: %v", errs)
	}
	// A pool that has less than is claimed already may still change its selectors.
	from := newPool("pods", "1")
	from.Status.Allocation.Claimed = testkit.List("pods", "2")
	if errs := lifecycle.ValidatePoolUpdate(newPool("pods", "1000m"), from); errs != nil {
		t.Errorf("unchanged: %v", errs)
	}
	if errs := lifecycle.ValidatePoolUpdate(newPool("pods", "1", "secrets", "1"), from); len(errs) != 1 {
		t.Errorf("changed, and still less than is claimed: %v", errs)
	}
}

func TestValidateClaimUpdate(t *testing.T) {
	const detail = "cannot change the requested resources while claim is allocated to a resourcepool sampler"
	moved := waiting("a", "c", 0, "pods", "1")
	moved.Spec.Pool = "other"
	both := waiting("a", "c", 0, "pods", "2")
	both.Spec.Pool = "other"
	for _, test := range []struct {
		name     string
		to, from *pool.ResourcePoolClaim
		want     []string
	}{
		{"waiting", both, waiting("a", "c", 0, "pods", "1"), nil},
		{"bound, unchanged", waiting("a", "c", 9, "pods", "1000m"), bound("a", "c", 0, "pods", "1"), nil},
		{"nothing stays nothing", &pool.ResourcePoolClaim{Spec: pool.ResourcePoolClaimSpec{Pool: "sampler"}}, bound("a", "c", 0), nil},
		{"more", waiting("a", "c", 0, "pods", "2"), bound("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail}},
		{"less", waiting("a", "c", 0), bound("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail}},
		{"another pool", moved, bound("a", "c", 0, "pods", "1"), []string{"spec.pool: " + detail}},
		{"both", both, bound("a", "c", 0, "pods", "1"), []string{"spec.claim: " + detail, "spec.pool: " + detail}},
		{"released before", both, lifecycle.Release(bound("a", "c", 0, "pods", "1")), nil},
		{"to nil", nil, bound("a", "c", 0), nil},
		{"from nil", both, nil, nil},
	} {
		if diff := cmp.Diff(test.want, details(lifecycle.ValidateClaimUpdate(test.to, test.from))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}

func TestValidateClaimDeletion(t *testing.T) {
	want := []string{"status.condition: cannot delete the pool while claim is used in resourcepool sampler"}
	if diff := cmp.Diff(want, details(lifecycle.ValidateClaimDeletion(bound("a", "c", 0)))); diff != "" {
		t.Errorf("bound (-want +got):\n%s", diff)
	}
	if errs := lifecycle.ValidateClaimDeletion(waiting("a", "c", 0)); errs != nil {
		t.Errorf("waiting: %v", errs)
	}
	if errs := lifecycle.ValidateClaimDeletion(nil); errs != nil {
		t.Errorf("nil: %v", errs)
	}
}

func TestRelease(t *testing.T) {
	c := released(bound("a", "c", 0, "pods", "1"))
	got := lifecycle.Release(c)
	want := waiting("a", "c", 0, "pods", "1")
	want.Annotations = map[string]string{"other": "stays"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if !c.Bound() || !c.Released() {
		t.Error("the claim itself has changed")
	}
	if lifecycle.Release(nil) != nil {
		t.Error("nothing was released, and something came of it")
	}
}

func TestDeletePool(t *testing.T) {
	other := bound("a", "other", 0)
	other.Status.Pool.Name = "other"
	claims := []*pool.ResourcePoolClaim{
		bound("b", "z", 3, "pods", "1"), nil, bound("b", "x", 2, "pods", "1"), bound("a", "y", 1, "pods", "1"),
		waiting("a", "waits", 4, "pods", "1"), released(bound("a", "leaves", 0, "pods", "1")), other,
	}
	names := func(d lifecycle.PoolDeletion) (deleted, kept []string) {
		for _, name := range d.Deleted {
			deleted = append(deleted, name.String())
		}
		for _, c := range d.Kept {
			kept = append(kept, c.Name)
			if c.Bound() || c.Released() {
				t.Errorf("%s is still bound, or to be released", c.Name)
			}
		}
		return deleted, kept
	}
	p := newPool()
	deleted, kept := names(lifecycle.DeletePool(p, claims))
	if diff := cmp.Diff([]string{"leaves", "y", "x", "z", "waits"}, kept); diff != "" || deleted != nil {
		t.Errorf("by default, deleted %v, kept:\n%s", deleted, diff)
	}
	p.Spec.Config.DeleteBoundResources = true
	deleted, kept = names(lifecycle.DeletePool(p, claims))
	if diff := cmp.Diff([]string{"a/y", "b/x", "b/z"}, deleted); diff != "" {
		t.Errorf("deleted:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"leaves", "waits"}, kept); diff != "" {
		t.Errorf("kept:\n%s", diff)
	}
	if diff := cmp.Diff(lifecycle.PoolDeletion{}, lifecycle.DeletePool(nil, claims)); diff != "" {
		t.Errorf("no pool:\n%s", diff)
	}
}

func TestNeeded(t *testing.T) {
	p := newPool("pods", "10", "requests.memory", "10Gi")
	p.Spec.Defaults = testkit.List("pods", "1", "count/secrets", "9")
	claims := []*pool.ResourcePoolClaim{
		bound("a", "young", 3, "pods", "1", "requests.memory", "1Gi"), bound("a", "old", 1, "pods", "2"), bound("a", "middle", 2, "pods", "3"),
		waiting("a", "waits", 0, "pods", "9"), bound("b", "elsewhere", 0, "pods", "9"), nil, bound("a", "secrets", 4, "count/secrets", "1"),
	}
	for _, test := range []struct {
		used corev1.ResourceList
		want []string
	}{
		{nil, nil},
		{testkit.List("pods", "1"), nil},                                       // the default
		{testkit.List("pods", "2"), []string{"old"}},                           //
		{testkit.List("pods", "3"), []string{"old"}},                           //
		{testkit.List("pods", "4"), []string{"middle"}},                        // old alone is too little
		{testkit.List("pods", "5"), []string{"old", "middle"}},                 //
		{testkit.List("pods", "6"), []string{"old", "middle"}},                 //
		{testkit.List("pods", "7"), []string{"old", "middle", "young"}},        //
		{testkit.List("pods", "8"), []string{"old", "middle", "young"}},        // more than all have
		{testkit.List("requests.memory", "1"), []string{"young"}},              //
		{testkit.List("requests.memory", "1025Mi"), []string{"young"}},         //
		{testkit.List("count/secrets", "100"), nil},                            // not the pool's
		{testkit.List("pods", "-1"), nil},                                      //
		{testkit.List("pods", "2", "requests.memory", "1"), []string{"young"}}, // has one pod, too
	} {
		var got []string
		for _, name := range lifecycle.Needed(p, "a", test.used, claims) {
			got = append(got, name.Name)
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("used %v (-want +got):\n%s", test.used, diff)
		}
	}
	// A default below zero takes from what is used, and from nothing else.
	p.Spec.Defaults = testkit.List("pods", "-1")
	for used, want := range map[string]string{"0": "[]", "1": "[a/old]", "2": "[a/middle]", "3": "[a/old a/middle]"} {
		if got := fmt.Sprint(lifecycle.Needed(p, "a", testkit.List("pods", used), claims)); got != want {
			t.Errorf("by default -1 pod, used %s: %s, want %s", used, got, want)
		}
	}
	if got := lifecycle.Needed(p, "a", nil, claims); got != nil {
		t.Errorf("by default -1 pod, nothing used: %v", got)
	}
	if lifecycle.Needed(nil, "a", nil, claims) != nil {
		t.Error("no pool needs claims")
	}
}

func TestResize(t *testing.T) {
	p := newPool("requests.cpu", "4", "pods", "10")
	claims := []*pool.ResourcePoolClaim{
		bound("a", "early", 0, "requests.cpu", "1", "pods", "1"), waiting("a", "waits", 1, "pods", "20"), bound("a", "late", 2, "requests.cpu", "2", "pods", "1"),
		bound("a", "gpu", 3, "example.com/gpu", "1"),
	}
	for _, test := range []struct {
		name, claim string
		ordered     bool
		to          []string
		want        string
	}{
		{"more, and it fits", "late", false, []string{"requests.cpu", "3", "pods", "9"}, ""},
		{"more than fits", "late", false, []string{"requests.cpu", "3001m", "pods", "2"}, "cannot resize claim a/late: requested: requests.cpu=3001m, available: requests.cpu=3"},
		{"nothing fits", "late", false, []string{"requests.cpu", "4", "pods", "10"}, "cannot resize claim a/late: requested: pods=10, available: pods=9; requested: requests.cpu=4, available: requests.cpu=3"},
		{"as before", "late", true, []string{"requests.cpu", "2", "pods", "1"}, ""},
		{"less", "late", true, []string{"requests.cpu", "1"}, ""},
		{"less of one, too much of the other", "late", false, []string{"requests.cpu", "1", "pods", "99"}, "cannot resize claim a/late: requested: pods=99, available: pods=9"},
		{"past the queue", "late", true, []string{"requests.cpu", "3", "pods", "2"}, "cannot resize claim a/late: requested: pods=2, queued: pods=20"},
		{"past the queue, and too much", "late", true, []string{"requests.cpu", "5", "pods", "2"}, "cannot resize claim a/late: requested: pods=2, queued: pods=20"},
		{"beside the queue", "late", true, []string{"requests.cpu", "3", "pods", "1"}, ""},
		{"before the queue", "early", true, []string{"pods", "9"}, ""},
		{"negative", "late", false, []string{"requests.cpu", "-1", "pods", "99"}, "cannot resize claim a/late: requested: requests.cpu=-1, must not be negative"},
		{"not offered", "late", false, []string{"example.com/gpu", "1"}, "cannot resize claim a/late: requested: example.com/gpu=1, available: example.com/gpu=-1"},
		{"not offered any more", "gpu", false, []string{"example.com/gpu", "1", "pods", "1"}, ""},
		{"more of that", "gpu", false, []string{"example.com/gpu", "2"}, "cannot resize claim a/gpu: requested: example.com/gpu=2, available: example.com/gpu=0"},
		{"waiting", "waits", false, []string{"pods", "1"}, "cannot resize claim a/waits: it is not bound to resourcepool sampler"},
		{"unknown", "nobody", false, []string{"pods", "1"}, "cannot resize claim a/nobody: it is not bound to resourcepool sampler"},
	} {
		t.Run(test.name, func(t *testing.T) {
			p.Spec.Config.OrderedQueue = test.ordered
			before := testkit.Fingerprint(claims)
			got, err := lifecycle.Resize(p, claims, types.NamespacedName{Namespace: "a", Name: test.claim}, testkit.List(test.to...))
			if testkit.Fingerprint(claims) != before {
				t.Error("the claims have changed")
			}
			if test.want != "" {
				if got != nil || err == nil || err.Error() != test.want {
					t.Errorf("%v, %v; want %q", got, err, test.want)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(testkit.List(test.to...), got.Spec.Claim); diff != "" || !got.Bound() {
				t.Errorf("bound: %v, amounts:\n%s", got.Bound(), diff)
			}
		})
	}
	if _, err := lifecycle.Resize(nil, claims, types.NamespacedName{Namespace: "a", Name: "late"}, nil); err == nil || err.Error() != "cannot resize claim a/late: it is not bound to resourcepool " {
		t.Errorf("no pool: %v", err)
	}
}

func ExampleResize() {
	p, c := newPool("requests.memory", "2Gi"), bound("solar-test", "base", 0, "requests.memory", "1Gi")
	_, err := lifecycle.Resize(p, []*pool.ResourcePoolClaim{c}, types.NamespacedName{Namespace: "solar-test", Name: "base"}, testkit.List("requests.memory", "3Gi"))
	fmt.Println(err)
	// Output: cannot resize claim solar-test/base: requested: requests.memory=3Gi, available: requests.memory=2Gi
}

func ExampleRefusedError() {
	_, err := lifecycle.Resize(newPool("pods", "1"), nil, types.NamespacedName{Namespace: "a", Name: "b"}, nil)
	fmt.Println(err.(*lifecycle.RefusedError).Pool)
	// Output: sampler
}

func ExampleRelease() {
	fmt.Println(lifecycle.Release(bound("solar-test", "base", 0, "pods", "1")).Bound())
	// Output: false
}

func ExampleDeletePool() {
	p := newPool("pods", "1")
	p.Spec.Config.DeleteBoundResources = true
	d := lifecycle.DeletePool(p, []*pool.ResourcePoolClaim{bound("a", "has", 0, "pods", "1"), waiting("a", "waits", 1, "pods", "1")})
	fmt.Println(d.Deleted, len(d.Kept))
	// Output: [a/has] 1
}

func ExamplePoolDeletion() {
	d := lifecycle.DeletePool(newPool("pods", "1"), []*pool.ResourcePoolClaim{bound("a", "has", 0, "pods", "1")})
	fmt.Println(len(d.Deleted), d.Kept[0].Name, d.Kept[0].Status.Pool.Name == "")
	// Output: 0 has true
}

func ExampleNeeded() {
	claims := []*pool.ResourcePoolClaim{bound("a", "old", 0, "pods", "3"), bound("a", "young", 1, "pods", "3")}
	fmt.Println(lifecycle.Needed(newPool("pods", "10"), "a", testkit.List("pods", "2"), claims))
	// Output: [a/old]
}

func ExampleValidatePoolUpdate() {
	from := newPool("pods", "10")
	from.Status.Allocation.Claimed = testkit.List("pods", "7")
	fmt.Println(lifecycle.ValidatePoolUpdate(newPool("pods", "5"), from)[0].Detail)
	// Output: can not reduce pods usage to 5 because quantity 7 is claimed . Remove corresponding claims or keep the resources in the pool
}

func ExampleValidateClaimUpdate() {
	fmt.Println(lifecycle.ValidateClaimUpdate(waiting("a", "c", 0, "pods", "2"), bound("a", "c", 0, "pods", "1"))[0].Detail)
	// Output: cannot change the requested resources while claim is allocated to a resourcepool sampler
}

func ExampleValidateClaimDeletion() {
	fmt.Println(lifecycle.ValidateClaimDeletion(bound("a", "c", 0, "pods", "1"))[0].Detail)
	// Output: cannot delete the pool while claim is used in resourcepool sampler
}
