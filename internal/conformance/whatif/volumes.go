package main

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// The classes of claims, whose volumes are there or do not come: the first binds a claim when a pod uses it, the second at once.
var classNames = []string{"late", "early"}

func storageClasses() (classes []admit.APIObject) {
	for i, mode := range []storagev1.VolumeBindingMode{storagev1.VolumeBindingWaitForFirstConsumer, storagev1.VolumeBindingImmediate} {
		classes = append(classes, &storagev1.StorageClass{
			ObjectMeta: metav1.ObjectMeta{Name: classNames[i]}, Provisioner: "kubernetes.io/no-provisioner", VolumeBindingMode: &mode,
		})
	}
	return classes
}

// storage draws volumes on nodes or in zones, and claims that pods may use.
func (d *drawing) storage() (objects []admit.APIObject) {
	if !d.chance(d.volumes) {
		return nil
	}
	for i := range d.between(2, 8) {
		v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprint("volume-", i)}}
		v.Spec.Capacity = corev1.ResourceList{corev1.ResourceStorage: mebi(d.between(100, 400))}
		v.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
		v.Spec.PersistentVolumeReclaimPolicy = corev1.PersistentVolumeReclaimRetain
		v.Spec.StorageClassName = d.class()
		v.Spec.Local = &corev1.LocalVolumeSource{Path: "/data"}
		e := corev1.NodeSelectorRequirement{Key: corev1.LabelTopologyZone, Operator: corev1.NodeSelectorOpIn, Values: []string{d.zone()}}
		if d.chance(60) {
			e.Key, e.Values = corev1.LabelHostname, []string{d.nodes[d.IntN(len(d.nodes))].Name}
		}
		v.Spec.NodeAffinity = &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{
			NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{e}}},
		}}
		objects = append(objects, v)
	}
	for range d.between(1, 4) {
		c := d.claim(fmt.Sprint("claim-", d.claims))
		d.claims++
		objects = append(objects, &c)
	}
	return objects
}

func (d *drawing) class() string { return classNames[d.IntN(len(classNames))] }

func (d *drawing) claim(name string) corev1.PersistentVolumeClaim {
	class := d.class()
	c := corev1.PersistentVolumeClaim{ObjectMeta: d.meta(name)}
	c.Spec.StorageClassName = &class
	c.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	c.Spec.Resources.Requests = corev1.ResourceList{corev1.ResourceStorage: mebi(d.between(100, 350))}
	return c
}

// mount lets the pods of a workload use a claim, those of a StatefulSet perhaps each its own.
func (d *drawing) mount(o admit.APIObject) {
	if d.claims == 0 || !d.chance(40) {
		return
	}
	if set, is := o.(*appsv1.StatefulSet); is && d.chance(60) {
		c := d.claim("data")
		c.Namespace = ""
		set.Spec.VolumeClaimTemplates = append(set.Spec.VolumeClaimTemplates, c)
		return
	}
	spec := podSpecOf(o)
	spec.Volumes = append(spec.Volumes, corev1.Volume{Name: "data", VolumeSource: corev1.VolumeSource{
		PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: fmt.Sprint("claim-", d.IntN(d.claims))},
	}})
}
