package comparison_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/kubemath/kubemath/examples/internal/comparison"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestPart(t *testing.T) {
	half := int64(50)
	if got := (comparison.Usage{Percent: &half}).Part(); got != 50 {
		t.Error(got)
	}
	if got := (comparison.Usage{Used: "1"}).Part(); got != 0 {
		t.Error(got)
	}
}

// Of manifests alone, the requests and limits of all pods are told, those on nodes that the input does not have as well.
func TestSums(t *testing.T) {
	pod := func(name, more string) string {
		return "apiVersion: v1\nkind: Pod\nmetadata: {name: " + name + "}\nspec: {" + more + "}\n---\n"
	}
	const small = "containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]"
	const large = "initContainers: [{name: i, resources: {requests: {cpu: 3}}}], containers: [{name: c, resources: {requests: {cpu: 2, memory: 1Gi}, limits: {memory: 2Gi}}}, " +
		"{name: gpu, resources: {limits: {example.com/gpu: 1}}}]"
	const level = "resources: {requests: {cpu: 4}}, containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]"
	const node = "apiVersion: v1\nkind: Node\nmetadata: {name: one}\nstatus: {allocatable: {cpu: 9, memory: 9Gi, pods: 9}}\n---\n"
	for _, test := range []struct {
		name, cluster, old, change, release string
		want                                []string
	}{
		{"new", "", "", pod("a", small), "", []string{"requests cpu=-,1 memory=-,1Gi pods=0,1"}},
		{"limits and a device", "", pod("a", small) + pod("b", small), pod("a", small) + pod("c", large), "", []string{
			"requests cpu=2,4 example.com/gpu=-,1 memory=2Gi,2Gi pods=2,2", "limits example.com/gpu=-,1 memory=-,2Gi"}},
		{"without limits now", "", pod("b", large), pod("c", small), "", []string{
			"requests cpu=3,1 example.com/gpu=1,- memory=1Gi,1Gi pods=1,1", "limits example.com/gpu=1,- memory=2Gi,-"}},
		{"limits alone", "", pod("a", small), pod("b", small[:len(small)-3]+", limits: {memory: 1Gi}}}]"), "", []string{
			"requests cpu=1,1 memory=1Gi,1Gi pods=1,1", "limits memory=-,1Gi"}},
		{"on nodes that are not there", "", pod("a", "nodeName: one, "+small) + pod("b", "nodeName: two, "+small) + pod("c", "nodeName: one, "+small),
			pod("a", "nodeName: one, "+small) + pod("d", "nodeName: three, "+small), "", []string{"requests cpu=3,2 memory=3Gi,2Gi pods=3,2"}},
		{"the pod level", "", "", pod("a", level), "", []string{"requests cpu=-,4 memory=-,1Gi pods=0,1"}},
		{"the pod level, in 1.33", "", "", pod("a", level), "1.33", []string{"requests cpu=-,1 memory=-,1Gi pods=0,1"}},
		{"the same", "", pod("a", small), pod("a", small), "", nil},
		{"as many", "", pod("a", small), pod("b", small), "", nil},
		{"on a cluster", pod("x", small), "", pod("a", small), "", nil},
		{"a node", "", node, node + pod("a", small), "", nil},
		{"a node that goes", "", node, pod("a", small), "", nil},
	} {
		in := &comparison.Input{Cluster: listOf(test.cluster), Old: listOf(test.old), Change: listOf(test.change)}
		o := comparison.Options{}
		o.Admission.Kubernetes.Release = test.release
		r, err := comparison.ReportOf(in, o)
		testkit.OK(t, err)
		var got []string
		for _, n := range r.Sums {
			line, names := n.Name, maps.Clone(n.Before)
			maps.Copy(names, n.After)
			for _, name := range slices.Sorted(maps.Keys(names)) {
				line += fmt.Sprintf(" %s=%s,%s", name, orDash(n.Before[name]), orDash(n.After[name]))
			}
			got = append(got, line)
		}
		testkit.NoDiff(t, got, test.want, test.name)
	}
}

func orDash(u comparison.Usage) string { return cmp.Or(u.Used, "-") }
