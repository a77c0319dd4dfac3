package cm

import (
	"path"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	v1qos "k8s.io/kubernetes/pkg/apis/core/v1/helper/qos"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"kubemath.example/upstream/beside"
)

func NewCgroupName(base CgroupName, components ...string) CgroupName {
	theirs := upstreamNewCgroupName(base, components...)
	name, err := cgroupname.New(slices.Concat(base, components)...)
	if err != nil {
		beside.Forward("NewCgroupName", "a name that cannot be read back")
		return theirs
	}
	ours := CgroupName(slices.AppendSeq([]string{}, name.Components()))
	beside.Compare("NewCgroupName", ours, theirs)
	return ours
}

func (cgroupName CgroupName) ToSystemd() string {
	theirs := cgroupName.upstreamToSystemd()
	name, err := cgroupname.New(cgroupName...)
	if err != nil {
		beside.Forward("ToSystemd", "a name that cannot be read back")
		return theirs
	}
	beside.Compare("ToSystemd", name.Systemd(), theirs)
	return name.Systemd()
}

func (cgroupName CgroupName) ToCgroupfs() string {
	theirs := cgroupName.upstreamToCgroupfs()
	name, err := cgroupname.New(cgroupName...)
	if err != nil {
		beside.Forward("ToCgroupfs", "a name that cannot be read back")
		return theirs
	}
	beside.Compare("ToCgroupfs", name.Cgroupfs(), theirs)
	return name.Cgroupfs()
}

func ParseSystemdToCgroupName(name string) CgroupName {
	theirs := upstreamParseSystemdToCgroupName(name)
	parsed, err := cgroupname.ParseSystemd(name)
	if err != nil || name == "/" {
		beside.Forward("ParseSystemdToCgroupName", "a path that systemd does not have, or the root")
		return theirs
	}
	ours := CgroupName(slices.Collect(parsed.Components()))
	beside.Compare("ParseSystemdToCgroupName", ours, theirs)
	return ours
}

func ParseCgroupfsToCgroupName(name string) CgroupName {
	theirs := upstreamParseCgroupfsToCgroupName(name)
	parsed, err := cgroupname.ParseCgroupfs(name)
	if err != nil {
		beside.Forward("ParseCgroupfsToCgroupName", "a path that has no form for systemd")
		return theirs
	}
	ours := CgroupName(slices.AppendSeq([]string{}, parsed.Components()))
	beside.Compare("ParseCgroupfsToCgroupName", ours, theirs)
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
	root, err := cgroupname.ParseCgroupfs(cgroupRoot)
	if err != nil || !cgroupsPerQOS {
		beside.Forward("NodeAllocatableRoot", "a kubelet without a root of all pods")
		return theirs
	}
	ref := cgroupname.Identity{CgroupRoot: root, Class: corev1.PodQOSGuaranteed}
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
	root, err := cgroupname.New(m.qosContainersInfo.Guaranteed...)
	beside.Compare("the root of all pods: an error", err != nil, false)
	return cgroupname.Identity{CgroupRoot: root, WithoutKubepods: true}
}

func (m *podContainerManagerImpl) GetPodContainerName(pod *corev1.Pod) (CgroupName, string) {
	in := beside.Keep("GetPodContainerName", pod)
	theirs, theirPath := m.upstreamGetPodContainerName(pod.DeepCopy())
	id := m.root()
	id.Class, id.UID = v1qos.GetPodQOS(pod), pod.UID
	name, err := id.Name()
	if err != nil || pod.UID == "" {
		beside.Forward("GetPodContainerName", "a UID that no cgroup can have")
		return theirs, theirPath
	}
	ours := CgroupName(slices.AppendSeq([]string{}, name.Components()))
	oursPath := m.cgroupManager.Name(ours)
	in.Unchanged()
	beside.Compare("GetPodContainerName", ours, theirs)
	beside.Compare("GetPodContainerName: path", oursPath, theirPath)
	return ours, oursPath
}

func (m *podContainerManagerImpl) IsPodCgroup(cgroupfs string) (bool, types.UID) {
	theirs, theirUID := m.upstreamIsPodCgroup(cgroupfs)
	var ref cgroupname.Identity
	if name, err := cgroupname.New(m.cgroupManager.CgroupName(cgroupfs)...); err == nil {
		if ref, err = cgroupname.ParseBelow(name.Cgroupfs(), m.root()); err != nil || ref.Kind() != cgroupname.Pod {
			ref = cgroupname.Identity{}
		}
	}
	beside.Compare("IsPodCgroup", ref.UID != "", theirs)
	beside.Compare("IsPodCgroup: UID", ref.UID, theirUID)
	return ref.UID != "", ref.UID
}
