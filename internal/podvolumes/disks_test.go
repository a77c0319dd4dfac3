package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

func gce(name string, readOnly bool) corev1.VolumeSource {
	return corev1.VolumeSource{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{PDName: name, ReadOnly: readOnly}}
}

func ebs(id string, readOnly bool) corev1.VolumeSource {
	return corev1.VolumeSource{AWSElasticBlockStore: &corev1.AWSElasticBlockStoreVolumeSource{VolumeID: id, ReadOnly: readOnly}}
}

func iscsi(iqn string, readOnly bool) corev1.VolumeSource {
	return corev1.VolumeSource{ISCSI: &corev1.ISCSIVolumeSource{IQN: iqn, ReadOnly: readOnly}}
}

func at(portal string, v corev1.VolumeSource) corev1.VolumeSource {
	v.ISCSI.TargetPortal = portal
	return v
}

func rbd(pool, image string, readOnly bool, monitors ...string) corev1.VolumeSource {
	return corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{RBDPool: pool, RBDImage: image, ReadOnly: readOnly, CephMonitors: monitors}}
}

// The rows are those of the comments of isVolumeConflict, and of TestGCEDiskConflicts and its neighbours.
func TestDisks(t *testing.T) {
	for _, test := range []struct {
		name       string
		pod, other corev1.VolumeSource
		isRefused  bool
	}{
		{"one disk of GCE", gce("a", false), gce("a", false), true},
		{"one disk of GCE that the pod reads", gce("a", true), gce("a", false), true},
		{"one disk of GCE that the other reads", gce("a", false), gce("a", true), true},
		{"one disk of GCE that both read", gce("a", true), gce("a", true), false},
		{"two disks of GCE", gce("a", false), gce("b", false), false},
		{"one disk of AWS", ebs("a", false), ebs("a", false), true},
		{"one disk of AWS that both read", ebs("a", true), ebs("a", true), true},
		{"two disks of AWS", ebs("a", false), ebs("b", false), false},
		{"one ISCSI target", iscsi("a", false), iscsi("a", false), true},
		{"one ISCSI target that the pod reads", iscsi("a", true), iscsi("a", false), true},
		{"one ISCSI target that the other reads", iscsi("a", false), iscsi("a", true), true},
		{"one ISCSI target that both read", iscsi("a", true), iscsi("a", true), false},
		{"two ISCSI targets", iscsi("a", false), iscsi("b", false), false},
		{"one ISCSI target at two portals", at("10.0.0.1:3260", iscsi("a", false)), at("10.0.0.2:3260", iscsi("a", false)), true},
		{"one image", rbd("p", "i", false, "a", "b"), rbd("p", "i", false, "b", "c"), true},
		{"one image that the pod reads", rbd("p", "i", true, "a"), rbd("p", "i", false, "a"), true},
		{"one image that the other reads", rbd("p", "i", false, "a"), rbd("p", "i", true, "a"), true},
		{"one image that both read", rbd("p", "i", true, "a"), rbd("p", "i", true, "a"), false},
		{"images of two monitors", rbd("p", "i", false, "a", "b"), rbd("p", "i", false, "c"), false},
		{"images without monitors", rbd("p", "i", false), rbd("p", "i", false), false},
		{"images of two pools", rbd("p", "i", false, "a"), rbd("q", "i", false, "a"), false},
		{"two images", rbd("p", "i", false, "a"), rbd("p", "j", false, "a"), false},
		{"disks of two kinds", gce("a", false), ebs("a", false), false},
		{"no volume", gce("a", false), corev1.VolumeSource{}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			pod, other := podWith(test.pod), podWith(test.other)
			other.Namespace = "ops" // disks have no namespace
			pod.Spec.Volumes = append([]corev1.Volume{{}}, pod.Spec.Volumes...)
			other.Spec.Volumes = append([]corev1.Volume{{}}, other.Spec.Volumes...)
			nodes := podvolumes.Of(pod, podvolumes.Objects{}).On(zoneNodes("a", "b"), func(i int) []*corev1.Pod {
				return [][]*corev1.Pod{{nil, other}, nil}[i]
			})
			want := ""
			if test.isRefused {
				want = "node(s) had no available disk (preemptable)"
			}
			testkit.Equal(t, text(nodes.Verdict(0)), want)
			testkit.Equal(t, text(nodes.Verdict(1)), "", "on another node")
			nodes.Remove(0, other)
			testkit.Equal(t, text(nodes.Verdict(0)), "", "without the other")
		})
	}
}

// A claim that one pod may use is in use, on whichever node.
func TestReadWriteOncePod(t *testing.T) {
	const refused = "node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod (preemptable)"
	once := boundClaim("once", "v")
	once.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce, corev1.ReadWriteOncePod}
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{once, boundClaim("many", "v")},
		volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", nil)},
	}
	none := func(int) []*corev1.Pod { return nil }
	nodes := podvolumes.Of(podUsing("once", "many"), w.objects()).On(zoneNodes("a", "b"), none)
	verdicts := func() []string { return texts([]podvolumes.Verdict{nodes.Verdict(0), nodes.Verdict(1)}) }
	testkit.NoDiff(t, verdicts(), []string{"", ""}, "no pods")
	nodes.Add(0, podUsing("many"))
	nodes.Add(0, changed(podUsing("once"), func(p *corev1.Pod) { p.Namespace = "ops" }))
	testkit.NoDiff(t, verdicts(), []string{"", ""}, "pods with other claims")
	nodes.Add(1, podUsing("many", "once"))
	testkit.NoDiff(t, verdicts(), []string{refused, refused}, "a pod with the claim")
	nodes.Add(0, podUsing("once", "once"))
	nodes.Remove(1, podUsing("many", "once"))
	testkit.NoDiff(t, verdicts(), []string{refused, refused}, "one of two pods is left")
	nodes.Remove(0, podUsing("once", "once"))
	testkit.NoDiff(t, verdicts(), []string{"", ""}, "no pod with the claim")

	// Ephemeral claims belong to one pod anyway.
	own := ephemeral(boundClaim("", "v"))
	own.Spec.AccessModes = once.Spec.AccessModes
	w.claims = append(w.claims, own)
	nodes = podvolumes.Of(ephemeralPod(), w.objects()).On(zoneNodes("a"), func(int) []*corev1.Pod { return []*corev1.Pod{podUsing("web-0-data")} })
	testkit.Equal(t, text(nodes.Verdict(0)), "")

	// A claim counts after one of another kind, and after one that is not known.
	pod := ephemeralPod()
	pod.Spec.Volumes = append(pod.Spec.Volumes, podUsing("once").Spec.Volumes...)
	testkit.Equal(t, podvolumes.Of(pod, w.objects()).IsLimited(), true)
	w.incomplete = []podvolumes.Kind{podvolumes.PersistentVolumeClaim}
	testkit.Equal(t, podvolumes.Of(podUsing("x", "once"), w.objects()).IsLimited(), true)
}

// A disk comes first, then a claim, then the volumes.
func TestOrderOfPlugins(t *testing.T) {
	once := boundClaim("once", "v")
	once.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	zonal := volume("v", "", "1Gi", inZone("b"))
	zonal.Labels = map[string]string{corev1.LabelTopologyZone: "b"}
	w := world{claims: []*corev1.PersistentVolumeClaim{once}, volumes: []*corev1.PersistentVolume{zonal}}
	pod := podUsing("once")
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{VolumeSource: gce("a", false)})
	nodes := podvolumes.Of(pod, w.objects()).On(zoneNodes("a"), func(int) []*corev1.Pod { return []*corev1.Pod{pod} })
	testkit.Equal(t, nodes.Verdict(0).Reasons[0], podvolumes.DiskConflict)
	nodes.Remove(0, podWith(gce("a", false)))
	testkit.Equal(t, nodes.Verdict(0).Reasons[0], podvolumes.OnePodConflict)
	nodes.Remove(0, podUsing("once"))
	testkit.Equal(t, text(nodes.Verdict(0)), "node(s) didn't match PersistentVolume's node affinity")
	// No node is looked at if a claim is missing.
	pod.Spec.Volumes[0].PersistentVolumeClaim.ClaimName = "none"
	nodes = podvolumes.Of(pod, w.objects()).On(zoneNodes("a"), func(int) []*corev1.Pod { return []*corev1.Pod{pod} })
	testkit.Equal(t, text(nodes.Verdict(0)), `persistentvolumeclaim "none" not found`)
}

// Pods on a node that only pods refer to do not count.
func TestNilNode(t *testing.T) {
	once := boundClaim("once", "v")
	once.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	w := world{claims: []*corev1.PersistentVolumeClaim{once}, volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", nil)}}
	other := podUsing()
	other.Spec.Volumes = podWith(gce("a", false)).Spec.Volumes
	pod := podUsing("once")
	pod.Spec.Volumes = append(pod.Spec.Volumes, other.Spec.Volumes...)
	objects := append(zoneNodes("a"), nil, zoneNodes("b")[0])
	nodes := podvolumes.Of(pod, w.objects()).On(objects, func(i int) []*corev1.Pod {
		if i == 1 {
			t.Error("asks for the pods of a nil node")
		}
		return [][]*corev1.Pod{nil, nil, {other}}[i]
	})
	nodes.Add(1, podUsing("once"))
	testkit.Equal(t, text(nodes.Verdict(0)), "")
	testkit.Equal(t, text(nodes.Verdict(1)), "")
	testkit.Equal(t, nodes.Verdict(2).Reasons[0], podvolumes.DiskConflict)
	testkit.Equal(t, nodes.MayReachLimit(1), false)
	nodes.Add(0, podUsing("once"))
	testkit.Equal(t, nodes.Verdict(0).Reasons[0], podvolumes.OnePodConflict)
	testkit.Equal(t, text(nodes.Verdict(1)), "")
}

// Pods that come and leave give what counting afresh gives.
func TestAddAndRemoveAreAFreshCount(t *testing.T) {
	once := boundClaim("once", "v")
	once.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	w := world{claims: []*corev1.PersistentVolumeClaim{once}, volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", nil)}}
	draw := rapid.Custom(func(t *rapid.T) *corev1.Pod {
		pod := podUsing(rapid.SampledFrom([][]string{nil, nil, nil, {"once"}}).Draw(t, "claims")...)
		source := rapid.SampledFrom([]corev1.VolumeSource{{}, gce("a", false), gce("a", true), ebs("a", false)}).Draw(t, "disk")
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{VolumeSource: source})
		return pod
	})
	rapid.Check(t, func(t *rapid.T) {
		volumes, pods := podvolumes.Of(draw.Draw(t, "pod"), w.objects()), make([][]*corev1.Pod, 2)
		if volumes == nil {
			t.Skip()
		}
		fresh := func() *podvolumes.Nodes {
			return volumes.On(zoneNodes("a", "b"), func(i int) []*corev1.Pod { return pods[i] })
		}
		nodes := fresh()
		for range rapid.IntRange(0, 8).Draw(t, "events") {
			i := rapid.IntRange(0, 1).Draw(t, "node")
			if n := len(pods[i]); n > 0 && rapid.Bool().Draw(t, "leaves") {
				nodes.Remove(i, pods[i][n-1])
				pods[i] = pods[i][:n-1]
				continue
			}
			pods[i] = append(pods[i], draw.Draw(t, "other"))
			nodes.Add(i, pods[i][len(pods[i])-1])
		}
		for i := range pods {
			testkit.NoDiff(t, nodes.Verdict(i), fresh().Verdict(i))
		}
	})
}
