package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

const nodeConflict = "node(s) didn't match PersistentVolume's node affinity"

// The affinity of a volume is that of pods, without fields.
func TestBoundVolumes(t *testing.T) {
	byName := &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: "metadata.name", Operator: corev1.NodeSelectorOpIn, Values: []string{"x"}}},
	}}}}
	for _, test := range []struct {
		name       string
		affinities []*corev1.VolumeNodeAffinity
		want       []string // in the zones a, b
	}{
		{"no affinity", []*corev1.VolumeNodeAffinity{nil}, []string{"", ""}},
		{"an affinity without a selector", []*corev1.VolumeNodeAffinity{{}}, []string{"", ""}},
		{"a selector without terms", []*corev1.VolumeNodeAffinity{{Required: &corev1.NodeSelector{}}}, []string{nodeConflict, nodeConflict}},
		{"a zone", []*corev1.VolumeNodeAffinity{inZone("b")}, []string{nodeConflict, ""}},
		{"both zones", []*corev1.VolumeNodeAffinity{inZone("a", "b")}, []string{"", ""}},
		{"a host", []*corev1.VolumeNodeAffinity{in(corev1.LabelHostname, "host-a")}, []string{"", nodeConflict}},
		{"fields", []*corev1.VolumeNodeAffinity{byName}, []string{"", ""}},
		{"two volumes", []*corev1.VolumeNodeAffinity{nil, inZone("a")}, []string{"", nodeConflict}},
		{"two volumes in two zones", []*corev1.VolumeNodeAffinity{inZone("b"), inZone("a")}, []string{nodeConflict, nodeConflict}},
	} {
		t.Run(test.name, func(t *testing.T) {
			// Drivers that have taken over no plugin change nothing.
			w, pod := world{csiNodes: []*storagev1.CSINode{csiNode("a", nil), csiNode("b", nil)}}, podUsing()
			for i, affinity := range test.affinities {
				name := string(rune('m' + i))
				w.claims = append(w.claims, boundClaim(name, "v-"+name))
				w.volumes = append(w.volumes, volume("v-"+name, "", "1Gi", affinity))
				pod.Spec.Volumes = append(pod.Spec.Volumes, podUsing(name).Spec.Volumes...)
			}
			all := verdicts(pod, w, zoneNodes("a", "b")...)
			testkit.NoDiff(t, texts(all), test.want)
		})
	}
}

// The scheduler stops at the first bound claim that fails.
func TestFirstBoundVolumeThatFails(t *testing.T) {
	pod := ephemeralPod()
	pod.Spec.Volumes = append(pod.Spec.Volumes, podUsing("a").Spec.Volumes...)
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{ephemeral(boundClaim("", "missing")), boundClaim("a", "v")},
		volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", inZone("b"))},
	}
	const missing = "node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)"
	testkit.NoDiff(t, texts(verdicts(pod, w, zoneNodes("a")...)), []string{missing})
	pod.Spec.Volumes[0], pod.Spec.Volumes[1] = pod.Spec.Volumes[1], pod.Spec.Volumes[0]
	testkit.NoDiff(t, texts(verdicts(pod, w, zoneNodes("a")...)), []string{nodeConflict})

	// A claim that cannot be bound is named, too.
	w.claims = append(w.claims, pendingClaim("c", "none", "1Gi"))
	w.classes = []*storagev1.StorageClass{class("none", "")}
	pod.Spec.Volumes = append(pod.Spec.Volumes, podUsing("c").Spec.Volumes...)
	testkit.NoDiff(t, texts(verdicts(pod, w, zoneNodes("a")...)),
		[]string{nodeConflict + ", node(s) didn't find available persistent volumes to bind"})
	pod.Spec.Volumes[0], pod.Spec.Volumes[1] = pod.Spec.Volumes[1], pod.Spec.Volumes[0]
	testkit.NoDiff(t, texts(verdicts(pod, w, zoneNodes("a")...)),
		[]string{"node(s) didn't find available persistent volumes to bind, " + missing})
}

// The rows are the comments of translateTopologyFromInTreeToCSI and getTopologyLabel.
func TestMigratedVolumes(t *testing.T) {
	const (
		zone, region         = corev1.LabelTopologyZone, corev1.LabelTopologyRegion
		betaZone, betaRegion = corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion
		csiZone              = "topology.ebs.csi.aws.com/zone"
	)
	both := func(a, b *corev1.VolumeNodeAffinity) *corev1.VolumeNodeAffinity {
		first, second := &a.Required.NodeSelectorTerms[0], b.Required.NodeSelectorTerms[0]
		first.MatchExpressions = append(first.MatchExpressions, second.MatchExpressions...)
		return a
	}
	either := func(a, b *corev1.VolumeNodeAffinity) *corev1.VolumeNodeAffinity {
		a.Required.NodeSelectorTerms = append(a.Required.NodeSelectorTerms, b.Required.NodeSelectorTerms...)
		return a
	}
	exists := func(key string) *corev1.VolumeNodeAffinity {
		a := in(key)
		a.Required.NodeSelectorTerms[0].MatchExpressions[0].Operator = corev1.NodeSelectorOpExists
		return a
	}
	type labels = map[string]string
	for _, test := range []struct {
		name     string
		affinity *corev1.VolumeNodeAffinity
		volume   labels
		node     labels
		want     string
	}{
		{"the zone is that of the driver", inZone("a"), nil, labels{csiZone: "a"}, ""},
		{"the zone is another of the driver", inZone("b"), nil, labels{csiZone: "a"}, nodeConflict},
		{"the zone of the node does not count", inZone("a"), nil, labels{zone: "a"}, nodeConflict},
		{"in each term", either(inZone("x"), inZone("a")), nil, labels{csiZone: "a"}, ""},
		{"the old zone", in(betaZone, "a"), nil, labels{csiZone: "a"}, ""},
		{"the old region beside the old zone", both(in(betaZone, "a"), in(betaRegion, "r")), nil, labels{csiZone: "a", region: "r"}, ""},
		{"the region beside the zone", both(inZone("a"), in(region, "r")), nil, labels{csiZone: "a", region: "r"}, ""},
		{"the old region beside the zone stays", both(inZone("a"), in(betaRegion, "r")), nil, labels{csiZone: "a", region: "r"}, nodeConflict},
		{"the old region alone stays", in(betaRegion, "r"), nil, labels{betaRegion: "r"}, ""},
		{"the old zone beside the zone stays", both(inZone("a"), in(betaZone, "a")), nil, labels{csiZone: "a"}, nodeConflict},
		{"the old zone beside the zone is not that of the driver", both(inZone("a"), in(betaZone, "a")), nil, labels{csiZone: "a", betaZone: "a"}, ""},
		{"another label stays", in("disk", "ssd"), nil, labels{"disk": "ssd"}, ""},
		{"the label of the volume", nil, labels{zone: "a"}, labels{csiZone: "a"}, ""},
		{"another label of the volume", nil, labels{zone: "a"}, labels{csiZone: "b"}, nodeConflict},
		{"the label of the volume has two zones", nil, labels{zone: "x__ a "}, labels{csiZone: "a"}, ""},
		{"the label of the volume is empty", nil, labels{zone: ""}, labels{zone: ""}, ""},
		{"the label of the volume in each term", either(in("disk", "x"), in("disk", "ssd")), labels{zone: "a"}, labels{"disk": "ssd", csiZone: "b"}, nodeConflict},
		{"the label of the volume beside another", in("disk", "ssd"), labels{zone: "a"}, labels{"disk": "ssd", csiZone: "a"}, ""},
		{"the label of the volume does not replace another", in("disk", "ssd"), labels{zone: "a"}, labels{"disk": "hdd", csiZone: "a"}, nodeConflict},
		{"a selector without terms takes the label", &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{}}, labels{zone: "a"}, labels{csiZone: "a"}, ""},
		{"the affinity before the label", inZone("a"), labels{zone: "b"}, labels{csiZone: "a"}, ""},
		{"the old label of the volume", nil, labels{betaZone: "a"}, labels{csiZone: "b"}, nodeConflict},
		{"the label before the old one", nil, labels{zone: "a", betaZone: "b"}, labels{csiZone: "a"}, ""},
		{"the old zone of the affinity before the label", in(betaZone, "a"), labels{zone: "b"}, labels{csiZone: "a"}, ""},
		{"a zone without values takes the label", exists(zone), labels{zone: "a"}, labels{zone: "x", csiZone: "b"}, nodeConflict},
		{"the zone before the old label", exists(zone), labels{betaZone: "a"}, labels{zone: "x", csiZone: "b"}, ""},
		{"an old region without values stays", both(in(betaZone, "a"), exists(betaRegion)), nil, labels{csiZone: "a", betaRegion: "r"}, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			disk := volume("v", "", "1Gi", test.affinity)
			disk.Labels, disk.Spec.AWSElasticBlockStore = test.volume, &corev1.AWSElasticBlockStoreVolumeSource{}
			w := world{
				claims: []*corev1.PersistentVolumeClaim{ephemeral(boundClaim("", "v"))}, volumes: []*corev1.PersistentVolume{disk},
				csiNodes: []*storagev1.CSINode{{ObjectMeta: metav1.ObjectMeta{Name: "n", Annotations: labels{
					corev1.MigratedPluginsAnnotationKey: "kubernetes.io/gce-pd,kubernetes.io/aws-ebs"}}}},
			}
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: test.node}}
			testkit.NoDiff(t, texts(verdicts(ephemeralPod(), w, node)), []string{test.want})
			testkit.Contract(t, func() any { return verdicts(ephemeralPod(), w, node) }, w, node)
		})
	}
}

// Whether a volume is migrated depends on its plugin and the node.
func TestWhereVolumesAreMigrated(t *testing.T) {
	node := func(key string) *corev1.Node {
		return &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: map[string]string{key: "a"}}}
	}
	csiNode := func(annotation string) []*storagev1.CSINode {
		return []*storagev1.CSINode{{ObjectMeta: metav1.ObjectMeta{Name: "n", Annotations: map[string]string{corev1.MigratedPluginsAnnotationKey: annotation}}}}
	}
	var aws, google, openStack, azure corev1.PersistentVolumeSource
	aws.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{}
	google.GCEPersistentDisk = &corev1.GCEPersistentDiskVolumeSource{}
	openStack.Cinder = &corev1.CinderPersistentVolumeSource{}
	azure.AzureDisk = &corev1.AzureDiskVolumeSource{}
	for _, test := range []struct {
		name     string
		source   corev1.PersistentVolumeSource
		csiNodes []*storagev1.CSINode
		key      string // of the zone
	}{
		{"AWS", aws, csiNode("kubernetes.io/aws-ebs"), "topology.ebs.csi.aws.com/zone"},
		{"GCE", google, csiNode("kubernetes.io/gce-pd"), "topology.gke.io/zone"},
		{"OpenStack", openStack, csiNode("kubernetes.io/cinder"), "topology.cinder.csi.openstack.org/zone"},
		{"Azure", azure, csiNode("kubernetes.io/azure-disk"), corev1.LabelTopologyZone},
		{"another plugin", aws, csiNode("kubernetes.io/gce-pd"), corev1.LabelTopologyZone},
		{"no plugin", aws, csiNode(""), corev1.LabelTopologyZone},
		{"no annotation", aws, []*storagev1.CSINode{{ObjectMeta: metav1.ObjectMeta{Name: "n"}}}, corev1.LabelTopologyZone},
		{"no CSINode", aws, nil, corev1.LabelTopologyZone},
		{"a CSI volume", corev1.PersistentVolumeSource{}, csiNode("kubernetes.io/aws-ebs"), corev1.LabelTopologyZone},
	} {
		t.Run(test.name, func(t *testing.T) {
			disk := volume("v", "", "1Gi", inZone("a"))
			disk.Spec.PersistentVolumeSource = test.source
			w := world{claims: []*corev1.PersistentVolumeClaim{boundClaim("c", "v")}, volumes: []*corev1.PersistentVolume{disk}, csiNodes: test.csiNodes}
			testkit.NoDiff(t, texts(verdicts(podUsing("c"), w, node(test.key))), []string{""})
			testkit.NoDiff(t, texts(verdicts(podUsing("c"), w, node("other"))), []string{nodeConflict})
			w.incomplete = []podvolumes.Kind{podvolumes.CSINode}
			testkit.NoDiff(t, texts(verdicts(podUsing("c"), w, node("other"))), []string{nodeConflict}, "both affinities refuse")
		})
	}
}

func TestZones(t *testing.T) {
	const zoneConflict = "node(s) had no available volume zone"
	type labels = map[string]string
	const (
		zone, region         = corev1.LabelTopologyZone, corev1.LabelTopologyRegion
		betaZone, betaRegion = corev1.LabelFailureDomainBetaZone, corev1.LabelFailureDomainBetaRegion
	)
	for _, test := range []struct {
		name         string
		volume, node labels
		want         string
	}{
		{"no labels", nil, labels{zone: "a"}, ""},
		{"a node without labels", labels{zone: "a"}, nil, ""},
		{"a node with other labels", labels{zone: "a"}, labels{"disk": "ssd"}, ""},
		{"the zone", labels{zone: "a"}, labels{zone: "a"}, ""},
		{"another zone", labels{zone: "a"}, labels{zone: "b"}, zoneConflict},
		{"one of the zones", labels{zone: "a__b"}, labels{zone: "b"}, ""},
		{"one of the zones with a space", labels{zone: "a__ b"}, labels{zone: "b"}, ""},
		{"none of the zones", labels{zone: "a__b"}, labels{zone: "c"}, zoneConflict},
		{"an empty zone is ignored", labels{zone: "a__"}, labels{zone: "b"}, ""},
		{"the node has no zone but a region", labels{zone: "a"}, labels{region: "r"}, zoneConflict},
		{"the node has no zone but an old region", labels{zone: "a"}, labels{betaRegion: "r"}, zoneConflict},
		{"the zone but another region", labels{zone: "a", region: "r"}, labels{zone: "a", region: "s"}, zoneConflict},
		{"the zone and the region", labels{zone: "a", region: "r"}, labels{zone: "a", region: "r"}, ""},
		{"the old zone", labels{betaZone: "a"}, labels{betaZone: "a"}, ""},
		{"the old zone of the volume", labels{betaZone: "a"}, labels{zone: "a"}, ""},
		{"the old zone of the volume, not of the node", labels{betaZone: "a"}, labels{zone: "b"}, zoneConflict},
		{"the old zone of the node first", labels{betaZone: "a"}, labels{betaZone: "b", zone: "a"}, zoneConflict},
		{"the old region of the volume", labels{betaRegion: "r"}, labels{region: "r"}, ""},
		{"the old region of the volume, not of the node", labels{betaRegion: "r"}, labels{region: "s"}, zoneConflict},
		{"the zone of the volume is not the old one", labels{zone: "a"}, labels{betaZone: "a"}, zoneConflict},
	} {
		t.Run(test.name, func(t *testing.T) {
			zonal := volume("v", "", "1Gi", nil)
			zonal.Labels = test.volume
			node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "n", Labels: test.node}}
			w := world{claims: []*corev1.PersistentVolumeClaim{boundClaim("a", "v"), ephemeral(boundClaim("", "v"))}, volumes: []*corev1.PersistentVolume{zonal}}
			testkit.NoDiff(t, texts(verdicts(podUsing("a"), w, node)), []string{test.want})
			testkit.NoDiff(t, texts(verdicts(ephemeralPod(), w, node)), []string{""}, "VolumeZone does not look at ephemeral volumes")
		})
	}
}
