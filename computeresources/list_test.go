package computeresources_test

import (
	"encoding"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
)

func TestListOf(t *testing.T) {
	r := &corev1.ResourceRequirements{Requests: list("cpu", "1"), Limits: list("cpu", "2")}
	check(t, "requests", computeresources.Requests.Of(r), list("cpu", "1"))
	check(t, "limits", computeresources.Limits.Of(r), list("cpu", "2"))
	for _, l := range []computeresources.List{0, computeresources.Requests, computeresources.Limits, 9} {
		if got := l.Of(nil); got != nil {
			t.Errorf("%v of nothing: %v", l, got)
		}
	}
	for _, l := range []computeresources.List{0, 9} {
		if got := l.Of(r); got != nil {
			t.Errorf("%v: %v", l, got)
		}
	}
	computeresources.Limits.Of(r)["memory"] = r.Limits["cpu"]
	if len(r.Limits) != 2 {
		t.Error("Of returns a copy")
	}
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
		if got := ref.Resources(nil); got != nil {
			t.Errorf("%+v in a nil spec: %v", ref, got)
		}
	}
	spec.Resources = nil
	if got := (computeresources.Ref{Kind: computeresources.Pod}).Resources(spec); got != nil {
		t.Errorf("no pod-level resources: %v", got)
	}
}

type text interface {
	fmt.Stringer
	encoding.TextMarshaler
}

// Every value of an enumeration has a name that can be parsed, and no other value has one.
func TestEnumerations(t *testing.T) {
	values := func(n int, value func(uint8) (text, encoding.TextUnmarshaler)) (names []string) {
		for i := range uint8(n) {
			v, back := value(i)
			name, err := v.MarshalText()
			if err != nil || string(name) != v.String() {
				t.Errorf("%T %d: %q, %v, want %q", v, i, name, err, v)
			}
			if err := back.UnmarshalText(name); err != nil || fmt.Sprint(back) != v.String() {
				t.Errorf("%T %d is %v again: %v", v, i, back, err)
			}
			names = append(names, v.String())
		}
		v, back := value(uint8(n))
		if _, err := v.MarshalText(); err == nil || v.String() != "unknown" {
			t.Errorf("%T %d is %q", v, n, v)
		}
		if err := back.UnmarshalText([]byte("unknown")); err == nil {
			t.Errorf("%T: unknown is %v", v, back)
		}
		return names
	}
	got := map[string][]string{
		"Kind": values(5, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.Kind(i), new(computeresources.Kind)
		}),
		"List": values(3, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.List(i), new(computeresources.List)
		}),
		"Gate": values(3, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.Gate(i), new(computeresources.Gate)
		}),
		"InvalidCause": values(16, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.InvalidCause(i), new(computeresources.InvalidCause)
		}),
		"ResizeState": values(4, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.ResizeState(i), new(computeresources.ResizeState)
		}),
		"ResizeCause": values(15, func(i uint8) (text, encoding.TextUnmarshaler) {
			return computeresources.ResizeCause(i), new(computeresources.ResizeCause)
		}),
	}
	want := map[string][]string{
		"Kind":        {"unspecified", "container", "init container", "sidecar", "pod"},
		"List":        {"unspecified", "request", "limit"},
		"Gate":        {"default", "on", "off"},
		"ResizeState": {"none", "Deferred", "Infeasible", "pending"},
		"InvalidCause": {
			"unspecified", "invalid name", "not a pod-level resource", "negative", "not an integer", "not a multiple of the page size",
			"request above limit", "request not equal to limit", "limit missing", "hugepages without cpu or memory",
			"pod level below containers", "container above pod level", "pod level on windows", "claims at pod level", "invalid claim", "invalid resize policy",
		},
		"ResizeCause": {
			"unspecified", "invalid amounts", "static pod", "windows pod", "class changes", "not supported by the node", "pod-level resize off",
			"pod level removed", "amount removed", "not cpu or memory", "claims of the node", "containers added or removed",
			"container renamed or reordered", "init container", "init container restarts",
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
