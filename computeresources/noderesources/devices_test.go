package noderesources_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	gpu  corev1.ResourceName = "example.com/gpu"
	gold corev1.ResourceName = "deviceclass.resource.kubernetes.io/gold"
)

// A resource that a DeviceClass provides is short only where the node has a device plugin for it.
func TestShortagesOfDeviceClasses(t *testing.T) {
	classes := func(gold corev1.ResourceName) noderesources.FitOptions {
		return noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": gold, "unnamed": ""}}
	}
	for _, c := range []struct {
		name        corev1.ResourceName
		allocatable string // "" for absent
		opts        noderesources.FitOptions
		fits        bool
	}{
		{gpu, "", noderesources.FitOptions{}, false},
		{gpu, "", classes(gpu), true},
		{gpu, "0", classes(gpu), true},
		{gpu, "-1", classes(gpu), true},
		{gpu, "1", classes(gpu), false},
		{gpu, "", classes("example.com/other"), false},
		{gold, "", noderesources.FitOptions{}, false},
		{gold, "", classes(gpu), true},
		{gold, "", classes(""), true},
		{gold, "0", classes(""), true},
		{gold, "1", classes(""), false},
		{"deviceclass.resource.kubernetes.io/unnamed", "", classes(gpu), true},
		{"deviceclass.resource.kubernetes.io/iron", "", classes(gpu), false},
		{gpu, "", noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{string(gpu): ""}}, false},
		{gold, "", noderesources.FitOptions{IgnoredResources: []corev1.ResourceName{gold}, IgnoredGroups: []string{"deviceclass.resource.kubernetes.io"}}, false},
		{gpu, "1", noderesources.FitOptions{IgnoredGroups: []string{"example.com"}, ExtendedResources: classes(gpu).ExtendedResources}, true},
	} {
		list := testkit.List("cpu", "8", "pods", "10")
		if c.allocatable != "" {
			list[c.name] = testkit.List("x", c.allocatable)["x"]
		}
		node, request := noderesources.New(list), requestOf(testkit.List("cpu", "1", string(c.name), "2"))
		label := fmt.Sprintf("%s of %q with %v", c.name, c.allocatable, c.opts.ExtendedResources)
		var want noderesources.Shortages
		if !c.fits {
			has := resourcelist.Integer(c.name, list[c.name])
			want = noderesources.Shortages{{Resource: c.name, Requested: 2, Capacity: has, Unresolvable: true}}
		}
		testkit.NoDiff(t, node.Shortages(request, c.opts), want, label, "Shortages")
		replicas, wantReplicas := int64(0), int64(0)
		if replicas, _ = node.Replicas(request, c.opts); c.fits {
			wantReplicas = 8
		}
		testkit.Equal(t, replicas, wantReplicas, label)
		if e := noderesources.EstimateNodes([]noderesources.Request{request, request}, node, noderesources.EstimateOptions{FitOptions: c.opts}); c.fits {
			testkit.Equal(t, e.Nodes, 1, label, "nodes")
		}
	}
}

// drawDeviceList draws amounts of resources that classes provide, or nothing of them.
func drawDeviceList(t *rapid.T, label string, least, most int64) corev1.ResourceList {
	list := testkit.List("cpu", "1", "memory", "1Gi")
	for _, name := range []corev1.ResourceName{gpu, gold} {
		if rapid.Bool().Draw(t, label+" has "+string(name)) {
			list[name] = resourcelist.Quantity(name, rapid.Int64Range(least, most).Draw(t, label))
		}
	}
	return list
}

// drawDeviceClasses draws which of the resources classes provide.
func drawDeviceClasses(t *rapid.T) noderesources.FitOptions {
	opts := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{}}
	for _, class := range []string{"gold", "iron"} {
		if rapid.Bool().Draw(t, class) {
			opts.ExtendedResources[class] = rapid.SampledFrom([]corev1.ResourceName{"", gpu}).Draw(t, "of "+class)
		}
	}
	return opts
}

// Clusters, placements and estimates leave to devices what the ledgers of their nodes leave to them.
func TestClustersDelegateAsLedgers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := drawDeviceClasses(t)
		var c noderesources.Cluster
		ledgers := map[string]*noderesources.Ledger{}
		for i := range rapid.SampledFrom([]int{0, 1, 3, 70}).Draw(t, "nodes") {
			name := fmt.Sprintf("n-%02d", i)
			list := testkit.List("cpu", "2", "memory", "4Gi", "pods", "4")
			if i < 3 || i > 66 {
				maps.Copy(list, drawDeviceList(t, "allocatable", -1, 3))
			}
			testkit.OK(t, c.AddNode(name, list))
			ledgers[name] = noderesources.New(list)
			if i%2 == 0 {
				pod := requestOf(drawDeviceList(t, "there", 0, 2))
				testkit.OK(t, c.AddPod("", name, pod))
				testkit.OK(t, ledgers[name].Add("", pod))
			}
		}
		request := requestOf(drawDeviceList(t, "request", 0, 3))
		var fits []string
		short := map[corev1.ResourceName]noderesources.FitReason{}
		for _, name := range c.Nodes() {
			shortages := ledgers[name].Shortages(request, opts)
			testkit.Equal(t, ledgers[name].Fits(request, opts), len(shortages) == 0, name, "Fits, but", shortages)
			if len(shortages) == 0 {
				fits = append(fits, name)
			}
			for _, s := range shortages {
				r := short[s.Resource]
				r.Resource = s.Resource
				if r.Nodes++; s.Unresolvable {
					r.Unresolvable++
				}
				short[s.Resource] = r
			}
		}
		testkit.NoDiff(t, c.AppendFits(nil, request, opts), fits, "AppendFits")
		placed := c.FirstFit([]noderesources.Request{request}, opts)
		best := c.BestFit([]noderesources.Request{request}, leastAllocated, opts)
		if len(fits) > 0 {
			testkit.Equal(t, placed.Nodes[0], fits[0], "placed on")
			if !ledgers[best.Nodes[0]].Fits(request, opts) {
				t.Fatalf("best place %q has no room", best.Nodes[0])
			}
			return
		}
		got := map[corev1.ResourceName]noderesources.FitReason{}
		for _, r := range placed.Remaining[0].Reasons {
			got[r.Resource] = r
		}
		testkit.NoDiff(t, got, short, "reasons")
	})
}

// Pods that leave a resource to devices need the nodes that they would need without it.
func TestEstimateOfDeviceClasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		opts := drawDeviceClasses(t)
		list := drawDeviceList(t, "allocatable", -1, 3)
		list["cpu"], list["memory"], list["pods"] = testkit.List("cpu", "3")["cpu"], testkit.List("x", "8Gi")["x"], testkit.List("x", "10")["x"]
		template := noderesources.New(list)
		var requests, counted []noderesources.Request
		for range rapid.IntRange(0, 8).Draw(t, "pods") {
			request := drawDeviceList(t, "request", 0, 2)
			requests = append(requests, requestOf(request))
			rest := maps.Clone(request)
			for name := range request {
				alone := requestOf(testkit.List(string(name), "1000000"))
				if template.Fits(alone, opts) { // no amount of it is short
					delete(rest, name)
				}
			}
			counted = append(counted, requestOf(rest))
		}
		got, want := noderesources.EstimateNodes(requests, template, noderesources.EstimateOptions{FitOptions: opts}), noderesources.EstimateNodes(counted, template, noderesources.EstimateOptions{})
		if got.LowerBound != want.LowerBound || len(got.TooLarge) != len(want.TooLarge) {
			t.Fatalf("at least %d nodes and %d too large, want %d and %d", got.LowerBound, len(got.TooLarge), want.LowerBound, len(want.TooLarge))
		}
		if got.Nodes < got.LowerBound {
			t.Fatalf("%d nodes, at least %d", got.Nodes, got.LowerBound)
		}
	})
}

// A node with devices scores as one that lists them, on which pods request those that are allocated; a
// cluster scores as its ledgers do.
func TestScoresOfDevices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		scorer := scorerOfNames(t, rapid.SampledFrom(strategies).Draw(t, "strategy"), "cpu", gpu, gold)
		list := drawDeviceList(t, "allocatable", -1, 2)
		list["cpu"], list["pods"] = testkit.List("cpu", "4")["cpu"], testkit.List("x", "10")["x"]
		devices := map[corev1.ResourceName]noderesources.Devices{}
		listed := maps.Clone(list)
		there := drawDeviceList(t, "there", 0, 2)
		seen := maps.Clone(there)
		for _, name := range []corev1.ResourceName{gpu, gold} {
			if !rapid.Bool().Draw(t, "has devices") {
				continue
			}
			d := noderesources.Devices{Capacity: rapid.Int64Range(0, 5).Draw(t, "capacity")}
			d.Allocated = rapid.Int64Range(0, d.Capacity+1).Draw(t, "allocated")
			devices[name] = d
			if q := list[name]; q.IsZero() && d.Capacity > 0 {
				listed[name], seen[name] = resourcelist.Quantity(name, d.Capacity), resourcelist.Quantity(name, d.Allocated)
			}
		}
		plain := noderesources.New(listed)
		node := noderesources.New(list)
		var c noderesources.Cluster
		testkit.OK(t, c.AddNode("n", list))
		for _, err := range []error{
			plain.Add("there", requestOf(seen)),
			node.Add("there", requestOf(there)), c.AddPod("there", "n", requestOf(there)),
			c.SetDevices("n", devices),
		} {
			testkit.OK(t, err)
		}
		node.SetDevices(devices)
		before := maps.Clone(devices)
		request := requestOf(drawDeviceList(t, "request", -1, 3))
		want := plain.Score(request, only(scorer))
		clear(devices) // ledgers have their own
		if got := node.Score(request, only(scorer)); got != want {
			t.Fatalf("%d, want %d with %v", got, want, before)
		}
		copied, err := c.Ledger("n")
		testkit.OK(t, err)
		testkit.Equal(t, copied.Score(request, only(scorer)), want, "copy of the ledger")
		if got := c.AppendScores(nil, request, only(scorer)); got[0] != want {
			t.Fatalf("cluster: %d, want %d", got[0], want)
		}
		if _, got, found := c.Best(request, only(scorer), noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": gpu}}); found && got != want {
			t.Fatalf("best: %d, want %d", got, want)
		}
		if err := c.SetDevices("other", before); err == nil {
			t.Fatal("devices of an unknown node")
		}
	})
}

// Reasons count the nodes that list the resource.
func TestReasonsOfDeviceClasses(t *testing.T) {
	var c noderesources.Cluster
	for name, gpus := range map[string]string{"a": "1", "b": "3", "c": "0"} {
		list := testkit.List("cpu", "8", "pods", "10", string(gpu), gpus)
		if name == "c" {
			list["cpu"] = testkit.List("cpu", "1")["cpu"]
		}
		testkit.OK(t, c.AddNode(name, list))
		testkit.OK(t, c.AddPod("", name, requestOf(testkit.List("cpu", "1", string(gpu), "1"))))
	}
	request := requestOf(testkit.List("cpu", "1", string(gpu), "3"))
	err := c.CheckFit(request, noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": gpu}})
	want := &noderesources.FitError{Nodes: 3, Reasons: []noderesources.FitReason{{Resource: "cpu", Nodes: 1}, {Resource: gpu, Nodes: 2, Unresolvable: 1}}}
	testkit.NoDiff(t, err, error(want))
}

// Devices stay until others are set.
func TestDevicesStay(t *testing.T) {
	scorer := scorerOfNames(t, noderesources.LeastAllocated, gpu, gold)
	list := testkit.List("cpu", "8", "pods", "10")
	request := requestOf(testkit.List(string(gpu), "1", string(gold), "1"))
	var c noderesources.Cluster
	check := func(when string, err error, want ...int64) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		if got := c.AppendScores(nil, request, only(scorer)); !slices.Equal(got, want) {
			t.Errorf("%s: %d, want %d", when, got, want)
		}
	}
	check("a", c.AddNode("a", list), 0)
	check("b", c.AddNode("b", list), 0, 0)
	of := func(name corev1.ResourceName) map[corev1.ResourceName]noderesources.Devices {
		return map[corev1.ResourceName]noderesources.Devices{name: {Capacity: 4}}
	}
	check("devices", c.SetDevices("a", of(gpu)), 75, 0)
	check("no devices of another node", c.SetDevices("b", nil), 75, 0)
	check("new allocatable", c.UpdateNode("a", testkit.List("cpu", "4", "pods", "10")), 75, 0)
	check("a pod", c.AddPod("x", "a", request), 75, 0)
	check("no pod", c.RemovePod("x"), 75, 0)
	check("a device plugin", c.UpdateNode("a", testkit.List("cpu", "4", "pods", "10", string(gpu), "2")), 50, 0)
	check("no device plugin", c.UpdateNode("a", list), 75, 0)
	check("other devices", c.SetDevices("a", map[corev1.ResourceName]noderesources.Devices{gold: {Capacity: 2}}), 50, 0)
	check("devices of both nodes", c.SetDevices("b", of(gpu)), 50, 75)
	copied, err := c.Ledger("b")
	testkit.OK(t, err)
	copied.SetDevices(nil)
	check("no devices of a copy", nil, 50, 75)
	check("one node", c.RemoveNode("b"), 50)
	check("a new node", c.AddNode("b", list), 50, 0)
	check("no devices", c.SetDevices("a", nil), 0, 0)
}

// BestFit sees devices, too.
func TestBestFitByDevices(t *testing.T) {
	var c noderesources.Cluster
	for name, devices := range map[string]noderesources.Devices{"a": {Capacity: 4, Allocated: 3}, "b": {Capacity: 4}} {
		testkit.OK(t, c.AddNode(name, testkit.List("cpu", "8", "pods", "10")))
		testkit.OK(t, c.SetDevices(name, map[corev1.ResourceName]noderesources.Devices{gpu: devices}))
	}
	opts := noderesources.FitOptions{ExtendedResources: map[string]corev1.ResourceName{"gold": gpu}}
	scorer := scorerOfNames(t, noderesources.LeastAllocated, gpu)
	testkit.Equal(t, c.BestFit([]noderesources.Request{requestOf(testkit.List(string(gpu), "1"))}, only(scorer), opts).Nodes[0], "b", "placed on")
}
