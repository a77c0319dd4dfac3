package computeresources_test

import (
	"encoding"
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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
		Containers: []corev1.Container{
			container("app", list("cpu", "3"), nil), container("log", list("cpu", "5"), nil), container("same", nil, nil), container("same", nil, nil),
		},
		Resources: &corev1.ResourceRequirements{Requests: list("cpu", "4")},
	}
	for ref, want := range map[computeresources.Ref]*corev1.ResourceRequirements{
		{Kind: computeresources.Init, Name: "setup"}:               &spec.InitContainers[0].Resources,
		{Kind: computeresources.Sidecar, Index: 1, Name: "proxy"}:  &spec.InitContainers[1].Resources,
		{Kind: computeresources.App, Name: "app"}:                  &spec.Containers[0].Resources,
		{Kind: computeresources.Pod}:                               spec.Resources,
		{Name: "log"}:                                              &spec.Containers[1].Resources,
		{Kind: computeresources.App, Name: "log"}:                  &spec.Containers[1].Resources,
		{Kind: computeresources.App, Index: 1}:                     &spec.Containers[1].Resources,
		{Name: "proxy"}:                                            &spec.InitContainers[1].Resources,
		{Kind: computeresources.Init, Name: "proxy"}:               &spec.InitContainers[1].Resources, // of the same list
		{Kind: computeresources.Init, Index: 1, Name: "proxy"}:     &spec.InitContainers[1].Resources,
		{Kind: computeresources.Pod, Index: 1, Name: "app"}:        spec.Resources,
		{Kind: computeresources.App, Index: 7, Name: "app"}:        &spec.Containers[0].Resources,
		{Kind: computeresources.Sidecar, Index: -1, Name: "proxy"}: &spec.InitContainers[1].Resources,
		{Kind: computeresources.App, Index: 3, Name: "same"}:       &spec.Containers[3].Resources,
		{Name: "same"}:         &spec.Containers[2].Resources, // the first
		{}:                     nil,
		{Index: 1}:             nil,
		{Kind: 9, Name: "app"}: nil,
		{Kind: computeresources.App, Name: "setup"}:          nil,
		{Kind: computeresources.App, Index: 4}:               nil,
		{Kind: computeresources.App, Index: -1}:              nil,
		{Kind: computeresources.App, Index: 1, Name: "gone"}: nil,
	} {
		testkit.Equal(t, ref.Resources(spec), want, ref)
		whole := computeresources.Ref{}
		for other, c := range computeresources.Containers(spec) {
			if &c.Resources == want {
				whole = other // with its own kind, also if ref has the other one of its list
			}
		}
		if want == spec.Resources && want != nil {
			whole = computeresources.Ref{Kind: computeresources.Pod}
		}
		if part, found := ref.In(spec); found != (want != nil) || part != whole {
			t.Errorf("%+v is %+v, want %+v", ref, part, whole)
		}
		testkit.NoDiff(t, ref.Resources(nil), nil, ref, "in a nil spec")
	}
	spec.Resources = nil
	testkit.NoDiff(t, (computeresources.Ref{Kind: computeresources.Pod}).Resources(spec), nil, "no pod-level resources")
}

func TestRefString(t *testing.T) {
	for ref, want := range map[computeresources.Ref]string{
		{}: "unspecified", {Name: "dbg"}: "container dbg", {Kind: computeresources.Pod}: "pod", {Kind: 99, Name: "dbg"}: "unknown",
		{Kind: computeresources.App, Name: "app"}: "container app", {Kind: computeresources.Sidecar, Name: "proxy"}: "sidecar proxy",
		{Kind: computeresources.Init, Name: "setup"}: "init container setup",
	} {
		testkit.Equal(t, ref.String(), want, ref)
	}
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

func TestPointers(t *testing.T) {
	items := make([]corev1.Pod, 3)
	got := computeresources.Pointers(items)
	if len(got) != len(items) || cap(got) != len(items) {
		t.Fatalf("%d of %d", len(got), len(items))
	}
	for i := range items {
		if got[i] != &items[i] {
			t.Errorf("item %d is a copy", i)
		}
	}
	for _, none := range [][]corev1.Pod{nil, {}} {
		testkit.NoDiff(t, computeresources.Pointers(none), nil)
	}
}

// The Items of a list from a client, for limitrange.Compile, admit.Compile and others.
func ExamplePointers() {
	list := corev1.LimitRangeList{Items: []corev1.LimitRange{
		{ObjectMeta: metav1.ObjectMeta{Name: "bounds"}}, {ObjectMeta: metav1.ObjectMeta{Name: "defaults"}},
	}}
	for _, lr := range computeresources.Pointers(list.Items) {
		fmt.Println(lr.Name)
	}
	// Output:
	// bounds
	// defaults
}
