package sweep_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/affinity/peak"
	"github.com/kubemath/kubemath/affinity/steps"
	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/division"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/measure"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/limitrange"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/allocator"
	"github.com/kubemath/kubemath/pool/migrate"
	"github.com/kubemath/kubemath/pool/poolplan"
	"github.com/kubemath/kubemath/qos"
	"github.com/kubemath/kubemath/quota"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/solver"
	"github.com/kubemath/kubemath/quota/admit/whatif"
	"github.com/kubemath/kubemath/quota/quotatree"
)

// These are the exponents: linear is also n·log(n), appended that of a list that append makes larger again and again,
// and quadratic that of what the documentation says so of, or gives for each resource, of which each element has its own.
const (
	linear    = 1.15
	appended  = 1.3
	quadratic = 2
)

// A growth is how much a function allocates for an input of a size, which call prepares.
type growth struct {
	name     string
	exponent float64 // at most
	call     func(n int) func()
}

// many returns n of something.
func many[T any](n int, one func(i int) T) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = one(i)
	}
	return all
}

func name(i int) string { return fmt.Sprintf("n%05d", i) }

// list has n resources, whose amounts are i+1.
func list(n int) corev1.ResourceList {
	all := corev1.ResourceList{}
	for i := range n {
		all[resourceAt(i)] = *resource.NewQuantity(int64(i+1), resource.DecimalSI)
	}
	return all
}

func resourceAt(i int) corev1.ResourceName { return corev1.ResourceName("a.b/" + name(i)) }

func integersOf(n int) map[corev1.ResourceName]int64 { return resourcelist.Integers(list(n)) }

// spec has n containers.
func spec(n int) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: many(n, func(i int) corev1.Container {
		return testkit.Container(name(i), testkit.List("cpu", "100m", "memory", "1Mi"), testkit.List("cpu", "1", "memory", "1Gi"))
	})}
}

// wide has one container with n resources.
func wide(n int) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list(n), list(n))}}
}

// bare has n containers without amounts.
func bare(n int) *corev1.PodSpec {
	return &corev1.PodSpec{Containers: many(n, func(i int) corev1.Container { return testkit.Container(name(i), nil, nil) })}
}

func podOf(i int, spec *corev1.PodSpec) *corev1.Pod {
	return &corev1.Pod{Spec: *spec, ObjectMeta: metav1.ObjectMeta{Name: name(i), Namespace: "shop", UID: types.UID(name(i))}}
}

func pods(n int) []*corev1.Pod {
	return many(n, func(i int) *corev1.Pod { return podOf(i, spec(1)) })
}

// ranges are n LimitRanges.
func ranges(n int) []*corev1.LimitRange {
	return many(n, func(i int) *corev1.LimitRange {
		lr := &corev1.LimitRange{ObjectMeta: metav1.ObjectMeta{Name: name(i), Namespace: "shop"}}
		lr.Spec.Limits = []corev1.LimitRangeItem{{Type: corev1.LimitTypeContainer, Max: testkit.List("cpu", "2")}}
		return lr
	})
}

func quotas(n int) []*corev1.ResourceQuota {
	return many(n, func(i int) *corev1.ResourceQuota {
		q := &corev1.ResourceQuota{ObjectMeta: metav1.ObjectMeta{Name: name(i), Namespace: "shop"}}
		q.Spec.Hard = testkit.List("requests.cpu", "100000", "pods", "100000")
		q.Status.Hard, q.Status.Used = q.Spec.Hard, testkit.List("requests.cpu", "0", "pods", "0")
		return q
	})
}

// quotaOf is a quota with n resources.
func quotaOf(n int) *corev1.ResourceQuota {
	q := quotas(1)[0]
	q.Spec.Hard = corev1.ResourceList{}
	for name, amount := range list(n) {
		q.Spec.Hard["requests."+name] = amount
	}
	q.Status.Hard = q.Spec.Hard
	return q
}

func objectsOf(n int) []quota.Object {
	return many(n, func(i int) quota.Object { return quota.Pod(podOf(i, spec(1)), testkit.Now(), quota.PodOptions{}) })
}

func requests(n int) []noderesources.Request {
	return many(n, func(int) noderesources.Request { return noderesources.RequestOf(testkit.List("cpu", "1")) })
}

func ledger(n int) *noderesources.Ledger {
	l := noderesources.NewLedger(testkit.List("cpu", "100000", "memory", "1Ti", "pods", "100000"))
	for i, r := range requests(n) {
		if err := l.Add(types.UID(name(i)), r); err != nil {
			panic(err)
		}
	}
	return l
}

func nodes(n int) *noderesources.Cluster {
	c := &noderesources.Cluster{}
	for i := range n {
		if err := c.AddNode(name(i), testkit.List("cpu", "2", "pods", "100")); err != nil {
			panic(err)
		}
	}
	return c
}

func claimPool(n int) (*pool.ResourcePool, []*pool.ResourcePoolClaim) {
	p := &pool.ResourcePool{ObjectMeta: metav1.ObjectMeta{Name: "p"}}
	p.Spec.Quota.Hard = testkit.List("cpu", fmt.Sprint(n/2))
	return p, many(n, func(i int) *pool.ResourcePoolClaim {
		c := &pool.ResourcePoolClaim{ObjectMeta: metav1.ObjectMeta{Name: name(i), Namespace: "shop", UID: types.UID(name(i))}}
		c.Spec.Pool, c.Spec.Claim = "p", testkit.List("cpu", "1")
		return c
	})
}

func tree(n int) []quotatree.Node {
	root := quotatree.Node{Name: "root", Nominal: map[corev1.ResourceName]int64{"cpu": 10}}
	return append(many(n, func(i int) quotatree.Node {
		return quotatree.Node{Name: name(i), Parent: "root", Nominal: map[corev1.ResourceName]int64{"cpu": 5}}
	}), root)
}

func apiObjects(n int) []admit.APIObject {
	all := many(n, func(i int) admit.APIObject { return podOf(i, spec(1)) })
	for _, q := range quotas(1) {
		all = append(all, q)
	}
	return all
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// upTo returns g with another exponent than linear.
func (g growth) upTo(exponent float64) growth {
	g.exponent = exponent
	return g
}

// of makes a growth of a function, and of how to make its input.
func of[In, Out any](name string, input func(n int) In, f func(In) Out) growth {
	return growth{name, linear, func(n int) func() {
		in := input(n)
		return func() { testkit.Keep(f(in)) }
	}}
}

var (
	kubernetes = computeresources.Kubernetes{}
	options    = computeresources.Options{}
	fitOptions = noderesources.FitOptions{}
	always     = func(computeresources.Ref, *corev1.Container) bool { return true }
)

type lists = corev1.ResourceList

// growths are the functions whose input has a length.
var growths = []growth{
	of("computeresources.PodRequests of containers", spec, func(s *corev1.PodSpec) any { return computeresources.PodRequests(podOf(0, s), options) }),
	of("computeresources.PodRequests of resources", wide, func(s *corev1.PodSpec) any { return computeresources.PodRequests(podOf(0, s), options) }),
	of("computeresources.PodLimits", spec, func(s *corev1.PodSpec) any { return computeresources.PodLimits(podOf(0, s), options) }),
	of("computeresources.PodTotals", wide, func(s *corev1.PodSpec) any {
		return computeresources.PodTotals(podOf(0, s), computeresources.Requests, options)
	}),
	of("computeresources.BindingLimits", spec, func(s *corev1.PodSpec) any { return computeresources.BindingLimits(s, options) }),
	of("computeresources.ApplyRequestDefaults", bare, func(s *corev1.PodSpec) any { return computeresources.ApplyRequestDefaults(s.DeepCopy(), kubernetes) }),
	of("computeresources.Validate of containers", spec, func(s *corev1.PodSpec) any { return computeresources.Validate(nil, s, kubernetes) }),
	of("computeresources.Validate of resources", wide, func(s *corev1.PodSpec) any { return computeresources.Validate(nil, s, kubernetes) }),
	of("computeresources.ValidateRequirements", wide, func(s *corev1.PodSpec) any {
		return computeresources.ValidateRequirements(&s.Containers[0].Resources)
	}),
	of("computeresources.SpecWarnings", spec, func(s *corev1.PodSpec) any { return computeresources.SpecWarnings(s, nil) }),
	of("computeresources.ValidateResize", spec, func(s *corev1.PodSpec) any {
		return computeresources.ValidateResize(podOf(0, s), podOf(0, s), computeresources.ResizeOptions{})
	}),
	of("computeresources.Pointers", spec, func(s *corev1.PodSpec) any { return computeresources.Pointers(s.Containers) }),
	of("resourcelist.Add", list, func(l lists) any { return resourcelist.Add(l, l) }),
	of("resourcelist.Subtract", list, func(l lists) any { return resourcelist.Subtract(l, l) }),
	of("resourcelist.SubtractKeepNames", list, func(l lists) any { return resourcelist.SubtractKeepNames(l, l) }),
	of("resourcelist.Sum", list, func(l lists) any { return resourcelist.Sum(l, l, l) }),
	of("resourcelist.Sum of lists", func(n int) []lists { return many(n, func(int) lists { return list(3) }) },
		func(all []lists) any { return resourcelist.Sum(all...) }),
	of("resourcelist.Max", list, func(l lists) any { return resourcelist.Max(l, l) }),
	of("resourcelist.Min", list, func(l lists) any { return resourcelist.Min(l, l) }),
	of("resourcelist.Clamp", list, func(l lists) any { c, _ := resourcelist.Clamp(l, nil, testkit.List("cpu", "1")); return c }),
	of("resourcelist.Multiply", list, func(l lists) any { return resourcelist.Multiply(l, 3) }),
	of("resourcelist.Scale", list, func(l lists) any { return resourcelist.Scale(l, big.NewRat(1, 3)) }),
	of("resourcelist.PartOf", list, func(l lists) any { return resourcelist.PartOf(l, big.NewRat(1, 3)) }),
	of("resourcelist.Overlay", list, func(l lists) any { return resourcelist.Overlay(l, l) }),
	of("resourcelist.Mask", list, func(l lists) any { return resourcelist.Mask(l, resourcelist.ResourceNames(l)) }),
	of("resourcelist.Restrict", list, func(l lists) any { return resourcelist.Restrict(l, resourcelist.ResourceNames(l)) }),
	of("resourcelist.Insufficient", list, func(l lists) any { return resourcelist.Insufficient(l, nil) }).upTo(appended),
	of("resourcelist.Integers", list, func(l lists) any { return resourcelist.Integers(l) }),
	of("resourcelist.OfIntegers", integersOf, func(l map[corev1.ResourceName]int64) any { return resourcelist.OfIntegers(l) }),
	of("resourcelist.RemoveZeros", list, func(l lists) any { return resourcelist.RemoveZeros(l) }),
	of("resourcelist.String", list, func(l lists) any { return resourcelist.String(l) }).upTo(appended),
	of("resourcelist.Times", list, func(l lists) any { n, _ := resourcelist.Times(l, l); return n }).upTo(appended),
	of("qos.Explain", bare, func(s *corev1.PodSpec) any { return qos.Explain(s, kubernetes) }),
	of("qos.GuaranteedChanges", spec, func(s *corev1.PodSpec) any { c, _ := qos.GuaranteedChanges(s, kubernetes); return c }).upTo(appended),
	of("qos.TierTotals", pods, func(all []*corev1.Pod) any { return qos.TierTotals(all, kubernetes) }),
	of("limitrange.AggregateOf", ranges, func(all []*corev1.LimitRange) any { return limitrange.AggregateOf(all) }),
	of("limitrange.Conflicts", ranges, func(all []*corev1.LimitRange) any { return limitrange.Conflicts(all) }),
	of("limitrange.Ambiguities", ranges, func(all []*corev1.LimitRange) any { return limitrange.Ambiguities(all, spec(1)) }).upTo(appended),
	of("limitrange.Compile", ranges, func(all []*corev1.LimitRange) any { return limitrange.Compile(all, kubernetes) }),
	of("limitrange.Policy.Validate", spec, func(s *corev1.PodSpec) any { return limitrange.Compile(ranges(1), kubernetes).Validate(nil, s) }),
	of("limitrange.Policy.ApplyDefaults", bare, func(s *corev1.PodSpec) any {
		return limitrange.Compile(ranges(1), kubernetes).ApplyDefaults(s.DeepCopy())
	}),
	of("limitrange.ValidateObject", list, func(l lists) any {
		lr := ranges(1)[0]
		lr.Spec.Limits[0].Max = l
		return limitrange.ValidateObject(lr)
	}),
	of("limitrange.WithDefaults", list, func(l lists) any { return limitrange.WithDefaults(corev1.LimitRangeItem{Type: "Container", Max: l}) }),
	of("quota.Admit of quotas", quotas, func(all []*corev1.ResourceQuota) any {
		return quota.Admit(quota.Object{}, objectsOf(1)[0], all, quota.AdmitOptions{})
	}),
	of("quota.Object.Usage of containers", spec, func(s *corev1.PodSpec) any {
		return quota.Pod(podOf(0, s), testkit.Now(), quota.PodOptions{}).Usage()
	}),
	of("quota.Object.Usage of resources", wide, func(s *corev1.PodSpec) any {
		return quota.Pod(podOf(0, s), testkit.Now(), quota.PodOptions{}).Usage()
	}),
	of("quota.CalculateUsage", objectsOf, func(all []quota.Object) any { return must(quota.CalculateUsage(all, quotas(1)[0])) }),
	of("quota.Remaining", quotaOf, func(q *corev1.ResourceQuota) any { return quota.Remaining(q) }),
	of("quota.Replicas", quotas, func(all []*corev1.ResourceQuota) any {
		return quota.Replicas(objectsOf(1)[0], all, quota.AdmitOptions{})
	}),
	of("quota.Unevaluated", objectsOf, func(all []quota.Object) any { return quota.Unevaluated(quotas(1)[0], all) }),
	of("quota.ValidateObject of resources", quotaOf, func(q *corev1.ResourceQuota) any { return quota.ValidateObject(nil, q, kubernetes) }),
	of("quota.ValidateObject of scopes", func(n int) *corev1.ResourceQuota {
		q := quotas(1)[0]
		q.Spec.Scopes = many(n, func(i int) corev1.ResourceQuotaScope { return corev1.ResourceQuotaScope(name(i)) })
		return q
	}, func(q *corev1.ResourceQuota) any { return quota.ValidateObject(nil, q, kubernetes) }),
	of("quota.FailuresOf", list, func(l lists) any { return quota.FailuresOf(l, l, l, "q") }),
	of("quota.WriteOrder", quotas, func(all []*corev1.ResourceQuota) any {
		writes, _ := quota.WriteOrder(testkit.List("pods", "1"), all, nil)
		return writes
	}),
	of("admit.Compile of LimitRanges", ranges, func(all []*corev1.LimitRange) any { return must(admit.Compile(all, nil, admit.Options{})) }),
	of("admit.Compile of quotas", quotas, func(all []*corev1.ResourceQuota) any { return must(admit.Compile(nil, all, admit.Options{})) }),
	of("admit.Namespace.Create of containers", spec, func(s *corev1.PodSpec) any { return namespace().Create(podOf(0, s), admit.Attributes{}) }),
	of("admit.Namespace.Create of resources", wide, func(s *corev1.PodSpec) any { return namespace().Create(podOf(0, s), admit.Attributes{}) }),
	of("admit.Namespace.Update", spec, func(s *corev1.PodSpec) any {
		return namespace().Update(podOf(0, s), podOf(0, s), admit.Attributes{})
	}),
	of("admit.Namespace.Possible", spec, func(s *corev1.PodSpec) any {
		return namespace().Possible(nil, podOf(0, s), admit.Attributes{})
	}),
	of("admit.Namespace.Replicas", apiObjects, func(all []admit.APIObject) any { return namespace().Replicas(all[:len(all)-1], admit.Attributes{}) }),
	of("solver.Solve of containers", spec, func(s *corev1.PodSpec) any {
		return must(solver.Solve(s, solver.Input{LimitRanges: ranges(1), Quotas: quotas(1)}))
	}),
	of("solver.Solve of LimitRanges", ranges, func(all []*corev1.LimitRange) any {
		return must(solver.Solve(spec(1), solver.Input{LimitRanges: all}))
	}),
	of("whatif.Read", apiObjects, func(all []admit.APIObject) any { return must(whatif.Read(all, whatif.Options{})) }),
	of("whatif.Cluster.Apply", apiObjects, func(all []admit.APIObject) any {
		result, _ := (*whatif.Cluster)(nil).Apply(all...)
		return result
	}),
	of("noderesources.NewLedger", list, func(l lists) any { return noderesources.NewLedger(l) }),
	of("noderesources.RequestOf", list, func(l lists) any { return noderesources.RequestOf(l) }),
	of("noderesources.Ledger.Add of pods", func(n int) int { return n }, func(n int) any { return ledger(n) }),
	of("noderesources.Ledger.Free", list, func(l lists) any { return noderesources.NewLedger(l).Free() }),
	of("noderesources.Ledger.Shortages", list, func(l lists) any {
		return (*noderesources.Ledger)(nil).Shortages(noderesources.RequestOf(l), fitOptions)
	}),
	of("noderesources.Cluster.AddNode", func(n int) int { return n }, func(n int) any { return nodes(n) }),
	of("noderesources.Cluster.AppendFits", nodes, func(c *noderesources.Cluster) any { return c.AppendFits(nil, requests(1)[0], fitOptions) }),
	of("noderesources.Cluster.FirstFit", requests, func(all []noderesources.Request) any { return nodes(10).FirstFit(all, fitOptions) }),
	of("noderesources.Cluster.BestFit", requests, func(all []noderesources.Request) any {
		return nodes(10).BestFit(all, noderesources.Profile{}, fitOptions)
	}),
	of("noderesources.Cluster.FitError", nodes, func(c *noderesources.Cluster) any { return c.FitError(requests(1)[0], fitOptions, nil) }),
	of("noderesources.EstimateNodes", requests, func(all []noderesources.Request) any {
		return noderesources.EstimateNodes(all, ledger(0), noderesources.EstimateOptions{})
	}),
	of("noderesources.OverviewOf", pods, func(all []*corev1.Pod) any { return noderesources.OverviewOf(all, nil, kubernetes) }),
	of("noderesources.AdmitPod", pods, func(all []*corev1.Pod) any {
		return noderesources.AdmitPod(podOf(0, spec(1)), testkit.List("cpu", "1", "pods", "10"), all, noderesources.KubeletOptions{})
	}),
	of("noderesources.PendingResizes", pods, func(all []*corev1.Pod) any {
		return noderesources.PendingResizes(all, testkit.List("cpu", "1"), noderesources.KubeletOptions{})
	}),
	ofClaims("pool.Allocate", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		return pool.Allocate(p, all, pool.Options{})
	}),
	ofClaims("pool.Allocation.Status", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		return pool.Allocate(p, all, pool.Options{}).Status(p, all, nil, testkit.Now(), pool.Options{})
	}),
	ofClaims("pool.DeletePool", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		_, kept := pool.DeletePool(p, all, pool.Options{})
		return kept
	}),
	ofClaims("pool.Needed", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		return pool.Needed("shop", testkit.List("cpu", "3"), p, all)
	}),
	ofClaims("allocator.New", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		return allocator.New(p, all, pool.Options{})
	}),
	ofClaims("allocator.Allocator.Set", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		a := allocator.New(p, nil, pool.Options{})
		for _, c := range all {
			testkit.Keep(must(a.Set(c)))
		}
		return a.Allocation()
	}),
	ofClaims("poolplan.Overtaken", func(p *pool.ResourcePool, all []*pool.ResourcePoolClaim) any {
		return poolplan.Overtaken(p, all, 3, pool.Options{})
	}),
	of("migrate.Sources", quotas, func(all []*corev1.ResourceQuota) any { sources, _ := migrate.Sources(all); return sources }),
	of("quotatree.New", tree, func(all []quotatree.Node) any { return must(quotatree.New(all, quotatree.Options{})) }),
	of("quotatree.Tree.FairShares", tree, func(all []quotatree.Node) any {
		return must(quotatree.New(all, quotatree.Options{})).FairShares("cpu", map[string]int64{name(0): 9})
	}),
	of("steps.Fill", spec, func(s *corev1.PodSpec) any {
		changes, _ := steps.Fill(s, corev1.LimitRangeItem{}, always, steps.Options{})
		return changes
	}),
	of("steps.Fit", spec, func(s *corev1.PodSpec) any {
		changes, _ := steps.Fit(s, corev1.LimitRangeItem{}, always, division.Options{})
		return changes
	}),
	of("steps.PeakRequests", spec, func(s *corev1.PodSpec) any { return steps.PeakRequests(s, always, options) }),
	of("steps.WholePod", spec, func(s *corev1.PodSpec) any { return steps.WholePod(s, nil, steps.Environment{}, steps.Options{}) }),
	of("peak.FullNodes", pods, func(all []*corev1.Pod) any {
		return peak.FullNodes(all, map[string]*noderesources.Ledger{"a": nil}, fitOptions)
	}),
	of("cgroupconfig.ForTiers", pods, func(all []*corev1.Pod) any { return cgroupconfig.ForTiers(all, cgroupconfig.Options{}) }),
	of("nodetree.Build of pods", pods, func(all []*corev1.Pod) any { return must(nodetree.Build(all, nodetree.Options{})) }),
	of("nodetree.Build of containers", spec, func(s *corev1.PodSpec) any {
		return must(nodetree.Build([]*corev1.Pod{podOf(0, s)}, nodetree.Options{}))
	}),
}

// own are inputs of which each element has a resource of its own, and others that many objects share.
var own = []growth{
	of("quota.WriteOrder of own resources", func(n int) []*corev1.ResourceQuota {
		all := quotas(n)
		for i, q := range all {
			q.Spec.Hard = lists{"requests." + resourceAt(i): resource.MustParse("1")}
		}
		return all
	}, func(all []*corev1.ResourceQuota) any {
		writes, _ := quota.WriteOrder(testkit.List("pods", "1"), all, all)
		return writes
	}),
	of("computeresources.Problems.Err", unequal, func(s *corev1.PodSpec) any {
		return computeresources.Validate(nil, s, kubernetes).Err().Error()
	}),
	of("admit.Decision.Err", unequal, func(s *corev1.PodSpec) any {
		return namespace().Create(podOf(0, s), admit.Attributes{}).Err().Error()
	}),
	of("solver.Solve of own resources", ownResources, func(s *corev1.PodSpec) any { return must(solver.Solve(s, solver.Input{})) }).upTo(quadratic),
	of("admit.Namespace.Create of own resources", ownResources, func(s *corev1.PodSpec) any {
		return namespace().Create(podOf(0, s), admit.Attributes{})
	}),
	of("computeresources.PodRequests of own resources", ownResources, func(s *corev1.PodSpec) any {
		return computeresources.PodRequests(podOf(0, s), options)
	}),
	of("quotatree.New of own resources", func(n int) []quotatree.Node {
		all := tree(n)
		for i := range all {
			all[i].Nominal = map[corev1.ResourceName]int64{resourceAt(i): 1}
		}
		return all
	}, func(all []quotatree.Node) any { return must(quotatree.New(all, quotatree.Options{})) }).upTo(quadratic),
	of("whatif.Cluster.Apply of LimitRanges", func(n int) []admit.APIObject {
		all := ranges(n)
		return many(n, func(i int) admit.APIObject { return all[i] })
	}, apply),
	of("whatif.Cluster.Apply of quotas", func(n int) []admit.APIObject {
		all := quotas(n)
		return many(n, func(i int) admit.APIObject { return all[i] })
	}, apply).upTo(quadratic),
	of("whatif.Cluster.Delete", apiObjects, func(all []admit.APIObject) any {
		result, _ := must(whatif.Read(all, whatif.Options{})).Delete(all...)
		return result
	}).upTo(quadratic),
	of("limitrange.Policy.InOrder", ranges, func(all []*corev1.LimitRange) any {
		names := many(len(all), func(i int) string { return name(len(all) - i) })
		return limitrange.Compile(all, kubernetes).InOrder(names...)
	}),
}

func apply(all []admit.APIObject) any {
	result, _ := (*whatif.Cluster)(nil).Apply(all...)
	return result
}

// unequal is wide with requests below the limits, which is invalid for each extended resource.
func unequal(n int) *corev1.PodSpec {
	s := wide(n)
	s.Containers[0].Resources.Limits = resourcelist.Multiply(list(n), 2)
	return s
}

// ownResources has n containers, each with a resource of its own.
func ownResources(n int) *corev1.PodSpec {
	s := bare(n)
	for i := range s.Containers {
		amount := lists{resourceAt(i): resource.MustParse("1")}
		s.Containers[i].Resources = corev1.ResourceRequirements{Requests: amount, Limits: amount}
	}
	return s
}

func namespace() *admit.Namespace { return must(admit.Compile(ranges(1), quotas(1), admit.Options{})) }

func ofClaims(name string, f func(*pool.ResourcePool, []*pool.ResourcePoolClaim) any) growth {
	return growth{name, linear, func(n int) func() {
		p, claims := claimPool(n)
		return func() { testkit.Keep(f(p, claims)) }
	}}
}

// Steps are not counted: Go tells no test how many instructions it has run, a counter within the functions would be code
// of its own for each loop, and a time is that of the machine, whatever else it does. TestHostile bounds the time of what
// a tenant may write, with a wide margin.
//
// TestGrowth checks that what a function allocates for eight times the input is no more than its exponent says.
func TestGrowth(t *testing.T) {
	const n, times = 64, 8
	if measure.Race {
		t.Skip("with the race detector, pools of memory lose at random what they have")
	}
	for _, g := range slices.Concat(growths, own) {
		start := time.Now()
		small, large := testkit.Allocated(g.call(n)), testkit.Allocated(g.call(times*n))
		exponent := math.Log(float64(max(large, 1))/float64(max(small, 1))) / math.Log(times)
		t.Logf("%-45s %5.2f of %.2f  %9d bytes for %d, %10d for %d, %v", g.name, exponent, g.exponent, small, n, large, times*n,
			time.Since(start).Round(time.Millisecond))
		if exponent > g.exponent {
			t.Errorf("%s grows with exponent %.2f, not %.2f: %d bytes for %d, %d for %d", g.name, exponent, g.exponent,
				small, n, large, times*n)
		}
	}
	t.Logf("%d functions", len(growths)+len(own))
}
