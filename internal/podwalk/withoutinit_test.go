package podwalk_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestSpecWithoutInit(t *testing.T) {
	if podwalk.SpecWithoutInit(nil) != nil {
		t.Error("nil has become a spec")
	}
	plain := &corev1.PodSpec{InitContainers: []corev1.Container{testkit.Sidecar("proxy", nil, nil)}, Containers: []corev1.Container{{Name: "app"}}}
	if podwalk.SpecWithoutInit(plain) != plain {
		t.Error("a spec with nothing to leave out is copied")
	}
	spec := plain.DeepCopy()
	spec.InitContainers = append([]corev1.Container{{Name: "setup"}}, append(spec.InitContainers, corev1.Container{Name: "wait"})...)
	before := spec.DeepCopy()
	testkit.NoDiff(t, podwalk.SpecWithoutInit(spec), plain)
	testkit.NoDiff(t, spec, before, "the spec has changed")
}
