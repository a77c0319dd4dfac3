package noderesources_test

import (
	"errors"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/noderesources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestFit(t *testing.T) {
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
