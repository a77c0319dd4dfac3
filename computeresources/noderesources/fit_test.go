package noderesources_test

import (
	"errors"
	"fmt"
	"math"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFit(t *testing.T) {
	classes := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gpu": "example.com/a", "unnamed": ""}}
	node := testkit.List("cpu", "4", "memory", "8Gi", "ephemeral-storage", "10Gi", "nvidia.com/gpu", "1", "pods", "3")
	for _, test := range []struct {
		name     string
		node     corev1.ResourceList
		there    []noderesources.Request
		requests []string
		opts     noderesources.FitOptions
		want     noderesources.Shortages
	}{
		{"an empty pod on an empty node", node, nil, nil, noderesources.FitOptions{}, nil},
		{"exactly the allocatable resources", node, nil, []string{"cpu", "4", "memory", "8Gi", "ephemeral-storage", "10Gi", "nvidia.com/gpu", "1"}, noderesources.FitOptions{}, nil},
		{"a node without resources", nil, nil, nil, noderesources.FitOptions{}, noderesources.Shortages{{Resource: "pods", Requested: 1}}},
		{"one pod too many", testkit.List("pods", "1"), []noderesources.Request{placed()}, nil, noderesources.FitOptions{},
			noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 1, Capacity: 1}}},
		{"a resource that is not requested is ignored", testkit.List("cpu", "1", "memory", "1Gi", "pods", "9"), []noderesources.Request{placed("cpu", "2")}, []string{"memory", "1Gi"}, noderesources.FitOptions{}, nil},
		{"a request for zero on an overcommitted node", testkit.List("cpu", "1", "pods", "9"), []noderesources.Request{placed("cpu", "2")}, []string{"cpu", "0"}, noderesources.FitOptions{}, nil},
		{"a negative request on an overcommitted node", testkit.List("cpu", "1", "pods", "9"), []noderesources.Request{placed("cpu", "2")}, []string{"cpu", "-5", "example.com/x", "-1"}, noderesources.FitOptions{}, nil},
		{"would fit if pods left", node, []noderesources.Request{placed("cpu", "3", "nvidia.com/gpu", "1")}, []string{"cpu", "2", "nvidia.com/gpu", "1"}, noderesources.FitOptions{},
			noderesources.Shortages{
				{Resource: "cpu", Requested: 2000, Used: 3000, Capacity: 4000},
				{Resource: "nvidia.com/gpu", Requested: 1, Used: 1, Capacity: 1},
			}},
		{"everything at once, in order", testkit.List("cpu", "1"), nil,
			[]string{"example.com/b", "1", "example.com/a", "1", "hugepages-2Mi", "2Mi", "ephemeral-storage", "1", "memory", "1", "cpu", "1001m"}, noderesources.FitOptions{},
			noderesources.Shortages{
				{Resource: "pods", Requested: 1},
				{Resource: "cpu", Requested: 1001, Capacity: 1000, Unresolvable: true},
				{Resource: "memory", Requested: 1, Unresolvable: true},
				{Resource: "ephemeral-storage", Requested: 1, Unresolvable: true},
				{Resource: "example.com/a", Requested: 1, Unresolvable: true},
				{Resource: "example.com/b", Requested: 1, Unresolvable: true},
				{Resource: "hugepages-2Mi", Requested: 2 << 20, Unresolvable: true},
			}},
		{"an ignored resource", node, nil, []string{"example.com/a", "1", "example.com/b", "1"}, noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/a"}},
			noderesources.Shortages{{Resource: "example.com/b", Requested: 1, Unresolvable: true}}},
		{"a class provides what the node lacks", node, nil, []string{"example.com/a", "9"}, classes, nil},
		{"a class provides what the node has", testkit.List("example.com/a", "1", "pods", "3"), nil, []string{"example.com/a", "2"}, classes,
			noderesources.Shortages{{Resource: "example.com/a", Requested: 2, Capacity: 1, Unresolvable: true}}},
		{"the implicit name of a class", node, nil, []string{"deviceclass.resource.kubernetes.io/unnamed", "1"}, classes, nil},
		{"the implicit name of an unknown class", node, nil, []string{"deviceclass.resource.kubernetes.io/unknown", "1"}, classes,
			noderesources.Shortages{{Resource: "deviceclass.resource.kubernetes.io/unknown", Requested: 1, Unresolvable: true}}},
		{"an ignored resource that a class provides", testkit.List("example.com/a", "1", "pods", "3"), nil, []string{"example.com/a", "2"},
			noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"example.com/a"}, ExtendedResources: classes.ExtendedResources}, nil},
		{"an ignored group", node, nil, []string{"example.com/a", "1", "example.com.org/b", "1"}, noderesources.FitOptions{IgnoredGroups: []string{"example.com"}},
			noderesources.Shortages{{Resource: "example.com.org/b", Requested: 1, Unresolvable: true}}},
		{"only extended resources are ignored", testkit.List("pods", "1"), nil, []string{"cpu", "1", "hugepages-2Mi", "1", "x.kubernetes.io/y", "1"},
			noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{"cpu", "hugepages-2Mi", "x.kubernetes.io/y"}, IgnoredGroups: []string{"cpu", "hugepages-2Mi", "x.kubernetes.io"}},
			noderesources.Shortages{
				{Resource: "cpu", Requested: 1000, Unresolvable: true},
				{Resource: "hugepages-2Mi", Requested: 1, Unresolvable: true},
				{Resource: "x.kubernetes.io/y", Requested: 1, Unresolvable: true},
			}},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := ledger(t, test.node, test.there...)
			got := l.Shortages(requestOf(testkit.List(test.requests...)), test.opts)
			testkit.NoDiff(t, got, test.want)
			testkit.Equal(t, l.Fits(requestOf(testkit.List(test.requests...)), test.opts), (len(test.want) == 0), "Fits")
		})
	}
}

func TestShortages(t *testing.T) {
	if err := noderesources.Shortages(nil).Err(); err != nil {
		t.Errorf("no shortages: %v", err)
	}
	some := noderesources.Shortages{{Resource: "pods"}, {Resource: "example.com/x", Requested: 2}}
	err := some.Err()
	testkit.Equal(t, err.Error(), "[Too many pods, Insufficient example.com/x]")
	var first *noderesources.Shortage
	if !errors.As(err, &first) || first.Resource != "pods" || first == &some[0] {
		t.Errorf("the first is %v, want a copy of that of pods", first)
	}
	if some.Unresolvable() {
		t.Error("none of them is unresolvable")
	}
	some[1].Unresolvable = true
	if !some.Unresolvable() {
		t.Error("one of them is unresolvable")
	}
}

func TestReplicasOf(t *testing.T) {
	for _, test := range []struct {
		name     string
		node     corev1.ResourceList
		there    []noderesources.Request
		requests []string
		opts     noderesources.FitOptions
		want     int64
		next     noderesources.Shortages
	}{
		{"nothing requested", testkit.List("pods", "3"), []noderesources.Request{placed()}, nil, noderesources.FitOptions{}, 2,
			noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 3, Capacity: 3}}},
		{"more pods than the node allows", testkit.List("pods", "1"), []noderesources.Request{placed(), placed()}, nil, noderesources.FitOptions{}, 0,
			noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 2, Capacity: 1}}},
		{"exactly, of two resources", testkit.List("cpu", "3", "example.com/x", "4", "pods", "9"), nil, []string{"cpu", "1500m", "example.com/x", "2"}, noderesources.FitOptions{}, 2,
			noderesources.Shortages{
				{Resource: "cpu", Requested: 1500, Used: 3000, Capacity: 3000},
				{Resource: "example.com/x", Requested: 2, Used: 4, Capacity: 4},
			}},
		{"over-committed", testkit.List("cpu", "1", "pods", "9"), []noderesources.Request{placed("cpu", "2")}, []string{"cpu", "1m"}, noderesources.FitOptions{}, 0,
			noderesources.Shortages{{Resource: "cpu", Requested: 1, Used: 2000, Capacity: 1000}}},
		{"ignored", testkit.List("pods", "2"), nil, []string{"example.com/x", "1"}, noderesources.FitOptions{IgnoredGroups: []string{"example.com"}}, 2,
			noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 2, Capacity: 2}}},
		{"more free than fits an int64", testkit.List("memory", "9E", "example.com/x", "9E", "pods", "9"), []noderesources.Request{placed("memory", "-9E", "example.com/x", "-9E")},
			[]string{"memory", "6E", "example.com/x", "6E"}, noderesources.FitOptions{}, 3,
			noderesources.Shortages{
				{Resource: "memory", Requested: 6e18, Used: 9e18, Capacity: 9e18},
				{Resource: "example.com/x", Requested: 6e18, Used: 9e18, Capacity: 9e18},
			}},
	} {
		n, next := ledger(t, test.node, test.there...).Replicas(requestOf(testkit.List(test.requests...)), test.opts)
		testkit.Equal(t, n, test.want, test.name)
		testkit.NoDiff(t, next, test.next, test.name)
	}
}

func TestAppendFits(t *testing.T) {
	gpu := []corev1.ResourceName{"example.com/gpu"}
	classes := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gpu": "example.com/gpu"}}
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
		"less than zero of a resource that no node has":     {request: placed("example.com/x", "-1"), want: []string{"a", "b", "d"}},
		"what a class provides, but for a node that has it": {request: placed("example.com/gpu", "2"), opts: classes, want: []string{"a", "d"}},
		"negative request on an overcommitted node":         {request: placed("cpu", "-1"), want: []string{"a", "b", "d"}},
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
		{Message: "Insufficient cpu", Nodes: 2, Unresolvable: 1},
		{Message: "Insufficient example.com/gpu", Nodes: 3, Unresolvable: 2},
		{Message: "Insufficient example.com/x", Nodes: 4, Unresolvable: 4},
		{Message: "Insufficient memory", Nodes: 2, Unresolvable: 2},
		{Message: "Too many pods", Nodes: 1},
	}}
	testkit.NoDiff(t, got, want)
	const text = "0/4 nodes are available: 1 Too many pods, 2 Insufficient cpu, 2 Insufficient memory, 3 Insufficient example.com/gpu, 4 Insufficient example.com/x."
	testkit.Equal(t, err.Error(), text, err)
}

// What a class provides is no reason where nodes lack it.
func TestCheckFitOfClasses(t *testing.T) {
	c := cluster(t, testkit.List("cpu", "4", "pods", "9"), testkit.List("cpu", "4", "example.com/gpu", "1", "pods", "9"))
	classes := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"a": "example.com/gpu", "b": "example.com/x"}}
	err := c.CheckFit(placed("cpu", "5", "example.com/gpu", "2", "example.com/x", "1"), classes)
	const want = "0/2 nodes are available: 1 Insufficient example.com/gpu, 2 Insufficient cpu."
	testkit.Equal(t, fmt.Sprint(err), want)
}

// The message sorts numbers as text, as the scheduler does.
func TestFitErrorSortsText(t *testing.T) {
	err := &noderesources.FitError{Nodes: 30, Reasons: []noderesources.FitReason{{Message: "Too many pods", Nodes: 3}, {Message: "Insufficient cpu", Nodes: 21}, {Message: "Insufficient memory", Nodes: 10}}}
	const want = "0/30 nodes are available: 10 Insufficient memory, 21 Insufficient cpu, 3 Too many pods."
	testkit.Equal(t, err.Error(), want, err)
}

// Without nodes, the scheduler runs no plugin that could tell another reason.
//
// Source: schedulePod of k8s.io/kubernetes/pkg/scheduler.
func TestFitErrorWithoutNodes(t *testing.T) {
	err := &noderesources.FitError{Message: "pod has unbound immediate PersistentVolumeClaims"}
	testkit.Equal(t, err.Error(), "no nodes available to schedule pods")
	err.Nodes = 3
	testkit.Equal(t, err.Error(), "0/3 nodes are available: pod has unbound immediate PersistentVolumeClaims.")
}

// In a large cluster, all nodes with room are found, including those at the ends of blocks and
// after nodes have been removed and added.
func TestAppendFitsOfManyNodes(t *testing.T) {
	const n = 64*64 + 65
	var c noderesources.Cluster
	name := func(i int) string { return fmt.Sprintf("n-%05d", i) }
	for i := range n { // every other one, and then those between
		testkit.OK(t, c.AddNode(name(i*2%n), testkit.List("cpu", "1", "pods", "9")))
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
		testkit.OK(t, c.UpdateNode(name(i), testkit.List("cpu", "2", "example.com/x", "1", "pods", "9")))
	}
	check(large, ends...)
	addPod(t, &c, "a", name(64), large)
	check(large, 0, 63, 4095, 4096, n-1)
	testkit.OK(t, c.RemoveNode(name(1)))
	testkit.OK(t, c.RemoveNode(name(4095)))
	check(large, 0, 63, 4096, n-1)
	testkit.OK(t, c.RemovePod("a"))
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
		testkit.OK(t, c.AddNode(fmt.Sprintf("n-%02d", i), list))
	}
	testkit.OK(t, c.AddNode("a", testkit.List("pods", "9")))
	testkit.NoDiff(t, c.AppendFits(nil, placed("cpu", "2"), noderesources.FitOptions{}), []string{"n-63"})
}

// Nodes that come by name are all found, however many there are.
func TestAppendFitsOfNodesInOrder(t *testing.T) {
	var c noderesources.Cluster
	for i := range 64*64 + 1 {
		testkit.OK(t, c.AddNode(fmt.Sprintf("n-%05d", i), testkit.List("cpu", "1", "pods", "9")))
		if i%64 > 1 {
			continue
		}
		if got := len(c.AppendFits(nil, placed("cpu", "1"), noderesources.FitOptions{})); got != i+1 {
			t.Fatalf("%d of %d nodes", got, i+1)
		}
	}
}

func TestShortfall(t *testing.T) {
	for _, test := range []struct {
		name      string
		shortages noderesources.Shortages
		want      corev1.ResourceList
	}{
		{"none", nil, corev1.ResourceList{}},
		{"in their units", noderesources.Shortages{{Resource: "pods", Requested: 1, Used: 3, Capacity: 3}, {Resource: "cpu", Requested: 500, Used: 800, Capacity: 1000}, {Resource: "memory", Requested: 2 << 30, Capacity: 1 << 30}},
			testkit.List("pods", "1", "cpu", "300m", "memory", "1Gi")},
		{"more used than there is", noderesources.Shortages{{Resource: "example.com/gpu", Requested: 1, Used: 5, Capacity: 2}}, testkit.List("example.com/gpu", "4")},
		{"beyond an int64", noderesources.Shortages{{Resource: "memory", Requested: math.MaxInt64, Used: math.MaxInt64}}, testkit.List("memory", "18446744073709551614")},
	} {
		t.Run(test.name, func(t *testing.T) { testkit.NoDiff(t, test.shortages.Shortfall(), test.want) })
	}
}

// Amounts have the format of resourcelist.Quantity, whatever is used.
func TestShortfallIsReadable(t *testing.T) {
	for want, s := range map[string]noderesources.Shortage{
		"1M":    {Resource: "memory", Requested: 1_000_000, Used: 1 << 30, Capacity: 1 << 30},
		"3M":    {Resource: "memory", Requested: 1<<30 + 3_000_000, Capacity: 1 << 30},
		"500Mi": {Resource: "memory", Requested: 500<<20 + 1_000_000, Used: 1_000_000, Capacity: 2_000_000},
		"300m":  {Resource: "cpu", Requested: 1300, Capacity: 1000},
	} {
		short := noderesources.Shortages{s}.Shortfall()
		if got := short[s.Resource]; got.String() != want {
			t.Errorf("%+v: %s, want %s", s, got.String(), want)
		}
	}
}

// A node with that much more has room for the pod, and a node with one unit less of any resource
// does not.
func TestShortfallIsWhatIsMissing(t *testing.T) {
	short := 0
	rapid.Check(t, func(t *rapid.T) {
		amount := func(name string) int64 { return rapid.Int64Range(0, 5).Draw(t, name) }
		names := []corev1.ResourceName{"cpu", "memory", "example.com/gpu"}
		allocatable, wanted, there := corev1.ResourceList{"pods": resourcelist.Quantity("pods", amount("pods"))}, []string{}, []string{}
		for _, name := range names {
			allocatable[name] = resourcelist.Quantity(name, amount("allocatable"))
			q, used := resourcelist.Quantity(name, amount("wanted")), resourcelist.Quantity(name, amount("used"))
			wanted, there = append(wanted, string(name), q.String()), append(there, string(name), used.String())
		}
		request := placed(wanted...)
		fits := func(allocatable corev1.ResourceList) noderesources.Shortages {
			node := noderesources.NewLedger(allocatable)
			testkit.OK(t, node.Add("there", placed(there...)))
			return node.Shortages(request, noderesources.FitOptions{})
		}
		missing := fits(allocatable).Shortfall()
		enough := resourcelist.Add(allocatable, missing)
		if found := fits(enough); len(found) > 0 {
			t.Fatalf("%v with %v more", found, missing)
		}
		for name := range missing {
			short++
			less := resourcelist.Subtract(enough, corev1.ResourceList{name: resourcelist.Quantity(name, 1)})
			if found := fits(less); len(found) != 1 || found[0].Resource != name {
				t.Fatalf("%v with a unit of %s less than %v", found, name, enough)
			}
		}
	})
	if short == 0 {
		t.Error("nothing was short")
	}
}
