package cgroupname_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

func TestKind(t *testing.T) {
	for path, want := range map[string]cgroupname.IdentityKind{
		"/kubepods.slice":                                           cgroupname.AllPods,
		"/sys/fs/cgroup/kubepods/besteffort":                        cgroupname.Tier,
		"/kubepods/pod1":                                            cgroupname.Pod,
		"/kubepods/burstable/pod1":                                  cgroupname.Pod,
		"/kubepods/burstable/pod1/abc":                              cgroupname.Container,
		"/kubepods/burstable/pod1/abc/init.scope":                   cgroupname.WithinContainer,
		"/kubepods.slice/kubepods-pod1.slice/crio-abc.scope":        cgroupname.Container,
		"/kubepods.slice/kubepods-pod1.slice/crio-conmon-abc.scope": cgroupname.Monitor,
		"/kubepods/pod1/crio-conmon-abc/x":                          cgroupname.Monitor,
	} {
		id, err := cgroupname.Parse(path)
		if err != nil || id.Kind() != want {
			t.Errorf("%s: %v, %v, want %v", path, id.Kind(), err, want)
		}
	}
	if got := (cgroupname.Identity{}).Kind(); got != "" {
		t.Errorf("no class: %v", got)
	}
}

func TestParseBelow(t *testing.T) {
	deep, err := cgroupname.New("a", "b-c")
	if err != nil {
		t.Fatal(err)
	}
	plain := cgroupname.Identity{WithoutKubepods: true, Mount: "/sys/fs/cgroup"}
	systemd := cgroupname.Identity{WithoutKubepods: true, Driver: cgroupname.Systemd}
	below := cgroupname.Identity{CgroupRoot: deep}
	for _, test := range []struct {
		path string
		root cgroupname.Identity
		want cgroupname.Identity
	}{
		{"/sys/fs/cgroup", plain, cgroupname.Identity{Class: guaranteed}},
		{"/sys/fs/cgroup/burstable", plain, cgroupname.Identity{Class: burstable}},
		{"/sys/fs/cgroup/podkubepods", plain, cgroupname.Identity{Class: guaranteed, UID: "kubepods"}},
		{"/sys/fs/cgroup/besteffort/pod1/abc/x", plain, cgroupname.Identity{Class: bestEffort, UID: "1", Container: "abc", Below: "/x"}},
		{"/", systemd, cgroupname.Identity{Class: guaranteed}},
		{"/burstable.slice/burstable-pod1_2.slice/cri-containerd-abc.scope", systemd, cgroupname.Identity{Class: burstable, UID: "1-2", Runtime: "cri-containerd", Container: "abc"}},
		{"/pod1.slice/crio-conmon-abc.scope", systemd, cgroupname.Identity{Class: guaranteed, UID: "1", Monitors: "abc"}},
		{"/a/b-c/kubepods/pod1", below, cgroupname.Identity{Class: guaranteed, UID: "1"}},
	} {
		t.Run(test.path, func(t *testing.T) {
			want := test.want
			want.Driver, want.Mount, want.CgroupRoot, want.WithoutKubepods = test.root.Driver, test.root.Mount, test.root.CgroupRoot, test.root.WithoutKubepods
			got, err := cgroupname.ParseBelow(test.path, test.root)
			if diff := cmp.Diff(want, got, compareNames); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			path, err := got.Path()
			if err != nil || path != test.path {
				t.Errorf("back: %s, %v", path, err)
			}
		})
	}
}

func TestNameCause(t *testing.T) {
	parse := func(path string) error { _, err := cgroupname.Parse(path); return err }
	within := func(path string, root cgroupname.Identity) error {
		_, err := cgroupname.ParseBelow(path, root)
		return err
	}
	made := func(id cgroupname.Identity) error { _, err := id.Path(); return err }
	component := func(c string) error { _, err := cgroupname.New(c); return err }
	without := cgroupname.Identity{WithoutKubepods: true, Driver: cgroupname.Systemd}
	for _, test := range []struct {
		name string
		err  error
		want cgroupname.NameCause
	}{
		{"a component with an underscore", component("a_b"), cgroupname.InvalidComponent},
		{"an empty component", component(""), cgroupname.InvalidComponent},
		{"a long component", component(strings.Repeat("a", 250)), cgroupname.TooLong},
		{"a relative path", parse("kubepods"), cgroupname.InvalidPath},
		{"a cgroup outside kubepods", parse("/system.slice/sshd.service"), cgroupname.NoPods},
		{"a mount with a root of pods", made(cgroupname.Identity{Mount: "/kubepods", Class: guaranteed}), cgroupname.NestedPods},
		{"slices that are not prefixes", parse("/kubepods.slice/kubepods-a-b.slice"), cgroupname.WrongSlice},
		{"unknown class", made(cgroupname.Identity{}), cgroupname.InvalidClass},
		{"something else below the root", parse("/kubepods/other"), cgroupname.NoPod},
		{"a service below a pod", parse("/kubepods.slice/kubepods-pod1.slice/x.service"), cgroupname.InvalidContainer},
		{"conmon as a runtime", made(cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Runtime: "crio-conmon"}), cgroupname.InvalidContainer},
		{"unknown driver", made(cgroupname.Identity{Driver: "cgroupfs", Class: guaranteed}), cgroupname.InvalidDriver},
		{"a relative path, below", within("pod1", without), cgroupname.InvalidPath},
		{"a path with a similar mount point", within("/sys/fs/cgroups/pod1", cgroupname.Identity{WithoutKubepods: true, Mount: "/sys/fs/cgroup"}), cgroupname.NoPods},
		{"outside of the root", within("/kubepods/pod1", cgroupname.Identity{CgroupRoot: mustName("a")}), cgroupname.NoPods},
		{"a slice that is not of a pod", within("/system.slice/x.service", without), cgroupname.NoPod},
		{"slices that are not prefixes, below", within("/a.slice/b.slice", without), cgroupname.WrongSlice},
	} {
		var invalid *cgroupname.InvalidNameError
		if !errors.As(test.err, &invalid) || invalid.Cause != test.want {
			t.Errorf("%s: %v, want %v", test.name, test.err, test.want)
		}
	}
}

func mustName(components ...string) cgroupname.Name {
	name, err := cgroupname.New(components...)
	if err != nil {
		panic(err)
	}
	return name
}
