package conformance

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/opencontainers/cgroups/systemd"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	"k8s.io/kubernetes/pkg/kubelet/cm"
	kubeletpod "k8s.io/kubernetes/pkg/kubelet/pod"
	kubetypes "k8s.io/kubernetes/pkg/kubelet/types"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/internal/testkit"
)

// rootPath returns the path of a cgroup that is a root of all pods.
func rootPath(driver cgroupname.Driver, root string) (string, error) {
	return cgroupname.Identity{Driver: driver, CgroupRoot: root, WithoutKubepods: true, Class: corev1.PodQOSGuaranteed}.Path()
}

func TestNames(t *testing.T) {
	component := rapid.StringMatching(`[A-Za-z0-9]{1,4}([-.:][A-Za-z0-9]{1,4}){0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		components := rapid.SliceOfN(component, 0, 5).Draw(t, "components")
		root := "/" + strings.Join(components, "/")
		theirs := cm.NewCgroupName(cm.RootCgroupName, components...)
		inCgroupfs, err := rootPath(cgroupname.Cgroupfs, root)
		if want := theirs.ToCgroupfs(); err != nil || inCgroupfs != want {
			t.Fatalf("cgroupfs: %s, %v, the kubelet has %s", inCgroupfs, err, want)
		}
		inSystemd, err := rootPath(cgroupname.Systemd, root)
		if want := theirs.ToSystemd(); err != nil || inSystemd != want {
			t.Fatalf("systemd: %s, %v, the kubelet has %s", inSystemd, err, want)
		}
		if len(components) == 0 {
			return // which the kubelet reads back as one empty component
		}
		if want, err := systemd.ExpandSlice(path.Base(inSystemd)); err != nil || inSystemd != want {
			t.Fatalf("unit: %s, opencontainers/cgroups has %s, %v", inSystemd, want, err)
		}
		for spelling, parsed := range map[string][]string{
			"cgroupfs": cm.ParseCgroupfsToCgroupName(inCgroupfs), "systemd": cm.ParseSystemdToCgroupName(inSystemd),
		} {
			if !slices.Equal(parsed, components) {
				t.Fatalf("%s: the kubelet reads %q, want %q", spelling, parsed, components)
			}
		}
	})
}

// opencontainers/cgroups can expand the slice of every name that is valid, to the same path.
func TestSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		root := rapid.StringMatching(`/[-a_/.]{1,6}(\.slice)?`).Draw(t, "root")
		got, ours := rootPath(cgroupname.Systemd, root)
		if ours != nil || got == "/" {
			return
		}
		if want, err := systemd.ExpandSlice(path.Base(got)); err != nil || got != want {
			t.Fatalf("%q is %s, opencontainers/cgroups has %q, %v", root, got, want, err)
		}
	})
}

func TestPodNames(t *testing.T) {
	uid := rapid.StringMatching(`[0-9a-f]{1,8}(-[0-9a-f]{1,4}){0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		ref := cgroupname.Identity{
			Class: rapid.SampledFrom([]corev1.PodQOSClass{corev1.PodQOSGuaranteed, corev1.PodQOSBurstable, corev1.PodQOSBestEffort}).Draw(t, "class"),
			UID:   types.UID(uid.Draw(t, "uid")),
		}
		for driver, spelling := range map[cgroupname.Driver]func(cm.CgroupName) string{
			cgroupname.Cgroupfs: cm.CgroupName.ToCgroupfs, cgroupname.Systemd: cm.CgroupName.ToSystemd,
		} {
			ref.Driver = driver
			root := cm.NodeAllocatableRoot("/", true, cmp.Or(string(driver), "cgroupfs"))
			parent := cm.NewCgroupName(cm.RootCgroupName, "kubepods")
			if spelling(parent) != root {
				t.Fatalf("the kubelet's root is %s", root)
			}
			if ref.Class != corev1.PodQOSGuaranteed {
				parent = cm.NewCgroupName(parent, strings.ToLower(string(ref.Class)))
			}
			want := spelling(cm.NewCgroupName(parent, cm.GetPodCgroupNameSuffix(ref.UID)))
			if got, err := ref.Path(); err != nil || got != want {
				t.Fatalf("%+v: %s, %v, the kubelet has %s", ref, got, err, want)
			}
		}
	})
}

// The kubelet accepts components that systemd would read differently, or that lead out of their
// parent. Ours returns errors, so an untrusted name cannot refer to another cgroup.
// See docs/decisions/cgroup.md#names-lead-nowhere-else.
func TestDivergenceNamesThatLeadElsewhere(t *testing.T) {
	for _, component := range []string{"..", "", "a\nb"} {
		if _, err := rootPath(cgroupname.Systemd, "/kubepods/"+component); err == nil {
			t.Errorf("%q is accepted", component)
		}
	}
	testkit.Equal(t, cm.NewCgroupName(cm.RootCgroupName, "kubepods", "..").ToCgroupfs(), "/.", "the kubelet has")
}

// A mirror pod, as the kubelet creates it in the API server, leads to the cgroup of the static pod.
func TestMirrorPods(t *testing.T) {
	static := &corev1.Pod{}
	static.Name, static.Namespace, static.UID = "etcd-node-1", "kube-system", "0123456789abcdef0123456789abcdef"
	static.Annotations = map[string]string{ // set by applyDefaults of pkg/kubelet/config
		kubetypes.ConfigHashAnnotationKey: string(static.UID), kubetypes.ConfigSourceAnnotationKey: kubetypes.FileSource,
	}
	client := fake.NewSimpleClientset()
	node := &corev1.Node{}
	node.Name, node.UID = "node-1", "node-uid"
	testkit.OK(t, kubeletpod.NewBasicMirrorClient(client, node.Name, nodeGetter{node}).CreateMirrorPod(t.Context(), static))
	mirror, err := client.CoreV1().Pods(static.Namespace).Get(t.Context(), static.Name, metav1.GetOptions{})
	if err != nil || !kubetypes.IsMirrorPod(mirror) {
		t.Fatalf("%v, %v", mirror, err)
	}
	mirror.UID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed" // set by the API server
	for what, pod := range map[string]*corev1.Pod{"static": static, "mirror": mirror} {
		testkit.Equal(t, cgroupname.UIDOf(pod), static.UID, what, "pod")
	}
}

// nodeGetter is a lister of one node.
type nodeGetter struct{ node *corev1.Node }

func (g nodeGetter) Get(string) (*corev1.Node, error) { return g.node, nil }
