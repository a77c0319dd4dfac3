package cgroupname_test

import (
	"testing"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

// The elements of a path, the name of the last slice and the UID of the pod are taken apart.
func TestAllocs(t *testing.T) {
	for _, test := range []struct {
		name, path string
		allow      float64
	}{
		{"systemd", "/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod0f1e2d3c_4b5a_6978_8796_a5b4c3d2e1f0.slice/cri-containerd-0a1b2c3d.scope", 50},
		{"cgroupfs", "/kubepods/burstable/pod0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0/0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718293a4b5c6d7e8f9", 15},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := cgroupname.Parse(test.path); err != nil {
				t.Fatal(err)
			}
			got := testing.AllocsPerRun(100, func() { cgroupname.Parse(test.path) })
			if got > test.allow {
				t.Errorf("%.0f allocations, want at most %.0f", got, test.allow)
			}
		})
	}
}
