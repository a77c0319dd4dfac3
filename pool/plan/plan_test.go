package plan_test

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/plan"
)

func newPool(pairs ...string) *pool.ResourcePool {
	p := &pool.ResourcePool{}
	p.Name = "sampler"
	p.Spec.Quota.Hard = testkit.List(pairs...)
	return p
}

func waiting(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := &pool.ResourcePoolClaim{}
	c.Namespace, c.Name = "a", name
	c.CreationTimestamp = metav1.NewTime(time.Date(2026, 1, 1, 0, 0, second, 0, time.UTC))
	c.Spec = pool.ResourcePoolClaimSpec{Pool: "sampler", Claim: testkit.List(pairs...)}
	return c
}

func bound(name string, second int, pairs ...string) *pool.ResourcePoolClaim {
	c := waiting(name, second, pairs...)
	pool.ApplyDecision(c, newPool(), pool.Decision{State: pool.Bound}, c.CreationTimestamp.Time)
	return c
}

func TestGrowth(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), waiting("second", 2, "pods", "7"),
		waiting("cpu", 3, "requests.cpu", "2500m"), waiting("negative", 4, "pods", "-1"), waiting("fits", 5, "pods", "1"), waiting("gpu", 6, "example.com/gpu", "1"),
		waiting("third", 7, "pods", "4"),
	}
	for _, test := range []struct {
		claim   string
		ordered bool
		want    []string
	}{
		{"first", false, []string{"pods", "1", "requests.cpu", "1"}},
		{"first", true, []string{"pods", "1", "requests.cpu", "1"}},
		{"second", false, []string{"pods", "3"}},
		{"second", true, []string{"pods", "3"}}, // with 1 more, the first waits for CPU alone, and takes no pods
		{"cpu", false, []string{"requests.cpu", "500m"}},
		{"third", false, []string{"pods", "1"}},
		{"gpu", false, []string{"example.com/gpu", "1"}},
		{"base", false, nil}, {"fits", false, nil}, {"negative", false, nil}, {"nobody", false, nil},
	} {
		p := newPool("pods", "10", "requests.cpu", "2")
		p.Spec.Config.OrderedQueue = test.ordered
		got, needed := plan.Growth(p, claims, types.NamespacedName{Namespace: "a", Name: test.claim})
		if needed != (test.want != nil) {
			t.Errorf("%s: growth needed: %v", test.claim, needed)
		}
		want := testkit.List(test.want...)
		for name, q := range want {
			if q.IsZero() {
				delete(want, name)
			}
		}
		if diff := cmp.Diff(want, got); diff != "" && needed {
			t.Errorf("%s, ordered %v (-want +got):\n%s", test.claim, test.ordered, diff)
		}
	}
	if _, needed := plan.Growth(nil, claims, types.NamespacedName{}); needed {
		t.Error("no pool has to grow")
	}
}

// A larger pool binds earlier claims first, which take from what was added.
func TestGrowthAllowsForEarlierClaims(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{waiting("small", 0, "pods", "2"), waiting("large", 1, "pods", "4"), waiting("last", 2, "pods", "3")}
	got, _ := plan.Growth(newPool("pods", "1"), claims, types.NamespacedName{Namespace: "a", Name: "last"})
	if diff := cmp.Diff(testkit.List("pods", "4"), got); diff != "" { // 2 + 3 - 1: with 5 pods, large still waits
		t.Errorf("(-want +got):\n%s", diff)
	}
	got, _ = plan.Growth(&pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "sampler"}}, claims, types.NamespacedName{Namespace: "a", Name: "small"})
	if diff := cmp.Diff(testkit.List("pods", "2"), got); diff != "" {
		t.Errorf("of a pool without anything (-want +got):\n%s", diff)
	}
}

func TestGrowthForAll(t *testing.T) {
	negative := bound("negative", 9, "pods", "-5", "requests.cpu", "1")
	other := waiting("other", 3, "pods", "99")
	other.Spec.Pool = "other"
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "5", "requests.cpu", "3"), nil, other,
		waiting("thief", 2, "pods", "-50", "requests.cpu", "50"), negative, waiting("gpu", 6, "example.com/gpu", "1"),
	}
	got := plan.GrowthForAll(newPool("pods", "10", "requests.cpu", "4", "secrets", "1"), claims)
	if diff := cmp.Diff(testkit.List("pods", "1", "example.com/gpu", "1"), got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := plan.GrowthForAll(nil, claims); len(got) > 0 {
		t.Errorf("no pool has to grow by %v", got)
	}
}

func names(sets [][]types.NamespacedName) (all [][]string) {
	for _, set := range sets {
		var names []string
		for _, n := range set {
			names = append(names, n.Name)
		}
		all = append(all, names)
	}
	return all
}

func TestReleases(t *testing.T) {
	leaving := bound("leaving", 9, "pods", "4")
	leaving.Annotations = map[string]string{pool.ReleaseAnnotation: "true"}
	for _, test := range []struct {
		name     string
		claims   []*pool.ResourcePoolClaim
		head     string
		want     [][]string
		smallest bool
		atLeast  int
	}{
		{"nobody waits", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "1")}, "", nil, false, 0},
		{"one is enough, the youngest first", []*pool.ResourcePoolClaim{
			bound("old", 0, "pods", "4"), bound("middle", 1, "pods", "1"), bound("young", 2, "pods", "4"), waiting("head", 3, "pods", "4")},
			"head", [][]string{{"young"}, {"old"}}, true, 1},
		{"two of three", []*pool.ResourcePoolClaim{
			bound("old", 0, "pods", "3"), bound("middle", 1, "pods", "3"), bound("young", 2, "pods", "3"), waiting("head", 3, "pods", "6")},
			"head", [][]string{{"young", "middle"}, {"young", "old"}, {"middle", "old"}}, true, 2},
		{"for two resources, one of each", []*pool.ResourcePoolClaim{
			bound("pods", 0, "pods", "10"), bound("cpu", 1, "requests.cpu", "2"), waiting("head", 3, "pods", "1", "requests.cpu", "1"), waiting("tail", 4, "pods", "1")},
			"head", [][]string{{"cpu", "pods"}}, true, 2},
		{"or one that has both", []*pool.ResourcePoolClaim{
			bound("both", 0, "pods", "5", "requests.cpu", "1"), bound("cpu", 1, "requests.cpu", "1"), bound("pods", 2, "pods", "5"), waiting("head", 3, "pods", "1", "requests.cpu", "1")},
			"head", [][]string{{"both"}}, true, 1},
		{"not even all", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "5"), waiting("head", 1, "pods", "11")}, "head", nil, false, 0},
		{"nothing is bound", []*pool.ResourcePoolClaim{waiting("head", 1, "pods", "11")}, "head", nil, false, 0},
		{"exactly enough", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "10"), waiting("head", 1, "pods", "10")}, "head", [][]string{{"a"}}, true, 1},
		{"over-allocated", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "8"), bound("b", 1, "pods", "8"), waiting("head", 2, "pods", "3")},
			"head", [][]string{{"b", "a"}}, true, 2},
		{"released before", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "5"), leaving, waiting("head", 2, "pods", "6")},
			"head", [][]string{{"a"}}, true, 1},
		{"has nothing of it", []*pool.ResourcePoolClaim{bound("a", 0, "pods", "10"), bound("b", 5, "requests.cpu", "1"), waiting("head", 2, "pods", "6", "requests.cpu", "1")},
			"head", [][]string{{"a"}}, true, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			p := newPool("pods", "10", "requests.cpu", "2")
			for range 2 {
				r, waits := plan.Releases(p, test.claims)
				if waits != (test.head != "") || r.Head.Name != test.head || r.Smallest != test.smallest || r.AtLeast != test.atLeast {
					t.Errorf("waits %v: head %q, smallest %v, at least %d", waits, r.Head.Name, r.Smallest, r.AtLeast)
				}
				if diff := cmp.Diff(test.want, names(r.Sets)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
				slices.Reverse(test.claims)
			}
		})
	}
	if _, waits := plan.Releases(nil, nil); waits {
		t.Error("somebody waits for no pool")
	}
}

// Of many sets of one size, the first ones are returned.
func TestReleasesAreLimited(t *testing.T) {
	var claims []*pool.ResourcePoolClaim
	for i := range 20 {
		claims = append(claims, bound(fmt.Sprintf("c%02d", i), i, "pods", "1"))
	}
	r, _ := plan.Releases(newPool("pods", "20"), append(claims, waiting("head", 30, "pods", "1")))
	if len(r.Sets) != plan.MaxReleaseSets || r.Sets[0][0].Name != "c19" || r.Sets[9][0].Name != "c10" || !r.Smallest {
		t.Errorf("%v", r)
	}
}

// A search that would take too long ends with sets that are within the bound.
func TestReleasesOfManyClaims(t *testing.T) {
	// Each pair of claims has 10 of one resource and 11 of the other, or the other way
	// round; only a perfect half of each kind would do with as few claims as the bound says.
	claims := []*pool.ResourcePoolClaim{waiting("head", 1000, "pods", "410", "secrets", "410")}
	for i := range 80 {
		claims = append(claims, bound(fmt.Sprintf("c%02d", i), i, "pods", fmt.Sprint(9+i%3), "secrets", fmt.Sprint(11-i%3)))
	}
	p := newPool("pods", "800", "secrets", "800")
	r, _ := plan.Releases(p, claims)
	if len(r.Sets) == 0 || len(r.Sets[0]) > 2*r.AtLeast || r.Smallest != (len(r.Sets[0]) == r.AtLeast) {
		t.Fatalf("at least %d, smallest %v: %d sets, the first of %d", r.AtLeast, r.Smallest, len(r.Sets), len(r.Sets[0]))
	}
	expectBound(t, p, claims, r)
}

// expectBound releases each set, and sees that the head is bound.
func expectBound(t testkit.TB, p *pool.ResourcePool, claims []*pool.ResourcePoolClaim, r plan.ReleaseSets) {
	t.Helper()
	for _, set := range r.Sets {
		var after []*pool.ResourcePoolClaim
		for _, c := range claims {
			if !slices.Contains(set, types.NamespacedName{Namespace: c.Namespace, Name: c.Name}) {
				after = append(after, c)
			}
		}
		for _, d := range pool.Allocate(p, after).Decisions {
			if d.Claim == r.Head && d.State != pool.Bound {
				t.Fatalf("without %v, %v is %s: %s", set, r.Head, d.State, d.Message())
			}
		}
	}
}

func TestOvertaken(t *testing.T) {
	claims := []*pool.ResourcePoolClaim{
		bound("base", 0, "pods", "6"), waiting("first", 1, "pods", "9", "requests.cpu", "1"), bound("skips", 2, "pods", "2"), bound("cpu", 3, "requests.cpu", "1"),
		waiting("second", 4, "pods", "5"), bound("again", 5, "pods", "1"), bound("zero", 6, "pods", "0"), nil,
	}
	got := plan.Overtaken(newPool("pods", "10", "requests.cpu", "4"), claims, 5)
	type short struct {
		Claim, Since, Message string
		By                    []string
	}
	var all []short
	for _, o := range got {
		s := short{o.Claim.Name, o.Created.UTC().Format(time.TimeOnly), pool.Decision{State: pool.PoolExhausted, Obstacles: o.Obstacles}.Message(), nil}
		for _, by := range o.By {
			s.By = append(s.By, by.Name)
		}
		all = append(all, s)
	}
	want := []short{
		{"first", "00:00:01", "requested: pods=9, available: pods=1", []string{"skips", "again"}},
		{"second", "00:00:04", "requested: pods=5, available: pods=1", []string{"again"}},
	}
	if diff := cmp.Diff(want, all); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := plan.Overtaken(newPool("pods", "10"), claims, 1); len(got) != 1 || got[0].Claim.Name != "first" {
		t.Errorf("the first one: %v", got)
	}
	for _, n := range []int{0, -1} {
		if got := plan.Overtaken(newPool("pods", "10"), claims, n); got != nil {
			t.Errorf("the first %d: %v", n, got)
		}
	}
	if got := plan.Overtaken(nil, claims, 1); got != nil {
		t.Errorf("no pool: %v", got)
	}
}

func node(unschedulable bool, pairs ...string) *corev1.Node {
	n := &corev1.Node{}
	n.Spec.Unschedulable = unschedulable
	n.Status.Allocatable = testkit.List(pairs...)
	return n
}

func TestFromNodes(t *testing.T) {
	gone := node(false, "cpu", "64")
	now := metav1.Now()
	gone.DeletionTimestamp = &now
	nodes := []*corev1.Node{
		node(false, "cpu", "3920m", "memory", "15Gi", "pods", "110", "ephemeral-storage", "90Gi", "example.com/gpu", "2", "hugepages-2Mi", "0", "attachable-volumes-csi-x", "25"),
		nil, gone, node(true, "cpu", "8", "pods", "110"), node(false, "cpu", "1.5", "memory", "1.5Gi", "pods", "110", "example.com/gpu", "1"),
	}
	p := plan.FromNodes("big", nodes, plan.NodeOptions{})
	want := testkit.List("requests.cpu", "5420m", "requests.memory", "16896Mi", "pods", "220", "requests.ephemeral-storage", "90Gi", "requests.example.com/gpu", "3", "requests.hugepages-2Mi", "0")
	if diff := cmp.Diff(want, p.Spec.Quota.Hard); diff != "" || p.Name != "big" || p.Kind != "ResourcePool" || p.APIVersion != pool.APIVersion {
		t.Errorf("%s %s %q (-want +got):\n%s", p.APIVersion, p.Kind, p.Name, diff)
	}
	if errs := pool.ValidatePool(p); len(errs) > 0 {
		t.Errorf("invalid: %v", errs)
	}
	memory := p.Spec.Quota.Hard["requests.memory"]
	if memory.String() != "16896Mi" {
		t.Errorf("memory is spelled %s", memory.String())
	}
	p = plan.FromNodes("all", nodes, plan.NodeOptions{Unschedulable: true})
	if cpu, pods := p.Spec.Quota.Hard["requests.cpu"], p.Spec.Quota.Hard["pods"]; cpu.String() != "13420m" || pods.String() != "330" {
		t.Errorf("with cordoned nodes: %s CPU, %s pods", cpu.String(), pods.String())
	}
	if got := plan.FromNodes("none", nil, plan.NodeOptions{}).Spec.Quota.Hard; got == nil || len(got) > 0 {
		t.Errorf("no nodes have %v", got)
	}
}

func TestClaim(t *testing.T) {
	p := newPool("requests.cpu", "4", "limits.memory", "4Gi", "pods", "10", "requests.storage", "1")
	cost := testkit.List("cpu", "375m", "requests.cpu", "375m", "limits.memory", "1.5Gi", "pods", "1", "count/pods", "1", "requests.storage", "0")
	name := types.NamespacedName{Namespace: "solar-test", Name: "web"}
	for pods, want := range map[int]corev1.ResourceList{
		1: testkit.List("requests.cpu", "375m", "limits.memory", "1.5Gi", "pods", "1"),
		3: testkit.List("requests.cpu", "1125m", "limits.memory", "4.5Gi", "pods", "3"),
	} {
		c, err := plan.Claim(p, name, cost, pods)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, c.Spec.Claim); diff != "" || c.Namespace != "solar-test" || c.Name != "web" || c.Spec.Pool != "sampler" || c.Kind != "ResourcePoolClaim" || c.APIVersion != pool.APIVersion {
			t.Errorf("%d pods: %s/%s on %s (-want +got):\n%s", pods, c.Namespace, c.Name, c.Spec.Pool, diff)
		}
		if memory := c.Spec.Claim["limits.memory"]; memory.Format != "BinarySI" {
			t.Errorf("memory is spelled in %s", memory.Format)
		}
		if errs := pool.ValidateClaim(c); len(errs) > 0 {
			t.Errorf("invalid: %v", errs)
		}
	}
	huge, err := plan.Claim(p, name, testkit.List("limits.memory", "8E", "requests.cpu", "1n"), 1000)
	if memory := huge.Spec.Claim["limits.memory"]; err != nil || testkit.Exact(memory).RatString() != "8000000000000000000000" {
		t.Errorf("1000 pods of 8E: %v, %v", err, memory)
	}
	for _, test := range []struct {
		p    *pool.ResourcePool
		cost corev1.ResourceList
		pods int
		want string
	}{
		{nil, cost, 1, "claim solar-test/web: no pool"},
		{p, cost, 0, "claim solar-test/web: for 0 pods"},
		{p, cost, -1, "claim solar-test/web: for -1 pods"},
		{p, testkit.List("pods", "1", "requests.cpu", "-1"), 1, "claim solar-test/web: a pod costs requests.cpu=-1"},
		{p, testkit.List("cpu", "1", "requests.storage", "0"), 1, "claim solar-test/web: a pod costs nothing that pool sampler offers"},
		{p, nil, 1, "claim solar-test/web: a pod costs nothing that pool sampler offers"},
	} {
		c, err := plan.Claim(test.p, name, test.cost, test.pods)
		if c != nil || err == nil || err.Error() != test.want {
			t.Errorf("%v, %v; want %q", c, err, test.want)
		}
	}
}

func ExampleGrowth() {
	claims := []*pool.ResourcePoolClaim{bound("base", 0, "requests.memory", "1Gi"), waiting("get-mem", 1, "requests.memory", "2Gi")}
	more, needed := plan.Growth(newPool("requests.memory", "2Gi"), claims, types.NamespacedName{Namespace: "a", Name: "get-mem"})
	memory := more["requests.memory"]
	fmt.Println(memory.String(), needed)
	// Output: 1Gi true
}

func ExampleGrowthForAll() {
	claims := []*pool.ResourcePoolClaim{bound("a", 0, "pods", "8"), waiting("b", 1, "pods", "5"), waiting("c", 2, "pods", "4")}
	growth := plan.GrowthForAll(newPool("pods", "10"), claims)
	fmt.Println(growth.Pods())
	// Output: 7
}

func ExampleReleases() {
	claims := []*pool.ResourcePoolClaim{bound("old", 0, "pods", "5"), bound("young", 1, "pods", "5"), waiting("head", 2, "pods", "4")}
	r, _ := plan.Releases(newPool("pods", "10"), claims)
	fmt.Println(r.Head, r.Sets, r.Smallest)
	// Output: a/head [[a/young] [a/old]] true
}

func ExampleReleaseSets() {
	r, waits := plan.Releases(newPool("pods", "10"), []*pool.ResourcePoolClaim{waiting("too-large", 0, "pods", "11")})
	fmt.Println(waits, len(r.Sets))
	// Output: true 0
}

func ExampleOvertaken() {
	claims := []*pool.ResourcePoolClaim{bound("base", 0, "pods", "8"), waiting("get-mem", 1, "pods", "4"), bound("skip-the-line", 2, "pods", "2")}
	for _, o := range plan.Overtaken(newPool("pods", "10"), claims, 1) {
		fmt.Println(o.Claim, "was overtaken by", o.By)
	}
	// Output: a/get-mem was overtaken by [a/skip-the-line]
}

func ExampleOvertaking() {
	o := plan.Overtaken(newPool("pods", "1"), []*pool.ResourcePoolClaim{waiting("large", 1, "pods", "4")}, 1)[0]
	fmt.Println(o.Claim.Name, o.Obstacles[0].Resource, len(o.By))
	// Output: large pods 0
}

func ExampleFromNodes() {
	p := plan.FromNodes("all", []*corev1.Node{node(false, "cpu", "3920m", "pods", "110"), node(false, "cpu", "3920m", "pods", "110")}, plan.NodeOptions{})
	cpu := p.Spec.Quota.Hard["requests.cpu"]
	fmt.Println(cpu.String(), p.Spec.Quota.Hard.Pods())
	// Output: 7840m 220
}

func ExampleNodeOptions() {
	p := plan.FromNodes("all", []*corev1.Node{node(true, "pods", "110")}, plan.NodeOptions{Unschedulable: true})
	fmt.Println(p.Spec.Quota.Hard.Pods())
	// Output: 110
}

func ExampleClaim() {
	cost := testkit.List("requests.cpu", "375m", "pods", "1") // as package quota computes it
	c, err := plan.Claim(newPool("requests.cpu", "4", "pods", "10"), types.NamespacedName{Namespace: "solar-test", Name: "web"}, cost, 4)
	cpu := c.Spec.Claim["requests.cpu"]
	fmt.Println(c.Spec.Pool, cpu.String(), c.Spec.Claim.Pods(), err)
	// Output: sampler 1500m 4 <nil>
}
