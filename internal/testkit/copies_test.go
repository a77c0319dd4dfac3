package testkit_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/testkit"
)

func TestEmptyAndNil(t *testing.T) {
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", testkit.List("memory", "1.5Gi"), corev1.ResourceList{})}, Overhead: corev1.ResourceList{}}
	empty, none := testkit.WithEmpty(spec), testkit.WithNil(spec)
	if empty.InitContainers == nil || empty.Containers[0].Args == nil || empty.Overhead == nil || empty.Resources != nil {
		t.Errorf("with empty lists: %+v", empty)
	}
	if none.InitContainers != nil || none.Containers[0].Resources.Limits != nil || none.Overhead != nil || none.Containers[0].Resources.Requests == nil {
		t.Errorf("with nil lists: %+v", none)
	}
}

// Copies are equal to their originals, and share nothing with them.
func TestEmptyAndNilAreCopies(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := testkit.Pod().Draw(t, "pod")
		testkit.Contract(t, func() any { return testkit.WithEmpty(pod) }, pod)
		testkit.Contract(t, func() any { return testkit.WithNil(pod) }, pod)
		for _, got := range []*corev1.Pod{testkit.WithEmpty(pod), testkit.WithNil(pod)} {
			if diff := cmp.Diff(pod, got, cmpopts.EquateEmpty(), testkit.AsWritten()); diff != "" {
				t.Fatalf("-value +copy:\n%s", diff)
			}
		}
	})
}

func TestEmptyIsNil(t *testing.T) {
	list := testkit.List("cpu", "1")
	for _, test := range []struct {
		name   string
		answer func(*corev1.PodSpec) any
		finds  bool
	}{
		{"the same", func(s *corev1.PodSpec) any { return []any{len(s.Containers), s.Overhead, list} }, false},
		{"empty for nil", func(s *corev1.PodSpec) any { return s.Containers }, false},
		{"another answer", func(s *corev1.PodSpec) any { return s.Containers == nil }, true},
		{"another format", func(s *corev1.PodSpec) any {
			if s.Overhead == nil {
				return testkit.List("memory", "1Gi")
			}
			return testkit.List("memory", "1073741824")
		}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := &recorder{}
			func() {
				defer func() {
					if stopped := recover(); stopped != nil && stopped != any(r) {
						panic(stopped)
					}
				}()
				testkit.EmptyIsNil(r, &corev1.PodSpec{}, test.answer)
			}()
			if (r.failure != "") != test.finds {
				t.Errorf("found: %q", r.failure)
			}
		})
	}
}
