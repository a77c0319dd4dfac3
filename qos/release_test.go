package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// Two containers request together what they limit. ComputePodQOS of v1.36.3 compares the sums, and that of v1.37.2 each
// container.
func TestSumsByRelease(t *testing.T) {
	part := func(name, cpu, cpuLimit, memory, memoryLimit string) corev1.Container {
		return testkit.Container(name, testkit.List("cpu", cpu, "memory", memory), testkit.List("cpu", cpuLimit, "memory", memoryLimit))
	}
	crossed := &corev1.Pod{Spec: corev1.PodSpec{Containers: []corev1.Container{part("a", "1", "2", "1Gi", "1Gi"), part("b", "2", "1", "1Gi", "1Gi")}}}
	oneMissing := &corev1.PodSpec{Containers: []corev1.Container{part("a", "1", "2", "1Gi", "2Gi"), part("b", "1", "1", "2Gi", "1Gi")}}
	for release, want := range map[string]struct {
		guaranteed, burstable int64
		changes               []string
	}{
		"1.36": {3000, 0, []string{"a cpu"}},
		"1.37": {0, 3000, []string{"a cpu", "a memory", "b memory"}},
	} {
		of := computeresources.Kubernetes{Release: release}
		tiers := qos.TierTotals([]*corev1.Pod{crossed}, of)
		testkit.Equal(t, tiers.Guaranteed.MilliCPU, want.guaranteed, "Guaranteed in", release)
		testkit.Equal(t, tiers.Burstable.MilliCPU, want.burstable, "Burstable in", release)
		changes, _ := qos.GuaranteedChanges(oneMissing, of)
		var names []string
		for _, c := range changes {
			names = append(names, c.Ref.Name+" "+string(c.Resource))
		}
		testkit.NoDiff(t, names, want.changes, "changes in", release)
	}
}
