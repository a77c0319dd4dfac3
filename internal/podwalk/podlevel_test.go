package podwalk_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWithoutPodLevel(t *testing.T) {
	testkit.NoDiff(t, podwalk.WithoutPodLevel(nil), nil, "no pod becomes")
	plain := testkit.StandardPod(false)
	if got := podwalk.WithoutPodLevel(plain); got != plain {
		t.Error("a pod without spec.resources is copied")
	}
	pod := testkit.StandardPod(false)
	pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")}
	before := pod.DeepCopy()
	got := podwalk.WithoutPodLevel(pod)
	testkit.NoDiff(t, got, plain)
	testkit.NoDiff(t, pod, before, "the pod has changed")
	if &got.Spec.Containers[0] != &pod.Spec.Containers[0] {
		t.Error("the containers are copied")
	}
}
