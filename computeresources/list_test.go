package computeresources_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
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

func TestNames(t *testing.T) {
	testkit.Enum[computeresources.Kind](t, "unspecified", "container", "init container", "sidecar", "pod")
	testkit.Enum[computeresources.List](t, "unspecified", "request", "limit")
}
