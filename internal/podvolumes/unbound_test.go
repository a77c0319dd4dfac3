package podvolumes_test

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

const (
	bindConflict = "node(s) didn't find available persistent volumes to bind"
	notEnough    = "node(s) did not have enough free storage"
)

// bindings returns what becomes of the claims of a pod on each node: "claim=volume", or "claim" if one is provisioned.
func bindings(pod *corev1.Pod, w world, nodes ...*corev1.Node) (all []string) {
	on := podvolumes.Of(pod, w.objects()).On(nodes, func(int) []*corev1.Pod { return nil })
	for i := range nodes {
		line := text(on.Verdict(i))
		for _, b := range on.Bindings(i) {
			if line != "" {
				line += " "
			}
			line += b.Claim.Name
			if b.Volume != nil {
				line += "=" + b.Volume.Name
			}
		}
		all = append(all, line)
	}
	return all
}

// The rows are the comments of FindMatchingVolume: which volumes suit a claim of 2Gi that no class provisions.
func TestVolumesThatSuitAClaim(t *testing.T) {
	block, fileSystem, gold, empty := corev1.PersistentVolumeBlock, corev1.PersistentVolumeFilesystem, "gold", ""
	type claim = corev1.PersistentVolumeClaim
	type pv = corev1.PersistentVolume
	reserve := func(namespace, name string, uid types.UID) func(*pv) {
		return func(v *pv) { v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: namespace, Name: name, UID: uid} }
	}
	for _, test := range []struct {
		name   string
		claim  func(*claim)
		volume func(*pv)
		suits  bool
	}{
		{"larger", nil, nil, true},
		{"of the same size", nil, func(v *pv) { v.Spec.Capacity = testkit.List("storage", "2Gi") }, true},
		{"smaller", nil, func(v *pv) { v.Spec.Capacity = testkit.List("storage", "2047Mi") }, false},
		{"without a capacity", nil, func(v *pv) { v.Spec.Capacity = nil }, false},
		{"any for a claim without a size", func(c *claim) { c.Spec.Resources = corev1.VolumeResourceRequirements{} },
			func(v *pv) { v.Spec.Capacity = nil }, true},
		{"of another class", nil, func(v *pv) { v.Spec.StorageClassName = "other" }, false},
		{"of the class by annotation", nil, func(v *pv) {
			v.Spec.StorageClassName, v.Annotations = "other", map[string]string{corev1.BetaStorageClassAnnotation: "static"}
		}, true},
		{"of another class by annotation", nil, func(v *pv) {
			v.Annotations = map[string]string{corev1.BetaStorageClassAnnotation: "other"}
		}, false},
		{"not available", nil, func(v *pv) { v.Status.Phase = corev1.VolumePending }, false},
		{"deleted", nil, func(v *pv) { v.DeletionTimestamp = &metav1.Time{} }, false},
		{"of another mode", nil, func(v *pv) { v.Spec.VolumeMode = &block }, false},
		{"of another mode than that of the claim", func(c *claim) { c.Spec.VolumeMode = &block }, nil, false},
		{"of the default mode", func(c *claim) { c.Spec.VolumeMode = &fileSystem }, nil, true},
		{"of the mode", func(c *claim) { c.Spec.VolumeMode = &block }, func(v *pv) { v.Spec.VolumeMode = &block }, true},
		{"of a class of attributes", nil, func(v *pv) { v.Spec.VolumeAttributesClassName = &gold }, false},
		{"of another class of attributes than that of the claim", func(c *claim) { c.Spec.VolumeAttributesClassName = &gold }, nil, false},
		{"of an empty class of attributes", nil, func(v *pv) { v.Spec.VolumeAttributesClassName = &empty }, true},
		{"with more access modes", func(c *claim) { c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"A"} },
			func(v *pv) { v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"B", "A"} }, true},
		{"without an access mode", func(c *claim) { c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"A", "C"} },
			func(v *pv) { v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"B", "A"} }, false},
		{"that the selector matches", func(c *claim) { c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}} },
			func(v *pv) { v.Labels = map[string]string{"a": "b"} }, true},
		{"that the selector does not match", func(c *claim) { c.Spec.Selector = &metav1.LabelSelector{MatchLabels: map[string]string{"a": "b"}} }, nil, false},
		{"that an invalid selector cannot match", func(c *claim) {
			c.Spec.Selector = &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
		}, nil, false},
		{"reserved", nil, reserve("shop", "data", ""), true},
		{"reserved by UID", nil, reserve("shop", "data", "claim"), true},
		{"reserved for an older claim", nil, reserve("shop", "data", "older"), false},
		{"reserved for another claim", nil, reserve("shop", "other", ""), false},
		{"reserved for a claim of another namespace", nil, reserve("ops", "data", ""), false},
		{"reserved, not available", nil, func(v *pv) { reserve("shop", "data", "")(v); v.Status.Phase = corev1.VolumeBound }, true},
		{"reserved, without an access mode", func(c *claim) { c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{"A"} }, reserve("shop", "data", ""), true},
		{"reserved, smaller", nil, func(v *pv) { reserve("shop", "data", "")(v); v.Spec.Capacity = nil }, false},
		{"reserved, of another mode", nil, func(v *pv) { reserve("shop", "data", "")(v); v.Spec.VolumeMode = &block }, false},
		{"reserved, deleted", nil, func(v *pv) { reserve("shop", "data", "")(v); v.DeletionTimestamp = &metav1.Time{} }, false},
		{"reserved, of another class", nil, func(v *pv) { reserve("shop", "data", "")(v); v.Spec.StorageClassName = "other" }, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			c, v := pendingClaim("data", "static", "2Gi"), volume("v", "static", "3Gi", inZone("a"))
			c.UID = "claim"
			if test.claim != nil {
				test.claim(c)
			}
			if test.volume != nil {
				test.volume(v)
			}
			w := world{claims: []*claim{c}, volumes: []*pv{v}, classes: []*storagev1.StorageClass{class("static", "kubernetes.io/no-provisioner")}}
			want := []string{bindConflict, bindConflict}
			if test.suits {
				want[0] = "data=v"
			}
			testkit.NoDiff(t, bindings(podUsing("data"), w, zoneNodes("a", "b")...), want)
		})
	}
}

func TestWhichVolumeIsBound(t *testing.T) {
	static := []*storagev1.StorageClass{class("static", "")}
	claims := func(sizes ...string) (all []*corev1.PersistentVolumeClaim) {
		for i, size := range sizes {
			all = append(all, pendingClaim(string(rune('a'+i)), "static", size))
		}
		return all
	}
	pvs := func(sizes ...string) (all []*corev1.PersistentVolume) {
		for i, size := range sizes {
			all = append(all, volume(string(rune('v'+i)), "static", size, nil))
		}
		return all
	}
	a := zoneNodes("a")
	bound := func(pod *corev1.Pod, c []*corev1.PersistentVolumeClaim, v []*corev1.PersistentVolume) string {
		return bindings(pod, world{claims: c, volumes: v, classes: static}, a...)[0]
	}
	testkit.Equal(t, bound(podUsing("a"), claims("1Gi"), pvs("3Gi", "2Gi", "4Gi")), "a=w", "the smallest")
	testkit.Equal(t, bound(podUsing("a"), claims("1Gi"), pvs("3Gi", "2Gi", "2Gi")), "a=w", "the first of the smallest")
	testkit.Equal(t, bound(podUsing("a", "b"), claims("1Gi", "1Gi"), pvs("3Gi", "2Gi", "4Gi")), "a=w b=v", "not the same")
	testkit.Equal(t, bound(podUsing("a", "b"), claims("3Gi", "1Gi"), pvs("3Gi", "2Gi")), "b=w a=v", "the smallest claim first")
	testkit.Equal(t, bound(podUsing("b", "a"), claims("1Gi", "1Gi"), pvs("3Gi", "2Gi")), "b=w a=v", "equal claims in the order of the pod")
	testkit.Equal(t, bound(podUsing("a", "b"), claims("1Gi", "1Gi"), pvs("3Gi")), bindConflict, "a volume for each claim")
	testkit.Equal(t, bound(podUsing("a", "a"), claims("1Gi"), pvs("3Gi", "4Gi")), "a=v a=w", "the claim twice takes two volumes")

	// A volume that names the claim is the only choice, even if it cannot be used on the node.
	reserved := pvs("3Gi", "2Gi", "9Gi")
	reserved[2].Spec.ClaimRef = &corev1.ObjectReference{Namespace: "shop", Name: "a"}
	testkit.Equal(t, bound(podUsing("a"), claims("1Gi"), reserved), "a=x")
	testkit.Equal(t, bound(podUsing("a", "a"), claims("1Gi"), reserved), "a=x a=w", "the claim twice")
	reserved[2].Spec.NodeAffinity = inZone("b")
	testkit.Equal(t, bound(podUsing("a"), claims("1Gi"), reserved), bindConflict)
	testkit.Equal(t, bound(podUsing("b"), claims("1Gi", "1Gi"), reserved), "b=w", "the other claim")

	// Volumes of the zone count.
	local := pvs("3Gi", "2Gi")
	local[1].Spec.NodeAffinity = inZone("b")
	w := world{claims: claims("1Gi"), volumes: local, classes: static}
	testkit.NoDiff(t, bindings(podUsing("a"), w, zoneNodes("a", "b")...), []string{"a=v", "a=w"})
}

func TestProvisioning(t *testing.T) {
	topology := func(key string, values ...string) corev1.TopologySelectorTerm {
		return corev1.TopologySelectorTerm{MatchLabelExpressions: []corev1.TopologySelectorLabelRequirement{{Key: key, Values: values}}}
	}
	both := topology(corev1.LabelTopologyZone, "a")
	both.MatchLabelExpressions = append(both.MatchLabelExpressions, topology("disk", "ssd").MatchLabelExpressions...)
	for _, test := range []struct {
		name       string
		class      string
		topologies []corev1.TopologySelectorTerm
		want       []string // in the zones a, b
	}{
		{"any node", "csi.example.com", nil, []string{"data", "data"}},
		{"no provisioner", "kubernetes.io/no-provisioner", nil, []string{bindConflict, bindConflict}},
		{"an empty provisioner", "", nil, []string{bindConflict, bindConflict}},
		{"a zone", "csi.example.com", []corev1.TopologySelectorTerm{topology(corev1.LabelTopologyZone, "b")}, []string{bindConflict, "data"}},
		{"some zones", "csi.example.com", []corev1.TopologySelectorTerm{topology(corev1.LabelTopologyZone, "a", "b")}, []string{"data", "data"}},
		{"either zone", "csi.example.com", []corev1.TopologySelectorTerm{topology(corev1.LabelTopologyZone, "x"), topology(corev1.LabelTopologyZone, "a")}, []string{"data", bindConflict}},
		{"a zone and a disk", "csi.example.com", []corev1.TopologySelectorTerm{both}, []string{bindConflict, bindConflict}},
		{"an empty term", "csi.example.com", []corev1.TopologySelectorTerm{{}}, []string{bindConflict, bindConflict}},
		{"an empty term and a zone", "csi.example.com", []corev1.TopologySelectorTerm{{}, topology(corev1.LabelTopologyZone, "b")}, []string{bindConflict, "data"}},
		{"an invalid term", "csi.example.com", []corev1.TopologySelectorTerm{topology("in valid", "b"), topology(corev1.LabelTopologyZone)}, []string{bindConflict, bindConflict}},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := class("fast", test.class)
			c.AllowedTopologies = test.topologies
			w := world{claims: []*corev1.PersistentVolumeClaim{pendingClaim("data", "fast", "1Gi")}, classes: []*storagev1.StorageClass{c}}
			testkit.NoDiff(t, bindings(podUsing("data"), w, zoneNodes("a", "b")...), test.want)
			testkit.Contract(t, func() any { return bindings(podUsing("data"), w, zoneNodes("a", "b")...) }, w)
		})
	}
}

// A claim that is being provisioned stays on its node, and is not bound to a volume that exists.
func TestSelectedNode(t *testing.T) {
	selected := pendingClaim("a", "fast", "1Gi")
	selected.Annotations = map[string]string{"volume.kubernetes.io/selected-node": "node-b"}
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{selected, pendingClaim("b", "fast", "1Gi"), pendingClaim("c", "static", "1Gi")},
		volumes: []*corev1.PersistentVolume{volume("v", "fast", "1Gi", nil), volume("w", "fast", "1Gi", nil)},
		classes: []*storagev1.StorageClass{class("fast", "csi.example.com"), class("static", "")},
	}
	testkit.NoDiff(t, bindings(podUsing("a"), w, zoneNodes("a", "b")...), []string{bindConflict, "a"})
	testkit.NoDiff(t, bindings(podUsing("b", "a"), w, zoneNodes("a", "b")...), []string{bindConflict, "b=v a"})
	testkit.NoDiff(t, bindings(podUsing("c", "a"), w, zoneNodes("a", "b")...), []string{bindConflict, bindConflict})

	for _, name := range []string{"5Gi", "3Gi"} {
		larger := changed(selected, func(c *corev1.PersistentVolumeClaim) { c.Name = name })
		larger.Spec.Resources.Requests = testkit.List("storage", name)
		w.claims = append(w.claims, larger)
	}
	w.claims = append(w.claims, pendingClaim("d", "other", "1Gi"))
	w.classes = append(w.classes, class("other", "other.example.com"))
	testkit.NoDiff(t, bindings(podUsing("d", "5Gi", "3Gi"), w, zoneNodes("b")...), []string{"5Gi 3Gi d"}, "in the order of the pod, then others")
	testkit.NoDiff(t, bindings(podUsing("3Gi", "5Gi", "d"), w, zoneNodes("b")...), []string{"3Gi 5Gi d"}, "in the order of the pod, then others")

	w.incomplete = []podvolumes.Kind{podvolumes.PersistentVolume}
	testkit.NoDiff(t, bindings(podUsing("a"), w, zoneNodes("a", "b")...), []string{bindConflict, "a"}, "whichever volumes there are")
	w.classes[0].Provisioner = ""
	testkit.NoDiff(t, bindings(podUsing("a"), w, zoneNodes("a", "b")...), []string{bindConflict, bindConflict}, "whichever volumes there are")
}

// quantity returns a pointer to an amount, nil for "".
func quantity(amount string) *resource.Quantity {
	if amount == "" {
		return nil
	}
	q := resource.MustParse(amount)
	return &q
}

func capacity(class, most, maximum string, nodes *metav1.LabelSelector) *storagev1.CSIStorageCapacity {
	return &storagev1.CSIStorageCapacity{StorageClassName: class, NodeTopology: nodes, Capacity: quantity(most), MaximumVolumeSize: quantity(maximum)}
}

func driver(tracks *bool) []*storagev1.CSIDriver {
	return []*storagev1.CSIDriver{{ObjectMeta: metav1.ObjectMeta{Name: "csi.example.com"}, Spec: storagev1.CSIDriverSpec{StorageCapacity: tracks}}}
}

func zoneIs(zone string) *metav1.LabelSelector {
	return &metav1.LabelSelector{MatchLabels: map[string]string{corev1.LabelTopologyZone: zone}}
}

// The rows are the comments of hasEnoughCapacity and KEP-1472.
func TestStorageCapacity(t *testing.T) {
	yes, no := true, false
	everywhere := &metav1.LabelSelector{}
	invalid := &metav1.LabelSelector{MatchExpressions: []metav1.LabelSelectorRequirement{{Key: "a", Operator: "Near"}}}
	for _, test := range []struct {
		name       string
		size       string
		drivers    []*storagev1.CSIDriver
		capacities []*storagev1.CSIStorageCapacity
		want       []string // in the zones a, b
	}{
		{"no capacity", "1Gi", driver(&yes), nil, []string{notEnough, notEnough}},
		{"a claim without a size", "", driver(&yes), nil, []string{"data", "data"}},
		{"no driver", "1Gi", nil, nil, []string{"data", "data"}},
		{"a driver that does not say", "1Gi", driver(nil), nil, []string{"data", "data"}},
		{"a driver that does not publish", "1Gi", driver(&no), nil, []string{"data", "data"}},
		{"enough in a zone", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "1Gi", "", zoneIs("b"))}, []string{notEnough, "data"}},
		{"enough everywhere", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "2Gi", "", everywhere)}, []string{"data", "data"}},
		{"too little", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "1023Mi", "", everywhere)}, []string{notEnough, notEnough}},
		{"enough in the second", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{
			capacity("fast", "1023Mi", "", everywhere), capacity("fast", "1Gi", "", zoneIs("a"))}, []string{"data", notEnough}},
		{"of another class", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("slow", "2Gi", "", everywhere)}, []string{notEnough, notEnough}},
		{"a maximum that is too small", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "9Gi", "1Mi", everywhere)}, []string{notEnough, notEnough}},
		{"a maximum alone", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "", "1Gi", everywhere)}, []string{"data", "data"}},
		{"no amount", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "", "", everywhere)}, []string{notEnough, notEnough}},
		{"no amount for a claim of zero", "0", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "", "", everywhere)}, []string{notEnough, notEnough}},
		{"no nodes", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "9Gi", "", nil)}, []string{notEnough, notEnough}},
		{"an invalid selector", "1Gi", driver(&yes), []*storagev1.CSIStorageCapacity{capacity("fast", "9Gi", "", invalid)}, []string{notEnough, notEnough}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := world{
				claims:  []*corev1.PersistentVolumeClaim{pendingClaim("data", "fast", test.size)},
				classes: []*storagev1.StorageClass{class("fast", "csi.example.com")},
				drivers: test.drivers, capacities: test.capacities,
			}
			testkit.NoDiff(t, bindings(podUsing("data"), w, zoneNodes("a", "b")...), test.want)
			testkit.Contract(t, func() any { return bindings(podUsing("data"), w, zoneNodes("a", "b")...) }, w)
		})
	}
}

// The first claim that cannot be provisioned is the reason.
func TestFirstClaimThatCannotBeProvisioned(t *testing.T) {
	yes := true
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{pendingClaim("small", "fast", "1Gi"), pendingClaim("large", "static", "2Gi"), pendingClaim("fine", "other", "3Gi")},
		classes: []*storagev1.StorageClass{class("fast", "csi.example.com"), class("static", ""), class("other", "other.example.com")},
		drivers: driver(&yes),
	}
	testkit.NoDiff(t, bindings(podUsing("large", "small"), w, zoneNodes("a")...), []string{notEnough})
	testkit.NoDiff(t, bindings(podUsing("large", "fine"), w, zoneNodes("a")...), []string{bindConflict})
	w.claims[1].Spec.Resources.Requests = testkit.List("storage", "1Mi")
	testkit.NoDiff(t, bindings(podUsing("small", "large"), w, zoneNodes("a")...), []string{bindConflict})
	testkit.NoDiff(t, bindings(podUsing("fine", "small"), w, zoneNodes("a")...), []string{notEnough})
}

var allKinds = []podvolumes.Kind{
	podvolumes.PersistentVolumeClaim, podvolumes.PersistentVolume, podvolumes.StorageClass,
	podvolumes.CSINode, podvolumes.CSIDriver, podvolumes.CSIStorageCapacity,
}

func TestUnknown(t *testing.T) {
	yes := true
	aws := volume("aws", "", "1Gi", inZone("a"))
	aws.Spec.AWSElasticBlockStore = &corev1.AWSElasticBlockStoreVolumeSource{}
	full := world{
		claims: []*corev1.PersistentVolumeClaim{
			pendingClaim("fast", "fast", "1Gi"), pendingClaim("local", "local", "1Gi"), pendingClaim("static", "static", "1Gi"),
			pendingClaim("old", "gone", "1Gi"), pendingClaim("none", "", "1Gi"), pendingClaim("sizeless", "fast", ""), pendingClaim("now", "now", "1Gi"),
			boundClaim("bound", "v"), boundClaim("gone", "gone"), boundClaim("aws", "aws"), boundClaim("elsewhere", "elsewhere"),
			changed(pendingClaim("half", "gone", "1Gi"), func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" }),
		},
		volumes: []*corev1.PersistentVolume{volume("v", "", "1Gi", nil), volume("elsewhere", "", "1Gi", inZone("x")),
			volume("free", "static", "2Gi", inZone("a")), aws},
		classes: []*storagev1.StorageClass{class("fast", "csi.example.com"), class("local", "rancher.io/local-path"), class("static", ""), immediate("now", "csi.example.com")},
	}
	tracked := full
	tracked.drivers = driver(&yes)
	tracked.capacities = []*storagev1.CSIStorageCapacity{capacity("fast", "1Gi", "", zoneIs("a"))}
	loose := full
	loose.capacities = tracked.capacities
	silent := full
	silent.drivers = driver(nil)
	attached := full
	attached.csiNodes = []*storagev1.CSINode{csiNode("a", nil)}
	lost := full
	lost.claims = []*corev1.PersistentVolumeClaim{changed(boundClaim("lost", "v"), func(c *corev1.PersistentVolumeClaim) { c.Status.Phase = corev1.ClaimLost })}
	isLost := `persistentvolumeclaim "lost" bound to non-existent persistentvolume "v"`
	const (
		claims, volumes, classes     = podvolumes.PersistentVolumeClaim, podvolumes.PersistentVolume, podvolumes.StorageClass
		csiNodes, drivers, published = podvolumes.CSINode, podvolumes.CSIDriver, podvolumes.CSIStorageCapacity
	)
	unknown := func(kind podvolumes.Kind) []string {
		return []string{"unknown " + string(kind), "unknown " + string(kind)}
	}
	fits := []string{"", ""}
	for _, test := range []struct {
		name  string
		lacks podvolumes.Kind
		w     world
		pod   *corev1.Pod
		want  []string // in the zones a, b
	}{
		{"a claim", claims, full, podUsing("x"), unknown(claims)},
		{"an ephemeral claim", claims, full, ephemeralPod(), unknown(claims)},
		{"a claim beside one that refuses", claims, full, podUsing("x", "elsewhere"), []string{nodeConflict, nodeConflict}},
		{"a claim beside one that is not bound", claims, full, podUsing("none", "x"), []string{podvolumes.UnboundImmediate, podvolumes.UnboundImmediate}},
		{"a claim that is lost", claims, lost, podUsing("lost"), []string{isLost, isLost}},
		{"a volume for a claim that binds immediately", volumes, full, podUsing("now"), []string{podvolumes.UnboundImmediate, podvolumes.UnboundImmediate}},
		{"a class that is known and binds immediately", classes, full, podUsing("now"), []string{podvolumes.UnboundImmediate, podvolumes.UnboundImmediate}},
		{"a driver that is known and publishes nothing", drivers, silent, podUsing("fast"), fits},
		{"a CSINode that is known", csiNodes, attached, podUsing("aws"), []string{"", nodeConflict}},
		{"a claim that is known", claims, full, podUsing("bound"), fits},
		{"a volume", volumes, full, podUsing("gone"), unknown(volumes)},
		{"a volume beside one that refuses", volumes, full, podUsing("gone", "elsewhere"), []string{nodeConflict, nodeConflict}},
		{"a volume that is known", volumes, full, podUsing("bound"), fits},
		{"volumes for a claim that is provisioned", volumes, full, podUsing("local"), fits},
		{"volumes for a claim that is not provisioned", volumes, full, podUsing("static"), unknown(volumes)},
		{"no volumes for a claim that is not provisioned", csiNodes, full, podUsing("static"), []string{"", bindConflict}},
		{"volumes for a claim that is too large", volumes, tracked, podUsing("fast"), []string{"", "unknown PersistentVolume"}},
		{"a class", classes, full, podUsing("old"), unknown(classes)},
		{"a class of a claim that names a volume", classes, full, podUsing("half"), []string{podvolumes.UnboundImmediate, podvolumes.UnboundImmediate}},
		{"a class that is empty", classes, full, podUsing("none"), []string{podvolumes.UnboundImmediate, podvolumes.UnboundImmediate}},
		{"a class that is known", classes, full, podUsing("fast"), fits},
		{"a driver", drivers, full, podUsing("fast"), unknown(drivers)},
		{"a driver of a claim without a size", drivers, full, podUsing("sizeless"), fits},
		{"a driver with a slash in its name", drivers, full, podUsing("local"), fits},
		{"a driver that is known", drivers, tracked, podUsing("fast"), []string{"", notEnough}},
		{"a driver, but enough capacity", drivers, loose, podUsing("fast"), []string{"", "unknown CSIDriver"}},
		{"a capacity", published, tracked, podUsing("fast"), []string{"", "unknown CSIStorageCapacity"}},
		{"a capacity that nobody tracks", published, full, podUsing("fast"), fits},
		{"a CSINode of a volume that may be migrated", csiNodes, full, podUsing("aws"), []string{"unknown CSINode", nodeConflict}},
		{"a CSINode of another volume", csiNodes, full, podUsing("bound"), fits},
	} {
		t.Run(test.name, func(t *testing.T) {
			test.w.incomplete = []podvolumes.Kind{test.lacks}
			testkit.NoDiff(t, texts(verdicts(test.pod, test.w, zoneNodes("a", "b")...)), test.want)
			for _, kind := range allKinds {
				test.w.incomplete = []podvolumes.Kind{kind}
				for _, verdict := range verdicts(test.pod, test.w, zoneNodes("a", "b")...) {
					if len(verdict.Unknown) > 0 {
						testkit.NoDiff(t, verdict, podvolumes.Verdict{Unknown: test.w.incomplete})
					}
				}
			}
		})
	}

	// A volume that names the claim is certain to be bound to it.
	reserved := full
	reserved.volumes = []*corev1.PersistentVolume{changed(full.volumes[2], func(v *corev1.PersistentVolume) {
		v.Spec.ClaimRef = &corev1.ObjectReference{Namespace: "shop", Name: "static"}
	})}
	reserved.incomplete = []podvolumes.Kind{volumes}
	testkit.NoDiff(t, bindings(podUsing("static"), reserved, zoneNodes("a", "b")...), []string{"static=free", "unknown PersistentVolume static"})

	// Each kind is named once, in order.
	full.incomplete = []podvolumes.Kind{volumes, claims}
	all := verdicts(podUsing("x", "static", "gone", "y"), full, zoneNodes("b")...)
	testkit.NoDiff(t, all[0], podvolumes.Verdict{Unknown: []podvolumes.Kind{volumes, claims}})
}

// What a claim is bound to is so afterwards, too, and another pod can use it there.
func TestAfter(t *testing.T) {
	w := world{
		claims:  []*corev1.PersistentVolumeClaim{pendingClaim("a", "static", "1Gi"), pendingClaim("b", "fast", "2Gi")},
		volumes: []*corev1.PersistentVolume{volume("v", "static", "1Gi", inZone("a", "b"))},
		classes: []*storagev1.StorageClass{class("static", ""), class("fast", "csi.example.com")},
	}
	w.claims[0].UID = "uid"
	pod, nodes := podUsing("a", "b"), zoneNodes("a", "b", "c")
	on := podvolumes.Of(pod, w.objects()).On(nodes, func(int) []*corev1.Pod { return nil })
	bindingsOf := on.Bindings(1)
	testkit.Equal(t, len(bindingsOf), 2)
	on.Bindings(1)[0] = podvolumes.Binding{}
	testkit.NoDiff(t, on.Bindings(1)[0].Claim, w.claims[0], "after the caller has changed the slice")
	testkit.Contract(t, func() any {
		claim, volume := bindingsOf[0].After("node-b")
		return []any{claim, volume}
	}, w)
	claim, bound := bindingsOf[0].After("node-b")
	testkit.Equal(t, claim.Spec.VolumeName, "v")
	testkit.Equal(t, claim.Status.Phase, corev1.ClaimBound)
	testkit.Equal(t, bound.Status.Phase, corev1.VolumeBound)
	testkit.NoDiff(t, bound.Spec.ClaimRef, &corev1.ObjectReference{Kind: "PersistentVolumeClaim", APIVersion: "v1", Namespace: "shop", Name: "a", UID: "uid"})
	other, none := bindingsOf[1].After("node-b")
	testkit.Equal(t, none, nil)
	testkit.NoDiff(t, other.Annotations, map[string]string{"volume.kubernetes.io/selected-node": "node-b"})

	w.claims, w.volumes = []*corev1.PersistentVolumeClaim{claim, other, pendingClaim("c", "static", "1Gi")}, []*corev1.PersistentVolume{bound}
	testkit.NoDiff(t, bindings(podUsing("a"), w, nodes...), []string{"", "", nodeConflict}, "a volume that both zones reach")
	testkit.NoDiff(t, bindings(pod, w, nodes...), []string{bindConflict, "b", nodeConflict + ", " + bindConflict}, "a volume that is being provisioned")
	testkit.NoDiff(t, bindings(podUsing("c"), w, nodes...), []string{bindConflict, bindConflict, bindConflict}, "the volume is taken")
}
