package names_test

import (
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/kubemath/kubemath/cgroup/names"
)

func ExampleNew() {
	name, err := names.New("burstable", "pod123-456")
	fmt.Println(name.Cgroupfs(), err)
	fmt.Println(name.Systemd())
	// Output:
	// /burstable/pod123-456 <nil>
	// /burstable.slice/burstable-pod123_456.slice
}

func ExampleName() {
	root, _ := names.New("kubepods")
	fmt.Println(root, names.Name{})
	// Output:
	// /kubepods /
}

func ExampleName_Join() {
	root, _ := names.New("kubepods")
	pod, err := root.Join("besteffort", "pod123")
	fmt.Println(pod, err)
	// Output:
	// /kubepods/besteffort/pod123 <nil>
}

func ExampleName_Components() {
	name, _ := names.ParseSystemd("/kubepods.slice/kubepods-pod123_456.slice")
	for c := range name.Components() {
		fmt.Println(c)
	}
	// Output:
	// kubepods
	// pod123-456
}

func ExampleName_String() {
	name, _ := names.New("kubepods", "burstable")
	fmt.Println(name.String())
	// Output:
	// /kubepods/burstable
}

func ExampleName_Cgroupfs() {
	name, _ := names.New("kubepods", "burstable")
	fmt.Println(name.Cgroupfs())
	// Output:
	// /kubepods/burstable
}

func ExampleName_Systemd() {
	name, _ := names.New("kubepods", "burstable")
	fmt.Println(name.Systemd())
	// Output:
	// /kubepods.slice/kubepods-burstable.slice
}

func ExampleName_Unit() {
	name, _ := names.New("kubepods", "burstable")
	fmt.Println(name.Unit())
	// Output:
	// kubepods-burstable.slice
}

func ExampleParseCgroupfs() {
	fmt.Println(names.ParseCgroupfs("/kubepods/burstable"))
	// Output:
	// /kubepods/burstable <nil>
}

func ExampleParseSystemd() {
	name, _ := names.ParseSystemd("/burstable.slice/burstable-pod123_456.slice")
	fmt.Println(name)
	_, err := names.ParseSystemd("/burstable-pod123_456.slice")
	fmt.Println(err)
	// Output:
	// /burstable/pod123-456
	// invalid cgroup name "/burstable-pod123_456.slice": the path of burstable-pod123_456.slice is /burstable.slice/burstable-pod123_456.slice
}

func ExampleParseUnit() {
	fmt.Println(names.ParseUnit("burstable-pod123_456.slice"))
	// Output:
	// /burstable/pod123-456 <nil>
}

func ExampleParse() {
	ref, err := names.Parse("/sys/fs/cgroup/kubepods.slice/kubepods-burstable.slice/kubepods-burstable-pod123_456.slice/cri-containerd-0a1b2c.scope")
	fmt.Println(ref.Driver, ref.Class, ref.UID, ref.Runtime, ref.Container, err)
	// Output:
	// systemd Burstable 123-456 cri-containerd 0a1b2c <nil>
}

func ExampleRef() {
	ref := names.Ref{Class: corev1.PodQOSBestEffort, UID: "123-456", Container: "0a1b2c"}
	fmt.Println(ref.Path())
	// Output:
	// /kubepods/besteffort/pod123-456/0a1b2c <nil>
}

func ExampleRef_Path() {
	ref := names.Ref{Driver: names.Systemd, Mount: "/sys/fs/cgroup", Class: corev1.PodQOSGuaranteed, UID: "123-456"}
	fmt.Println(ref.Path())
	// Output:
	// /sys/fs/cgroup/kubepods.slice/kubepods-pod123_456.slice <nil>
}

func ExampleRef_Name() {
	ref := names.Ref{Driver: names.Systemd, Class: corev1.PodQOSBurstable, UID: "123-456"}
	fmt.Println(ref.Name())
	// Output:
	// /kubepods/burstable/pod123-456 <nil>
}

func ExampleDriver() {
	fmt.Println(names.Cgroupfs, names.Systemd)
	// Output:
	// cgroupfs systemd
}

func ExampleDriver_String() {
	fmt.Println(names.Systemd.String())
	// Output:
	// systemd
}

func ExampleInvalidError() {
	_, err := names.New("kubepods", "pod_1")
	var invalid *names.InvalidError
	if errors.As(err, &invalid) {
		fmt.Println(invalid.Name, "because", invalid.Detail)
	}
	// Output:
	// pod_1 because "_" cannot be part of a component
}

func ExampleInvalidError_Error() {
	_, err := names.New("")
	fmt.Println(err.Error())
	// Output:
	// invalid cgroup name "": a component is empty
}
