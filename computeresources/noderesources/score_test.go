package noderesources_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func weights(names ...corev1.ResourceName) (list []noderesources.ResourceWeight) {
	for _, name := range names {
		list = append(list, noderesources.ResourceWeight{Name: name})
	}
	return list
}

func TestScore(t *testing.T) {
	const (
		least    = noderesources.LeastAllocated
		most     = noderesources.MostAllocated
		ratio    = noderesources.RequestedToCapacityRatio
		balanced = noderesources.BalancedAllocation
	)
	node := testkit.List("cpu", "4", "memory", "10000Mi", "pods", "9")
	gpus := testkit.List("cpu", "10", "memory", "10Mi", "nvidia.com/gpu", "4", "pods", "9")
	up := []noderesources.UtilizationShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}
	for _, test := range []struct {
		name  string
		node  corev1.ResourceList
		there noderesources.Request
		pod   []string
		opts  noderesources.ScoreOptions
		want  int64
	}{
		{"zero of zero", nil, noderesources.Request{}, nil, noderesources.ScoreOptions{}, 0},
		{"missing requests count as 100m and 200Mi", node, noderesources.Request{}, nil, noderesources.ScoreOptions{}, 97},                   // (97 + 98) / 2
		{"missing requests of a placed pod, MostAllocated", node, placed(), nil, noderesources.ScoreOptions{Strategy: most}, 4},              // (5 + 4) / 2
		{"rounded down for each", node, noderesources.Request{}, []string{"cpu", "999m", "memory", "1Mi"}, noderesources.ScoreOptions{}, 87}, // (75 + 99) / 2
		{"more than there is", node, placed("cpu", "4", "memory", "1Mi"), []string{"cpu", "1", "memory", "0"}, noderesources.ScoreOptions{Resources: weights("cpu")}, 0},
		{"more than there is, most", node, placed("cpu", "4", "memory", "1Mi"), []string{"cpu", "1", "memory", "0"}, noderesources.ScoreOptions{Strategy: most, Resources: weights("cpu")}, 100},
		{"weights", node, noderesources.Request{}, []string{"cpu", "1", "memory", "5000Mi"},
			noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 3}, {Name: "memory", Weight: 2}}}, 65}, // (3·75 + 2·50) / 5
		{"a scalar resource that is not requested", gpus, placed("nvidia.com/gpu", "4"), []string{"cpu", "5"}, noderesources.ScoreOptions{Resources: weights("cpu", "nvidia.com/gpu")}, 49},                                // (10000 - 100 - 5000) / 100
		{"a scalar resource that is requested", gpus, placed("cpu", "0", "nvidia.com/gpu", "1"), []string{"cpu", "5", "nvidia.com/gpu", "2"}, noderesources.ScoreOptions{Resources: weights("cpu", "nvidia.com/gpu")}, 37}, // (50 + 25) / 2
		{"a resource that the node does not have", gpus, noderesources.Request{}, []string{"cpu", "5", "example.com/x", "1"}, noderesources.ScoreOptions{Resources: weights("cpu", "example.com/x", "ephemeral-storage")}, 50},
		{"storage has no default", testkit.List("ephemeral-storage", "10"), placed("ephemeral-storage", "3"), []string{"ephemeral-storage", "1"}, noderesources.ScoreOptions{Resources: weights("ephemeral-storage")}, 60},
		{"a negative sum counts as zero", node, placed("cpu", "-3", "memory", "0"), []string{"cpu", "1", "memory", "0"}, noderesources.ScoreOptions{Resources: weights("cpu")}, 100},
		{"huge", testkit.List("memory", "8E"), noderesources.Request{}, []string{"memory", "2E"}, noderesources.ScoreOptions{Resources: weights("memory")}, 75},
		{"less huge", testkit.List("memory", "8E"), noderesources.Request{}, []string{"memory", "500P"}, noderesources.ScoreOptions{Strategy: most, Resources: weights("memory")}, 6},
		{"a ratio, ignoring scores of zero", node, noderesources.Request{}, []string{"cpu", "2", "memory", "0"}, noderesources.ScoreOptions{Strategy: ratio, Shape: up}, 50},
		{"a ratio, rounded to the nearest", node, noderesources.Request{}, []string{"cpu", "2", "memory", "5100Mi"}, noderesources.ScoreOptions{Strategy: ratio, Shape: up}, 51}, // 50.5
		{"a ratio of more than there is", node, noderesources.Request{}, []string{"cpu", "5"}, noderesources.ScoreOptions{Strategy: ratio, Shape: up, Resources: weights("cpu")}, 100},
		{"before the first point", node, noderesources.Request{}, []string{"cpu", "1"},
			noderesources.ScoreOptions{Strategy: ratio, Resources: weights("cpu"), Shape: []noderesources.UtilizationShapePoint{{Utilization: 30, Score: 7}, {Utilization: 60, Score: 1}}}, 70},
		{"behind the last point", node, noderesources.Request{}, []string{"cpu", "3"},
			noderesources.ScoreOptions{Strategy: ratio, Resources: weights("cpu"), Shape: []noderesources.UtilizationShapePoint{{Utilization: 30, Score: 7}, {Utilization: 60, Score: 1}}}, 10},
		{"between points, toward the first", node, noderesources.Request{}, []string{"cpu", "1640m"}, // 41%: 70 - 60·11/30
			noderesources.ScoreOptions{Strategy: ratio, Resources: weights("cpu"), Shape: []noderesources.UtilizationShapePoint{{Utilization: 30, Score: 7}, {Utilization: 60, Score: 1}}}, 48},
		{"none of the node's resources requested", node, noderesources.Request{}, nil, noderesources.ScoreOptions{Strategy: balanced}, 0},
		{"balance kept", node, noderesources.Request{}, []string{"cpu", "2", "memory", "5000Mi"}, noderesources.ScoreOptions{Strategy: balanced}, 75},
		{"balance lost", node, noderesources.Request{}, []string{"cpu", "4"}, noderesources.ScoreOptions{Strategy: balanced}, 50},                                               // 50% off: 50 + (50 + 50 - 100)/2
		{"balance restored", node, placed("cpu", "4"), []string{"memory", "10000Mi"}, noderesources.ScoreOptions{Strategy: balanced}, 100},                                      // 50 + (50 + 100 - 50)/2
		{"more than there is counts as all in balance", node, placed("cpu", "4"), []string{"cpu", "4", "memory", "5000Mi"}, noderesources.ScoreOptions{Strategy: balanced}, 87}, // 50 + (50 + 75 - 50)/2
		{"storage does not count by default", testkit.List("cpu", "4", "memory", "10000Mi", "ephemeral-storage", "4"), noderesources.Request{}, []string{"cpu", "2", "memory", "5000Mi"}, noderesources.ScoreOptions{}, 50},
		{"one resource is always in balance", node, noderesources.Request{}, []string{"cpu", "4"}, noderesources.ScoreOptions{Strategy: balanced, Resources: weights("cpu")}, 75},
		{"three resources", gpus, noderesources.Request{}, []string{"cpu", "10", "nvidia.com/gpu", "4"}, // 1, 0, 1: deviation 0.471
			noderesources.ScoreOptions{Strategy: balanced, Resources: weights("cpu", "memory", "nvidia.com/gpu")}, 51}, // 50 + (50 + 52 - 100)/2
	} {
		t.Run(test.name, func(t *testing.T) {
			scorer, err := noderesources.NewScorer(test.opts)
			testkit.OK(t, err)
			testkit.Equal(t, ledger(t, test.node, test.there).Score(requestOf(testkit.List(test.pod...)), only(scorer)), test.want)
		})
	}
}

// Scores of MostAllocated reach the maximum.
func TestMaxScore(t *testing.T) {
	most, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated})
	testkit.OK(t, err)
	for _, test := range []struct {
		profile noderesources.Profile
		want    int64
	}{{nil, 200}, {only(most), 100}, {noderesources.Profile{{Scorer: most, Weight: 3}, {Scorer: most, Weight: -1}}, 400}} {
		testkit.Equal(t, test.profile.MaxScore(), test.want)
		if full := placed("cpu", "4", "memory", "4"); len(test.profile) > 0 {
			testkit.Equal(t, ledger(t, testkit.List("cpu", "4", "memory", "4")).Score(full, test.profile), test.want)
		}
	}
}

func TestNewScorerRefuses(t *testing.T) {
	for _, test := range []struct {
		name string
		opts noderesources.ScoreOptions
		want []string
	}{
		{"unknown strategy", noderesources.ScoreOptions{Strategy: "Least"}, []string{`type: Unsupported value: "Least": supported values: "BalancedAllocation", "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"`}},
		{"weights", noderesources.ScoreOptions{Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 101}, {Name: "memory", Weight: -1}, {Name: "x", Weight: 100}}}, []string{
			"resources[0].weight: Invalid value: 101: resource weight of cpu not in valid range (0, 100]",
			"resources[1].weight: Invalid value: -1: resource weight of memory not in valid range (0, 100]",
		}},
		{"balance with weights", noderesources.ScoreOptions{Strategy: noderesources.BalancedAllocation, Resources: []noderesources.ResourceWeight{{Name: "cpu", Weight: 2}, {Name: "cpu"}}}, []string{
			"resources[0].weight: Invalid value: 2: must be 1",
			`resources[1].name: Duplicate value: "cpu"`,
		}},
		{"shape of another strategy", noderesources.ScoreOptions{Shape: []noderesources.UtilizationShapePoint{{}}}, []string{"shape: Forbidden: must be nil when type is not RequestedToCapacityRatio"}},
		{"no shape", noderesources.ScoreOptions{Strategy: noderesources.RequestedToCapacityRatio}, []string{"shape: Required value: at least one point must be specified"}},
		{"points out of range and order", noderesources.ScoreOptions{Strategy: noderesources.RequestedToCapacityRatio, Shape: []noderesources.UtilizationShapePoint{{Utilization: -1, Score: 11}, {Utilization: 101, Score: -1}, {Utilization: 101}}}, []string{
			"shape[2].utilization: Invalid value: 101: values must be sorted in increasing order",
			"shape[0].utilization: Invalid value: -1: not in valid range [0, 100]",
			"shape[0].score: Invalid value: 11: not in valid range [0, 10]",
			"shape[1].utilization: Invalid value: 101: not in valid range [0, 100]",
			"shape[1].score: Invalid value: -1: not in valid range [0, 10]",
			"shape[2].utilization: Invalid value: 101: not in valid range [0, 100]",
		}},
		{"several points out of order", noderesources.ScoreOptions{Strategy: noderesources.RequestedToCapacityRatio, Shape: []noderesources.UtilizationShapePoint{{Utilization: 9}, {Utilization: 8}, {Utilization: 7}}}, []string{
			"shape[1].utilization: Invalid value: 8: values must be sorted in increasing order",
		}},
	} {
		_, err := noderesources.NewScorer(test.opts)
		want := strings.Join(test.want, ", ")
		if len(test.want) > 1 {
			want = "[" + want + "]"
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v\nwant %s", test.name, err, want)
		}
		var typed *field.Error
		if !errors.As(err, &typed) {
			t.Errorf("%s: %v is no *field.Error", test.name, err)
		}
	}
}

func TestBest(t *testing.T) {
	c := cluster(t,
		testkit.List("cpu", "4", "memory", "4Gi", "pods", "9"),
		testkit.List("cpu", "8", "memory", "8Gi", "pods", "9"),
		testkit.List("cpu", "8", "memory", "8Gi", "pods", "9"),
		testkit.List("cpu", "2", "memory", "2Gi", "pods", "9"),
		testkit.List("cpu", "64", "memory", "64Gi", "pods", "0"),
	)
	for name, test := range map[string]struct {
		cpu, memory string
		strategy    noderesources.Strategy
		want        string
		score       int64
	}{
		"the most free, the first by name":    {"2", "2Gi", noderesources.LeastAllocated, "b", 75},
		"the least free":                      {"2", "2Gi", noderesources.MostAllocated, "d", 100},
		"the least free that has room":        {"3", "1Gi", noderesources.MostAllocated, "a", 50},
		"all are balanced, the first by name": {"1", "1Gi", noderesources.BalancedAllocation, "a", 75},
		"no room":                             {"9", "1Gi", noderesources.LeastAllocated, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: test.strategy})
			testkit.OK(t, err)
			node, score, found := c.Best(placed("cpu", test.cpu, "memory", test.memory), only(scorer), noderesources.FitOptions{})
			if node != test.want || score != test.score || found != (test.want != "") {
				t.Errorf("%q with %d, %v; want %q with %d", node, score, found, test.want, test.score)
			}
		})
	}
	// The pods on a node count until they are removed.
	r := placed("cpu", "2", "memory", "2Gi")
	addPod(t, c, "0", "b", r)
	if node, _, _ := c.Best(r, leastAllocated, noderesources.FitOptions{}); node != "c" {
		t.Errorf("%q beside a pod, want c", node)
	}
	scores := c.AppendScores([]int64{-5}, r, leastAllocated)
	testkit.NoDiff(t, scores, []int64{-5, 50, 50, 75, 0, 96}, "scores")
	testkit.OK(t, c.RemovePod("0"))
	if node, _, _ := c.Best(r, leastAllocated, noderesources.FitOptions{}); node != "b" {
		t.Errorf("%q without the pod, want b", node)
	}
}

// A node without a request for cpu or memory has the defaults for scores, and not for fit.
func TestBestOfPodsWithoutRequests(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "100m", "memory", "300Mi", "pods", "9"), testkit.List("cpu", "200m", "memory", "400Mi", "pods", "9"))
	addPod(t, c, "0", "b", placed())
	want := []int64{16, 25}
	if diff := cmp.Diff(want, c.AppendScores(nil, placed("cpu", "50m"), leastAllocated)); diff == "" {
		t.Error("the defaults for scores are those of the pod")
	}
	testkit.NoDiff(t, c.AppendScores(nil, placed(), leastAllocated), []int64{16, 0}, "scores")
	if got := c.AppendFits(nil, placed("cpu", "200m"), noderesources.FitOptions{}); !cmp.Equal(got, []string{"b"}) {
		t.Errorf("fits on %v, want b", got)
	}
}

// Scores are those of the ledger for more resources than there is memory for in advance, and
// where a sum does not fit an int64.
func TestScoresAreThoseOfLedgers(t *testing.T) {
	many := []string{"cpu", "1", "memory", "1Gi", "pods", "9"}
	var opts noderesources.ScoreOptions
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h", "i", "j"} {
		many = append(many, "example.com/"+name, "3")
		opts.Resources = append(opts.Resources, noderesources.ResourceWeight{Name: corev1.ResourceName("example.com/" + name), Weight: int64(1 + len(name))})
	}
	c := cluster(t, testkit.List(many...), testkit.List("example.com/a", "7", "pods", "9"), testkit.List("example.com/x", "9E", "pods", "9"))
	addPod(t, c, "0", "c", placed("example.com/x", "9E"))
	addPod(t, c, "1", "c", placed("example.com/x", "1E"))
	opts.Resources = append(opts.Resources, noderesources.ResourceWeight{Name: "example.com/x"})
	for _, strategy := range strategies {
		opts.Strategy, opts.Shape = strategy, nil
		if strategy == noderesources.RequestedToCapacityRatio {
			opts.Shape = []noderesources.UtilizationShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}
		}
		if strategy == noderesources.BalancedAllocation {
			for i := range opts.Resources {
				opts.Resources[i].Weight = 1
			}
		}
		scorer, err := noderesources.NewScorer(opts)
		testkit.OK(t, err)
		for _, r := range []noderesources.Request{placed("example.com/x", "-2E"), placed(many...), placed("example.com/a", "2", "example.com/j", "1")} {
			var want []int64
			for _, name := range c.Nodes() {
				l, err := c.Ledger(name)
				testkit.OK(t, err)
				want = append(want, l.Score(r, only(scorer)))
			}
			testkit.NoDiff(t, c.AppendScores(nil, r, only(scorer)), want, strategy)
		}
	}
}
