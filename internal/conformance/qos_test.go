package conformance

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	upstream "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/qos"
)

func TestClass(t *testing.T) {
	for name, quantities := range quantityRanges {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				pod := testkit.PodWith(quantities).Draw(t, "pod")
				testkit.Equal(t, qos.Class(&pod.Spec, kubernetes), upstream.ComputePodQOS(pod.DeepCopy()), "Class")
				testkit.Equal(t, qos.PodClass(pod, kubernetes), upstream.GetPodQOS(pod.DeepCopy()), "PodClass")
			})
		})
	}
}

// Hardly any random pod is Guaranteed; these nearly are.
func TestClassOfEvenPods(t *testing.T) {
	classes := map[corev1.PodQOSClass]int{}
	rapid.Check(t, func(t *rapid.T) {
		pod := evenPod().Draw(t, "pod")
		got, want := qos.Class(&pod.Spec, kubernetes), upstream.ComputePodQOS(pod.DeepCopy())
		testkit.Equal(t, got, want, "Class")
		classes[got]++
	})
	if classes[corev1.PodQOSGuaranteed] == 0 || classes[corev1.PodQOSBurstable] == 0 {
		t.Errorf("classes drawn: %v, want Guaranteed and Burstable among them", classes)
	}
}
