package qos_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

// For any requests and limits of two containers, the class is that of the slow twin, following
// the advice makes the pod Guaranteed, and OOM scores stay in their range.
func FuzzClass(f *testing.F) {
	f.Add("1", "1", "1Gi", "1024Mi", "500m", "0.5", "1", "1", int64(16<<30))
	f.Add("1.5Gi", "1536Mi", "-1", "0", "1n", "2n", "1E", "10E", int64(1))
	f.Add("2", "1", "1", "1", "1", "2", "1", "1", int64(0))
	f.Fuzz(func(t *testing.T, cpuA, cpuLimitA, memoryA, memoryLimitA, cpuB, cpuLimitB, memoryB, memoryLimitB string, capacity int64) {
		parse := func(cpu, memory string) corev1.ResourceList {
			list := corev1.ResourceList{}
			if q, ok := testkit.Parse(cpu); ok {
				list["cpu"] = q
			}
			if q, ok := testkit.Parse(memory); ok {
				list["memory"] = q
			}
			return list
		}
		spec := &corev1.PodSpec{Containers: []corev1.Container{
			container("a", parse(cpuA, memoryA), parse(cpuLimitA, memoryLimitA)),
			container("b", parse(cpuB, memoryB), parse(cpuLimitB, memoryLimitB)),
		}}
		testkit.Equal(t, qos.Class(spec, computeresources.Gates{}), slowClass(spec.DeepCopy()), "Class")
		score := qos.OOMScoreAdj(&corev1.Pod{Spec: *spec}, &spec.Containers[0], capacity, computeresources.Gates{})
		if score < -997 || score > 1000 {
			t.Errorf("OOM score %d", score)
		}
		follow(t, spec, func() resource.Quantity { return quantity(7) })
		testkit.Equal(t, slowClass(spec), guaranteed, "following the advice")
	})
}
