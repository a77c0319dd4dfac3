package cm

import (
	"errors"
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	v1qos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"kubemath.example/upstream/beside"
)

// pathOf returns the path of a cgroup with the given components.
func pathOf(driver cgroupname.Driver, components []string) (string, error) {
	if slices.ContainsFunc(components, func(c string) bool { return c == "" || strings.Contains(c, "/") }) {
		return "", errors.New("no path has such components")
	}
	return cgroupname.Identity{
		Driver: driver, CgroupRoot: "/" + strings.Join(components, "/"), WithoutKubepods: true, Class: corev1.PodQOSGuaranteed,
	}.Path()
}

func (cgroupName CgroupName) ToSystemd() string {
	theirs := cgroupName.upstreamToSystemd()
	ours, err := pathOf(cgroupname.Systemd, cgroupName)
	if err != nil {
		beside.Forward("ToSystemd", "a name that cannot be read back")
		return theirs
	}
	beside.Compare("ToSystemd", ours, theirs)
	return ours
}

func (cgroupName CgroupName) ToCgroupfs() string {
	theirs := cgroupName.upstreamToCgroupfs()
	ours, err := pathOf(cgroupname.Cgroupfs, cgroupName)
	if err != nil {
		beside.Forward("ToCgroupfs", "a name that cannot be read back")
		return theirs
	}
	beside.Compare("ToCgroupfs", ours, theirs)
	return ours
}

func GetPodCgroupNameSuffix(podUID types.UID) string {
	theirs := upstreamGetPodCgroupNameSuffix(podUID)
	name, err := cgroupname.Identity{Class: corev1.PodQOSGuaranteed, UID: podUID}.Path()
	if err != nil || podUID == "" {
		beside.Forward("GetPodCgroupNameSuffix", "a UID that no cgroup can have")
		return theirs
	}
	ours := path.Base(name)
	beside.Compare("GetPodCgroupNameSuffix", ours, theirs)
	return ours
}

func NodeAllocatableRoot(cgroupRoot string, cgroupsPerQOS bool, cgroupDriver string) string {
	theirs := upstreamNodeAllocatableRoot(cgroupRoot, cgroupsPerQOS, cgroupDriver)
	if cgroupRoot == "" || !cgroupsPerQOS {
		beside.Forward("NodeAllocatableRoot", "a kubelet without a root of all pods")
		return theirs
	}
	ref := cgroupname.Identity{CgroupRoot: cgroupRoot, Class: corev1.PodQOSGuaranteed}
	if cgroupDriver == "systemd" {
		ref.Driver = cgroupname.Systemd
	}
	ours, err := ref.Path()
	beside.Compare("NodeAllocatableRoot: an error", err != nil, false)
	beside.Compare("NodeAllocatableRoot", ours, theirs)
	return ours
}

// root returns the root of all pods, which upstream's tests take to be /.
func (m *podContainerManagerImpl) root() cgroupname.Identity {
	root, err := pathOf(cgroupname.Cgroupfs, m.qosContainersInfo.Guaranteed)
	beside.Compare("the root of all pods: an error", err != nil, false)
	return cgroupname.Identity{CgroupRoot: root, WithoutKubepods: true}
}

func (m *podContainerManagerImpl) GetPodContainerName(pod *corev1.Pod) (CgroupName, string) {
	in := beside.Keep("GetPodContainerName", pod)
	theirs, theirPath := m.upstreamGetPodContainerName(pod.DeepCopy())
	id := m.root()
	id.Class, id.UID = v1qos.GetPodQOS(pod), pod.UID
	path, err := id.Path()
	if err != nil || pod.UID == "" {
		beside.Forward("GetPodContainerName", "a UID that no cgroup can have")
		return theirs, theirPath
	}
	ours := CgroupName(strings.Split(path[1:], "/"))
	oursPath := m.cgroupManager.Name(ours)
	in.Unchanged()
	beside.Compare("GetPodContainerName", ours, theirs)
	beside.Compare("GetPodContainerName: path", oursPath, theirPath)
	return ours, oursPath
}
