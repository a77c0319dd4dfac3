package noderesources_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// cluster returns nodes with these allocatable resources, by the names a, b, and so on.
func cluster(t testkit.TB, nodes ...corev1.ResourceList) *noderesources.Cluster {
	t.Helper()
	var c noderesources.Cluster
	for i, allocatable := range nodes {
		if err := c.AddNode(string(rune('a'+i)), allocatable); err != nil {
			t.Fatalf("%v", err)
		}
	}
	return &c
}

func addPod(t testkit.TB, c *noderesources.Cluster, uid types.UID, node string, r noderesources.Request) {
	t.Helper()
	if err := c.AddPod(uid, node, r); err != nil {
		t.Fatalf("%v", err)
	}
}

// node returns a copy of the ledger of a node.
func node(t testkit.TB, c *noderesources.Cluster, name string) *noderesources.Ledger {
	t.Helper()
	l, err := c.Ledger(name)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return l
}

// podsOf returns the number of pods on all nodes.
func podsOf(t testkit.TB, c *noderesources.Cluster) (pods int) {
	t.Helper()
	for _, name := range c.Nodes() {
		pods += node(t, c, name).Pods()
	}
	return pods
}

// firstOf returns the first node on which a pod fits, or "".
func firstOf(c *noderesources.Cluster, r noderesources.Request, opts noderesources.FitOptions) string {
	if fits := c.AppendFits(nil, r, opts); len(fits) > 0 {
		return fits[0]
	}
	return ""
}

// isAbout reports whether an error says that a node or a pod already exists, or that it was not found, also to
// errors.Is.
func isAbout(err error, text string) bool {
	is, isNot := computeresources.ErrNotFound, computeresources.ErrExists
	if strings.HasSuffix(text, "already exists") {
		is, isNot = isNot, is
	}
	return err != nil && strings.HasSuffix(err.Error(), text) && errors.Is(err, is) && !errors.Is(err, isNot)
}

func TestClusterErrors(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "2", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "1"))
	before := testkit.Fingerprint(c)
	_, ledger := c.Ledger("x")
	_, shortages := c.Shortages(placed("cpu", "1"), "x", noderesources.FitOptions{})
	for name, err := range map[string]error{
		"UpdateNode": c.UpdateNode("x", nil), "RemoveNode": c.RemoveNode("x"), "AddPod": c.AddPod("1", "x", placed("cpu", "1")),
		"Ledger": ledger, "Shortages": shortages,
	} {
		if !isAbout(err, `node "x" not found`) {
			t.Errorf("%s of a node that is not there: %v", name, err)
		}
	}
	for name, err := range map[string]error{"UpdatePod": c.UpdatePod("1", placed("cpu", "1")), "RemovePod": c.RemovePod("1")} {
		if !isAbout(err, `pod "1" not found`) {
			t.Errorf("%s of a pod that is not there: %v", name, err)
		}
	}
	for _, node := range []string{"a", "b", "x"} {
		if err := c.AddPod("0", node, placed("cpu", "1")); !isAbout(err, `pod "0" already exists`) {
			t.Errorf("AddPod of a pod that is there, to %s: %v", node, err)
		}
	}
	if err := c.AddNode("a", nil); !isAbout(err, `node "a" already exists`) {
		t.Errorf("AddNode of a node that is there: %v", err)
	}
	if after := testkit.Fingerprint(c); after != before {
		t.Errorf("errors have changed the cluster from\n%s to\n%s", before, after)
	}
}

func TestZeroCluster(t *testing.T) {
	var c noderesources.Cluster
	r, fit := placed("cpu", "1"), noderesources.FitOptions{}
	if got := c.AppendFits(nil, r, fit); len(got) > 0 {
		t.Errorf("AppendFits = %v", got)
	}
	if _, _, found := c.Best(r, leastAllocated, fit); found {
		t.Error("Best has found a node")
	}
	if err := c.CheckFit(noderesources.Request{}, fit); err == nil || err.Error() != "no nodes available to schedule pods" {
		t.Errorf("CheckFit: %v", err)
	}
	for name, p := range map[string]noderesources.Placements{
		"FirstFit": c.FirstFit([]noderesources.Request{r}, fit), "BestFit": c.BestFit([]noderesources.Request{r}, leastAllocated, fit),
	} {
		want := noderesources.Placements{Nodes: []string{""}, Unplaced: map[int]*noderesources.FitError{0: {}}}
		testkit.NoDiff(t, p, want, name)
	}
	if len(c.Nodes()) != 0 || len(c.AppendScores(nil, r, leastAllocated)) != 0 {
		t.Error("the zero value has something")
	}
	if err := c.RemovePod("a"); err == nil {
		t.Error("RemovePod has found a pod")
	}
}

// Pods go with their node, and may come back on another.
func TestRemoveNode(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "2", "pods", "9"), testkit.List("cpu", "3", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "3"))
	addPod(t, c, "1", "c", placed("cpu", "2"))
	testkit.OK(t, c.RemoveNode("a"))
	if err := c.RemovePod("0"); !isAbout(err, `pod "0" not found`) {
		t.Errorf("RemovePod of a pod that has gone with its node: %v", err)
	}
	if podsOf(t, c) != 1 || node(t, c, "c").Pods() != 1 {
		t.Errorf("%d pods, %d of them on c", podsOf(t, c), node(t, c, "c").Pods())
	}
	addPod(t, c, "0", "c", placed("cpu", "1"))
	if a := amountsOf(node(t, c, "c"), "cpu"); a.Requested != 3000 || a.Free != 0 {
		t.Errorf("%+v", a)
	}
	testkit.NoDiff(t, c.AppendFits(nil, placed("cpu", "1"), noderesources.FitOptions{}), []string{"b"}, "AppendFits")
	testkit.OK(t, c.AddNode("a", testkit.List("cpu", "1", "pods", "1")))
	if a := amountsOf(node(t, c, "a"), "cpu"); a.Requested != 0 || a.Free != 1000 {
		t.Errorf("a node that came back has %+v", a)
	}
}

// Resources that a pod no longer requests are free again, and those that it now requests are not.
func TestUpdatePod(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "example.com/a", "1", "example.com/b", "1", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "3", "example.com/a", "1"))
	check := func(when, name string, fits int, free int64) {
		t.Helper()
		r := placed(name, "1")
		if got := c.AppendFits(nil, r, noderesources.FitOptions{}); len(got) != fits {
			t.Errorf("%s: fits on %q", when, got)
		}
		if a := amountsOf(node(t, c, "a"), corev1.ResourceName(name)); a.Free != free {
			t.Errorf("%s: %+v", when, a)
		}
	}
	check("before", "example.com/a", 0, 0)
	check("before", "example.com/b", 1, 1)
	testkit.OK(t, c.UpdatePod("0", placed("cpu", "1", "example.com/b", "1")))
	check("after", "example.com/a", 1, 1)
	check("after", "example.com/b", 0, 0)
	check("after", "cpu", 1, 3000)
}

// A copy of a ledger is for trying things out.
func TestClusterLedger(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "example.com/x", "1", "pods", "9"))
	addPod(t, c, "0", "a", placed("cpu", "3", "example.com/x", "1"))
	for _, uid := range []types.UID{"2", "3"} {
		addPod(t, c, uid, "a", placed("cpu", "1"))
	}
	for _, uid := range []types.UID{"2", "3"} {
		testkit.OK(t, c.RemovePod(uid))
	}
	before := testkit.Fingerprint(c)
	l, err := c.Ledger("a")
	testkit.OK(t, err)
	for _, err := range []error{l.Add("2", placed("cpu", "1")), l.Add("3", placed("cpu", "1")), l.Remove("2")} {
		testkit.OK(t, err)
	}
	testkit.OK(t, l.Remove("0"))
	testkit.OK(t, l.Add("1", placed("example.com/x", "1")))
	if after := testkit.Fingerprint(c); after != before {
		t.Errorf("the cluster has changed from\n%s to\n%s", before, after)
	}
}

// Adding and removing pods and reading nodes allocates little.
func TestClusterAllocs(t *testing.T) {
	var c noderesources.Cluster
	for i := range 200 {
		testkit.OK(t, c.AddNode(fmt.Sprintf("n-%03d", i), testkit.List("cpu", fmt.Sprint(i), "memory", "8Gi", "example.com/a", "4", "pods", "110")))
	}
	addPod(t, &c, "0", "n-100", placed("cpu", "1"))
	addPod(t, &c, "1", "n-100", placed("cpu", "1"))
	r, resized := placed("cpu", "150", "memory", "1Gi", "example.com/a", "1"), placed("cpu", "2", "example.com/a", "2")
	opts := noderesources.FitOptions{IgnoredGroups: []string{"example.org"}}
	profiles := []noderesources.Profile{nil}
	for _, strategy := range strategies {
		profiles = append(profiles, only(scorerOf(t, strategy)))
	}
	dst, scores := make([]string, 0, 200), make([]int64, 0, 200)
	round := func() {
		if c.AddPod("a", "n-100", r) != nil || c.UpdatePod("a", resized) != nil || c.RemovePod("a") != nil {
			t.Error("an error")
		}
		if got := len(c.AppendFits(dst, r, opts)); got != 50 {
			t.Errorf("%d fit, want 50", got)
		}
		for _, profile := range profiles {
			if name, _, found := c.Best(r, profile, opts); !found || name < "n-150" {
				t.Errorf("the best is %q", name)
			}
			if got := len(c.AppendScores(scores, r, profile)); got != 200 {
				t.Errorf("%d scores", got)
			}
		}
		testkit.OK(t, c.CheckFit(r, opts))
	}
	if got := testing.AllocsPerRun(20, round); got > 100 {
		t.Errorf("%v allocations, want a few for each scorer and question about a scalar resource", got)
	}
}

// Ignored resources do not count in placements either.
func TestPlacementsIgnoreResources(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"))
	list := []noderesources.Request{placed("cpu", "1", "example.com/x", "1"), placed("cpu", "1", "example.com/x", "1")}
	opts := noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/x"}}
	for name, p := range map[string]noderesources.Placements{"FirstFit": c.FirstFit(list, opts), "BestFit": c.BestFit(list, leastAllocated, opts)} {
		testkit.NoDiff(t, p, noderesources.Placements{Nodes: []string{"a", "a"}}, name)
	}
}

// Pods that request as much of different resources are of different kinds.
func TestBestFitByNameOfScalars(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9", "example.com/fpga", "2"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "2"))
	fpga, gpu := placed("cpu", "1", "example.com/fpga", "1"), placed("cpu", "1", "example.com/gpu", "1")
	got := c.BestFit([]noderesources.Request{fpga, gpu, fpga, gpu}, leastAllocated, noderesources.FitOptions{})
	testkit.NoDiff(t, got, noderesources.Placements{Nodes: []string{"a", "b", "a", "b"}})
}

// Placing many pods onto many nodes gives the same result as choosing a node for each pod in turn
// and adding it.
func TestPlacementsOfManyPods(t *testing.T) {
	for name, test := range map[string]struct{ nodes, kinds, pods int }{
		"a few kinds in turn":                        {nodes: 200, kinds: 7, pods: 1200},
		"each pod of its own":                        {nodes: 70, kinds: 1 << 20, pods: 300},
		"more kinds than there are scores in memory": {nodes: 3, kinds: 1100, pods: 2300},
	} {
		t.Run(name, func(t *testing.T) {
			node := func(i int) string { return fmt.Sprintf("n-%03d", i) }
			newCluster := func() *noderesources.Cluster {
				var c noderesources.Cluster
				for i := range test.nodes {
					testkit.OK(t, c.AddNode(node(i), testkit.List("cpu", fmt.Sprint(20+i%3), "memory", "20Gi", "pods", fmt.Sprint(10*test.pods/test.nodes))))
				}
				return &c
			}
			list := make([]noderesources.Request, test.pods)
			for i := range list {
				kind := i % test.kinds
				list[i] = placed("cpu", fmt.Sprint(1+kind*7919%5000, "m"), "memory", fmt.Sprint(1+kind*104729%9000, "Mi"))
			}
			first, best := newCluster().FirstFit(list, noderesources.FitOptions{}), newCluster().BestFit(list, leastAllocated, noderesources.FitOptions{})
			ofFirst, ofBest := newCluster(), newCluster()
			for i, r := range list {
				uid, want := types.UID(fmt.Sprint(i)), firstOf(ofFirst, r, noderesources.FitOptions{})
				if want != "" {
					addPod(t, ofFirst, uid, want, r)
				}
				if first.Nodes[i] != want {
					t.Fatalf("first fit of pod %d on %q, want %q", i, first.Nodes[i], want)
				}
				want, _, found := ofBest.Best(r, leastAllocated, noderesources.FitOptions{})
				if found {
					addPod(t, ofBest, uid, want, r)
				}
				testkit.Equal(t, best.Nodes[i], want, "best fit of pod", i, "on")
			}
			if podsOf(t, ofFirst)+len(first.Unplaced) != len(list) || podsOf(t, ofBest)+len(best.Unplaced) != len(list) {
				t.Error("pods are missing")
			}
		})
	}
}

// Pods with equal requests differ in scores if more of their containers request nothing.
func TestBestFitCountsDefaults(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "400m", "memory", "10Gi", "pods", "9"), testkit.List("cpu", "10", "memory", "600Mi", "pods", "9"), testkit.List("cpu", "1k", "memory", "1Ti", "pods", "1"))
	addPod(t, c, "0", "a", placed("cpu", "0", "memory", "1Gi"))
	one, three := noderesources.PodRequest(pod(app()), none), noderesources.PodRequest(pod(app(), app(), app()), none)
	for want, second := range map[string]noderesources.Request{"b": one, "a": three} {
		got := c.BestFit([]noderesources.Request{one, second}, leastAllocated, noderesources.FitOptions{})
		testkit.NoDiff(t, got.Nodes, []string{"c", want})
	}
}

// Pods that request different amounts of a scalar resource are of different kinds.
func TestBestFitByAmountOfScalars(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "4"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "8"), testkit.List("cpu", "4", "pods", "9", "example.com/gpu", "4"))
	scorer, err := noderesources.NewScorer(noderesources.ScoreOptions{Strategy: noderesources.MostAllocated, Resources: weights("example.com/gpu")})
	testkit.OK(t, err)
	one, six := placed("cpu", "1", "example.com/gpu", "1"), placed("cpu", "1", "example.com/gpu", "6")
	got := c.BestFit([]noderesources.Request{one, six, one, six}, only(scorer), noderesources.FitOptions{})
	testkit.NoDiff(t, got.Nodes, []string{"a", "b", "b", ""})
}
