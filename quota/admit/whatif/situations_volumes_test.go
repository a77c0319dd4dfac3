package whatif_test

import (
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/testkit"
	"github.com/kubemath/kubemath/quota/admit"
	"github.com/kubemath/kubemath/quota/admit/whatif"
)

const noProvisioner = "kubernetes.io/no-provisioner"

// storageClass returns a class, whose claims bind on first use or immediately.
func storageClass(name, provisioner string, mode storagev1.VolumeBindingMode) *storagev1.StorageClass {
	return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: provisioner, VolumeBindingMode: &mode}
}

// classes returns the classes of most situations: local and later bind on first use, static and now immediately. The
// second of each pair is provisioned.
func classes() []admit.APIObject {
	return []admit.APIObject{
		storageClass("local", noProvisioner, storagev1.VolumeBindingWaitForFirstConsumer),
		storageClass("later", "csi.example.com", storagev1.VolumeBindingWaitForFirstConsumer),
		storageClass("static", noProvisioner, storagev1.VolumeBindingImmediate),
		storageClass("now", "csi.example.com", storagev1.VolumeBindingImmediate),
	}
}

// claim returns a claim of 1Gi that is not bound.
func claim(name, class string) *corev1.PersistentVolumeClaim {
	c := &corev1.PersistentVolumeClaim{ObjectMeta: meta(name)}
	c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	c.Spec.StorageClassName, c.Spec.Resources.Requests = &class, testkit.List("storage", "1Gi")
	return c
}

// boundTo binds a claim and a volume to each other.
func boundTo(c *corev1.PersistentVolumeClaim, v *corev1.PersistentVolume) []admit.APIObject {
	c.Spec.VolumeName, c.Status.Phase = v.Name, corev1.ClaimBound
	c.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
	v.Spec.ClaimRef, v.Status.Phase = &corev1.ObjectReference{Namespace: c.Namespace, Name: c.Name}, corev1.VolumeBound
	return []admit.APIObject{c, v}
}

// localVolume returns a volume of a node, which no driver attaches.
func localVolume(name, class, size, node string) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}, Status: corev1.PersistentVolumeStatus{Phase: corev1.VolumeAvailable}}
	v.Spec.StorageClassName, v.Spec.Capacity = class, testkit.List("storage", size)
	v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	v.Spec.Local = &corev1.LocalVolumeSource{Path: "/mnt"}
	v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "name", Operator: corev1.NodeSelectorOpIn, Values: []string{node}}}}}}}
	return v
}

// using gives a pod or a template volumes of claims.
func using[O admit.APIObject](obj O, claims ...string) O {
	return withSpec(obj, func(spec *corev1.PodSpec) {
		for _, name := range claims {
			spec.Volumes = append(spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: name}}})
		}
	})
}

// scratch gives a pod or a template a generic ephemeral volume of a class.
func scratch[O admit.APIObject](obj O, class string) O {
	return withSpec(obj, func(spec *corev1.PodSpec) {
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "scratch", VolumeSource: corev1.VolumeSource{
			Ephemeral: &corev1.EphemeralVolumeSource{VolumeClaimTemplate: &corev1.PersistentVolumeClaimTemplate{Spec: claim("", class).Spec}}}})
	})
}

// ofClass returns a StatefulSet whose claims are of a class.
func ofClass(name string, replicas int32, class string) *appsv1.StatefulSet {
	set := statefulSet(name, replicas, "1", "data")
	set.Spec.VolumeClaimTemplates[0].Spec = claim("", class).Spec
	return set
}

// unused returns objects that nothing uses, so that all objects of each kind are known.
func unused() []admit.APIObject {
	return []admit.APIObject{in("other", claim("unused", "none")), localVolume("unused", "none", "1Gi", "none"),
		&storagev1.CSINode{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, &storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: "unused"}}}
}

// capacities returns what the driver of the class later has on the node a, and in 100 places on b, the first of which is
// the largest.
func capacities() []admit.APIObject {
	objects := cluster(capacityOf("a", "a", "2Gi"), capacityOf("b-000", "b", "100Gi"),
		&storagev1.CSIDriver{ObjectMeta: metav1.ObjectMeta{Name: "csi.example.com"}, Spec: storagev1.CSIDriverSpec{StorageCapacity: pointer(true)}})
	for i := range 99 {
		objects = append(objects, capacityOf(fmt.Sprintf("b-%03d", i+1), "b", "1Gi"))
	}
	return objects
}

// capacityOf returns what the driver of the class later has on a node.
func capacityOf(name, node, size string) *storagev1.CSIStorageCapacity {
	return &storagev1.CSIStorageCapacity{ObjectMeta: meta(name), StorageClassName: "later", Capacity: pointer(resource.MustParse(size)),
		NodeTopology: &metav1.LabelSelector{MatchLabels: map[string]string{"name": node}}}
}

// withScratch returns a pod with a generic ephemeral volume, whose claim is bound to a volume of a node.
func withScratch(name, node string) []admit.APIObject {
	p, c := scratch(podOf(name, "1"), "local"), owned(claim(name+"-scratch", "local"), "Pod", name)
	p.UID, c.OwnerReferences[0].UID = types.UID(name), types.UID(name)
	return append(boundTo(c, localVolume("of-"+name, "local", "1Gi", node)), p)
}

// metadataOf returns what is known of an object of the core group if only its metadata were read.
func metadataOf(kind, name string) *metav1.PartialObjectMetadata {
	return &metav1.PartialObjectMetadata{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: kind}, ObjectMeta: metav1.ObjectMeta{Name: name}}
}

func cluster(parts ...any) (objects []admit.APIObject) {
	for _, part := range parts {
		if list, ok := part.([]admit.APIObject); ok {
			objects = append(objects, list...)
		} else {
			objects = append(objects, part.(admit.APIObject))
		}
	}
	return objects
}

func zoned(n *corev1.Node, zone string) *corev1.Node {
	n.Labels[corev1.LabelTopologyZone] = zone
	return n
}

func situationsOfVolumes() []situation {
	return []situation{{
		name:    "a volume decides the node",
		cluster: cluster(node("a", "9"), node("b", "2"), classes(), boundTo(claim("data", "local"), localVolume("v", "local", "1Gi", "b"))),
		ask:     apply(using(podOf("p", "1"), "data")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> b
			nodes b`,
	}, {
		// Source: Filter of volumezone.
		name: "the zone in a label of a volume decides the node",
		cluster: cluster(zoned(node("a", "9"), "east"), zoned(node("b", "2"), "west"), classes(), boundTo(claim("data", "now"), with(localVolume("v", "now", "1Gi", ""), func(v *corev1.PersistentVolume) {
			v.Spec.NodeAffinity, v.Labels = nil, map[string]string{corev1.LabelTopologyZone: "west"}
		}))),
		ask: apply(using(podOf("p", "1"), "data"), using(podOf("q", "5"), "data")),
		want: `
			Pod shop/p Created
			Pod shop/q Created
			pod shop/p cpu=1: - -> b
			pod shop/q cpu=5: - -> waits, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) had no available volume zone.
			nodes b`,
	}, {
		// The first replica gets the node of whose volume it uses less (Score of volumebinding).
		name:    "a StatefulSet takes the volumes of nodes, until there are none",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), localVolume("of-a", "local", "2Gi", "a"), localVolume("of-b", "local", "4Gi", "b")),
		ask:     apply(ofClass("db", 3, "local")),
		want: `
			StatefulSet shop/db Created 3/3/2
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> b
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> a
			pod shop/db-2 cpu=1 of StatefulSet shop/db: - -> waits, Unschedulable: 0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.
			nodes a b`,
	}, {
		// Without the gate StorageCapacityScoring, all nodes are as good, and a is the first by name.
		name:    "a StatefulSet takes the volumes of nodes in 1.36",
		opts:    whatif.Options{Admission: admit.Options{Kubernetes: computeresources.Kubernetes{Release: "1.36"}}},
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), localVolume("of-a", "local", "2Gi", "a"), localVolume("of-b", "local", "4Gi", "b")),
		ask:     apply(ofClass("db", 2, "local")),
		want: `
			StatefulSet shop/db Created 2/2/2
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> a
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> b
			nodes a b`,
	}, {
		name:    "a volume comes for a replica that waits",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), localVolume("of-a", "local", "2Gi", "a")),
		ask:     inTurn(apply(ofClass("db", 2, "local")), apply(localVolume("of-b", "local", "4Gi", "b"))),
		want: `
			PersistentVolume of-b Created
			and StatefulSet shop/db Unchanged 2/2/2
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> b
			nodes b`,
	}, {
		// The status is not in a manifest: the controller of volumes makes the volume available.
		name: "manifests have volumes and claims without a status, and a volume is still pending",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), with(localVolume("read", "local", "1Gi", "b"), func(v *corev1.PersistentVolume) {
			v.Status.Phase = corev1.VolumePending
		})),
		ask: apply(ofClass("db", 2, "local"), with(localVolume("applied", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) { v.Status.Phase = "" })),
		want: `
			StatefulSet shop/db Created 2/2/2
			PersistentVolume applied Created
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> b
			pod shop/db-1 cpu=1 of StatefulSet shop/db: - -> a
			nodes a b`,
	}, {
		name: "a volume has failed",
		cluster: cluster(node("a", "9"), classes(), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Status.Phase = corev1.VolumeFailed
		})),
		ask: apply(claim("data", "local"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.`,
	}, {
		// What the manifest says of the claim replaces what the controller of volumes has written.
		// Source: StrategicMergePatch of k8s.io/apimachinery/pkg/util/strategicpatch, which keeps the UID; syncVolume of
		// pkg/controller/volume/persistentvolume, for which the claim is then gone.
		name: "a manifest gives a released volume to another claim, but the UID stays",
		cluster: cluster(node("a", "9"), classes(), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.ClaimRef, v.Status.Phase = &corev1.ObjectReference{Namespace: "shop", Name: "former", UID: "former"}, corev1.VolumeReleased
		})),
		ask: apply(with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.ClaimRef, v.Status.Phase = &corev1.ObjectReference{Namespace: "shop", Name: "data"}, ""
		}), claim("data", "local"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolume v Updated
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.`,
	}, {
		name:    "of a volume, only the metadata were read",
		cluster: cluster(node("a", "9"), classes(), metadataOf("PersistentVolume", "v")),
		ask:     apply(localVolume("v", "local", "1Gi", "a"), claim("data", "local"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolume v Updated
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		// What the controller of volumes has written stays: the claim and the volume are bound.
		name:    "manifests of a claim and of its volume change",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), boundTo(claim("data", "local"), localVolume("v", "local", "1Gi", "b"))),
		ask: apply(labelled(claim("data", "local")), with(labelled(localVolume("v", "local", "1Gi", "b")), func(v *corev1.PersistentVolume) { v.Status.Phase = "" }),
			claim("other", "local"), using(podOf("p", "1"), "data"), using(podOf("q", "1"), "other")),
		want: `
			PersistentVolumeClaim shop/data Updated
			PersistentVolume v Updated
			PersistentVolumeClaim shop/other Created
			Pod shop/p Created
			Pod shop/q Created
			pod shop/p cpu=1: - -> b
			pod shop/q cpu=1: - -> waits, Unschedulable: 0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.
			nodes b`,
	}, {
		name:    "a replica waits for the node of its volume",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), localVolume("of-a", "local", "2Gi", "a")),
		ask:     inTurn(apply(ofClass("db", 1, "local")), drain("a")),
		want: `
			Node a Updated
			and StatefulSet shop/db Unchanged 1/1/0
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> evicted -> waits, Unschedulable: 0/2 nodes are available: 1 node(s) didn't match PersistentVolume's node affinity, 1 node(s) were unschedulable.
			nodes a`,
	}, {
		name:    "a claim that binds immediately is bound to the smallest volume, whatever pods use it",
		cluster: cluster(node("a", "9"), node("b", "2"), classes(), localVolume("small", "static", "1Gi", "b"), localVolume("large", "static", "2Gi", "a")),
		ask:     apply(claim("data", "static"), using(podOf("p", "5"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=5: - -> waits, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match PersistentVolume's node affinity.`,
	}, {
		name:    "of two volumes of a size, the first by name is bound",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), localVolume("v2", "static", "1Gi", "a"), localVolume("v1", "static", "1Gi", "b")),
		ask:     apply(claim("data", "static"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> b
			nodes b`,
	}, {
		name:    "a claim that binds immediately waits for a volume",
		cluster: cluster(node("a", "9"), node("b", "2"), classes(), unused()),
		ask:     apply(claim("data", "static"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims.`,
	}, {
		name:    "a volume comes for a claim that binds immediately",
		cluster: cluster(node("a", "9"), node("b", "2"), classes(), unused()),
		ask:     inTurn(apply(claim("data", "static"), using(podOf("p", "1"), "data")), apply(localVolume("v", "static", "1Gi", "b"))),
		want: `
			PersistentVolume v Created
			pod shop/p cpu=1: - -> b
			nodes b`,
	}, {
		name:    "where a volume that is provisioned at once can be used is unknown",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     apply(claim("data", "now"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown spec.volumes
			nodes a`,
	}, {
		name:    "a volume that is provisioned on first use suits its node",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     apply(claim("data", "later"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		// Source: hasEnoughCapacity of volumebinding. The first capacity that is large enough is scored: on b, 1 of 100Gi is
		// requested, and 1 of 2Gi on a. All others on b would be full.
		name:    "of capacities of a node, the first by name is scored",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), unused(), capacities()),
		ask:     apply(claim("data", "later"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> b
			nodes b`,
	}, {
		name: "of capacities of two namespaces, the first is that of the first namespace",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), unused(), capacities()[2],
			in("apps", capacityOf("z", "a", "2Gi")), in("web", capacityOf("y", "a", "100Gi")),
			in("apps", capacityOf("y", "b", "50Gi")), in("web", capacityOf("x", "b", "1Gi"))),
		ask: apply(claim("data", "later"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> b
			nodes b`,
	}, {
		name:    "classes of which the caller has read some",
		opts:    whatif.Options{Admission: admit.Options{Incomplete: []string{"StorageClass"}}},
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     apply(claim("data", "elsewhere"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown spec.volumes
			nodes a`,
	}, {
		// Until the volume exists, the node is the one that is selected: a later pod waits if it does not fit there, and may
		// get another one as soon as the driver says where the volume can be used.
		name:    "pods share a claim that is provisioned on first use",
		cluster: cluster(node("a", "9"), node("b", "2"), classes(), unused()),
		ask:     apply(claim("data", "later"), using(deployment("web", 2, "6"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Deployment shop/web Created 2/2/1
			pod shop/web-1-1 cpu=6 of Deployment shop/web: - -> a
			pod shop/web-1-2 cpu=6 of Deployment shop/web: - -> waits, Unschedulable: 0/2 nodes are available: 2 Insufficient cpu.; unknown spec.volumes
			nodes a`,
	}, {
		name: "one pod at a time uses a claim",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), boundTo(with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		}), localVolume("v", "local", "1Gi", "a")), using(on("a", podOf("first", "1")), "data")),
		ask: apply(using(podOf("second", "1"), "data")),
		want: `
			Pod shop/second Created
			pod shop/second cpu=1: - -> waits, Unschedulable: 0/2 nodes are available: 2 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod.`,
	}, {
		name: "the next pod uses a claim",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), boundTo(with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		}), localVolume("v", "local", "1Gi", "b")), using(on("b", podOf("first", "1")), "data"), using(podOf("second", "1"), "data")),
		ask: remove(podOf("first", "1")),
		want: `
			Pod shop/first Deleted
			pod shop/first cpu=1: b -> gone
			pod shop/second cpu=1: - -> b
			nodes b`,
	}, {
		name:    "a claim is missing",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     apply(using(podOf("p", "1"), "data")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: persistentvolumeclaim "data" not found.`,
	}, {
		name:    "a claim that is missing comes",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     inTurn(apply(using(podOf("p", "1"), "data")), apply(claim("data", "later"))),
		want: `
			PersistentVolumeClaim shop/data Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name:    "claims of a cluster are not known",
		cluster: cluster(node("a", "9"), classes()),
		ask:     apply(using(podOf("p", "1"), "data")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown spec.volumes
			nodes a`,
	}, {
		name:    "classes of a cluster are not known",
		cluster: cluster(node("a", "9"), unused()),
		ask:     apply(claim("data", "later"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a; unknown spec.volumes
			nodes a`,
	}, {
		name:    "a class is missing",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     apply(claim("data", "none of them"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.`,
	}, {
		name:    "a class is missing among those of the options",
		opts:    whatif.Options{Admission: admit.Options{StorageClasses: []*storagev1.StorageClass{storageClass("later", "csi.example.com", storagev1.VolumeBindingWaitForFirstConsumer)}}},
		cluster: cluster(node("a", "9"), unused()),
		ask:     apply(claim("data", "other"), claim("more", "later"), using(podOf("p", "1"), "data"), using(podOf("q", "1"), "more")),
		want: `
			PersistentVolumeClaim shop/data Created
			PersistentVolumeClaim shop/more Created
			Pod shop/p Created
			Pod shop/q Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.
			pod shop/q cpu=1: - -> a
			nodes a`,
	}, {
		name:    "a cluster has no classes",
		opts:    whatif.Options{Admission: admit.Options{StorageClasses: []*storagev1.StorageClass{}}},
		cluster: cluster(node("a", "9"), unused()),
		ask:     apply(claim("data", "later"), using(podOf("p", "1"), "data")),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: pod has unbound immediate PersistentVolumeClaims.`,
	}, {
		name:    "a class that is missing comes",
		cluster: cluster(node("a", "9"), classes(), unused()),
		ask:     inTurn(apply(claim("data", "new"), using(podOf("p", "1"), "data")), apply(storageClass("new", "csi.example.com", storagev1.VolumeBindingWaitForFirstConsumer))),
		want: `
			StorageClass new Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name: "the default class is that of a claim without one",
		cluster: cluster(node("a", "9"), node("b", "9"), unused(), localVolume("v", "local", "1Gi", "b"), with(storageClass("local", noProvisioner, storagev1.VolumeBindingWaitForFirstConsumer), func(c *storagev1.StorageClass) {
			c.Annotations = map[string]string{"storageclass.kubernetes.io/is-default-class": "true"}
		})),
		ask: apply(statefulSet("db", 1, "1", "data")),
		want: `
			StatefulSet shop/db Created 1/1/1
			pod shop/db-0 cpu=1 of StatefulSet shop/db: - -> b
			nodes b`,
	}, {
		name:    "a generic ephemeral volume has a claim of its own, and goes with its pod",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), resourceQuota("q", "persistentvolumeclaims", "5"), localVolume("v", "local", "1Gi", "b")),
		ask:     apply(scratch(deployment("web", 2, "1"), "local")),
		want: `
			Deployment shop/web Created 2/2/1
			pod shop/web-1-1 cpu=1 of Deployment shop/web: - -> b
			pod shop/web-1-2 cpu=1 of Deployment shop/web: - -> waits, Unschedulable: 0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind.
			quota shop/q persistentvolumeclaims 2/5
			nodes b`,
	}, {
		name:    "a generic ephemeral volume goes with its pod",
		cluster: cluster(node("a", "9"), classes(), unused(), resourceQuota("q", "persistentvolumeclaims", "5")),
		ask:     inTurn(apply(scratch(podOf("p", "1"), "later")), remove(podOf("p", "1"))),
		want: `
			Pod shop/p Deleted
			pod shop/p cpu=1: a -> gone
			quota shop/q persistentvolumeclaims 0/5
			nodes a`,
	}, {
		// Source: podHasPVCs of volumebinding: the controller cannot create the claim.
		name:    "a quota keeps a generic ephemeral volume from its claim",
		cluster: cluster(node("a", "9"), classes(), unused(), resourceQuota("q", "persistentvolumeclaims", "0")),
		ask:     apply(scratch(podOf("p", "1"), "later")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: waiting for ephemeral volume controller to create the persistentvolumeclaim "p-scratch".`,
	}, {
		// Source: GarbageCollector, which deletes what the pod owns.
		name:    "a pod is deleted, and a claim with the name of that of its generic ephemeral volume stays",
		cluster: cluster(node("a", "9"), classes(), unused(), claim("p-scratch", "later"), resourceQuota("q", "persistentvolumeclaims", "5")),
		ask:     inTurn(apply(scratch(podOf("p", "1"), "later")), remove(podOf("p", "1"))),
		want: `
			Pod shop/p Deleted
			pod shop/p cpu=1: - -> gone`,
	}, {
		name:    "a pod is deleted before the claim of its generic ephemeral volume is created",
		cluster: cluster(node("a", "9"), classes(), unused(), resourceQuota("q", "persistentvolumeclaims", "0")),
		ask:     inTurn(apply(scratch(podOf("p", "1"), "later")), remove(podOf("p", "1"))),
		want: `
			Pod shop/p Deleted
			pod shop/p cpu=1: - -> gone`,
	}, {
		// Each of the pods, which ask the same, has got the node of the volume of its claim when the objects were read.
		name:    "pods that wait have generic ephemeral volumes on two nodes",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), withScratch("p", "a"), withScratch("q", "b")),
		ask:     remove(podOf("p", "1"), podOf("q", "1")),
		want: `
			Pod shop/p Deleted
			Pod shop/q Deleted
			pod shop/p cpu=1: a -> gone
			pod shop/q cpu=1: b -> gone
			nodes a b`,
	}, {
		name:    "a quota gets room for the claim of a generic ephemeral volume",
		cluster: cluster(node("a", "9"), classes(), unused(), resourceQuota("q", "persistentvolumeclaims", "0")),
		ask:     inTurn(apply(scratch(podOf("p", "1"), "later")), apply(resourceQuota("q", "persistentvolumeclaims", "1"))),
		want: `
			ResourceQuota shop/q Updated
			pod shop/p cpu=1: - -> a
			quota shop/q persistentvolumeclaims 1/1
			nodes a`,
	}, {
		// The volume is kept for nobody else: its policy is Retain.
		name:    "a claim is deleted, and its volume is released",
		cluster: cluster(node("a", "9"), classes(), boundTo(claim("data", "local"), localVolume("v", "local", "1Gi", "a"))),
		ask:     inTurn(remove(claim("data", "local")), apply(claim("data", "local"), using(podOf("p", "1"), "data"))),
		want: `
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> waits, Unschedulable: 0/1 nodes are available: 1 node(s) didn't find available persistent volumes to bind.`,
	}, {
		name: "a claim is deleted with its volume",
		cluster: cluster(node("a", "9"), classes(), unused(), boundTo(claim("data", "local"), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimDelete
		}))),
		ask: inTurn(remove(claim("data", "local")), apply(localVolume("v", "local", "1Gi", "a"), claim("data", "local"), using(podOf("p", "1"), "data"))),
		want: `
			PersistentVolume v Created
			PersistentVolumeClaim shop/data Created
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name: "a claim is deleted that names the volume of another claim",
		cluster: cluster(node("a", "9"), classes(), unused(), boundTo(claim("other", "local"), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimDelete
		})), with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" })),
		ask: inTurn(remove(claim("data", "local")), apply(using(podOf("p", "1"), "other"))),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name: "a claim is deleted, and another one of its name in another namespace has the volume",
		cluster: cluster(node("a", "9"), classes(), unused(), boundTo(claim("data", "local"), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimDelete
		})), with(in("pay", claim("data", "local")), func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" })),
		ask: inTurn(remove(in("pay", claim("data", "local"))), apply(using(podOf("p", "1"), "data"))),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name: "a claim in the default namespace, which manifests omit, is deleted with its volume",
		cluster: cluster(node("a", "9"), classes(), unused(), boundTo(in("", claim("data", "local")), with(localVolume("v", "local", "1Gi", "a"), func(v *corev1.PersistentVolume) {
			v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimDelete
		}))),
		ask:  inTurn(remove(in("", claim("data", "local"))), remove(localVolume("v", "local", "1Gi", "a"))),
		want: `PersistentVolume v NotFound`,
	}, {
		name:    "a claim is deleted that names a volume that no claim has",
		cluster: cluster(node("a", "9"), classes(), unused(), localVolume("v", "local", "1Mi", "a"), with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) { c.Spec.VolumeName = "v" })),
		ask:     inTurn(remove(claim("data", "local")), remove(localVolume("v", "local", "1Mi", "a"))),
		want:    `PersistentVolume v Deleted`,
	}, {
		name: "a claim is deleted of whose volume only the metadata were read",
		cluster: cluster(node("a", "9"), classes(), unused(), metadataOf("PersistentVolume", "v"), with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) {
			c.Spec.VolumeName = "v"
		})),
		ask:  inTurn(remove(claim("data", "local")), remove(localVolume("v", "local", "1Mi", "a"))),
		want: `PersistentVolume v Deleted`,
	}, {
		// The second pod that waits has to look for a volume again.
		name: "two pods wait for the node of one volume",
		cluster: cluster(node("a", "2"), classes(), localVolume("v", "local", "1Gi", "a"), claim("first", "local"), claim("second", "local"),
			on("a", podOf("on-a", "2")), using(podOf("p", "1"), "first"), using(podOf("q", "1"), "second")),
		ask: remove(podOf("on-a", "2")),
		want: `
			Pod shop/on-a Deleted
			pod shop/on-a cpu=2: a -> gone
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		// When objects are read, no pod is preempted; a volume that comes is no reason to look at this pod again.
		name: "a volume comes while a pod without volumes waits",
		cluster: cluster(node("a", "1"), on("a", podOf("low", "1")), withSpec(podOf("high", "1"), func(spec *corev1.PodSpec) {
			spec.Priority = pointer(int32(5))
		})),
		ask:  apply(localVolume("v", "local", "1Gi", "a")),
		want: `PersistentVolume v Created`,
	}, {
		// The pod that is less important on the other node would be as good a victim: preemption does not help there.
		name: "preemption makes room on the node of a volume",
		cluster: cluster(node("a", "1"), node("b", "1"), classes(), priorityClass("high", 5), boundTo(claim("data", "local"), localVolume("v", "local", "1Gi", "b")),
			on("a", podOf("first", "1")), on("b", podOf("second", "1"))),
		ask: apply(using(withSpec(podOf("p", "1"), hasClass("high")), "data")),
		want: `
			Pod shop/p Created
			pod shop/p cpu=1: - -> b
			pod shop/second cpu=1: b -> preempted
			nodes b`,
	}, {
		name: "preemption frees a claim that one pod uses, on its node",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), priorityClass("high", 5), boundTo(with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		}), with(localVolume("v", "local", "1Gi", ""), func(v *corev1.PersistentVolume) { v.Spec.NodeAffinity = nil })), on("a", podOf("other", "1")), using(on("b", podOf("first", "1")), "data")),
		ask: apply(using(withSpec(podOf("second", "1"), hasClass("high")), "data")),
		want: `
			Pod shop/second Created
			pod shop/second cpu=1: - -> b
			pod shop/first cpu=1: b -> preempted
			nodes b`,
	}, {
		// Claims of a live StatefulSet are in the cluster, but not in a dump without claims: its volume may be anywhere.
		name: "claims of a StatefulSet are not in a dump",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), with(ofClass("db", 1, "later"), func(s *appsv1.StatefulSet) { s.UID = "db" }),
			owned(on("a", podOf("db-0", "1")), "StatefulSet", "db")),
		ask: drain("a"),
		want: `
			Node a Updated
			and StatefulSet shop/db Unchanged 1/1/1
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> evicted -> b; unknown spec.volumes
			nodes a b`,
	}, {
		// Only claims are missing in the dump: the class and the volumes would say that the pod may be on b.
		name: "claims of a StatefulSet are not in a dump that has volumes",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), unused()[1:], with(ofClass("db", 1, "later"), func(s *appsv1.StatefulSet) { s.UID = "db" }),
			owned(on("a", podOf("db-0", "1")), "StatefulSet", "db")),
		ask: drain("a"),
		want: `
			Node a Updated
			and StatefulSet shop/db Unchanged 1/1/1
			pod shop/db-0 cpu=1 of StatefulSet shop/db: a -> evicted -> b; unknown spec.volumes
			nodes a b`,
	}, {
		// The claim is one that the cluster has, also once the StatefulSet owns it.
		name: "claims that are not in a dump go with their StatefulSet",
		cluster: cluster(node("a", "9"), node("b", "9"), classes(), unused()[1:], with(ofClass("db", 1, "later"), func(s *appsv1.StatefulSet) {
			s.UID = "db"
			s.Spec.PersistentVolumeClaimRetentionPolicy = &appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{WhenDeleted: appsv1.DeletePersistentVolumeClaimRetentionPolicyType}
		}), owned(on("a", podOf("db-0", "1")), "StatefulSet", "db")),
		ask: inTurn(drain("a"), remove(podOf("db-0", "1"))),
		want: `
			Pod shop/db-0 Deleted
			and StatefulSet shop/db Unchanged 1/1/1
			pod shop/db-0 cpu=1 of StatefulSet shop/db: b -> b; unknown spec.volumes
			nodes b`,
	}, {
		// Source: Filter of nodedeclaredfeatures.
		name: "a pod needs a feature that one node declares",
		cluster: cluster(node("a", "9"), with(node("b", "2"), func(n *corev1.Node) {
			n.Status.DeclaredFeatures = []string{"RestartAllContainersOnContainerExits"}
		})),
		ask: apply(withSpec(podOf("p", "1"), restartsAll), withSpec(podOf("q", "2"), restartsAll)),
		want: `
			Pod shop/p Created
			Pod shop/q Created
			pod shop/p cpu=1: - -> b
			pod shop/q cpu=2: - -> waits, Unschedulable: 0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't match Pod's required features.
			nodes b`,
	}, {
		name:    "a node declares a feature that a pod waits for",
		cluster: cluster(node("a", "9"), withSpec(podOf("p", "1"), restartsAll)),
		ask: apply(with(node("a", "9"), func(n *corev1.Node) {
			n.Status.DeclaredFeatures = []string{"RestartAllContainersOnContainerExits"}
		})),
		want: `
			Node a Updated
			pod shop/p cpu=1: - -> a
			nodes a`,
	}, {
		name:    "a claim of a generic ephemeral volume goes with its pod, which has another volume before it",
		cluster: cluster(node("a", "9"), classes(), unused(), claim("data", "later"), resourceQuota("q", "persistentvolumeclaims", "5")),
		ask:     inTurn(apply(scratch(using(podOf("p", "1"), "data"), "later")), remove(podOf("p", "1"))),
		want: `
			Pod shop/p Deleted
			pod shop/p cpu=1: a -> gone
			quota shop/q persistentvolumeclaims 1/5
			nodes a`,
	}}
}

func restartsAll(spec *corev1.PodSpec) {
	spec.Containers[0].RestartPolicyRules = []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}
}

// Room counts replicas with claims of their own, and of one claim.
func TestRoomOfVolumes(t *testing.T) {
	local := cluster(node("a", "9"), node("b", "9"), classes(), localVolume("of-a", "local", "1Gi", "a"), localVolume("of-b", "local", "1Gi", "b"), localVolume("small", "local", "1Mi", "b"))
	large := node("a", "40000")
	large.Status.Allocatable[corev1.ResourcePods] = resource.MustParse("50000")
	for _, test := range []struct {
		name    string
		cluster []admit.APIObject
		obj     admit.APIObject
		want    int64
		next    string
		unknown bool
	}{
		{name: "each takes a volume", cluster: local, obj: ofClass("db", 1, "local"), want: 2, next: "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."},
		{name: "ephemeral volumes", cluster: local, obj: scratch(deployment("web", 1, "1"), "local"), want: 2, next: "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."},
		{name: "of a pod", cluster: local, obj: scratch(podOf("p", "1"), "local"), want: 2, next: "0/2 nodes are available: 2 node(s) didn't find available persistent volumes to bind."},
		{name: "each is provisioned", cluster: cluster(node("a", "9"), node("b", "2"), classes(), unused()), obj: ofClass("db", 1, "later"), want: 11, next: "0/2 nodes are available: 2 Insufficient cpu."},
		{name: "one claim on its node", cluster: cluster(node("a", "9"), node("b", "2"), classes(), unused(), claim("data", "later")), obj: using(deployment("web", 1, "1"), "data"),
			want: 9, next: "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) didn't find available persistent volumes to bind.", unknown: true},
		{name: "one pod at a time", cluster: cluster(node("a", "9"), classes(), boundTo(with(claim("data", "local"), func(c *corev1.PersistentVolumeClaim) {
			c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOncePod}
		}), localVolume("v", "local", "1Gi", "a"))), obj: using(deployment("web", 1, "1"), "data"), want: 1,
			next: "0/1 nodes are available: 1 node(s) unavailable due to PersistentVolumeClaim with ReadWriteOncePod access mode already in-use by another pod."},
		{name: "of a gated pod, claims do not matter", cluster: cluster(node("a", "9"), classes()), obj: withSpec(using(podOf("p", "1"), "data"), func(spec *corev1.PodSpec) {
			spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "example.com/gate"}}
		}), want: 0, next: "Scheduling is blocked due to non-empty scheduling gates"},
		{name: "one claim that is bound, for more pods than are placed one after the other", cluster: cluster(large, classes(), boundTo(claim("data", "local"), localVolume("v", "local", "1Gi", "a"))),
			obj: using(deployment("web", 1, "1"), "data"), want: 40000, next: "0/1 nodes are available: 1 Insufficient cpu."},
		{name: "claims that are not known", cluster: cluster(node("a", "9"), classes()), obj: using(deployment("web", 1, "1"), "data"), want: 9,
			next: "0/1 nodes are available: 1 Insufficient cpu.", unknown: true},
		{name: "no such claim", cluster: cluster(node("a", "9"), classes(), unused()), obj: using(deployment("web", 1, "1"), "data"), want: 0,
			next: `0/1 nodes are available: persistentvolumeclaim "data" not found.`},
		{name: "quota of claims", cluster: append(local, resourceQuota("q", "persistentvolumeclaims", "1")), obj: scratch(deployment("web", 1, "1"), "local"), want: 1,
			next: `persistentvolumeclaims "web--scratch" is forbidden: ` + "exceeded quota: q, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1"},
	} {
		room := read(t, whatif.Options{}, test.cluster...).Room(test.obj)
		testkit.Equal(t, room.Replicas, test.want, test.name)
		testkit.Equal(t, room.Next.Message, test.next, test.name)
		testkit.Equal(t, len(room.Unknown) > 0, test.unknown, test.name, room.Unknown)
	}
}
