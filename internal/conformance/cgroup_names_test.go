package conformance

import (
	"cmp"
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
)

func TestNames(t *testing.T) {
	component := rapid.StringMatching(`[A-Za-z0-9]{1,4}([-.:][A-Za-z0-9]{1,4}){0,4}`)
	rapid.Check(t, func(t *rapid.T) {
		components := rapid.SliceOfN(component, 0, 5).Draw(t, "components")
		name, err := cgroupname.New(components...)
		if err != nil {
			t.Fatal(err)
		}
		theirs := cm.NewCgroupName(cm.RootCgroupName, components...)
		if got, want := name.Cgroupfs(), theirs.ToCgroupfs(); got != want {
			t.Fatalf("cgroupfs: %s, the kubelet has %s", got, want)
		}
		if got, want := name.Systemd(), theirs.ToSystemd(); got != want {
			t.Fatalf("systemd: %s, the kubelet has %s", got, want)
		}
		if want, err := systemd.ExpandSlice(name.Unit()); err != nil || name.Systemd() != want {
			t.Fatalf("unit %s: %s, opencontainers/cgroups has %s, %v", name.Unit(), name.Systemd(), want, err)
		}
		if len(components) == 0 {
			return // which the kubelet reads back as one empty component
		}
		for spelling, parsed := range map[string][]string{
			"cgroupfs": cm.ParseCgroupfsToCgroupName(name.Cgroupfs()), "systemd": cm.ParseSystemdToCgroupName(name.Systemd()),
		} {
			if !slices.Equal(parsed, components) {
				t.Fatalf("%s: the kubelet reads %q, want %q", spelling, parsed, components)
			}
		}
	})
}

// A slice that opencontainers/cgroups cannot expand is not a Name, and it can expand the slice of every
// Name.
func TestSlices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		unit := rapid.StringMatching(`[-a_/.]{0,5}(\.slice)?`).Draw(t, "unit")
		want, err := systemd.ExpandSlice(unit)
		name, ours := cgroupname.ParseUnit(unit)
		if ours == nil && (err != nil || name.Systemd() != want) {
			t.Fatalf("%q is %s, opencontainers/cgroups has %q, %v", unit, name.Systemd(), want, err)
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
func TestDivergenceNamesThatLeadElsewhere(t *testing.T) {
	for _, component := range []string{"..", "", "a\nb"} {
		if _, err := cgroupname.New("kubepods", component); err == nil {
			t.Errorf("%q is accepted", component)
		}
	}
	if got := cm.NewCgroupName(cm.RootCgroupName, "kubepods", "..").ToCgroupfs(); got != "/." {
		t.Errorf("the kubelet has %s", got)
	}
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
	if err := kubeletpod.NewBasicMirrorClient(client, node.Name, nodeGetter{node}).CreateMirrorPod(t.Context(), static); err != nil {
		t.Fatal(err)
	}
	mirror, err := client.CoreV1().Pods(static.Namespace).Get(t.Context(), static.Name, metav1.GetOptions{})
	if err != nil || !kubetypes.IsMirrorPod(mirror) {
		t.Fatalf("%v, %v", mirror, err)
	}
	mirror.UID = "1b9d6bcd-bbfd-4b2d-9b5d-ab8dfbbd4bed" // set by the API server
	for what, pod := range map[string]*corev1.Pod{"static": static, "mirror": mirror} {
		if got := cgroupname.UIDOf(pod); got != static.UID {
			t.Errorf("%s pod: %s, want %s", what, got, static.UID)
		}
	}
}

// nodeGetter is a lister of one node.
type nodeGetter struct{ node *corev1.Node }

func (g nodeGetter) Get(string) (*corev1.Node, error) { return g.node, nil }
