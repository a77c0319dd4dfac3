package kueue

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"reflect"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"pgregory.net/rapid"
	api "sigs.k8s.io/kueue/apis/kueue/v1beta2"
	"sigs.k8s.io/kueue/pkg/cache/scheduler"
	"sigs.k8s.io/kueue/pkg/resources"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/quotatree"
)

type amounts = map[corev1.ResourceName]int64

var (
	names   = []corev1.ResourceName{"reserved/cpu", "reserved/memory", "spot/cpu", "spot/example.com/gpu"}
	weights = []string{"", "0", "1", "2", "3", "500m", "100m", "999999997n"}

	small = rapid.Int64Range(0, 12)
	huge  = rapid.OneOf(small, rapid.Int64Range(0, 1<<58))
)

// counts are how often each outcome was compared.
type counts struct{ taken, refused, given, charged, shares, roundedRatios, roundedOrders, orders int }

// After any takes, charges and gives, both have the same, and a take succeeds if and only if the amounts fit in Kueue.
func TestCohorts(t *testing.T) {
	var n counts
	rapid.Check(t, func(t *rapid.T) {
		amount := rapid.SampledFrom([]*rapid.Generator[int64]{small, huge}).Draw(t, "amounts")
		p := newPair(t, drawNodes(t, amount), amount == small, &n)
		p.compare(t)
		for range rapid.IntRange(0, 12).Draw(t, "steps") {
			p.step(t, amount)
			p.compare(t)
		}
	})
	t.Logf("%+v", n)
	for _, reached := range []int{n.taken, n.refused, n.given, n.charged, n.shares, n.orders, n.roundedRatios} {
		if reached == 0 {
			t.Error("an outcome was never compared")
		}
	}
}

// 3 of 11 by the weight 3 is 1 of 11 by the weight 1, but not in floats.
// See docs/decisions/quota.md#shares-are-fractions.
func TestDivergenceOrderOfEqualShares(t *testing.T) {
	three := resource.MustParse("3")
	nodes := []quotatree.Node{
		{Name: "cohort", Nominal: amounts{"spot/memory": 11}},
		{Name: "a", Parent: "cohort", Nominal: amounts{"spot/memory": 0}, Weight: &three},
		{Name: "b", Parent: "cohort", Nominal: amounts{"spot/memory": 0}},
	}
	tree, err := quotatree.New(nodes, CountsAs(nodes))
	testkit.OK(t, err)
	snapshot, err := Snapshot(nodes)
	testkit.OK(t, err)
	for queue, n := range map[string]int64{"a": 3, "b": 1} {
		a := amounts{"spot/memory": n}
		testkit.OK(t, tree.Take(queue, a))
		snapshot.ClusterQueue(api.ClusterQueueReference(queue)).AddUsage(Usage(a))
	}
	testkit.Equal(t, tree.Share("a").Compare(tree.Share("b")), 0)
	a, b := snapshot.ClusterQueue("a").DominantResourceShare(), snapshot.ClusterQueue("b").DominantResourceShare()
	if got := scheduler.CompareDRS(a, b); got != 1 {
		t.Errorf("Kueue has %d of %v and %v: is this still a divergence?", got, a.PreciseWeightedShare(), b.PreciseWeightedShare())
	}
}

// pair is a tree of both.
type pair struct {
	nodes    []quotatree.Node
	queues   []string
	cohorts  []string
	ours     *quotatree.Tree
	theirs   *scheduler.Snapshot
	held     map[string]amounts
	areSmall bool // amounts are exact as floats
	counts   *counts
}

func newPair(t *rapid.T, nodes []quotatree.Node, areSmall bool, n *counts) *pair {
	p := &pair{nodes: nodes, held: map[string]amounts{}, areSmall: areSmall, counts: n}
	var err error
	p.ours, err = quotatree.New(nodes, CountsAs(nodes))
	testkit.OK(t, err)
	p.theirs, err = Snapshot(nodes)
	testkit.OK(t, err)
	for i := range nodes {
		name := nodes[i].Name
		if p.theirs.ClusterQueue(api.ClusterQueueReference(name)) != nil {
			p.queues = append(p.queues, name)
			p.held[name] = amounts{}
		} else {
			p.cohorts = append(p.cohorts, name)
		}
	}
	if len(p.queues) != len(p.theirs.ClusterQueues()) || len(p.cohorts) != len(p.theirs.Cohorts()) {
		t.Fatalf("%d ClusterQueues and %d Cohorts of %d nodes", len(p.theirs.ClusterQueues()), len(p.theirs.Cohorts()), len(nodes))
	}
	return p
}

func (p *pair) queue(name string) *scheduler.ClusterQueueSnapshot {
	return p.theirs.ClusterQueue(api.ClusterQueueReference(name))
}

// step takes, charges or gives in a queue. Kueue's queues use only resources that they have a quota for.
func (p *pair) step(t *rapid.T, amount *rapid.Generator[int64]) {
	name := rapid.SampledFrom(p.queues).Draw(t, "queue")
	node := p.nodes[slices.IndexFunc(p.nodes, func(n quotatree.Node) bool { return n.Name == name })]
	queue, a := p.queue(name), drawAmounts(t, amount, 2, node.Nominal)
	switch rapid.SampledFrom([]string{"take", "take", "take", "charge", "give"}).Draw(t, "step") {
	case "take":
		for _, r := range slices.Sorted(maps.Keys(a)) { // close to the bound
			if rapid.Bool().Draw(t, "close") {
				a[r] = max(0, queue.Available(FlavorResource(r))+rapid.Int64Range(-1, 1).Draw(t, "off"))
			}
		}
		fits := queue.Fits(Usage(a))
		if err := p.ours.Take(name, a); (err == nil) != fits {
			t.Fatalf("%s takes %v: %v, in Kueue %v", name, a, err, fits)
		}
		if !fits {
			p.counts.refused++
			return
		}
		p.counts.taken++
		p.hold(name, a)
	case "charge":
		testkit.OK(t, p.ours.Charge(name, a))
		p.counts.charged++
		p.hold(name, a)
	case "give":
		for r := range a {
			a[r] = min(a[r], p.held[name][r])
			p.held[name][r] -= a[r]
		}
		testkit.OK(t, p.ours.Give(name, a))
		p.counts.given++
		queue.RemoveUsage(Usage(a))
	}
}

func (p *pair) hold(name string, a amounts) {
	for r, n := range a {
		p.held[name][r] += n
	}
	p.queue(name).AddUsage(Usage(a))
}

func (p *pair) compare(t *rapid.T) {
	shares := map[string]share{}
	for _, name := range p.queues {
		queue := p.queue(name)
		p.compareQuota(t, name, queue.ResourceNode.SubtreeQuota, queue.ResourceNode.Usage)
		for _, r := range names {
			s := p.ours.State(name, r)
			available, potential := queue.Available(FlavorResource(r)), queue.PotentialAvailable(FlavorResource(r))
			if max(0, s.Available) != available || s.Potential != potential {
				t.Fatalf("%s of %s: %+v, in Kueue available %d, without usage %d", r, name, s, available, potential)
			}
		}
		shares[name] = share{p.ours.Share(name), queue.DominantResourceShare()}
	}
	for _, name := range p.cohorts {
		cohort := p.theirs.Cohort(api.CohortReference(name))
		p.compareQuota(t, name, cohort.ResourceNode.SubtreeQuota, cohort.ResourceNode.Usage)
		shares[name] = share{p.ours.Share(name), cohort.DominantResourceShare()}
	}
	for a, s := range shares {
		p.compareShare(t, a, s)
		for b, other := range shares {
			p.compareOrder(t, a+" and "+b, s, other)
		}
	}
}

func (p *pair) compareQuota(t *rapid.T, name string, quota, usage resources.FlavorResourceQuantities) {
	for _, r := range names {
		s := p.ours.State(name, r)
		if s.Quota != quota[FlavorResource(r)] || s.Usage != usage[FlavorResource(r)] {
			t.Fatalf("%s of %s: %+v, in Kueue %d of %d", r, name, s, usage[FlavorResource(r)], quota[FlavorResource(r)])
		}
	}
}

// share is the dominant share of a node in both.
type share struct {
	ours   quotatree.Share
	theirs scheduler.DRS
}

// compareShare compares a share. Kueue's floats are those that are nearest to 1000 times the fraction if amounts are
// small, and nearly so if not. The division by the weight rounds again.
func (p *pair) compareShare(t *rapid.T, name string, s share) {
	drs := reflect.ValueOf(s.theirs) // of which it exports only the weighted share
	ratio, of := drs.FieldByName("unweightedRatio").Float(), corev1.ResourceName(drs.FieldByName("dominantResource").String())
	weighted := s.theirs.PreciseWeightedShare()
	fail := func(what string) {
		t.Fatalf("%s: %s: %v of %s, weighted %v, borrowing %v; in Kueue %v of %s, weighted %v, borrowing %v", name, what,
			s.ours.Ratio, s.ours.Resource, s.ours.Weighted, s.ours.Borrowing, ratio, of, weighted, s.theirs.IsBorrowing())
	}
	if ratio > 0 {
		p.counts.shares++
	}
	nearest, exactly := thousandTimes(s.ours.Ratio.Rat()).Float64()
	if !exactly {
		p.counts.roundedRatios++
	}
	switch {
	case s.ours.Borrowing != s.theirs.IsBorrowing():
		fail("borrowing")
	case p.areSmall && (ratio != nearest || of != s.ours.Resource):
		fail("small amounts")
	case !near(s.ours.Ratio.Rat(), ratio):
		fail("ratio")
	case s.ours.Infinite != math.IsInf(weighted, 1):
		fail("infinite")
	case !s.ours.Infinite && !near(s.ours.Weighted.Rat(), weighted):
		fail("weighted")
	}
}

// compareOrder compares the order of two shares: it is the same unless they are as near as floats are exact.
func (p *pair) compareOrder(t *rapid.T, which string, a, b share) {
	p.counts.orders++
	ours, theirs := a.ours.Compare(b.ours), scheduler.CompareDRS(a.theirs, b.theirs)
	if ours == theirs {
		return
	}
	p.counts.roundedOrders++
	of, other := a.ours.Weighted, b.ours.Weighted
	if a.ours.Infinite && b.ours.Infinite {
		of, other = a.ours.Ratio, b.ours.Ratio
	}
	if a.ours.Infinite != b.ours.Infinite {
		t.Fatalf("%s: %d, in Kueue %d: %+v", which, ours, theirs, [2]share{a, b})
	}
	if approximate, _ := thousandTimes(other.Rat()).Float64(); !near(of.Rat(), approximate) {
		t.Fatalf("%s: %d, in Kueue %d: %+v", which, ours, theirs, [2]share{a, b})
	}
}

// near reports whether a float is 1000 times an exact number, apart from a part of 2^-49: at most six roundings.
func near(exact *big.Rat, float float64) bool {
	want := thousandTimes(exact)
	difference := new(big.Rat).SetFloat64(float)
	difference.Sub(difference, want).Abs(difference)
	return difference.Mul(difference, big.NewRat(1<<49, 1)).Cmp(want) <= 0
}

func thousandTimes(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, big.NewRat(1000, 1)) }

// drawNodes draws the nodes of up to three trees, in any order. Kueue has limits only beside a nominal quota.
func drawNodes(t *rapid.T, amount *rapid.Generator[int64]) []quotatree.Node {
	nodes := make([]quotatree.Node, rapid.IntRange(1, 8).Draw(t, "nodes"))
	for i := range nodes {
		n := &nodes[i]
		n.Name = fmt.Sprint("n", i)
		if i > 0 && rapid.IntRange(0, 5).Draw(t, "root") > 0 {
			n.Parent = nodes[rapid.IntRange(0, i-1).Draw(t, "parent")].Name
		}
		n.Nominal = amounts{}
		for _, r := range names {
			if rapid.IntRange(0, 3).Draw(t, "covered") > 0 {
				n.Nominal[r] = amount.Draw(t, "nominal")
			}
		}
		n.BorrowingLimit, n.LendingLimit = drawAmounts(t, amount, 3, n.Nominal), drawAmounts(t, amount, 2, n.Nominal)
		if w := rapid.SampledFrom(weights).Draw(t, "weight"); w != "" {
			q := resource.MustParse(w)
			n.Weight = &q
		}
	}
	return rapid.Permutation(nodes).Draw(t, "order")
}

// drawAmounts draws an amount for one in n of the resources of others.
func drawAmounts(t *rapid.T, amount *rapid.Generator[int64], n int, of amounts) amounts {
	a := amounts{}
	for _, r := range names {
		if _, ok := of[r]; ok && rapid.IntRange(1, n).Draw(t, "set") == 1 {
			a[r] = amount.Draw(t, "amount")
		}
	}
	return a
}
