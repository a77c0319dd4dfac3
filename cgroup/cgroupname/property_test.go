package cgroupname_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/testkit"
)

// component draws valid components of a name, and components that resemble other path elements.
func component() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.StringMatching(`[A-Za-z0-9]{1,4}([-.:][A-Za-z0-9]{1,4}){0,3}`),
		rapid.SampledFrom([]string{"burstable", "besteffort", "pod1", "pod", "kubepods-x", "a.slice", "kubepods.slice", "x.scope"}),
	)
}

// cgroupRoot draws valid paths of a CgroupRoot: "" and those of one or two components.
func cgroupRoot() *rapid.Generator[string] {
	return rapid.Map(rapid.SliceOfN(component(), 0, 2), func(components []string) string {
		var root string
		for _, c := range components {
			root += "/" + c
		}
		return root
	})
}

var drivers = []cgroupname.Driver{cgroupname.Cgroupfs, cgroupname.Systemd}

// identity draws Identities with valid parts.
func identity() *rapid.Generator[cgroupname.Identity] {
	return rapid.Custom(func(t *rapid.T) cgroupname.Identity {
		r := cgroupname.Identity{
			Driver: rapid.SampledFrom(drivers).Draw(t, "driver"),
			Mount:  rapid.SampledFrom([]string{"", "", "/sys/fs/cgroup", "/a.slice/b.scope", "/x y", "/pod1"}).Draw(t, "mount"),
			Class:  rapid.SampledFrom([]corev1.PodQOSClass{guaranteed, burstable, bestEffort}).Draw(t, "class"),
		}
		if r.Driver == cgroupname.Systemd {
			r.CgroupRoot = cgroupRoot().Draw(t, "root")
		}
		if !rapid.Bool().Draw(t, "pod") {
			return r
		}
		r.UID = types.UID(component().Draw(t, "uid"))
		if !rapid.Bool().Draw(t, "container") {
			return r
		}
		if rapid.IntRange(0, 3).Draw(t, "monitor") == 0 {
			r.Monitors = rapid.StringMatching(`[a-z0-9]{1,64}`).Draw(t, "id")
			r.Below = rapid.SampledFrom([]string{"", "", "/x"}).Draw(t, "below")
			return r
		}
		r.Container = rapid.StringMatching(`[a-z0-9]{1,64}`).Draw(t, "id")
		if r.Driver == cgroupname.Systemd || rapid.Bool().Draw(t, "prefixed") {
			r.Runtime = component().Draw(t, "runtime")
		}
		r.Below = rapid.SampledFrom([]string{"", "", "/init.scope", "/kubepods/pod1", "/-", "/kubepods.slice"}).Draw(t, "below")
		return r
	})
}

// kinds are all kinds.
var kinds = []cgroupname.IdentityKind{
	cgroupname.AllPods, cgroupname.Tier, cgroupname.Pod, cgroupname.Container, cgroupname.WithinContainer, cgroupname.Monitor,
}

// The generator draws each kind with each driver, and with each class of pods.
func TestDrawsReachEveryKind(t *testing.T) {
	var want []string
	for _, driver := range drivers {
		for _, kind := range kinds {
			want = append(want, string(driver)+": "+string(kind))
		}
		for _, class := range []corev1.PodQOSClass{guaranteed, burstable, bestEffort} {
			want = append(want, string(driver)+": "+string(class))
		}
	}
	testkit.Reached(t, 300, func(t *rapid.T) []string {
		id := identity().Draw(t, "identity")
		return []string{string(id.Driver) + ": " + string(id.Kind()), string(id.Driver) + ": " + string(id.Class)}
	}, want...)
}

func TestParseIsTheInverseOfPath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		if _, err := cgroupname.Parse("/"); err != nil {
			testkit.Contract(t, func() any { return err.Error() }, err)
		}
		r := identity().Draw(t, "identity")
		path, err := r.Path()
		testkit.OK(t, err)
		got, err := cgroupname.Parse(path)
		if diff := cmp.Diff(r, got); err != nil || diff != "" {
			t.Fatalf("%s: %v (-want +got):\n%s", path, err, diff)
		}
		testkit.Contract(t, func() any { r, err := cgroupname.Parse(path); return []any{r, err, r.Kind()} })
		testkit.Contract(t, func() any {
			path, err := r.Path()
			return []any{path, err}
		}, r)
	})
}

// Different identities have different paths.
func TestPathsAreDistinct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := identity().Draw(t, "a"), identity().Draw(t, "b")
		pathA, errA := a.Path()
		pathB, errB := b.Path()
		if errA != nil || errB != nil || (pathA == pathB) != (a == b) {
			t.Fatalf("%q and %q, %v and %v", pathA, pathB, errA, errB)
		}
	})
}
