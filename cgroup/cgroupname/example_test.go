package cgroupname_test

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

func ExampleParse() {
	id, err := cgroupname.Parse("/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice/cri-containerd-0a1b2c.scope")
	fmt.Println(id.Driver, id.Class, id.UID, id.Runtime, id.Container, err)
	// Output:
	// systemd Burstable 123-456 cri-containerd 0a1b2c <nil>
}

func ExampleIdentity_Path() {
	id := cgroupname.Identity{Driver: cgroupname.Systemd, Mount: "/sys/fs/cgroup", Class: corev1.PodQOSGuaranteed, UID: "123-456"}
	fmt.Println(id.Path())
	// Output:
	// /sys/fs/cgroup/kubepods.slice/kubepods-pod123_456.slice <nil>
}

func ExampleIdentityKind() {
	fmt.Println(cgroupname.Identity{UID: "1"}.Kind())
	// What conmon uses is the pod's, and not the container's.
	id, err := cgroupname.Parse("/kubepods.slice/kubepods-pod1.slice/crio-conmon-abc.scope")
	fmt.Println(id.Kind(), id.UID, id.Monitors, id.Container == "", err)
	// Output:
	// Pod
	// Monitor 1 abc true <nil>
}

// The mirror pod of a static pod has a UID of its own, which is in no name of a cgroup.
func ExampleUIDOf() {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{UID: "7c4ec1ae", Annotations: map[string]string{
		"kubernetes.io/config.hash": "0123456789abcdef", "kubernetes.io/config.mirror": "0123456789abcdef",
	}}}
	id := cgroupname.Identity{Class: corev1.PodQOSBurstable, UID: cgroupname.UIDOf(pod)}
	fmt.Println(id.Path())
	// Output:
	// /kubepods/burstable/pod0123456789abcdef <nil>
}
