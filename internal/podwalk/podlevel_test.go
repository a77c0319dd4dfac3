package podwalk_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestWithoutPodLevel(t *testing.T) {
	if got := podwalk.WithoutPodLevel(nil); got != nil {
		t.Errorf("no pod becomes %v", got)
	}
	plain := testkit.StandardPod(false)
	if got := podwalk.WithoutPodLevel(plain); got != plain {
		t.Error("a pod without spec.resources is copied")
	}
	pod := testkit.StandardPod(false)
	pod.Spec.Resources = &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1")}
	before := pod.DeepCopy()
	got := podwalk.WithoutPodLevel(pod)
	if diff := cmp.Diff(plain, got); diff != "" {
		t.Errorf("-without spec.resources +got:\n%s", diff)
	}
	if diff := cmp.Diff(before, pod); diff != "" {
		t.Errorf("the pod has changed (-before +after):\n%s", diff)
	}
	if &got.Spec.Containers[0] != &pod.Spec.Containers[0] {
		t.Error("the containers are copied")
	}
}
