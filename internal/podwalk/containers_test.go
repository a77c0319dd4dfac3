package podwalk_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/internal/podwalk"
	"github.com/kubemath/kubemath/internal/testkit"
)

// place is a container as the walk shows it.
type place struct {
	Kind  podwalk.Kind
	Index int
	Name  string
}

func walk(cs podwalk.Containers, number func(int) int) (places []place) {
	for i := range cs.Len() {
		kind, c := cs.At(number(i))
		places = append(places, place{kind, cs.Index(number(i)), c.Name})
	}
	return places
}

func TestContainers(t *testing.T) {
	spec := &corev1.PodSpec{
		Containers:     []corev1.Container{testkit.Container("app", nil, nil), testkit.Container("web", nil, nil)},
		InitContainers: []corev1.Container{testkit.Container("setup", nil, nil), testkit.Sidecar("proxy", nil, nil), testkit.Container("never", nil, nil)},
		EphemeralContainers: []corev1.EphemeralContainer{
			{EphemeralContainerCommon: corev1.EphemeralContainerCommon{Name: "debug"}},
		},
	}
	never := corev1.ContainerRestartPolicyNever
	spec.InitContainers[2].RestartPolicy = &never
	inits := []place{{podwalk.Init, 0, "setup"}, {podwalk.Sidecar, 1, "proxy"}, {podwalk.Init, 2, "never"}}
	apps := []place{{podwalk.App, 0, "app"}, {podwalk.App, 1, "web"}}
	cs := podwalk.Of(spec)
	testkit.NoDiff(t, walk(cs, func(i int) int { return i }), append(append([]place{}, inits...), apps...), "in the order in which they start")
	testkit.NoDiff(t, walk(cs, cs.AppsFirst), append(append([]place{}, apps...), inits...), "app containers first")
	if _, c := cs.At(1); c != &spec.InitContainers[1] {
		t.Error("At returns a copy")
	}
	if got := podwalk.Of(nil).Len(); got != 0 {
		t.Errorf("a nil spec has %d containers", got)
	}
}

func TestIsSidecar(t *testing.T) {
	proxy, setup := testkit.Sidecar("proxy", nil, nil), testkit.Container("setup", nil, nil)
	cs := podwalk.Of(&corev1.PodSpec{
		InitContainers: []corev1.Container{setup, proxy},
		Containers:     []corev1.Container{testkit.Sidecar("app", nil, nil)}, // whose restart policy has no meaning
	})
	stranger := testkit.Sidecar("stranger", nil, nil)
	app := testkit.Sidecar("app", nil, nil)
	for name, test := range map[string]struct {
		c    *corev1.Container
		want bool
	}{
		"a sidecar":                              {&proxy, true},
		"an init container":                      {&setup, false},
		"a sidecar of another pod":               {&stranger, false},
		"an app container with a restart policy": {&app, false},
		"no container":                           {nil, false},
	} {
		testkit.Equal(t, cs.IsSidecar(test.c), test.want, name)
	}
}

func TestRunsBesideApps(t *testing.T) {
	want := map[podwalk.Kind]bool{podwalk.App: true, podwalk.Sidecar: true, podwalk.Init: false, podwalk.Kind(200): false}
	for kind, want := range want {
		testkit.Equal(t, kind.RunsBesideApps(), want, "kind", kind)
	}
}

func TestListOf(t *testing.T) {
	r := &corev1.ResourceRequirements{Requests: testkit.List("cpu", "1"), Limits: testkit.List("cpu", "2")}
	for list, want := range map[podwalk.List]corev1.ResourceList{podwalk.Requests: r.Requests, podwalk.Limits: r.Limits, 7: nil} {
		testkit.NoDiff(t, list.Of(r), want, "list", list)
	}
}
