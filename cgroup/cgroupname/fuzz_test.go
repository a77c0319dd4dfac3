package cgroupname_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/types"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

// For any path, Parse returns either an Identity with that path or an error with a cause.
func FuzzParse(f *testing.F) {
	for _, test := range refs {
		f.Add(test.path)
	}
	for _, path := range []string{"", "/", "/-.slice", "/kubepods/pod-1", "/kubepods.slice/.scope", "/a--kubepods.slice", "/-kubepods.slice/x", "/kubepods/pod1/a\x00"} {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, path string) {
		id, err := cgroupname.Parse(path)
		checkError(t, err)
		if err == nil {
			if got, err := id.Path(); err != nil || got != path {
				t.Errorf("%q is parsed into %+v, which is %q, %v", path, id, got, err)
			}
		}
	})
}

// Any parts are recovered from the path that they form.
func FuzzPath(f *testing.F) {
	for _, test := range refs {
		r := test.id
		f.Add(string(r.Driver), r.Mount, r.CgroupRoot, string(r.Class), string(r.UID), r.Container, r.Runtime, r.Monitors, r.Below)
	}
	f.Fuzz(func(t *testing.T, driver, mount, root, class, uid, container, runtime, monitors, below string) {
		id := cgroupname.Identity{
			Driver: cgroupname.Driver(driver), Mount: mount, CgroupRoot: root, Class: corev1.PodQOSClass(class),
			UID: types.UID(uid), Container: container, Runtime: runtime, Monitors: monitors, Below: below,
		}
		path, err := id.Path()
		checkError(t, err)
		if err != nil {
			return
		}
		if id.CgroupRoot == "/" {
			id.CgroupRoot = ""
		}
		if id.Driver == cgroupname.Cgroupfs {
			id.Mount, id.CgroupRoot = id.Mount+id.CgroupRoot, ""
		}
		got, err := cgroupname.Parse(path)
		if err != nil || got != id {
			t.Errorf("%+v is %q, which is parsed into %+v, %v", id, path, got, err)
		}
	})
}

func checkError(t *testing.T, err error) {
	t.Helper()
	if err != nil && !strings.HasPrefix(err.Error(), "invalid cgroup name \"") {
		t.Errorf("error %q", err)
	}
}
