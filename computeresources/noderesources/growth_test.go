package noderesources_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

// resourcesFrom returns a list with one of each of n extended resources, from one on.
func resourcesFrom(from, n int) corev1.ResourceList {
	list := corev1.ResourceList{}
	for i := range n {
		list[corev1.ResourceName(fmt.Sprintf("a.b/%06d", from+i))] = resource.MustParse("1")
	}
	return list
}

// A tenant may request resources that no node has. A cluster keeps nothing for them on other nodes.
func TestResourcesOfPodsAlone(t *testing.T) {
	cluster := func(nodes int) *noderesources.Cluster {
		c := &noderesources.Cluster{}
		for i := range nodes {
			testkit.OK(t, c.AddNode(fmt.Sprintf("n-%04d", i), testkit.List("cpu", "8")))
		}
		return c
	}
	hostile := noderesources.RequestOf(resourcesFrom(0, 1000))
	few, many := cluster(10), cluster(1000)
	addTo := func(c *noderesources.Cluster) func() {
		return func() { // into a copy, of which the first change copies the nodes
			own := c.Clone()
			testkit.OK(t, own.AddPod("a", "n-0000", hostile))
			testkit.OK(t, own.RemovePod("a"))
		}
	}
	plain := testkit.Allocated(func() { testkit.OK(t, many.Clone().AddPod("a", "n-0000", noderesources.Request{})) })
	if hostile, allowed := testkit.Allocated(addTo(many)), plain+2*testkit.Allocated(addTo(few)); hostile > allowed {
		t.Errorf("%d bytes beside a thousand nodes, want at most %d", hostile, allowed)
	}
	testkit.GrowsLinearly(t, 500, func(n int) func() {
		r := noderesources.RequestOf(resourcesFrom(0, n))
		return func() {
			l := noderesources.NewLedger(nil)
			testkit.OK(t, l.Add("a", r))
			testkit.OK(t, l.Remove("a"))
		}
	})
}

// What only pods have had is forgotten with them: the names that tenants make up do not pile up on a node.
func TestResourcesOfPodsThatAreGone(t *testing.T) {
	clean, used := &noderesources.Cluster{}, &noderesources.Cluster{}
	for _, c := range []*noderesources.Cluster{clean, used} {
		testkit.OK(t, c.AddNode("a", testkit.List("cpu", "8")))
	}
	testkit.OK(t, used.AddPod("p", "a", noderesources.RequestOf(resourcesFrom(0, 1000))))
	testkit.OK(t, used.RemovePod("p"))
	addTo := func(c *noderesources.Cluster) func() {
		return func() { testkit.OK(t, c.Clone().AddPod("q", "a", noderesources.Request{})) }
	}
	if got, allowed := testkit.Allocated(addTo(used)), 2*testkit.Allocated(addTo(clean)); got > allowed {
		t.Errorf("%d bytes after the pod, want at most %d", got, allowed)
	}
}

// A resource that pods request before a node has it counts as if they had come later.
func TestResourceOfANodeThatComesLater(t *testing.T) {
	with := func(first bool) *noderesources.Cluster {
		c := &noderesources.Cluster{}
		testkit.OK(t, c.AddNode("a", testkit.List("pods", "9")))
		testkit.OK(t, c.AddNode("b", testkit.List("pods", "9")))
		if first {
			testkit.OK(t, c.UpdateNode("b", testkit.List("pods", "9", "a.b/000001", "3")))
		}
		for i, node := range []string{"a", "b"} {
			testkit.OK(t, c.AddPod(types.UID(node), node, noderesources.RequestOf(resourcesFrom(i, 2))))
		}
		if !first {
			testkit.OK(t, c.UpdateNode("b", testkit.List("pods", "9", "a.b/000001", "3")))
		}
		return c
	}
	for _, c := range []*noderesources.Cluster{with(true), with(false)} {
		for _, test := range []struct {
			request string
			want    []string
		}{{"1", []string{"b"}}, {"2", []string{"b"}}, {"3", nil}} {
			fits := c.AppendFits(nil, noderesources.RequestOf(testkit.List("a.b/000001", test.request)), noderesources.FitOptions{})
			testkit.NoDiff(t, fits, test.want)
		}
		// Another node changes, of which this one keeps its one.
		testkit.OK(t, c.UpdateNode("b", testkit.List("pods", "9", "a.b/000009", "1", "a.b/000001", "3")))
		testkit.OK(t, c.UpdateNode("a", testkit.List("pods", "8")))
		testkit.NoDiff(t, c.AppendFits(nil, noderesources.RequestOf(testkit.List("a.b/000009", "1")), noderesources.FitOptions{}), []string{"b"})
		// Once it is gone from the node, it is gone from the cluster.
		testkit.OK(t, c.UpdateNode("b", testkit.List("pods", "9")))
		testkit.OK(t, c.RemovePod("b"))
		testkit.NoDiff(t, c.AppendFits(nil, noderesources.RequestOf(testkit.List("a.b/000001", "1")), noderesources.FitOptions{}), nil)
	}
}

// An update keeps resources of which each node has one.
func TestOneOfEachNode(t *testing.T) {
	var c noderesources.Cluster
	one := testkit.List("pods", "9", "a.b/000001", "1")
	testkit.OK(t, c.AddNode("a", one))
	testkit.OK(t, c.UpdateNode("a", one))
	fits := c.AppendFits(nil, noderesources.RequestOf(resourcesFrom(1, 1)), noderesources.FitOptions{})
	testkit.NoDiff(t, fits, []string{"a"})
}
