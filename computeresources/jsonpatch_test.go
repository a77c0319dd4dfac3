package computeresources_test

import (
	"encoding/json"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestJSONPatch(t *testing.T) {
	app := computeresources.Ref{Kind: computeresources.App, Name: "app"}
	setup := computeresources.Ref{Kind: computeresources.Init, Name: "setup"}
	set := func(ref computeresources.Ref, list computeresources.List, name corev1.ResourceName, to string) computeresources.Change {
		c := computeresources.Change{Ref: ref, List: list, Resource: name}
		if to != "" {
			q := testkit.List("x", to)["x"]
			c.To = &q
		}
		return c
	}
	spec := func(requests, limits corev1.ResourceList) *corev1.PodSpec {
		return &corev1.PodSpec{InitContainers: []corev1.Container{{Name: "setup"}}, Containers: []corev1.Container{container("app", requests, limits)}}
	}
	for _, test := range []struct {
		name    string
		spec    *corev1.PodSpec
		changes []computeresources.Change
		path    *field.Path
		want    string
	}{
		{"nothing", spec(nil, nil), nil, nil, `[]`},
		{"no spec", nil, nil, nil, `[]`},
		{"no resources", spec(nil, nil), []computeresources.Change{
			set(app, computeresources.Limits, "cpu", "1"), set(app, computeresources.Requests, "memory", "1Gi"), set(app, computeresources.Requests, "cpu", "500m"),
		}, nil, `[{"op":"add","path":"/spec/containers/0/resources","value":{"limits":{"cpu":"1"},"requests":{"cpu":"500m","memory":"1Gi"}}}]`},
		{"no requests", spec(corev1.ResourceList{}, list("cpu", "1")), []computeresources.Change{set(app, computeresources.Requests, "cpu", "1")}, nil,
			`[{"op":"add","path":"/spec/containers/0/resources/requests","value":{"cpu":"1"}}]`},
		{"another request", spec(list("cpu", "1"), nil), []computeresources.Change{set(app, computeresources.Requests, "memory", "1Gi")}, nil,
			`[{"op":"add","path":"/spec/containers/0/resources/requests/memory","value":"1Gi"}]`},
		{"replaced, removed, and escaped", spec(list("cpu", "1", "example.com/a~b", "2"), list("example.com/a~b", "2")), []computeresources.Change{
			set(app, computeresources.Limits, "example.com/a~b", "3"), set(app, computeresources.Requests, "example.com/a~b", "3"), set(app, computeresources.Requests, "cpu", ""),
		}, nil, `[{"op":"remove","path":"/spec/containers/0/resources/requests/cpu"},` +
			`{"op":"replace","path":"/spec/containers/0/resources/requests/example.com~1a~0b","value":"3"},` +
			`{"op":"replace","path":"/spec/containers/0/resources/limits/example.com~1a~0b","value":"3"}]`},
		{"the last change counts", spec(list("cpu", "1"), nil), []computeresources.Change{
			set(app, computeresources.Requests, "cpu", "2"), set(app, computeresources.Requests, "cpu", "3"), set(app, computeresources.Requests, "memory", "1Gi"), set(app, computeresources.Requests, "memory", ""),
		}, nil, `[{"op":"replace","path":"/spec/containers/0/resources/requests/cpu","value":"3"}]`},
		{"the same amount, written differently", spec(list("cpu", "1"), nil), []computeresources.Change{set(app, computeresources.Requests, "cpu", "1000m")}, nil, `[]`},
		{"the same amount in another format", spec(list("memory", "1Gi"), nil), []computeresources.Change{set(app, computeresources.Requests, "memory", "1073741824")}, nil,
			`[{"op":"replace","path":"/spec/containers/0/resources/requests/memory","value":"1073741824"}]`},
		{"nothing to remove", spec(nil, nil), []computeresources.Change{set(app, computeresources.Requests, "cpu", "")}, nil, `[]`},
		{"init containers first, in a Deployment", spec(nil, nil), []computeresources.Change{set(app, computeresources.Requests, "cpu", "1"), set(setup, computeresources.Requests, "cpu", "2")},
			field.NewPath("spec", "template", "spec"), `[{"op":"add","path":"/spec/template/spec/initContainers/0/resources","value":{"requests":{"cpu":"2"}}},` +
				`{"op":"add","path":"/spec/template/spec/containers/0/resources","value":{"requests":{"cpu":"1"}}}]`},
		{"pod level, in a list", spec(nil, nil), []computeresources.Change{set(computeresources.Ref{Kind: computeresources.Pod}, computeresources.Limits, "cpu", "1")},
			field.NewPath("items").Index(3).Key("a/b.c").Child("spec"), `[{"op":"add","path":"/items/3/a~1b.c/spec/resources","value":{"limits":{"cpu":"1"}}}]`},
	} {
		got, err := computeresources.JSONPatch(test.spec, test.changes, test.path)
		testkit.OK(t, err)
		testkit.Equal(t, string(got), test.want, test.name)
	}
	// A name is enough, and the path is that of its container.
	two := &corev1.PodSpec{Containers: []corev1.Container{container("app", nil, nil), container("log", nil, nil)}}
	for _, ref := range []computeresources.Ref{{Name: "log"}, {Kind: computeresources.App, Name: "log"}, {Kind: computeresources.App, Index: 1}} {
		got, err := computeresources.JSONPatch(two, []computeresources.Change{set(ref, computeresources.Requests, "cpu", "1")}, nil)
		testkit.OK(t, err)
		testkit.Equal(t, string(got), `[{"op":"add","path":"/spec/containers/1/resources","value":{"requests":{"cpu":"1"}}}]`, ref)
	}
	_, err := computeresources.JSONPatch(spec(nil, nil), []computeresources.Change{set(computeresources.Ref{Kind: computeresources.App, Name: "other"}, computeresources.Requests, "cpu", "1")}, nil)
	if err == nil || !strings.Contains(err.Error(), "not in the pod spec") {
		t.Errorf("a change of another container: %v", err)
	}
	if got, err := computeresources.JSONPatch(nil, []computeresources.Change{set(app, computeresources.Requests, "cpu", "1")}, nil); err == nil {
		t.Errorf("a change of no spec: %s", got)
	}

	claims := spec(nil, nil)
	claims.Containers[0].Resources.Claims = []corev1.ResourceClaim{{Name: "gpu"}}
	got, err := computeresources.JSONPatch(claims, []computeresources.Change{set(app, computeresources.Requests, "cpu", "1")}, nil)
	testkit.OK(t, err)
	testkit.Equal(t, string(got), `[{"op":"add","path":"/spec/containers/0/resources/requests","value":{"cpu":"1"}}]`, "claims remain")
}

// drawChanges draws changes of any parts of a spec.
func drawChanges(t *rapid.T, spec *corev1.PodSpec) (changes []computeresources.Change) {
	refs := []computeresources.Ref{{Kind: computeresources.Pod}}
	for ref := range computeresources.Containers(spec) {
		refs = append(refs, ref)
	}
	for range rapid.IntRange(0, 6).Draw(t, "changes") {
		c := computeresources.Change{
			Ref: rapid.SampledFrom(refs).Draw(t, "ref"), List: rapid.SampledFrom(lists).Draw(t, "list"),
			Resource: rapid.SampledFrom(append([]corev1.ResourceName{"example.com/a~b"}, testkit.ResourceNames...)).Draw(t, "name"),
		}
		if rapid.IntRange(0, 3).Draw(t, "remove") > 0 {
			q := testkit.Ordinary().Draw(t, "to")
			c.To = &q
		}
		changes = append(changes, c)
	}
	return changes
}

// readAgain returns an object as it is read from its text.
func readAgain(t testkit.TB, pod *corev1.Pod) *corev1.Pod {
	return testkit.Patched(t, pod, []byte("[]"))
}

// The patch makes of an object what ApplyChanges makes of its spec, with no operation that is not needed.
func TestJSONPatchEqualsApplyChanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pod := &corev1.Pod{Spec: testkit.PodWith(testkit.Ordinary()).Draw(t, "pod").Spec}
		changes := drawChanges(t, &pod.Spec)
		patch, err := computeresources.JSONPatch(&pod.Spec, changes, nil)
		testkit.OK(t, err)
		want := pod.DeepCopy()
		testkit.OK(t, computeresources.ApplyChanges(&want.Spec, changes))
		if want.Spec.Resources != nil && pod.Spec.Resources == nil && len(want.Spec.Resources.Requests)+len(want.Spec.Resources.Limits) == 0 {
			want.Spec.Resources = nil // set and removed again
		}
		got, wanted := testkit.WithNil(testkit.Patched(t, pod, patch)), testkit.WithNil(readAgain(t, want))
		testkit.Equal(t, testkit.Fingerprint(got), testkit.Fingerprint(wanted), string(patch))

		var operations []json.RawMessage
		testkit.OK(t, json.Unmarshal(patch, &operations))
		for i := range operations {
			fewer, err := json.Marshal(append(append([]json.RawMessage{}, operations[:i]...), operations[i+1:]...))
			testkit.OK(t, err)
			if testkit.Fingerprint(testkit.WithNil(testkit.Patched(t, pod, fewer))) == testkit.Fingerprint(got) {
				t.Fatalf("%s is not needed in %s", operations[i], patch)
			}
		}
		testkit.Contract(t, func() any {
			patch, err := computeresources.JSONPatch(&pod.Spec, changes, field.NewPath("spec"))
			return []any{string(patch), err}
		}, pod, changes)
	})
}

// BenchmarkJSONPatch sets the requests of three containers.
func BenchmarkJSONPatch(b *testing.B) {
	spec := &corev1.PodSpec{}
	for _, name := range []string{"a", "b", "c"} {
		spec.Containers = append(spec.Containers, container(name, nil, list("cpu", "1", "memory", "1Gi")))
	}
	changes := computeresources.ApplyRequestDefaults(testkit.Separate(spec), computeresources.Kubernetes{})
	b.ReportAllocs()
	for b.Loop() {
		patch, err := computeresources.JSONPatch(spec, changes, nil)
		testkit.OK(b, err)
		testkit.Keep(patch)
	}
}
