package poolplan_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/pool"
	"github.com/kubemath/kubemath/pool/poolplan"
)

func TestFromNodes(t *testing.T) {
	gone := node(false, "cpu", "64")
	now := metav1.Now()
	gone.DeletionTimestamp = &now
	nodes := []*corev1.Node{
		node(false, "cpu", "3920m", "memory", "15Gi", "pods", "110", "ephemeral-storage", "90Gi", "example.com/gpu", "2", "hugepages-2Mi", "0", "attachable-volumes-csi-x", "25"),
		nil, gone, node(true, "cpu", "8", "pods", "110"), node(false, "cpu", "1.5", "memory", "1.5Gi", "pods", "110", "example.com/gpu", "1"),
	}
	p := poolplan.FromNodes("big", nodes, poolplan.NodeOptions{})
	want := testkit.List("requests.cpu", "5420m", "requests.memory", "16896Mi", "pods", "220", "requests.ephemeral-storage", "90Gi", "requests.example.com/gpu", "3", "requests.hugepages-2Mi", "0")
	if diff := cmp.Diff(want, p.Spec.Quota.Hard); diff != "" || p.Name != "big" || p.Kind != "ResourcePool" || p.APIVersion != pool.APIVersion {
		t.Errorf("%s %s %q (-want +got):\n%s", p.APIVersion, p.Kind, p.Name, diff)
	}
	if errs := pool.ValidatePool(p); len(errs) > 0 {
		t.Errorf("invalid: %v", errs)
	}
	memory := p.Spec.Quota.Hard["requests.memory"]
	if memory.String() != "16896Mi" {
		t.Errorf("memory is spelled %s", memory.String())
	}
	p = poolplan.FromNodes("all", nodes, poolplan.NodeOptions{Unschedulable: true})
	if cpu, pods := p.Spec.Quota.Hard["requests.cpu"], p.Spec.Quota.Hard["pods"]; cpu.String() != "13420m" || pods.String() != "330" {
		t.Errorf("with cordoned nodes: %s CPU, %s pods", cpu.String(), pods.String())
	}
	if got := poolplan.FromNodes("none", nil, poolplan.NodeOptions{}).Spec.Quota.Hard; got == nil || len(got) > 0 {
		t.Errorf("no nodes have %v", got)
	}
}

// A sum has the format of its first amount, and a decimal one if that has none.
func TestFromNodesFormats(t *testing.T) {
	for format, want := range map[resource.Format]resource.Format{resource.BinarySI: resource.BinarySI, resource.DecimalExponent: resource.DecimalExponent, "": resource.DecimalSI} {
		n := node(false)
		n.Status.Allocatable = corev1.ResourceList{"memory": *resource.NewQuantity(1<<30, format)}
		memory := poolplan.FromNodes("big", []*corev1.Node{n, n}, poolplan.NodeOptions{}).Spec.Quota.Hard["requests.memory"]
		if memory.Format != want || memory.Value() != 2<<30 {
			t.Errorf("twice 1Gi in %q is %d in %q, want %q", format, memory.Value(), memory.Format, want)
		}
	}
}
