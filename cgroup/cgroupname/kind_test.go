package cgroupname_test

import (
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
	plain := cgroupname.Identity{WithoutKubepods: true, Mount: "/sys/fs/cgroup"}
	systemd := cgroupname.Identity{WithoutKubepods: true, Driver: cgroupname.Systemd}
	below := cgroupname.Identity{CgroupRoot: "/a/b-c"}
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
			if diff := cmp.Diff(want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
			path, err := got.Path()
			if err != nil || path != test.path {
				t.Errorf("back: %s, %v", path, err)
			}
		})
	}
}

func TestParseBelowInvalid(t *testing.T) {
	const (
		unclean = "it is not a clean absolute path"
		outside = "it is not below the root of all pods"
		noPod   = `what is below a tier is called "pod" and the UID of a pod`
		empty   = "a component is empty"
	)
	systemd := cgroupname.Identity{WithoutKubepods: true, Driver: cgroupname.Systemd}
	for _, test := range []struct {
		path         string
		root         cgroupname.Identity
		name, reason string
	}{
		{"pod1", systemd, "pod1", unclean},
		{"/sys/fs/cgroups/pod1", cgroupname.Identity{WithoutKubepods: true, Mount: "/sys/fs/cgroup"}, "/sys/fs/cgroups/pod1", outside},
		{"/kubepods/pod1", cgroupname.Identity{CgroupRoot: "/a"}, "/kubepods/pod1", outside},
		{"/pod1", cgroupname.Identity{CgroupRoot: "a"}, "a", `a path begins with "/"`},
		{"/pod1", cgroupname.Identity{CgroupRoot: "/kubepods"}, "/kubepods", "there is one root of all pods above another"},
		{"/kubepods/pod1", cgroupname.Identity{Driver: "cgroupfs"}, "/kubepods", "its driver is neither cgroupfs nor systemd"},
		{"/system.slice/x.service", systemd, "system", noPod},
		{"/-.slice", systemd, "/-.slice", "the path of -.slice is /"},
		{"/a-b_c.slice", systemd, "/a-b_c.slice", "the path of a-b_c.slice is /a.slice/a-b_c.slice"},
		{"/a-b.slice", systemd, "/a-b.slice", "the path of a-b.slice is /a.slice/a-b.slice"},
		{"/a.slice/b.slice", systemd, "/a.slice/b.slice", "the path of b.slice is /b.slice"},
		{"/x.slice/a-b.slice", systemd, "/x.slice/a-b.slice", "the path of a-b.slice is /a.slice/a-b.slice"},
		{"/.slice", systemd, "", empty},
		{"/a--b.slice", systemd, "", empty},
		{"/-a.slice", systemd, "", empty},
		{"/a-.slice", systemd, "", empty},
		{"/--.slice", systemd, "", empty},
		{"/_a.slice", systemd, "-a", "a component begins with a letter or a digit"},
		{"/a__b.slice", systemd, "a--b", `a component has no two adjacent "-"`},
	} {
		if got, err := cgroupname.ParseBelow(test.path, test.root); got != (cgroupname.Identity{}) || !isInvalid(err, test.name, test.reason) {
			t.Errorf("%q: %+v, %v, want %q and %q", test.path, got, err, test.name, test.reason)
		}
	}
}
