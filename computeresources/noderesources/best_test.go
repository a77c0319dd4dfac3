package noderesources_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

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
			if err != nil {
				t.Fatal(err)
			}
			node, score, found := c.Best(placed("cpu", test.cpu, "memory", test.memory), scorer, noderesources.FitOptions{})
			if node != test.want || score != test.score || found != (test.want != "") {
				t.Errorf("%q with %d, %v; want %q with %d", node, score, found, test.want, test.score)
			}
		})
	}
	// The pods on a node count until they are removed.
	r := placed("cpu", "2", "memory", "2Gi")
	addPod(t, c, "0", "b", r)
	if node, _, _ := c.Best(r, noderesources.Scorer{}, noderesources.FitOptions{}); node != "c" {
		t.Errorf("%q beside a pod, want c", node)
	}
	scores := c.AppendScores([]int64{-5}, r, noderesources.Scorer{})
	testkit.NoDiff(t, scores, []int64{-5, 50, 50, 75, 0, 96}, "scores")
	if err := c.RemovePod("0"); err != nil {
		t.Fatal(err)
	}
	if node, _, _ := c.Best(r, noderesources.Scorer{}, noderesources.FitOptions{}); node != "b" {
		t.Errorf("%q without the pod, want b", node)
	}
}

// A node without a request for cpu or memory has the defaults for scores, and not for fit.
func TestBestOfPodsWithoutRequests(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "100m", "memory", "300Mi", "pods", "9"), testkit.List("cpu", "200m", "memory", "400Mi", "pods", "9"))
	addPod(t, c, "0", "b", placed())
	want := []int64{16, 25}
	if diff := cmp.Diff(want, c.AppendScores(nil, placed("cpu", "50m"), noderesources.Scorer{})); diff == "" {
		t.Error("the defaults for scores are those of the pod")
	}
	testkit.NoDiff(t, c.AppendScores(nil, placed(), noderesources.Scorer{}), []int64{16, 0}, "scores")
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
			opts.Shape = []noderesources.ShapePoint{{Utilization: 0, Score: 0}, {Utilization: 100, Score: 10}}
		}
		if strategy == noderesources.BalancedAllocation {
			for i := range opts.Resources {
				opts.Resources[i].Weight = 1
			}
		}
		scorer, err := noderesources.NewScorer(opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range []noderesources.Request{placed("example.com/x", "-2E"), placed(many...), placed("example.com/a", "2", "example.com/j", "1")} {
			var want []int64
			for _, name := range c.Nodes() {
				l, err := c.Ledger(name)
				if err != nil {
					t.Fatal(err)
				}
				want = append(want, l.Score(r, scorer))
			}
			testkit.NoDiff(t, c.AppendScores(nil, r, scorer), want, strategy)
		}
	}
}
