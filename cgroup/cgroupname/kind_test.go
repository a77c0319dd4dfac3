package cgroupname_test

import (
	"testing"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/testkit"
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
	testkit.Equal(t, (cgroupname.Identity{}).Kind(), "", "no class")
}
