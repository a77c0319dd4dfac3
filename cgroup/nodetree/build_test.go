package nodetree_test

import (
	"fmt"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/cgroup/cgroupconfig"
	"github.com/kubemath/kubemath/cgroup/cgroupname"
	"github.com/kubemath/kubemath/cgroup/nodetree"
	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
)

var (
	list      = testkit.List
	container = testkit.Container
)

// pod returns a pod of the namespace "d", whose UID is its name in lower case.
func pod(name string, containers ...corev1.Container) *corev1.Pod {
	p := &corev1.Pod{Spec: corev1.PodSpec{Containers: containers}}
	p.Namespace, p.Name, p.UID = "d", name, types.UID(strings.ToLower(name))
	return p
}

// documentPods are Pod1 to Pod5 of the kubelet's "Pod level resource management". Requests that
// follow from limits are only filled in for the first two, as in the sums of the document.
func documentPods() []*corev1.Pod {
	pods := []*corev1.Pod{
		pod("Pod1", container("foo", nil, list("cpu", "10m", "memory", "1Gi")), container("bar", nil, list("cpu", "100m", "memory", "2Gi"))),
		pod("Pod2", container("foo", nil, list("cpu", "20m", "memory", "2Gi"))),
		pod("Pod3", container("foo", list("cpu", "20m", "memory", "1Gi"), list("cpu", "50m", "memory", "2Gi")), container("bar", nil, list("cpu", "100m", "memory", "1Gi"))),
		pod("Pod4", container("foo", list("cpu", "10m", "memory", "1Gi"), list("cpu", "20m", "memory", "2Gi"))),
		pod("Pod5", container("foo", nil, nil), container("bar", nil, nil)),
	}
	computeresources.ApplyRequestDefaults(&pods[0].Spec, computeresources.Kubernetes{})
	computeresources.ApplyRequestDefaults(&pods[1].Spec, computeresources.Kubernetes{})
	return pods
}

func build(t testkit.TB, pods []*corev1.Pod, opts nodetree.Options) nodetree.Tree {
	t.Helper()
	root, err := nodetree.Build(pods, opts)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return root
}

// outline writes a line for each group, indented by its depth.
func outline(root nodetree.Tree, line func(*nodetree.Tree) string) []string {
	var lines []string
	for depth, g := range root.All() {
		lines = append(lines, strings.TrimRight(strings.Repeat("  ", depth)+g.Title+" "+line(g), " "))
	}
	return lines
}

// The hierarchy of the document with its values, on a node that is too small for all demands. v2
// moves CPU from Burstable pods to BestEffort ones.
func TestDocumentTree(t *testing.T) {
	all := int64(100)
	opts := nodetree.Options{MilliCPU: 200, Kubelet: cgroupconfig.Options{ReservedPercent: &all, NodeMemory: cgroupconfig.NodeMemory{Allocatable: 16 << 30}}}
	root := build(t, documentPods(), opts)
	got := outline(root, func(g *nodetree.Tree) string {
		c, m := g.Config, g.CPU
		return fmt.Sprintf("%v %s %v: %v %v %v: %s %s %s", g.Level, g.Class, g.Path, c.Shares, c.Quota, c.Memory,
			string(m.Shares), string(m.Linear), string(m.Mixed))
	})
	want := []string{
		"kubepods AllPods Guaranteed /kubepods: 204  17179869184: 200 200 200",
		"  d/Pod1 Pod Guaranteed /kubepods/podpod1: 112 11000 3221225472: 110 110 110",
		"    foo Container Guaranteed : 10 1000 1073741824: 10 10 10",
		"    bar Container Guaranteed : 102 10000 2147483648: 100 100 100",
		"  d/Pod2 Pod Guaranteed /kubepods/podpod2: 20 2000 2147483648: 20 20 20",
		"    foo Container Guaranteed : 20 2000 2147483648: 20 20 20",
		"  burstable Tier Burstable /kubepods/burstable: 30  11811160064: 525/8 140/3 140/3",
		"    d/Pod3 Pod Burstable /kubepods/burstable/podpod3: 20 15000 3221225472: 365/8 80/3 80/3",
		"      foo Container Burstable : 20 5000 2147483648: 1825/244 16/3 160/23",
		"      bar Container Burstable : 102 10000 1073741824: 18615/488 64/3 1360/69",
		"    d/Pod4 Pod Burstable /kubepods/burstable/podpod4: 10 2000 2147483648: 20 20 20",
		"      foo Container Burstable : 10 2000 2147483648: 20 20 20",
		"  besteffort Tier BestEffort /kubepods/besteffort: 2  9663676416: 35/8 70/3 70/3",
		"    d/Pod5 Pod BestEffort /kubepods/besteffort/podpod5: 2  : 35/8 70/3 70/3",
		"      foo Container BestEffort : 2  : 35/16 35/3 35/3",
		"      bar Container BestEffort : 2  : 35/16 35/3 35/3",
	}
	testkit.NoDiff(t, got, want)
}

func TestEmptyNode(t *testing.T) {
	root := build(t, nil, nodetree.Options{MilliCPU: 4000})
	got := outline(root, func(g *nodetree.Tree) string {
		return fmt.Sprintf("%v %v %s %s %s", g.Level, g.Config.Shares, string(g.CPU.Shares), string(g.CPU.Linear), string(g.CPU.Mixed))
	})
	want := []string{"kubepods AllPods 4096 0 0 0", "  burstable Tier 2 0 0 0", "  besteffort Tier 2 0 0 0"}
	testkit.NoDiff(t, got, want)
}

func TestWhatHasACgroup(t *testing.T) {
	finished, failed, pending := pod("finished"), pod("failed"), pod("pending", container("a", nil, nil))
	finished.Status.Phase, failed.Status.Phase, pending.Status.Phase = corev1.PodSucceeded, corev1.PodFailed, corev1.PodPending
	finished.UID, failed.UID = "", "" // nor do they matter otherwise
	busy := pod("busy", container("app", nil, nil))
	busy.Spec.InitContainers = []corev1.Container{container("setup", nil, nil), testkit.Sidecar("proxy", nil, nil)}
	root := build(t, []*corev1.Pod{nil, finished, pending, failed, busy, pod("empty")}, nodetree.Options{MilliCPU: 600})
	want := []string{
		"kubepods 600", "  burstable 0", "  besteffort 600", "    d/busy 300", "      proxy 150", "      app 150", "    d/empty 0", "    d/pending 300", "      a 300",
	}
	testkit.NoDiff(t, outline(root, func(g *nodetree.Tree) string { return string(g.CPU.Shares) }), want)
}

func TestOrder(t *testing.T) {
	named := func(namespace, name, uid string) *corev1.Pod {
		p := pod(name)
		p.Namespace, p.UID = namespace, types.UID(uid)
		return p
	}
	pods := []*corev1.Pod{named("b", "x", "1"), named("a", "z", "2"), named("a", "y", "4"), named("a", "y", "3"), named("", "zz", "5")}
	root := build(t, pods, nodetree.Options{})
	want := []string{
		"kubepods /kubepods", "  burstable /kubepods/burstable", "  besteffort /kubepods/besteffort", "    zz /kubepods/besteffort/pod5",
		"    a/y /kubepods/besteffort/pod3", "    a/y /kubepods/besteffort/pod4", "    a/z /kubepods/besteffort/pod2", "    b/x /kubepods/besteffort/pod1",
	}
	testkit.NoDiff(t, outline(root, func(g *nodetree.Tree) string { return g.Path }), want)
	if pods[0].Name != "x" {
		t.Error("the list has been sorted")
	}
}

// The kubelet names the cgroups of a static pod by the UID of its own, which is not that of the
// mirror pod in the API server.
func TestMirrorPods(t *testing.T) {
	mirror := func(name string, uid types.UID, hash string) *corev1.Pod {
		p := pod(name, container("main", nil, nil))
		p.UID = uid
		p.Annotations = map[string]string{
			"kubernetes.io/config.source": "file", "kubernetes.io/config.hash": hash, "kubernetes.io/config.mirror": hash,
		}
		return p
	}
	etcd := mirror("etcd", "api-uid", "0123456789abcdef")
	etcd.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "main", ContainerID: "containerd://1a"}}
	tree := build(t, []*corev1.Pod{etcd}, nodetree.Options{
		MilliCPU: 1000, Demands: map[types.UID]map[string]int64{"api-uid": {"main": 300}},
	})
	want := []string{
		"kubepods /kubepods 300", "  burstable /kubepods/burstable 0", "  besteffort /kubepods/besteffort 300",
		"    d/etcd /kubepods/besteffort/pod0123456789abcdef 300", "      main /kubepods/besteffort/pod0123456789abcdef/1a 300",
	}
	testkit.NoDiff(t, outline(tree, func(g *nodetree.Tree) string { return g.Path + " " + string(g.CPU.Mixed) }), want)
	if _, err := nodetree.Build([]*corev1.Pod{etcd, mirror("other", "api-uid-2", "0123456789abcdef")}, nodetree.Options{}); err == nil || err.Error() != "pod d/other: it has the UID of pod d/etcd" {
		t.Errorf("two pods with one cgroup: %v", err)
	}
	if _, err := nodetree.Build([]*corev1.Pod{mirror("a", "", "1"), mirror("b", "", "2")}, nodetree.Options{}); err != nil {
		t.Errorf("mirror pods without UIDs of their own: %v", err)
	}
	// Pods of one name are in the order of their cgroups.
	tree = build(t, []*corev1.Pod{mirror("a", "1", "z"), mirror("a", "2", "y")}, nodetree.Options{})
	if got := tree.Children[1].Children; got[0].Path != "/kubepods/besteffort/pody" || got[1].Path != "/kubepods/besteffort/podz" {
		t.Errorf("in the order %s, %s", got[0].Path, got[1].Path)
	}
}

func TestPaths(t *testing.T) {
	p := pod("p", container("a", nil, nil), container("b", nil, nil), container("c", nil, nil), container("d", nil, nil), container("e", nil, nil))
	p.Spec.InitContainers = []corev1.Container{testkit.Sidecar("s", nil, nil)}
	p.Status.ContainerStatuses = []corev1.ContainerStatus{
		{Name: "a", ContainerID: "containerd://1a"}, {Name: "b", ContainerID: "cri-o://1b"}, {Name: "c", ContainerID: "docker://1c"}, {Name: "d", ContainerID: "1d"},
		{Name: "e", ContainerID: "containerd://../x"}, {Name: "s", ContainerID: ""},
	}
	p.Status.InitContainerStatuses = []corev1.ContainerStatus{{Name: "s", ContainerID: "containerd://1f"}, {Name: "a", ContainerID: "containerd://other"}}
	p.Status.ContainerStatuses = p.Status.ContainerStatuses[:5]
	for _, test := range []struct {
		opts nodetree.Options
		want []string
	}{
		{nodetree.Options{CgroupRoot: "/kubelet"}, []string{
			"kubepods /kubelet/kubepods", "  burstable /kubelet/kubepods/burstable", "  besteffort /kubelet/kubepods/besteffort", "    d/p /kubelet/kubepods/besteffort/podp",
			"      s /kubelet/kubepods/besteffort/podp/1f", "      a /kubelet/kubepods/besteffort/podp/1a", "      b /kubelet/kubepods/besteffort/podp/crio-1b",
			"      c /kubelet/kubepods/besteffort/podp/1c", "      d", "      e",
		}},
		{nodetree.Options{Driver: cgroupname.Systemd}, []string{
			"kubepods /kubepods.slice", "  burstable /kubepods.slice/kubepods-burstable.slice", "  besteffort /kubepods.slice/kubepods-besteffort.slice",
			"    d/p /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podp.slice",
			"      s /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podp.slice/cri-containerd-1f.scope",
			"      a /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podp.slice/cri-containerd-1a.scope",
			"      b /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podp.slice/crio-1b.scope",
			"      c /kubepods.slice/kubepods-besteffort.slice/kubepods-besteffort-podp.slice/docker-1c.scope",
			"      d", "      e",
		}},
	} {
		if diff := cmp.Diff(test.want, outline(build(t, []*corev1.Pod{p}, test.opts), func(g *nodetree.Tree) string { return g.Path })); diff != "" {
			t.Errorf("%v (-want +got):\n%s", test.opts.Driver, diff)
		}
	}
}

// systemd rounds quotas up, so the rounded quota is enforced.
func TestQuotasInForce(t *testing.T) {
	p := pod("p", container("a", list("cpu", "1m"), list("cpu", "51m")))
	for driver, want := range map[cgroupname.Driver][]string{
		cgroupname.Cgroupfs: {"kubepods  51", "  burstable  51", "    d/p 1275 51", "      a 1275 51", "  besteffort  0"},
		cgroupname.Systemd:  {"kubepods  60", "  burstable  60", "    d/p 1500 60", "      a 1500 60", "  besteffort  0"},
	} {
		root := build(t, []*corev1.Pod{p}, nodetree.Options{MilliCPU: 1000, Driver: driver, Kubelet: cgroupconfig.Options{Period: 25000}})
		testkit.NoDiff(t, outline(root, func(g *nodetree.Tree) string { return g.Config.Quota.String() + " " + string(g.CPU.Mixed) }), want, driver)
	}
}

func TestDemands(t *testing.T) {
	type demands = map[types.UID]map[string]int64
	pods := []*corev1.Pod{
		pod("a", container("x", list("cpu", "1"), list("cpu", "300m")), container("y", list("cpu", "1"), nil)),
		pod("b", container("x", list("cpu", "2"), nil)),
	}
	for _, test := range []struct {
		demands demands
		want    []string
	}{
		{nil, []string{"4000", "4000", "2000", "300", "1700", "2000", "2000", "0"}},
		{demands{"a": {"y": 100}}, []string{"4000", "4000", "400", "300", "100", "3600", "3600", "0"}},
		{demands{"a": {"x": 200}}, []string{"4000", "4000", "2000", "200", "1800", "2000", "2000", "0"}},
		{demands{"a": {"x": 400}}, []string{"4000", "4000", "2000", "300", "1700", "2000", "2000", "0"}},
		{demands{"b": {"x": 0}}, []string{"4000", "4000", "4000", "300", "3700", "0", "0", "0"}},
		{demands{"b": {"x": -5, "y": 7}, "c": {"x": 7}}, []string{"4000", "4000", "4000", "300", "3700", "0", "0", "0"}},
		{demands{"a": {"x": 0, "y": 1}, "b": {"x": 2}}, []string{"3", "3", "1", "0", "1", "2", "2", "0"}},
	} {
		root := build(t, pods, nodetree.Options{MilliCPU: 4000, Demands: test.demands})
		var got []string
		for _, g := range root.All() {
			got = append(got, string(g.CPU.Shares))
		}
		testkit.NoDiff(t, got, test.want, test.demands)
	}
}

func TestConfigOfTheRest(t *testing.T) {
	sizes := []int64{2 << 20}
	options := cgroupconfig.Options{TieredReservation: true, NodeMemory: cgroupconfig.NodeMemory{Capacity: 8 << 30, HugePageSizes: sizes}}
	root := build(t, documentPods(), nodetree.Options{MilliCPU: 4000, Kubelet: options})
	tiers := cgroupconfig.ForTiers(documentPods(), options)
	if root.Config.MemoryMin.Amount != 7<<30 || root.Config.MemoryLow != tiers.Guaranteed.MemoryLow || !cmp.Equal(root.Config.HugePages, tiers.Guaranteed.HugePages) || root.Config.Memory != (cgroupconfig.Value{}) {
		t.Errorf("root %+v", root.Config)
	}
	testkit.NoDiff(t, root.Children[2].Config, tiers.Burstable)
	var scores []int
	for _, g := range root.All() {
		if g.Level == cgroupname.Container {
			scores = append(scores, g.OOMScoreAdj)
		}
	}
	testkit.NoDiff(t, scores, []int{-997, -997, -997, 875, 999, 875, 1000, 1000}, "OOM scores")
}

// If spec.resources are ignored, a pod that is only Guaranteed because of them is Burstable, with
// the values of its container.
func TestBuildIgnoresPodLevel(t *testing.T) {
	whole := testkit.List("cpu", "2", "memory", "2Gi")
	p := pod("p", container("a", testkit.List("cpu", "500m"), nil))
	p.Spec.Resources = &corev1.ResourceRequirements{Requests: whole, Limits: whole}
	for ignore, want := range map[bool][]string{
		false: {
			"kubepods Guaranteed 4096", "  d/p Guaranteed 2048 200000", "    a Guaranteed 512 200000",
			"  burstable Burstable 2", "  besteffort BestEffort 2",
		},
		true: {
			"kubepods Guaranteed 4096", "  burstable Burstable 512", "    d/p Burstable 512", "      a Burstable 512",
			"  besteffort BestEffort 2",
		},
	} {
		opts := nodetree.Options{MilliCPU: 4000, Kubelet: cgroupconfig.Options{Kubernetes: computeresources.Kubernetes{PodLevelResources: testkit.OffIf(ignore)}}}
		got := outline(build(t, []*corev1.Pod{p}, opts), func(g *nodetree.Tree) string {
			return fmt.Sprintf("%s %v %v", g.Class, g.Config.Shares, g.Config.Quota)
		})
		testkit.NoDiff(t, got, want, "ignored", ignore)
	}
	if p.Spec.Resources == nil {
		t.Error("the pod has changed")
	}
}

func TestAllStopsWhenAsked(t *testing.T) {
	root := build(t, documentPods(), nodetree.Options{})
	for stop := range 5 {
		seen := 0
		for range root.All() {
			seen++
			if seen == stop+1 {
				break
			}
		}
		if seen != stop+1 {
			t.Errorf("%d groups, after it was to end at %d", seen, stop+1)
		}
	}
}

func TestHugeNode(t *testing.T) {
	root := build(t, []*corev1.Pod{pod("a", container("x", nil, nil))}, nodetree.Options{MilliCPU: math.MaxInt64})
	if root.CPU.Shares.Rat().Cmp(new(big.Rat).SetInt64(math.MaxInt64)) != 0 || root.Config.Shares.Amount != 262144 {
		t.Errorf("%v, %v", root.CPU.Shares, root.Config.Shares)
	}
}
