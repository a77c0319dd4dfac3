package podvolumes_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// A pod of a StatefulSet is checked on 5,000 nodes: with a claim that any node provisions, one that is bound in a zone,
// and one that is bound to a local volume of one of the nodes.
func BenchmarkOn(b *testing.B) {
	var nodes []*corev1.Node
	static := world{claims: []*corev1.PersistentVolumeClaim{pendingClaim("data", "static", "1Gi")},
		classes: []*storagev1.StorageClass{class("static", "kubernetes.io/no-provisioner")}}
	for i := range 5000 {
		zone := fmt.Sprint("zone-", i)
		nodes = append(nodes, zoneNodes(zone)...)
		if i%10 == 0 {
			static.volumes = append(static.volumes, volume(zone, "static", "2Gi", inZone(zone)))
		}
	}
	for _, bench := range []struct {
		name string
		w    world
	}{
		{"provisioned", world{claims: static.claims, classes: []*storagev1.StorageClass{class("static", "csi.example.com")}}},
		{"bound", world{claims: []*corev1.PersistentVolumeClaim{boundClaim("data", "v")},
			volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", inZone("zone-7", "zone-8"))}}},
		{"500 local volumes", static},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				testkit.Keep(podvolumes.Of(podUsing("data"), bench.w.objects()).On(nodes, func(int) []*corev1.Pod { return nil }))
			}
		})
	}
}
