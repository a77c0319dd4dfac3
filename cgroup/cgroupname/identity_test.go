package cgroupname_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

const (
	uid = "7d2ad5b7-3a3c-4a3e-9ecb-7d1a7f3c2b10"
	id  = "3f4e1d2c5b6a79880f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a6978"
)

// Paths as they appear on nodes.
var refs = []struct {
	path string
	id   cgroupname.Identity
}{
	{"/kubepods", cgroupname.Identity{Class: guaranteed}},
	{"/kubepods/burstable", cgroupname.Identity{Class: burstable}},
	{"/kubepods/besteffort", cgroupname.Identity{Class: bestEffort}},
	{"/kubepods/pod" + uid, cgroupname.Identity{Class: guaranteed, UID: uid}},
	{"/kubepods/burstable/pod" + uid, cgroupname.Identity{Class: burstable, UID: uid}},
	{"/sys/fs/cgroup/cpu,cpuacct/kubepods/besteffort/pod" + uid, cgroupname.Identity{Mount: "/sys/fs/cgroup/cpu,cpuacct", Class: bestEffort, UID: uid}},
	{"/kubepods/burstable/pod" + uid + "/" + id, cgroupname.Identity{Class: burstable, UID: uid, Container: id}},
	{"/kubepods/pod" + uid + "/crio-" + id, cgroupname.Identity{Class: guaranteed, UID: uid, Container: id, Runtime: "crio"}},
	{"/kubepods/pod" + uid + "/" + id + "/system.slice/sshd.service", cgroupname.Identity{Class: guaranteed, UID: uid, Container: id, Below: "/system.slice/sshd.service"}},
	{"/kubelet/kubepods/podx", cgroupname.Identity{Mount: "/kubelet", Class: guaranteed, UID: "x"}},
	{"/kubepods/podburstable", cgroupname.Identity{Class: guaranteed, UID: "burstable"}},
	{"/kubepods/burstable/podthis-is-a-pod", cgroupname.Identity{Class: burstable, UID: "this-is-a-pod"}},
	{"/kubepods.slice", cgroupname.Identity{Driver: cgroupname.Systemd, Class: guaranteed}},
	{"/kubepods.slice/kubepods-burstable.slice", cgroupname.Identity{Driver: cgroupname.Systemd, Class: burstable}},
	{"/kubepods.slice/kubepods-besteffort.slice", cgroupname.Identity{Driver: cgroupname.Systemd, Class: bestEffort}},
	{"/kubepods.slice/kubepods-pod7d2ad5b7_3a3c.slice", cgroupname.Identity{Driver: cgroupname.Systemd, Class: guaranteed, UID: "7d2ad5b7-3a3c"}},
	{
		"/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod7d2ad5b7_3a3c.slice/cri-containerd-" + id + ".scope",
		cgroupname.Identity{Driver: cgroupname.Systemd, Mount: "/sys/fs/cgroup", Class: burstable, UID: "7d2ad5b7-3a3c", Container: id, Runtime: "cri-containerd"},
	},
	{
		"/kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-pod1.slice/crio-" + id + ".scope/container",
		cgroupname.Identity{Driver: cgroupname.Systemd, Class: bestEffort, UID: "1", Container: id, Runtime: "crio", Below: "/container"},
	},
	{
		"/kubepods.slice/kubepods-pod1.slice/docker-" + id + ".scope",
		cgroupname.Identity{Driver: cgroupname.Systemd, Class: guaranteed, UID: "1", Container: id, Runtime: "docker"},
	},
	{"/kubepods/burstable/pod1/crio-conmon-" + id, cgroupname.Identity{Class: burstable, UID: "1", Monitors: id}},
	{"/kubepods.slice/kubepods-pod1.slice/crio-conmon-" + id + ".scope", cgroupname.Identity{Driver: cgroupname.Systemd, Class: guaranteed, UID: "1", Monitors: id}},
	{"/kubepods.slice/kubepods-pod1.slice/crio-conmon-a.scope/x", cgroupname.Identity{Driver: cgroupname.Systemd, Class: guaranteed, UID: "1", Monitors: "a", Below: "/x"}},
	{ // the kubelet of kind, whose node is a container
		"/system.slice/docker-" + id + ".scope/kubelet.slice/kubelet-kubepods.slice/kubelet-kubepods-burstable.slice/kubelet-kubepods-burstable-pod1.slice",
		cgroupname.Identity{Driver: cgroupname.Systemd, Mount: "/system.slice/docker-" + id + ".scope", CgroupRoot: "/kubelet", Class: burstable, UID: "1"},
	},
	{ // a kubelet in a pod
		"/kubepods/pod1/abc/kubepods/pod2/def",
		cgroupname.Identity{Class: guaranteed, UID: "1", Container: "abc", Below: "/kubepods/pod2/def"},
	},
	{
		"/a.slice/a-b.slice/a-b-kubepods.slice/a-b-kubepods-pod1.slice/x-1.scope",
		cgroupname.Identity{Driver: cgroupname.Systemd, CgroupRoot: "/a/b", Class: guaranteed, UID: "1", Container: "1", Runtime: "x"},
	},
}

func TestRefs(t *testing.T) {
	for _, test := range refs {
		if path, err := test.id.Path(); err != nil || path != test.path {
			t.Errorf("%+v: %s, %v, want %s", test.id, path, err, test.path)
		}
		got, err := cgroupname.Parse(test.path)
		if diff := cmp.Diff(test.id, got); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", test.path, err, diff)
		}
	}
}

// The kubelet's IsPodCgroup splits the name at every "pod".
func TestUIDThatContainsPod(t *testing.T) {
	const uid = "this-uid-contains-reserved-word-pod"
	for _, path := range []string{
		"/kubepods/burstable/pod" + uid,
		"/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-podthis_uid_contains_reserved_word_pod.slice",
	} {
		got, err := cgroupname.Parse(path)
		if err != nil || got.UID != uid || got.Class != burstable {
			t.Fatalf("%s: %+v, %v", path, got, err)
		}
		if back, err := got.Path(); err != nil || back != path {
			t.Errorf("%s is formatted as %s, %v", path, back, err)
		}
	}
}

// Under cgroupfs, the CgroupRoot is taken for a part of the mount point.
func TestCgroupRootIsMount(t *testing.T) {
	path, err := cgroupname.Identity{CgroupRoot: "/kubelet", Mount: "/sys", Class: guaranteed}.Path()
	if err != nil || path != "/sys/kubelet/kubepods" {
		t.Errorf("Path = %s, %v", path, err)
	}
	if got, err := cgroupname.Parse(path); err != nil || got != (cgroupname.Identity{Mount: "/sys/kubelet", Class: guaranteed}) {
		t.Errorf("Parse = %+v, %v", got, err)
	}
}

func TestParseInvalid(t *testing.T) {
	const (
		unclean = "it is not a clean absolute path"
		noPod   = `what is below a tier is called "pod" and the UID of a pod`
	)
	long := strings.Repeat("a", 256)
	for _, test := range []struct{ path, name, reason string }{
		{"", "", unclean},
		{"/", "/", unclean},
		{"kubepods", "kubepods", unclean},
		{"/kubepods/", "/kubepods/", unclean},
		{"//kubepods", "//kubepods", unclean},
		{"/./kubepods", "/./kubepods", unclean},
		{"/kubepods/../pod1", "/kubepods/../pod1", unclean},
		{"/../../kubepods/pod1", "/../../kubepods/pod1", unclean},
		{"/system.slice", "/system.slice", `no part of it is "kubepods", the root of all pods`},
		{"/xkubepods.slice", "/xkubepods.slice", `no part of it is "kubepods", the root of all pods`},
		{"/kubepods/guaranteed/pod1", "guaranteed", noPod},
		{"/kubepods/burstable/besteffort/pod1", "besteffort", noPod},
		{"/kubepods/1", "1", noPod},
		{"/kubepods/pod", "pod", noPod},
		{"/kubepods/pod_1", "_1", `"_" cannot be part of a component`},
		{"/kubepods/pod_1/abc", "_1", `"_" cannot be part of a component`},
		{"/../kubepods/pod1/abc", "/../kubepods/pod1/abc", unclean},
		{"/kubepods/pod-1", "-1", "a component begins with a letter or a digit"},
		{"/kubepods/pod1/a_b", "a_b", "the ID of a container consists of letters and digits"},
		{"/kubepods/pod1/x.scope", "x.scope", "the ID of a container consists of letters and digits"},
		{"/kubepods/pod1/-x", "-x", `there is nothing before the "-"`},
		{"/kubepods/pod1/crio-", "crio-", "there is no ID of a container in it"},
		{"/kubepods/pod1/crio-conmon-", "crio-conmon-", "there is no ID of a container in it"},
		{"/kubepods/burstable/crio-conmon-a", "crio-conmon-a", noPod},
		{"/kubepods.slice/crio-conmon-a.scope", "a", "a container needs a pod"},
		{"/kubepods/pod1/a_b-1", "a_b", `"_" cannot be part of a component`},
		{"/kubepods/pod1/" + long, long, "it is longer than a file name may be"},
		{"/kubepods/pod" + long, "kubepods-pod" + long + ".slice", "it is longer than a file name may be"},
		{"/x/kubepods.slice/kubepods-1.slice", "1", noPod},
		{"/kubepods.slice/kubepods-burstable-pod1.slice", "/kubepods.slice/kubepods-burstable-pod1.slice", "the path of kubepods-burstable-pod1.slice is /kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod1.slice"},
		{"/kubelet-kubepods.slice", "/kubelet-kubepods.slice", "the path of kubelet-kubepods.slice is /kubelet.slice/kubelet-kubepods.slice"},
		{"/x/a-kubepods.slice", "/x/a-kubepods.slice", "the path of a-kubepods.slice is /a.slice/a-kubepods.slice"},
		{"/kubepods.slice/x.slice", "/kubepods.slice/x.slice", "the path of x.slice is /x.slice"},
		{"/kubepods.slice/a_b.slice", "/kubepods.slice/a_b.slice", "the path of a_b.slice is /a_b.slice"},
		{"/kubepods.slice/-.slice", "/kubepods.slice/-.slice", "the path of -.slice is /"},
		{"/kubepods.slice/kubepods--pod1.slice", "", "a component is empty"},
		{"/kubepods.slice/kubepods-_a.slice", "-a", "a component begins with a letter or a digit"},
		{"/kubepods.slice/kubepods-a__b.slice", "a--b", `a component has no two adjacent "-"`},
		{"/kubepods.slice/kubepods-pod1.slice/kubepods-pod1-a.slice", "/kubepods.slice/kubepods-pod1.slice/kubepods-pod1-a.slice", "a pod has no slices below it"},
		{"/kubepods.slice/kubepods-pod1.slice/cri-containerd-a", "cri-containerd-a", `under systemd, the cgroup of a container ends with ".scope"`},
		{"/kubepods.slice/kubepods-pod1.slice/a.scope", "a", "under systemd, a runtime puts its name before the ID"},
		{"/kubepods.slice/kubepods-pod1.slice/.scope", ".scope", "there is no ID of a container in it"},
		{"/kubepods.slice/kubepods-pod1.slice/crio-.scope", "crio-.scope", "there is no ID of a container in it"},
		{"/kubepods.slice/crio-a.scope", "a", "a container needs a pod"},
		{"/kubepods.slice/kubepods-burstable.slice/crio-a.scope", "a", "a container needs a pod"},
		{"/kubepods/pod1/crio-conmon-a.b", "a.b", "the ID of a container consists of letters and digits"},
		{"/kubepods.slice/kubepods-poda-b.slice/crio-a.scope", "/kubepods.slice/kubepods-poda-b.slice/crio-a.scope", "the path of kubepods-poda-b.slice is /kubepods.slice/kubepods-poda.slice/kubepods-poda-b.slice"},
		{"/x.slice/x-kubepods.slice/kubepods-pod1.slice/crio-a.scope", "/x.slice/x-kubepods.slice/kubepods-pod1.slice/crio-a.scope", "the path of kubepods-pod1.slice is /kubepods.slice/kubepods-pod1.slice"},
	} {
		if got, err := cgroupname.Parse(test.path); got != (cgroupname.Identity{}) || !isInvalid(err, test.name, test.reason) {
			t.Errorf("%q: %+v, %#v, want %q and %q", test.path, got, err, test.name, test.reason)
		}
	}
}

func TestPathInvalid(t *testing.T) {
	const (
		twoRoots     = "there is one root of all pods above another"
		notContainer = "it is the cgroup of a monitor, and not of a container"
	)
	fits := strings.Repeat("a", 251)
	for _, test := range []struct {
		id           cgroupname.Identity
		name, reason string
	}{
		{cgroupname.Identity{}, "", "it is not a class of pods"},
		{cgroupname.Identity{Class: "burstable"}, "burstable", "it is not a class of pods"},
		{cgroupname.Identity{Class: guaranteed, UID: "a/b"}, "a/b", `"/" cannot be part of a component`},
		{cgroupname.Identity{Class: guaranteed, UID: "../x"}, "../x", `"/" cannot be part of a component`},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "/kubepods"}, "/kubepods", twoRoots},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "/a/kubepods/b"}, "/a/kubepods/b", twoRoots},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "a"}, "a", `a path begins with "/"`},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "//"}, "", "a component is empty"},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "/a/"}, "", "a component is empty"},
		{cgroupname.Identity{Class: guaranteed, CgroupRoot: "/a/../b"}, "..", "a component begins with a letter or a digit"},
		{cgroupname.Identity{Class: guaranteed, Mount: "/kubepods"}, "/kubepods", twoRoots},
		{cgroupname.Identity{Class: guaranteed, Mount: "/a/kubepods.slice/b"}, "/a/kubepods.slice/b", twoRoots},
		{cgroupname.Identity{Class: guaranteed, Mount: "/a-kubepods.slice"}, "/a-kubepods.slice", twoRoots},
		{cgroupname.Identity{Class: guaranteed, Mount: "/sys/"}, "/sys/", "it is not a clean absolute path"},
		{cgroupname.Identity{Class: guaranteed, Mount: "sys"}, "sys", "it is not a clean absolute path"},
		{cgroupname.Identity{Class: guaranteed, Driver: "other"}, "/kubepods", "its driver is neither cgroupfs nor systemd"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Below: "/x"}, "/x", "it belongs to a container, and there is none"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Runtime: "crio"}, "crio", "it belongs to a container, and there is none"},
		{cgroupname.Identity{Class: guaranteed, Container: "1"}, "1", "a container needs a pod"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a-b"}, "a-b", "the ID of a container consists of letters and digits"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a/b"}, "a/b", "the ID of a container consists of letters and digits"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Driver: cgroupname.Systemd}, "a", "under systemd, a runtime puts its name before the ID"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Runtime: "crio-conmon"}, "crio-conmon-a", notContainer},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Monitors: "b"}, "crio-conmon-b", notContainer},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Runtime: "crio", Monitors: "b"}, "crio-conmon-b", notContainer},
		{cgroupname.Identity{Class: guaranteed, Monitors: "b"}, "b", "a container needs a pod"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Monitors: "a-b"}, "a-b", "the ID of a container consists of letters and digits"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Monitors: fits}, "crio-conmon-" + fits, "it is longer than a file name may be"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Monitors: "b", Below: "x"}, "x", "it is not a clean absolute path"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Runtime: "a/b"}, "a/b", `"/" cannot be part of a component`},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Below: "x"}, "x", "it is not a clean absolute path"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: "a", Below: "/../x"}, "/../x", "it is not a clean absolute path"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: fits + "aaaaa"}, fits + "aaaaa", "it is longer than a file name may be"},
		{cgroupname.Identity{Class: guaranteed, UID: "1", Container: fits, Runtime: "abcd"}, "abcd-" + fits, "it is longer than a file name may be"},
	} {
		if got, err := test.id.Path(); got != "" || !isInvalid(err, test.name, test.reason) {
			t.Errorf("%+v: %q, %#v, want %q and %q", test.id, got, err, test.name, test.reason)
		}
	}
	if _, err := (cgroupname.Identity{Class: guaranteed, UID: "1", Container: fits, Runtime: "abc"}).Path(); err != nil {
		t.Errorf("an element of 255 bytes: %v", err)
	}
}
