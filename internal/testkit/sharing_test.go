package testkit_test

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/testkit"
)

func shareable() *corev1.PodSpec {
	return &corev1.PodSpec{
		Containers: []corev1.Container{
			testkit.Container("a", testkit.List("cpu", "1", "memory", "1.5Gi"), testkit.List("cpu", "2")),
			testkit.Container("b", testkit.List("cpu", "3"), testkit.List("memory", "2.5Gi")),
		},
		NodeSelector: map[string]string{"zone": "a"},
	}
}

// What Share does shows by the memory that parts of the object share.
func TestShare(t *testing.T) {
	shared, unshared := map[string]bool{}, testkit.Fingerprint(shareable())
	for seed := range uint64(200) {
		spec, config := shareable(), testkit.List("cpu", "4")
		undo := testkit.Share(seed, spec, &config)
		config["mark"] = config["cpu"]
		for name, list := range map[string]corev1.ResourceList{
			"requests of a": spec.Containers[0].Resources.Requests, "limits of a": spec.Containers[0].Resources.Limits,
			"requests of b": spec.Containers[1].Resources.Requests, "limits of b": spec.Containers[1].Resources.Limits,
		} {
			if _, marked := list["mark"]; marked {
				shared[name] = true
			}
		}
		delete(config, "mark")
		undo()
		if got := testkit.Fingerprint(spec); got != unshared {
			t.Fatalf("seed %d: not restored\nfrom %s\nto   %s", seed, unshared, got)
		}
	}
	if len(shared) != 4 {
		t.Errorf("shared with the configuration: %v", shared)
	}
}

func TestSeparate(t *testing.T) {
	list := testkit.List("memory", "1.5Gi")
	spec := &corev1.PodSpec{Containers: []corev1.Container{testkit.Container("a", list, list)}, Resources: &corev1.ResourceRequirements{Requests: list}}
	before := testkit.Fingerprint(spec)
	separate := testkit.Separate(spec)
	if got := testkit.Fingerprint(separate); got != before {
		t.Errorf("got %s, want %s", got, before)
	}
	if got := failure(func() any { return testkit.Separate(spec) }, spec); got != "" {
		t.Errorf("a copy shares memory: %s", got)
	}
	if got := failure(func() any { return separate }, spec); !strings.Contains(got, "share memory") {
		t.Errorf("Contract says %q", got)
	}
}

// Inputs that share memory show mistakes that others hide: here, one copy of each list, which is at several
// places of the result if it is at several places of the input.
func TestContractWithInputsThatShareMemory(t *testing.T) {
	spec := &corev1.PodSpec{}
	for range 10 {
		spec.Containers = append(spec.Containers, testkit.Container("app", testkit.List("cpu", "1"), nil))
	}
	got := failure(func() any {
		copies := map[uintptr]corev1.ResourceList{}
		var all []corev1.ResourceList
		for i := range spec.Containers {
			list := spec.Containers[i].Resources.Requests
			at := reflect.ValueOf(list).Pointer()
			if copies[at] == nil {
				copies[at] = list.DeepCopy()
			}
			all = append(all, copies[at])
		}
		return all
	}, spec)
	if !strings.HasPrefix(got, "with inputs that share memory, the result") {
		t.Errorf("Contract says %q", got)
	}
}

func TestAppliesFindsWritesToOthers(t *testing.T) {
	set := func(list *corev1.ResourceList) { (*list)["cpu"] = testkit.List("cpu", "7")["cpu"] }
	tests := []struct {
		name  string
		apply func(spec *corev1.PodSpec)
		want  string
	}{
		{"nothing", func(*corev1.PodSpec) {}, ""},
		{"a copy", func(spec *corev1.PodSpec) {
			spec.Containers = slices.Clone(spec.Containers)
			requests := &spec.Containers[0].Resources.Requests
			*requests = maps.Clone(*requests)
			set(requests)
		}, ""},
		{"the list of others", func(spec *corev1.PodSpec) { set(&spec.Containers[0].Resources.Requests) }, "changed memory of others"},
		{"the containers of others", func(spec *corev1.PodSpec) { spec.Containers[0].Resources.Requests = testkit.List("cpu", "7") }, "changed memory of others"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got := failureOf(func(t testkit.TB) {
				testkit.AppliesOnce(t, shareable(), []corev1.ResourceList{testkit.List("cpu", "1")}, func(spec *corev1.PodSpec, _ []corev1.ResourceList) any {
					test.apply(spec)
					return nil
				})
			})
			if test.want == "" && got != "" || !strings.HasPrefix(got, test.want) {
				t.Errorf("Applies says %q, want %q", got, test.want)
			}
		})
	}
	t.Run("one list of several containers", func(t *testing.T) {
		spec := shareable()
		spec.Containers[1].Resources.Requests = spec.Containers[0].Resources.Requests
		got := failureOf(func(t testkit.TB) {
			testkit.AppliesOnce(t, spec, 0, func(spec *corev1.PodSpec, _ int) any {
				own := maps.Clone(spec.Containers[0].Resources.Requests)
				spec.Containers = slices.Clone(spec.Containers)
				for i := range spec.Containers {
					set(&own)
					spec.Containers[i].Resources.Requests = own
				}
				return own
			})
		})
		if !strings.Contains(got, "share memory") {
			t.Errorf("Applies says %q", got)
		}
	})
}
