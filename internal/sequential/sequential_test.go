package sequential_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources/resourcelist"
	"github.com/kubemath/kubemath/internal/sequential"
	"github.com/kubemath/kubemath/internal/testkit"
)

func list(amounts ...string) corev1.ResourceList { return testkit.List(amounts...) }

func TestOneAtATime(t *testing.T) {
	a := testkit.Container("a", list("cpu", "1", "memory", "1Gi"), list("cpu", "2"))
	b := testkit.Container("b", list("cpu", "500m", "memory", "1.5Gi", "example.com/gpu", "1"), list("cpu", "3", "memory", "2Gi"))
	huge := testkit.Container("huge", list("cpu", "1E", "memory", "10P"), nil)
	tiny := testkit.Container("tiny", list("cpu", "1n", "memory", "-1"), list("cpu", "20E"))
	bare := testkit.Container("bare", nil, nil)
	tests := []struct {
		name       string
		containers []corev1.Container
		steps      []string
		want       []corev1.Container
	}{
		{"no containers", nil, []string{"a"}, nil},
		{"no steps", []corev1.Container{a, b}, nil, []corev1.Container{a, b}},
		{"one step", []corev1.Container{a, b}, []string{"a"}, []corev1.Container{b, testkit.Container("", a.Resources.Requests, a.Resources.Limits)}},
		{"two steps", []corev1.Container{a, bare, b}, []string{"a", "b"}, []corev1.Container{
			bare, testkit.Container("", list("cpu", "1", "memory", "1.5Gi", "example.com/gpu", "1"), list("cpu", "3", "memory", "2Gi")),
		}},
		{"the greatest limit counts although a step has none", []corev1.Container{bare, a}, []string{"a", "bare"}, []corev1.Container{
			testkit.Container("", list("cpu", "1", "memory", "1Gi"), list("cpu", "2")),
		}},
		{"amounts of any size", []corev1.Container{huge, tiny}, []string{"huge", "tiny"}, []corev1.Container{
			testkit.Container("", list("cpu", "1E", "memory", "10P"), list("cpu", "20E")),
		}},
		{"a negative amount of the only step that sets it", []corev1.Container{tiny, bare}, []string{"tiny", "bare"}, []corev1.Container{
			testkit.Container("", list("cpu", "1n", "memory", "-1"), list("cpu", "20E")),
		}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var asked []int
			before := testkit.Fingerprint(test.containers)
			got := sequential.OneAtATime(test.containers, func(i int, c *corev1.Container) bool {
				asked = append(asked, i)
				if c != &test.containers[i] {
					t.Errorf("asked about container %d as number %d", len(asked)-1, i)
				}
				return slices.Contains(test.steps, c.Name)
			})
			sameAmounts := cmp.Comparer(func(x, y corev1.ResourceList) bool { return resourcelist.Equals(x, y) })
			testkit.NoDiff(t, got, test.want, "containers", sameAmounts)
			if len(asked) != len(test.containers) || !slices.IsSorted(asked) {
				t.Errorf("asked about %v", asked)
			}
			testkit.Equal(t, testkit.Fingerprint(test.containers), before, "the containers have changed")
		})
	}
}

// Of equal amounts, the first step decides on the notation.
func TestOneAtATimeKeepsNotations(t *testing.T) {
	first, second := list("memory", "1Gi"), list("memory", "1073741824")
	for _, order := range [][2]corev1.ResourceList{{first, second}, {second, first}} {
		containers := []corev1.Container{testkit.Container("a", order[0], order[0]), testkit.Container("b", order[1], order[1])}
		got := sequential.OneAtATime(containers, func(int, *corev1.Container) bool { return true })
		testkit.NoDiff(t, got, []corev1.Container{testkit.Container("", order[0], order[0])}, testkit.AsWritten())
	}
}
