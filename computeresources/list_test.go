package computeresources_test

import (
	"encoding"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

func TestListOf(t *testing.T) {
	r := &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "2")}
	check(t, "requests", computeresources.Requests.Of(r), list("cpu", "1"))
	check(t, "limits", computeresources.Limits.Of(r), list("cpu", "2"))
	for _, l := range append(lists, 0, 9) {
		testkit.NoDiff(t, l.Of(nil), nil, l, "of nothing")
	}
	for _, l := range []computeresources.List{0, 9} {
		testkit.NoDiff(t, l.Of(r), nil, l)
	}
	computeresources.Limits.Of(r)["memory"] = r.Limits["cpu"]
	testkit.Equal(t, len(r.Limits), 2, "Of returns a copy")
}

func TestRefResources(t *testing.T) {
	spec := &corev1.PodSpec{
		InitContainers: []corev1.Container{container("setup", list("cpu", "1"), nil), sidecar("proxy", list("cpu", "2"), nil)},
		Containers:     []corev1.Container{container("app", list("cpu", "3"), nil)},
		Resources:      &corev1.ResourceRequirements{Requests: list("cpu", "4")},
	}
	for ref, want := range map[computeresources.Ref]*corev1.ResourceRequirements{
		{Kind: computeresources.Init, Name: "setup"}:               &spec.InitContainers[0].Resources,
		{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}:  &spec.InitContainers[1].Resources,
		{Kind: computeresources.App, Name: "app"}:                  &spec.Containers[0].Resources,
		{Kind: computeresources.Pod}:                               spec.Resources,
		{}:                                                         nil,
		{Kind: 9, Name: "app"}:                                     nil,
		{Kind: computeresources.App, Name: "setup"}:                nil,
		{Kind: computeresources.App, Index: 1, Name: "app"}:        nil,
		{Kind: computeresources.App, Index: -1, Name: "app"}:       nil,
		{Kind: computeresources.Sidecar, Index: 2, Name: "proxy"}:  nil,
		{Kind: computeresources.Sidecar, Index: -1, Name: "proxy"}: nil,
	} {
		if got := ref.Resources(spec); got != want {
			t.Errorf("%+v: %v, want %v", ref, got, want)
		}
		testkit.NoDiff(t, ref.Resources(nil), nil, ref, "in a nil spec")
	}
	spec.Resources = nil
	testkit.NoDiff(t, (computeresources.Ref{Kind: computeresources.Pod}).Resources(spec), nil, "no pod-level resources")
}

func TestNames(t *testing.T) {
	checkNames[computeresources.Kind](t, "unspecified", "container", "init container", "sidecar", "pod")
	checkNames[computeresources.List](t, "unspecified", "request", "limit")
}

// checkNames checks the texts of an enumeration, from its zero value: String and MarshalText write them,
// UnmarshalText reads them, and any other value or text is an error.
func checkNames[E interface {
	~uint8
	fmt.Stringer
	encoding.TextMarshaler
}, P interface {
	*E
	encoding.TextUnmarshaler
}](t *testing.T, names ...string) {
	t.Helper()
	for i, name := range names {
		value, read := E(i), E(255)
		text, err := value.MarshalText()
		if value.String() != name || string(text) != name || err != nil {
			t.Errorf("%T(%d) is %v, marshalled as %q, %v, want %q", value, i, value, text, err, name)
		}
		if err := P(&read).UnmarshalText([]byte(name)); err != nil || read != value {
			t.Errorf("%q is unmarshalled as %d, %v, want %d", name, read, err, i)
		}
	}
	for i := len(names); i < 256; i++ {
		if text, err := E(i).MarshalText(); err == nil || E(i).String() != "unknown" {
			t.Errorf("%T(%d) is %v, marshalled as %q", E(i), i, E(i), text)
		}
	}
	for _, name := range []string{"", "unknown", "another"} {
		read := E(255)
		if err := P(&read).UnmarshalText([]byte(name)); err == nil || read != 255 {
			t.Errorf("%q is unmarshalled as %d, %v, want an error and no change", name, read, err)
		}
	}
}
