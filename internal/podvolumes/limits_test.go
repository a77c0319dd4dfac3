package podvolumes_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// csiNode returns what the drivers of the node in a zone say, of which the second has a limit.
func csiNode(zone string, limit *storagev1.VolumeNodeResources) *storagev1.CSINode {
	return &storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: "node-" + zone}, Spec: storagev1.CSINodeSpec{
		Drivers: []storagev1.CSINodeDriver{{Name: "first"}, {Name: "second", Allocatable: limit}}}}
}

func limitOf(count int32) *storagev1.VolumeNodeResources {
	return &storagev1.VolumeNodeResources{Count: &count}
}

// The driver second may attach 3 volumes to the node in zone c, where a pod uses two claims and a directory. There is no
// CSINode of the one in d.
func TestMayReachLimit(t *testing.T) {
	of := func(source corev1.PersistentVolumeSource) *corev1.PersistentVolume {
		return changed(volume("v", "", "1Gi", nil), func(v *corev1.PersistentVolume) { v.Spec.PersistentVolumeSource = source })
	}
	byDriver := func(name string) *corev1.PersistentVolume {
		return of(corev1.PersistentVolumeSource{CSI: &corev1.CSIPersistentVolumeSource{Driver: name}})
	}
	there := podUsing("x", "y")
	there.Spec.Volumes = append(there.Spec.Volumes, corev1.Volume{VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}})
	w := world{
		claims: []*corev1.PersistentVolumeClaim{boundClaim("a", "v"), boundClaim("b", "v"), pendingClaim("first", "first", "1Gi"),
			pendingClaim("second", "second", "1Gi"), pendingClaim("second too", "second", "1Gi"), pendingClaim("local", "local", "1Gi"), pendingClaim("in-tree", "in-tree", "1Gi"),
			pendingClaim("of no class", "", "1Gi"), pendingClaim("of some class", "some", "1Gi")},
		classes:  []*storagev1.StorageClass{class("first", "first"), class("second", "second"), class("local", "kubernetes.io/no-provisioner"), class("in-tree", "kubernetes.io/aws-ebs")},
		csiNodes: []*storagev1.CSINode{csiNode("a", nil), csiNode("b", &storagev1.VolumeNodeResources{}), csiNode("c", limitOf(3))},
	}
	none := podWith(corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "none"}})
	for name, test := range map[string]struct {
		pod        *corev1.Pod
		volume     *corev1.PersistentVolume
		incomplete podvolumes.Kind
		want       string // by node: whether it may be
	}{
		"one volume of another driver":        {pod: podUsing("a", "b"), volume: byDriver("first"), want: "[false false false false]"},
		"as many as the limit":                {pod: podUsing("a"), volume: byDriver("second"), want: "[false false false false]"},
		"more than the limit":                 {pod: podUsing("a", "b"), volume: byDriver("second"), want: "[false false true false]"},
		"a local volume":                      {pod: podUsing("a", "b"), volume: of(corev1.PersistentVolumeSource{Local: &corev1.LocalVolumeSource{}}), want: "[false false false false]"},
		"volumes that are provisioned":        {pod: podUsing("second", "second too"), want: "[false false true false]"},
		"one of each driver":                  {pod: podUsing("first", "second"), want: "[false false true false]"},
		"one of any driver and of the first":  {pod: podUsing("in-tree", "first"), want: "[false false true false]"},
		"local ones to be bound":              {pod: podUsing("local", "local"), want: "[false false false false]"},
		"a class of a migrated driver":        {pod: podUsing("in-tree", "in-tree"), want: "[false false true false]"},
		"a disk that no driver attaches":      {pod: podWith(iscsi("a", false)), want: "[false false false false]"},
		"without all CSINodes":                {pod: podUsing("a"), volume: byDriver("second"), incomplete: podvolumes.CSINode, want: "[false false false true]"},
		"a disk, without all CSINodes":        {pod: podWith(iscsi("a", false)), incomplete: podvolumes.CSINode, want: "[false false false false]"},
		"a local one, without all CSINodes":   {pod: podUsing("local"), incomplete: podvolumes.CSINode, want: "[false false false false]"},
		"claims that are not known":           {pod: podUsing("p", "q"), incomplete: podvolumes.PersistentVolumeClaim, want: "[false false true false]"},
		"a volume that is not known":          {pod: podUsing("a", "b"), incomplete: podvolumes.PersistentVolume, want: "[false false true false]"},
		"claims of a class that is not known": {pod: podUsing("of some class", "of some class"), want: "[false false true false]"},
		"claims without a class":              {pod: podUsing("of no class", "of no class"), want: "[false false false false]"},
		"a claim that is not there":           {pod: none, want: "[false false false false]"},
	} {
		w := w
		if test.volume != nil {
			w.volumes = []*corev1.PersistentVolume{test.volume}
		}
		if test.incomplete != "" {
			w.incomplete = []podvolumes.Kind{test.incomplete}
		}
		nodes := podvolumes.Of(test.pod, w.objects()).On(zoneNodes("a", "b", "c", "d"), func(i int) []*corev1.Pod {
			return [][]*corev1.Pod{nil, nil, {there}, nil}[i]
		})
		var got []bool
		for i := range 4 {
			got = append(got, nodes.MayReachLimit(i))
		}
		testkit.Equal(t, fmt.Sprint(got), test.want, name)
	}
}

// Each kind of disk that a driver may have taken over counts: in the pod, and behind a claim.
func TestMayReachLimitOfMigratedDisks(t *testing.T) {
	nodes := zoneNodes("a")
	w := world{claims: []*corev1.PersistentVolumeClaim{boundClaim("a", "v")}, csiNodes: []*storagev1.CSINode{csiNode("a", limitOf(0))}}
	none := func(int) []*corev1.Pod { return nil }
	for _, migrated := range []corev1.VolumeSource{
		gce("a", false), ebs("a", false), {Cinder: &corev1.CinderVolumeSource{}}, {AzureDisk: &corev1.AzureDiskVolumeSource{}},
		{AzureFile: &corev1.AzureFileVolumeSource{}}, {VsphereVolume: &corev1.VsphereVirtualDiskVolumeSource{}},
		{PortworxVolume: &corev1.PortworxVolumeSource{}},
	} {
		testkit.Equal(t, podvolumes.Of(podWith(migrated), w.objects()).On(nodes, none).MayReachLimit(0), true, migrated)
		one := world{csiNodes: []*storagev1.CSINode{csiNode("a", limitOf(1))}}
		there := func(int) []*corev1.Pod { return []*corev1.Pod{podWith(migrated)} }
		testkit.Equal(t, podvolumes.Of(podWith(migrated), one.objects()).On(nodes, none).MayReachLimit(0), false, migrated)
		testkit.Equal(t, podvolumes.Of(podWith(migrated), one.objects()).On(nodes, there).MayReachLimit(0), true, migrated)
	}
	for _, migrated := range []corev1.PersistentVolumeSource{
		{GCEPersistentDisk: &corev1.GCEPersistentDiskVolumeSource{}}, {AWSElasticBlockStore: &corev1.AWSElasticBlockStoreVolumeSource{}},
		{Cinder: &corev1.CinderPersistentVolumeSource{}}, {AzureDisk: &corev1.AzureDiskVolumeSource{}}, {AzureFile: &corev1.AzureFilePersistentVolumeSource{}},
		{VsphereVolume: &corev1.VsphereVirtualDiskVolumeSource{}}, {PortworxVolume: &corev1.PortworxVolumeSource{}},
	} {
		w.volumes = []*corev1.PersistentVolume{changed(volume("v", "", "1Gi", nil), func(v *corev1.PersistentVolume) { v.Spec.PersistentVolumeSource = migrated })}
		testkit.Equal(t, podvolumes.Of(podUsing("a"), w.objects()).On(nodes, none).MayReachLimit(0), true, migrated)
	}
}
