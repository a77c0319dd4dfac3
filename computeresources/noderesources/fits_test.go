package noderesources_test

import (
	"errors"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestAppendFits(t *testing.T) {
	gpu := []corev1.ResourceName{"example.com/gpu"}
	c := cluster(t,
		testkit.List("cpu", "4", "memory", "1Gi", "pods", "9"),
		testkit.List("cpu", "2", "memory", "8Gi", "example.com/gpu", "1", "pods", "9"),
		testkit.List("cpu", "4", "memory", "8Gi", "ephemeral-storage", "1Gi", "pods", "1"),
		testkit.List("cpu", "1", "hugepages-2Mi", "4Mi", "pods", "9"),
	)
	addPod(t, c, "0", "c", noderesources.Request{})
	addPod(t, c, "1", "d", placed("cpu", "3"))
	for name, test := range map[string]struct {
		request noderesources.Request
		opts    noderesources.FitOptions
		want    []string
	}{
		"empty request fits where a pod may be added": {request: placed(), want: []string{"a", "b", "d"}},
		"cpu":               {request: placed("cpu", "2"), want: []string{"a", "b"}},
		"a milli-unit more": {request: placed("cpu", "2001m"), want: []string{"a"}},
		"memory":            {request: placed("memory", "2Gi"), want: []string{"b"}},
		"ephemeral-storage, on a node that is full":    {request: placed("ephemeral-storage", "1"), want: nil},
		"an extended resource":                         {request: placed("example.com/gpu", "1"), want: []string{"b"}},
		"two of an extended resource":                  {request: placed("example.com/gpu", "2"), want: nil},
		"hugepages, where more cpu is used than there": {request: placed("hugepages-2Mi", "4Mi"), want: []string{"d"}},
		"a resource that no node has":                  {request: placed("example.com/x", "1"), want: nil},
		"a resource that no node has, ignored":         {request: placed("example.com/x", "1"), opts: noderesources.FitOptions{IgnoredGroups: []string{"example.com"}}, want: []string{"a", "b", "d"}},
		"a resource that a node has, ignored":          {request: placed("cpu", "2", "example.com/gpu", "1"), opts: noderesources.FitOptions{IgnoredResources: gpu}, want: []string{"a", "b"}},
		"zero of a resource that no node has":          {request: placed("example.com/x", "0"), want: []string{"a", "b", "d"}},
		"zero and a limit of a resource that no node has": {request: noderesources.SpecRequest(&corev1.PodSpec{Containers: []corev1.Container{
			testkit.Container("c", testkit.List("example.com/x", "0"), testkit.List("example.com/x", "1")),
		}}, none), want: []string{"a", "b", "d"}},
		"less than zero of a resource that no node has": {request: placed("example.com/x", "-1"), want: []string{"a", "b", "d"}},
		"negative request on an overcommitted node":     {request: placed("cpu", "-1"), want: []string{"a", "b", "d"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := c.AppendFits([]string{"before"}, test.request, test.opts)
			testkit.NoDiff(t, got, append([]string{"before"}, test.want...))
			if err := c.CheckFit(test.request, test.opts); (err == nil) != (len(test.want) > 0) {
				t.Errorf("CheckFit: %v", err)
			}
		})
	}
}

// Differences that do not fit an int64 are handled, whether there is room or not.
func TestAppendFitsBeyondInt64(t *testing.T) {
	c := cluster(t,
		testkit.List("cpu", "-10E", "memory", "9E", "pods", "9"),
		testkit.List("cpu", "1", "memory", "9E", "pods", "-10E"),
		testkit.List("cpu", "1", "memory", "9E", "pods", "9"),
	)
	testkit.NoDiff(t, c.AppendFits(nil, placed("cpu", "1", "memory", "-9E"), noderesources.FitOptions{}), []string{"c"})
}

// As in the scheduler, a node counts for each of its reasons.
func TestCheckFit(t *testing.T) {
	c := cluster(t,
		testkit.List("cpu", "4", "memory", "1Gi", "pods", "9"),
		testkit.List("cpu", "2", "memory", "8Gi", "example.com/gpu", "1", "pods", "0"),
		testkit.List("cpu", "8", "pods", "9"),
		testkit.List("cpu", "8", "memory", "8Gi", "example.com/gpu", "1", "pods", "9"),
	)
	addPod(t, c, "0", "c", placed("cpu", "6"))
	addPod(t, c, "1", "d", placed("cpu", "1", "example.com/gpu", "1"))
	err := c.CheckFit(placed("cpu", "3", "memory", "2Gi", "example.com/gpu", "1", "example.com/x", "1", "example.org/y", "1"), noderesources.FitOptions{IgnoredGroups: []string{"example.org"}})
	var got *noderesources.FitError
	if !errors.As(err, &got) {
		t.Fatal(err)
	}
	want := &noderesources.FitError{Nodes: 4, Reasons: []noderesources.FitReason{
		{Resource: "pods", Nodes: 1},
		{Resource: "cpu", Nodes: 2, Unresolvable: 1},
		{Resource: "memory", Nodes: 2, Unresolvable: 2},
		{Resource: "example.com/gpu", Nodes: 3, Unresolvable: 2},
		{Resource: "example.com/x", Nodes: 4, Unresolvable: 4},
	}}
	testkit.NoDiff(t, got, want)
	const text = "0/4 nodes are available: 1 Too many pods, 2 Insufficient cpu, 2 Insufficient memory, 3 Insufficient example.com/gpu, 4 Insufficient example.com/x."
	testkit.Equal(t, err.Error(), text, err)
}

// The message sorts numbers as text, as the scheduler does.
func TestFitErrorSortsText(t *testing.T) {
	err := &noderesources.FitError{Nodes: 30, Reasons: []noderesources.FitReason{{Resource: "pods", Nodes: 3}, {Resource: "cpu", Nodes: 21}, {Resource: "memory", Nodes: 10}}}
	const want = "0/30 nodes are available: 10 Insufficient memory, 21 Insufficient cpu, 3 Too many pods."
	testkit.Equal(t, err.Error(), want, err)
}

// In a large cluster, all nodes with room are found, including those at the ends of blocks and
// after nodes have been removed and added.
func TestAppendFitsOfManyNodes(t *testing.T) {
	const n = 64*64 + 65
	var c noderesources.Cluster
	name := func(i int) string { return fmt.Sprintf("n-%05d", i) }
	for i := range n { // every other one, and then those between
		if err := c.AddNode(name(i*2%n), testkit.List("cpu", "1", "pods", "9")); err != nil {
			t.Fatal(err)
		}
	}
	check := func(r noderesources.Request, want ...int) {
		t.Helper()
		var names []string
		for _, i := range want {
			names = append(names, name(i))
		}
		testkit.NoDiff(t, c.AppendFits(nil, r, noderesources.FitOptions{}), names)
	}
	large := placed("cpu", "2", "example.com/x", "1")
	check(large)
	ends := []int{0, 63, 64, 4095, 4096, n - 1}
	for _, i := range ends {
		if err := c.UpdateNode(name(i), testkit.List("cpu", "2", "example.com/x", "1", "pods", "9")); err != nil {
			t.Fatal(err)
		}
	}
	check(large, ends...)
	addPod(t, &c, "a", name(64), large)
	check(large, 0, 63, 4095, 4096, n-1)
	if err := c.RemoveNode(name(1)); err != nil {
		t.Fatal(err)
	}
	if err := c.RemoveNode(name(4095)); err != nil {
		t.Fatal(err)
	}
	check(large, 0, 63, 4096, n-1)
	if err := c.RemovePod("a"); err != nil {
		t.Fatal(err)
	}
	check(large, 0, 63, 64, 4096, n-1)
	testkit.Equal(t, len(c.AppendFits(nil, placed("cpu", "1"), noderesources.FitOptions{})), n-2)
}

// A node that moves to the next block is found there.
func TestAppendFitsBehindANewNode(t *testing.T) {
	var c noderesources.Cluster
	for i := range 66 {
		list := testkit.List("cpu", "1", "pods", "9")
		if i == 63 {
			list = testkit.List("cpu", "2", "pods", "9")
		}
		if err := c.AddNode(fmt.Sprintf("n-%02d", i), list); err != nil {
			t.Fatal(err)
		}
	}
	if err := c.AddNode("a", testkit.List("pods", "9")); err != nil {
		t.Fatal(err)
	}
	testkit.NoDiff(t, c.AppendFits(nil, placed("cpu", "2"), noderesources.FitOptions{}), []string{"n-63"})
}

// Nodes that come by name are all found, however many there are.
func TestAppendFitsOfNodesInOrder(t *testing.T) {
	var c noderesources.Cluster
	for i := range 64*64 + 1 {
		if err := c.AddNode(fmt.Sprintf("n-%05d", i), testkit.List("cpu", "1", "pods", "9")); err != nil {
			t.Fatal(err)
		}
		if i%64 > 1 {
			continue
		}
		if got := len(c.AppendFits(nil, placed("cpu", "1"), noderesources.FitOptions{})); got != i+1 {
			t.Fatalf("%d of %d nodes", got, i+1)
		}
	}
}
