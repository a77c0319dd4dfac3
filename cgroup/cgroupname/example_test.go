package cgroupname_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
)

func ExampleNew() {
	name, err := cgroupname.New("burstable", "pod123-456")
	fmt.Println(name.Cgroupfs(), err)
	fmt.Println(name.Systemd())
	// Output:
	// /burstable/pod123-456 <nil>
	// /burstable.slice/burstable-pod123_456.slice
}

func ExampleName() {
	root, _ := cgroupname.New("kubepods")
	fmt.Println(root, cgroupname.Name{})
	// Output:
	// /kubepods /
}

func ExampleName_Join() {
	root, _ := cgroupname.New("kubepods")
	pod, err := root.Join("besteffort", "pod123")
	fmt.Println(pod, err)
	// Output:
	// /kubepods/besteffort/pod123 <nil>
}

func ExampleName_Components() {
	name, _ := cgroupname.ParseSystemd("/kubepods.slice/kubepods-pod123_456.slice")
	for c := range name.Components() {
		fmt.Println(c)
	}
	// Output:
	// kubepods
	// pod123-456
}

func ExampleName_String() {
	name, _ := cgroupname.New("kubepods", "burstable")
	fmt.Println(name.String())
	// Output:
	// /kubepods/burstable
}

func ExampleName_Cgroupfs() {
	name, _ := cgroupname.New("kubepods", "burstable")
	fmt.Println(name.Cgroupfs())
	// Output:
	// /kubepods/burstable
}

func ExampleName_Systemd() {
	name, _ := cgroupname.New("kubepods", "burstable")
	fmt.Println(name.Systemd())
	// Output:
	// /kubepods.slice/kubepods-burstable.slice
}

func ExampleName_Unit() {
	name, _ := cgroupname.New("kubepods", "burstable")
	fmt.Println(name.Unit())
	// Output:
	// kubepods-burstable.slice
}

func ExampleParseCgroupfs() {
	fmt.Println(cgroupname.ParseCgroupfs("/kubepods/burstable"))
	// Output:
	// /kubepods/burstable <nil>
}

func ExampleParseSystemd() {
	name, _ := cgroupname.ParseSystemd("/burstable.slice/burstable-pod123_456.slice")
	fmt.Println(name)
	_, err := cgroupname.ParseSystemd("/burstable-pod123_456.slice")
	fmt.Println(err)
	// Output:
	// /burstable/pod123-456
	// invalid cgroup name "/burstable-pod123_456.slice": the path of burstable-pod123_456.slice is /burstable.slice/burstable-pod123_456.slice
}

func ExampleParseUnit() {
	fmt.Println(cgroupname.ParseUnit("burstable-pod123_456.slice"))
	// Output:
	// /burstable/pod123-456 <nil>
}

func ExampleParse() {
	id, err := cgroupname.Parse("/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice/cri-containerd-0a1b2c.scope")
	fmt.Println(id.Driver, id.Class, id.UID, id.Runtime, id.Container, err)
	// Output:
	// systemd Burstable 123-456 cri-containerd 0a1b2c <nil>
}

func ExampleIdentity() {
	id := cgroupname.Identity{Class: corev1.PodQOSBestEffort, UID: "123-456", Container: "0a1b2c"}
	fmt.Println(id.Path())
	// Output:
	// /kubepods/besteffort/pod123-456/0a1b2c <nil>
}

func ExampleIdentity_Path() {
	id := cgroupname.Identity{Driver: cgroupname.Systemd, Mount: "/sys/fs/cgroup", Class: corev1.PodQOSGuaranteed, UID: "123-456"}
	fmt.Println(id.Path())
	// Output:
	// /sys/fs/cgroup/kubepods.slice/kubepods-pod123_456.slice <nil>
}

func ExampleIdentity_Name() {
	id := cgroupname.Identity{Driver: cgroupname.Systemd, Class: corev1.PodQOSBurstable, UID: "123-456"}
	fmt.Println(id.Name())
	// Output:
	// /kubepods/burstable/pod123-456 <nil>
}

func ExampleDriver() {
	fmt.Printf("%q %q\n", cgroupname.Cgroupfs, cgroupname.Systemd)
	// Output:
	// "" "systemd"
}

func ExampleInvalidNameError() {
	_, err := cgroupname.New("kubepods", "pod_1")
	var invalid *cgroupname.InvalidNameError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Name, "because", invalid.Detail)
	}
	// Output:
	// pod_1 because "_" cannot be part of a component
}

func ExampleInvalidNameError_Error() {
	_, err := cgroupname.New("")
	fmt.Println(err.Error())
	// Output:
	// invalid cgroup name "": a component is empty
}

// An agent skips cgroups that are not of a container.
func ExampleIdentity_Kind() {
	for _, path := range []string{"/kubepods/burstable", "/kubepods/burstable/pod1/abc"} {
		id, err := cgroupname.Parse(path)
		if err == nil && id.Kind() == cgroupname.Container {
			fmt.Println(id.Container)
		}
	}
	// Output:
	// abc
}

func ExampleIdentityKind() {
	fmt.Println(cgroupname.Identity{UID: "1"}.Kind())
	// What conmon uses is the pod's, and not the container's.
	id, err := cgroupname.Parse("/kubepods.slice/kubepods-pod1.slice/crio-conmon-abc.scope")
	fmt.Println(id.Kind(), id.UID, id.Monitors, id.Container == "", err)
	// Output:
	// pod
	// monitor 1 abc true <nil>
}

func ExampleNameCause() {
	_, err := cgroupname.Parse("/system.slice/crio-conmon-abc.scope")
	var invalid *cgroupname.InvalidNameError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Cause == cgroupname.NoPods)
	}
	// Output:
	// true
}

// A kubelet whose pods are directly below the root of the hierarchy.
func ExampleParseBelow() {
	root := cgroupname.Identity{Driver: cgroupname.Systemd, WithoutKubepods: true}
	id, err := cgroupname.ParseBelow("/burstable.slice/burstable-pod1_2.slice", root)
	fmt.Println(id.Kind(), id.UID, err)
	// Output:
	// pod 1-2 <nil>
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
