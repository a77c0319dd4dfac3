package noderesources_test

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// scoredNames are the resources of the tests of scores. No node has the one in the middle.
var scoredNames = []corev1.ResourceName{"cpu", "example.com/none", "memory", "ephemeral-storage", "example.com/gpu"}

// plainPod is a pod by the requests of its containers, in millicores, bytes or numbers.
type plainPod []map[corev1.ResourceName]int64

func plainPods(t *rapid.T, label string) (p plainPod) {
	for range rapid.IntRange(0, 2).Draw(t, label) {
		container := map[corev1.ResourceName]int64{}
		for _, name := range scoredNames {
			if rapid.IntRange(0, 3).Draw(t, "requested") > 0 {
				container[name] = rapid.Int64Range(-2, 12).Draw(t, string(name)) * unitOf(name)
				if rapid.IntRange(0, 19).Draw(t, "huge") == 0 {
					container[name] = rapid.SampledFrom([]int64{math.MaxInt64, math.MaxInt64 / 100, -1 << 62}).Draw(t, string(name))
				}
			}
		}
		p = append(p, container)
	}
	return p
}

// unitOf returns an amount that is about as large as the default for scores.
func unitOf(name corev1.ResourceName) int64 {
	switch name {
	case "cpu":
		return 70
	case "memory":
		return 90 << 20
	}
	return 1
}

func (p plainPod) request() noderesources.Request {
	var spec corev1.PodSpec
	for i, container := range p {
		list := corev1.ResourceList{}
		for name, n := range container {
			list[name] = *resource.NewQuantity(n, resource.DecimalSI)
			if name == "cpu" {
				list[name] = *resource.NewMilliQuantity(n, resource.DecimalSI)
			}
		}
		spec.Containers = append(spec.Containers, testkit.Container(fmt.Sprint("c", i), list, nil))
	}
	return noderesources.SpecRequest(&spec, none)
}

// sum returns the request of a resource, with the defaults for scores or without.
func (p plainPod) sum(name corev1.ResourceName, defaults bool) int64 {
	sum := new(big.Int)
	for _, container := range p {
		n, set := container[name]
		if !set && defaults {
			n = map[corev1.ResourceName]int64{"cpu": 100, "memory": 200 << 20}[name]
		}
		sum.Add(sum, big.NewInt(n))
	}
	return cut(sum)
}

// plainNode is a node with what it has of each resource, and its pods.
type plainNode struct {
	allocatable map[corev1.ResourceName]int64
	pods        []plainPod
}

// used returns the amounts in use of a node for a score, without and with a pod, and what there is.
type used struct{ without, with, all, weight int64 }

func (n plainNode) used(pod plainPod, opts noderesources.ScoreOptions) (list []used) {
	for _, w := range opts.Resources {
		isScalar := w.Name == "example.com/gpu" || w.Name == "example.com/none"
		if n.allocatable[w.Name] <= 0 || isScalar && pod.sum(w.Name, false) == 0 {
			continue
		}
		defaults := opts.Strategy != noderesources.BalancedAllocation
		u := used{all: n.allocatable[w.Name], weight: max(w.Weight, 1)}
		sum := new(big.Int)
		for _, there := range n.pods {
			sum.Add(sum, big.NewInt(there.sum(w.Name, defaults)))
		}
		u.without = min(max(cut(sum), 0), u.all)
		u.with = min(max(cut(sum.Add(sum, big.NewInt(pod.sum(w.Name, defaults)))), 0), u.all)
		list = append(list, u)
	}
	return list
}

// score returns a score as the plugins define it.
func (n plainNode) score(pod plainPod, opts noderesources.ScoreOptions) int64 {
	var scores, weights int64
	list := n.used(pod, opts)
	for _, u := range list {
		score := share(big.NewInt(u.with), big.NewInt(u.all))
		switch opts.Strategy {
		case noderesources.LeastAllocated:
			score = share(big.NewInt(u.all-u.with), big.NewInt(u.all))
		case noderesources.RequestedToCapacityRatio:
			score = shapeSlowly(opts.Shape, score)
			if score == 0 {
				continue
			}
		case noderesources.MostAllocated, noderesources.BalancedAllocation:
			// The share in use, and below.
		}
		scores, weights = scores+u.weight*score, weights+u.weight
	}
	switch {
	case opts.Strategy == noderesources.BalancedAllocation:
		return balanceSlowly(list, pod, opts)
	case weights == 0:
		return 0
	case opts.Strategy == noderesources.RequestedToCapacityRatio:
		return (2*scores + weights) / (2 * weights) // to the nearest
	}
	return scores / weights
}

// shapeSlowly interpolates between the points around a utilization, towards the first.
func shapeSlowly(shape []noderesources.UtilizationShapePoint, percent int64) int64 {
	next := slices.IndexFunc(shape, func(p noderesources.UtilizationShapePoint) bool { return percent <= int64(p.Utilization) })
	switch next {
	case -1:
		return int64(shape[len(shape)-1].Score) * 10
	case 0:
		return int64(shape[0].Score) * 10
	}
	a, b := shape[next-1], shape[next]
	rise := big.NewInt(int64(b.Score-a.Score) * 10 * (percent - int64(a.Utilization)))
	return int64(a.Score)*10 + rise.Quo(rise, big.NewInt(int64(b.Utilization-a.Utilization))).Int64()
}

// balanceSlowly is the score of BalancedAllocation, in the floating point of the plugin.
func balanceSlowly(list []used, pod plainPod, opts noderesources.ScoreOptions) int64 {
	asks := slices.ContainsFunc(opts.Resources, func(w noderesources.ResourceWeight) bool { return pod.sum(w.Name, false) != 0 })
	if !asks {
		return 0
	}
	var with, without []float64
	for _, u := range list {
		with = append(with, float64(u.with)/float64(u.all))
		without = append(without, float64(u.without)/float64(u.all))
	}
	before, after := int64((1-deviation(without))*100), int64((1-deviation(with))*100)
	return 50 + (50+after-before)/2
}

func deviation(fractions []float64) float64 {
	switch len(fractions) {
	case 0, 1:
		return 0
	case 2:
		return math.Abs((fractions[0] - fractions[1]) / 2)
	}
	total, squares := 0.0, 0.0
	for _, f := range fractions {
		total += f
	}
	mean := total / float64(len(fractions))
	for _, f := range fractions {
		d := f - mean
		squares += float64(d * d)
	}
	return math.Sqrt(squares / float64(len(fractions)))
}

// scoreOptions draws options of a strategy, with some of the resources in any order.
func scoreOptions(t *rapid.T, strategy noderesources.Strategy) noderesources.ScoreOptions {
	opts := noderesources.ScoreOptions{Strategy: strategy}
	for _, name := range rapid.Permutation(scoredNames).Draw(t, "names")[rapid.IntRange(0, 3).Draw(t, "left out"):] {
		weight := noderesources.ResourceWeight{Name: name}
		if strategy != noderesources.BalancedAllocation {
			weight.Weight = rapid.Int64Range(0, 5).Draw(t, "weight")
		}
		opts.Resources = append(opts.Resources, weight)
	}
	if strategy == noderesources.RequestedToCapacityRatio {
		at := int32(0)
		for range rapid.IntRange(1, 3).Draw(t, "points") {
			at += rapid.Int32Range(1, 33).Draw(t, "utilization")
			opts.Shape = append(opts.Shape, noderesources.UtilizationShapePoint{Utilization: at, Score: rapid.Int32Range(0, 10).Draw(t, "score")})
		}
	}
	return opts
}

// Scores of each strategy are those of plain arithmetic, of a ledger and of a cluster: also after a pod has been
// resized and a node has changed.
func TestScoresEqualPlainArithmetic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) { scoresSlowly(t) })
}

// scoresSlowly compares scores, and returns what was reached.
func scoresSlowly(t *rapid.T) (reached []string) {
	var c noderesources.Cluster
	nodes := make([]plainNode, rapid.IntRange(1, 3).Draw(t, "nodes"))
	nameOf := func(i int) string { return fmt.Sprint("n-", i) }
	for i := range nodes {
		n := &nodes[i]
		for _, changed := range []bool{false, true} {
			if changed && rapid.Bool().Draw(t, "unchanged") {
				break
			}
			list := n.draw(t)
			testkit.OK(t, map[bool]func(string, corev1.ResourceList) error{false: c.AddNode, true: c.UpdateNode}[changed](nameOf(i), list))
		}
		for j := range rapid.IntRange(0, 2).Draw(t, "pods") {
			pod, uid := plainPods(t, "there"), types.UID(fmt.Sprint(i, "-", j))
			testkit.OK(t, c.AddPod(uid, nameOf(i), pod.request()))
			if rapid.Bool().Draw(t, "resized") {
				pod = plainPods(t, "resized to")
				testkit.OK(t, c.UpdatePod(uid, pod.request()))
			}
			n.pods = append(n.pods, pod)
		}
	}
	pod := plainPods(t, "pod")
	for _, strategy := range strategies {
		opts := scoreOptions(t, strategy)
		scorer, err := noderesources.NewScorer(opts)
		testkit.OK(t, err)
		for i, score := range c.AppendScores(nil, pod.request(), only(scorer)) {
			l, err := c.Ledger(nameOf(i))
			testkit.OK(t, err)
			want := nodes[i].score(pod, opts)
			if got := l.Score(pod.request(), only(scorer)); got != want || score != want || got < 0 || got > 100 {
				t.Fatalf("%s of node %d: %d by its ledger and %d by the cluster, want %d", strategy, i, got, score, want)
			}
			reached = append(reached, fmt.Sprint(strategy, " of ", min(len(nodes[i].used(pod, opts)), 3)))
		}
	}
	profile, all, weights := profileSlowly(t)
	for i, score := range c.AppendScores(nil, pod.request(), profile) {
		want := int64(0)
		for j, opts := range all {
			want += weights[j] * nodes[i].score(pod, opts)
		}
		if got := node(t, &c, nameOf(i)).Score(pod.request(), profile); got != want || score != want {
			t.Fatalf("%v with weights %v of node %d: %d by its ledger and %d by the cluster, want %d", all, weights, i, got, score, want)
		}
	}
	return append(reached, fmt.Sprint("profile of ", len(profile)))
}

// profileSlowly draws a profile, with the options of its scorers and the weights that count.
func profileSlowly(t *rapid.T) (p noderesources.Profile, all []noderesources.ScoreOptions, weights []int64) {
	for range rapid.IntRange(0, 3).Draw(t, "scorers") {
		opts := scoreOptions(t, rapid.SampledFrom(strategies).Draw(t, "strategy of the profile"))
		scorer, err := noderesources.NewScorer(opts)
		testkit.OK(t, err)
		weight := rapid.SampledFrom([]int32{math.MinInt32, 0, 1, 2, 50, math.MaxInt32}).Draw(t, "weight of the scorer")
		p = append(p, noderesources.WeightedScorer{Scorer: scorer, Weight: weight})
		all, weights = append(all, opts), append(weights, max(int64(weight), 1))
	}
	if len(p) > 0 {
		return p, all, weights
	}
	cpuAndMemory := []noderesources.ResourceWeight{{Name: "cpu", Weight: 1}, {Name: "memory", Weight: 1}}
	return p, []noderesources.ScoreOptions{
		{Strategy: noderesources.LeastAllocated, Resources: cpuAndMemory}, {Strategy: noderesources.BalancedAllocation, Resources: cpuAndMemory},
	}, []int64{1, 1}
}

// draw draws what a node has.
func (n *plainNode) draw(t *rapid.T) corev1.ResourceList {
	n.allocatable = map[corev1.ResourceName]int64{}
	list := corev1.ResourceList{}
	for _, name := range scoredNames {
		if name == "example.com/none" || rapid.IntRange(0, 4).Draw(t, "missing") == 0 {
			continue
		}
		n.allocatable[name] = rapid.Int64Range(0, 40).Draw(t, "allocatable") * unitOf(name)
		if rapid.IntRange(0, 9).Draw(t, "huge") == 0 {
			n.allocatable[name] = math.MaxInt64
		}
		list[name] = *resource.NewQuantity(n.allocatable[name], resource.BinarySI)
		if name == "cpu" {
			list[name] = *resource.NewMilliQuantity(n.allocatable[name], resource.DecimalSI)
		}
	}
	return list
}

// Each strategy is compared with plain arithmetic for no resource, one, two, and more.
func TestDrawsOfScoresReachEachStrategy(t *testing.T) {
	want := []string{"profile of 0", "profile of 1", "profile of 2", "profile of 3"}
	for _, strategy := range strategies {
		for n := range 4 {
			want = append(want, fmt.Sprint(strategy, " of ", n))
		}
	}
	testkit.Reached(t, 300, scoresSlowly, want...)
}

// A sum beyond an int64 counts exactly if a pod requests a negative amount of any resource, not only of the last.
func TestScoresWithNegativeRequestsAreExact(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "memory", "8E", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "1", "memory", "8E"))
	addPod(t, c, "1", "a", placed("cpu", "1", "memory", "4E"))
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Resources: weights("memory", "cpu")})
	testkit.OK(t, err)
	// All of the 8E are requested then, and 2 of 4 cores are free.
	if got := c.AppendScores(nil, placed("cpu", "0", "memory", "-4E"), only(scorer)); !slices.Equal(got, []int64{25}) {
		t.Errorf("%v, want 25", got)
	}
}

// A resource that no node has leaves the weights of those behind it alone.
func TestScoresWithoutAResource(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "memory", "4Gi", "pods", "9"))
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{
		{Name: "example.com/none", Weight: 5}, {Name: "cpu", Weight: 1}, {Name: "memory", Weight: 3},
	}})
	testkit.OK(t, err)
	// Nothing of cpu and all of the memory is free.
	if got := c.AppendScores(nil, placed("cpu", "4", "memory", "0", "example.com/none", "1"), only(scorer)); !slices.Equal(got, []int64{75}) {
		t.Errorf("%v, want 75", got)
	}
}

// The defaults for scores of the nodes behind a removed one are theirs.
func TestScoresWithoutANode(t *testing.T) {
	list := testkit.List("cpu", "1", "memory", "1000Mi", "pods", "9")
	c := cluster(t, list, list, list)
	addPod(t, c, "0", "a", noderesources.PodRequest(pod(app(), app()), none))
	addPod(t, c, "1", "c", placed())
	testkit.OK(t, c.RemoveNode("a"))
	// One container has 10% of cpu and 20% of memory.
	if got := c.AppendScores(nil, placed(), leastAllocated); !slices.Equal(got, []int64{85, 70}) {
		t.Errorf("%v, want 85 and 70", got)
	}
}
