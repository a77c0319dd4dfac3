package podvolumes_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// What the volumes of a pod say of themselves, before any node is looked at. The class local has the volume v, the
// class later has none, and the driver of tracked publishes its capacity.
func TestWhatVolumesDependOn(t *testing.T) {
	once := boundClaim("once", "bound")
	once.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
	selected := pendingClaim("selected", "later", "1Gi")
	selected.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "node-a"}
	publishes := true
	reserved := pendingClaim("reserved", "local", "9Gi")
	w := world{
		claims: []*corev1.PersistentVolumeClaim{boundClaim("many", "bound"), once, selected, reserved, pendingClaim("local", "local", "1Gi"),
			pendingClaim("later", "later", "1Gi"), pendingClaim("tracked", "tracked", "1Gi")},
		volumes: []*corev1.PersistentVolume{volume("bound", "", "1Gi", nil), volume("v", "local", "1Gi", nil),
			changed(volume("r", "local", "9Gi", nil), func(v *corev1.PersistentVolume) {
				v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "shop", Name: "reserved"}
			})},
		classes: []*storagev1.StorageClass{class("local", "kubernetes.io/no-provisioner"), class("later", "other.example.com"), class("tracked", "csi.example.com")},
		drivers: driver(&publishes),
	}
	disks := func(sources ...corev1.VolumeSource) *corev1.Pod {
		pod := podUsing()
		for _, source := range sources {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{VolumeSource: source})
		}
		return pod
	}
	emptyDir := corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}
	for _, test := range []struct {
		name string
		pod  *corev1.Pod
		want string
	}{
		{"a bound claim", podUsing("many"), ""},
		{"a claim that one pod uses", podUsing("once"), "limited, limited elsewhere"},
		{"a claim that takes a volume", podUsing("local"), "binds, takes"},
		{"a claim that a volume names", podUsing("reserved"), "binds, takes"},
		{"a claim that is provisioned", podUsing("later"), "binds"},
		{"a claim whose capacity is known", podUsing("tracked"), "binds"},
		{"a claim with a selected node", podUsing("selected"), "binds, provisioned"},
		{"the second claim is being provisioned", podUsing("tracked", "selected"), "binds, provisioned"},
		{"a disk", disks(gce("a", false)), "limited, excludes itself"},
		{"a disk before another volume", disks(gce("a", false), emptyDir), "limited, excludes itself"},
		{"a disk after another volume", disks(emptyDir, gce("a", false)), "limited, excludes itself"},
		{"a disk that is only read", disks(gce("a", true)), "limited"},
		{"a disk and a claim that one pod uses", changed(podUsing("once"), func(pod *corev1.Pod) {
			pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{VolumeSource: gce("a", true)})
		}), "limited, limited elsewhere"},
	} {
		v, got := podvolumes.Of(test.pod, w.objects()), ""
		for _, question := range []struct {
			text  string
			isYes bool
		}{
			{"binds", v.BindsOnFirstUse()}, {"takes", v.TakesVolumes()}, {"provisioned", v.AreProvisioned()},
			{"limited", v.IsLimited()}, {"limited elsewhere", v.IsLimitedElsewhere()}, {"excludes itself", v.ExcludesItself()},
		} {
			if question.isYes && got != "" {
				got += ", "
			}
			if question.isYes {
				got += question.text
			}
		}
		testkit.Equal(t, got, test.want, test.name)
	}
}

// A claim that is not known is not known on any node; a driver that is not known, on the nodes where the volume differs.
func TestHasUnknown(t *testing.T) {
	migrated := volume("v", "", "1Gi", inZone("a"))
	migrated.Spec.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{}
	for _, test := range []struct {
		name       string
		claims     []*corev1.PersistentVolumeClaim
		volume     *corev1.PersistentVolume
		incomplete podvolumes.Kind
		want       string // without nodes, and on one
	}{
		{"all is known", []*corev1.PersistentVolumeClaim{boundClaim("data", "v")}, volume("v", "", "1Gi", nil), "", "[false false]"},
		{"no claim", nil, volume("v", "", "1Gi", nil), "", "[false false]"},
		{"a claim that is not known", nil, volume("v", "", "1Gi", nil), podvolumes.PersistentVolumeClaim, "[true true]"},
		{"a driver that is not known", []*corev1.PersistentVolumeClaim{boundClaim("data", "v")}, migrated, podvolumes.CSINode, "[false true]"},
	} {
		w := world{claims: test.claims, volumes: []*corev1.PersistentVolume{test.volume}}
		if test.incomplete != "" {
			w.incomplete = []podvolumes.Kind{test.incomplete}
		}
		v, none := podvolumes.Of(podUsing("data"), w.objects()), func(int) []*corev1.Pod { return nil }
		got := []bool{v.On(nil, none).HasUnknown(), v.On(zoneNodes("a"), none).HasUnknown()}
		testkit.Equal(t, fmt.Sprint(got), test.want, test.name)
	}
}
