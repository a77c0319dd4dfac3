package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestContainers(t *testing.T) {
	never := corev1.ContainerRestartPolicyNever
	once := container("once", nil, nil)
	once.RestartPolicy = &never
	spec := &corev1.PodSpec{
		Containers:     []corev1.Container{container("app", nil, nil), container("logs", nil, nil)},
		InitContainers: []corev1.Container{container("setup", nil, nil), sidecar("proxy", nil, nil), once},
	}
	var got [][2]string
	for ref, c := range computeresources.Containers(spec) {
		got = append(got, [2]string{ref.String(), ref.Path(nil).String()})
		testkit.Equal(t, c.Name, ref.Name, ref, "comes with container")
	}
	want := [][2]string{
		{"init container setup", "spec.initContainers[0]"},
		{"sidecar proxy", "spec.initContainers[1]"},
		{"init container once", "spec.initContainers[2]"},
		{"container app", "spec.containers[0]"},
		{"container logs", "spec.containers[1]"},
	}
	testkit.NoDiff(t, got, want)
	for stopAt := range want {
		seen := 0
		for range computeresources.Containers(spec) {
			if seen++; seen > stopAt {
				break
			}
		}
		if seen != stopAt+1 {
			t.Errorf("stopped after %d containers, saw %d", stopAt+1, seen)
		}
	}
}

func TestRefOfPod(t *testing.T) {
	ref := computeresources.Ref{Kind: computeresources.Pod}
	if ref.String() != "pod" || ref.Path(nil).String() != "spec" {
		t.Errorf("the pod is %q at %q", ref, ref.Path(nil))
	}
	template := field.NewPath("spec", "template", "spec")
	testkit.Equal(t, (computeresources.Ref{Kind: computeresources.Sidecar, Index: 2}).Path(template).String(), "spec.template.spec.initContainers[2]", "a sidecar of a template is")
	testkit.Equal(t, computeresources.Kind(9).String(), "unknown", "a kind that does not exist")
}

// An unknown kind has the path of the pod spec.
func TestUnknownKind(t *testing.T) {
	ref := computeresources.Ref{Kind: 99, Index: 1, Name: "x"}
	testkit.Equal(t, ref.Path(nil).String(), "spec", "path")
	testkit.Equal(t, ref.String(), "unknown")
}
