package podvolumes_test

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/testkit"
)

// world has the objects of a cluster.
type world struct {
	claims     []*corev1.PersistentVolumeClaim
	volumes    []*corev1.PersistentVolume
	classes    []*storagev1.StorageClass
	csiNodes   []*storagev1.CSINode
	drivers    []*storagev1.CSIDriver
	capacities []*storagev1.CSIStorageCapacity
	incomplete []podvolumes.Kind
}

func (w world) objects() podvolumes.Objects {
	return podvolumes.Objects{
		Claim: func(namespace, name string) *corev1.PersistentVolumeClaim {
			return first(w.claims, func(c *corev1.PersistentVolumeClaim) bool { return c.Namespace == namespace && c.Name == name })
		},
		Volume: func(name string) *corev1.PersistentVolume {
			return first(w.volumes, func(v *corev1.PersistentVolume) bool { return v.Name == name })
		},
		VolumesOf: func(string) []*corev1.PersistentVolume { return w.volumes },
		Class: func(name string) *storagev1.StorageClass {
			return first(w.classes, func(c *storagev1.StorageClass) bool { return c.Name == name })
		},
		CSINode: func(name string) *storagev1.CSINode {
			return first(w.csiNodes, func(n *storagev1.CSINode) bool { return n.Name == name })
		},
		CSIDriver: func(name string) *storagev1.CSIDriver {
			return first(w.drivers, func(d *storagev1.CSIDriver) bool { return d.Name == name })
		},
		CapacitiesFor: func(string) []*storagev1.CSIStorageCapacity { return w.capacities },
		Incomplete:    w.incomplete,
	}
}

func first[T any](all []*T, is func(*T) bool) *T {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return nil
}

// zoneNodes returns a node in each of the zones, named after it.
func zoneNodes(zones ...string) (nodes []*corev1.Node) {
	for _, zone := range zones {
		labels := map[string]string{corev1.LabelHostname: "host-" + zone, corev1.LabelTopologyZone: zone}
		nodes = append(nodes, &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "node-" + zone, Labels: labels}})
	}
	return nodes
}

// in returns an affinity for nodes whose label has one of these values.
func in(key string, values ...string) *corev1.VolumeNodeAffinity {
	return &corev1.VolumeNodeAffinity{Required: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchExpressions: []corev1.NodeSelectorRequirement{{Key: key, Operator: corev1.NodeSelectorOpIn, Values: values}},
	}}}}
}

func inZone(zones ...string) *corev1.VolumeNodeAffinity {
	return in(corev1.LabelTopologyZone, zones...)
}

// podUsing returns a pod with claims, in the namespace shop.
func podUsing(claims ...string) *corev1.Pod {
	pod := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: "web-0", UID: "pod"}}
	for _, claim := range claims {
		pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "of-" + claim, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim}}})
	}
	return pod
}

// podWith returns a pod with one volume.
func podWith(source corev1.VolumeSource) *corev1.Pod {
	pod := podUsing()
	pod.Spec.Volumes = []corev1.Volume{{Name: "data", VolumeSource: source}}
	return pod
}

// boundClaim returns a claim that is bound to a volume.
func boundClaim(name, volume string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
	claim.Annotations = map[string]string{"pv.kubernetes.io/bind-completed": "yes"}
	claim.Spec.VolumeName, claim.Status.Phase = volume, corev1.ClaimBound
	return claim
}

// pendingClaim returns a claim of a class and a size that is not bound.
func pendingClaim(name, class, size string) *corev1.PersistentVolumeClaim {
	claim := &corev1.PersistentVolumeClaim{ObjectMeta: metav1.ObjectMeta{Namespace: "shop", Name: name}}
	claim.Spec.StorageClassName, claim.Status.Phase = &class, corev1.ClaimPending
	if size != "" {
		claim.Spec.Resources.Requests = testkit.List("storage", size)
	}
	return claim
}

// volume returns a volume that is available.
func volume(name, class, size string, affinity *corev1.VolumeNodeAffinity) *corev1.PersistentVolume {
	v := &corev1.PersistentVolume{ObjectMeta: metav1.ObjectMeta{Name: name}}
	v.Spec.StorageClassName, v.Spec.NodeAffinity, v.Spec.Capacity = class, affinity, testkit.List("storage", size)
	v.Status.Phase = corev1.VolumeAvailable
	return v
}

// class returns a class whose claims bind on first use.
func class(name, provisioner string) *storagev1.StorageClass {
	mode := storagev1.VolumeBindingWaitForFirstConsumer
	return &storagev1.StorageClass{ObjectMeta: metav1.ObjectMeta{Name: name}, Provisioner: provisioner, VolumeBindingMode: &mode}
}

// changed returns a copy of an object with a change.
func changed[T any](object *T, change func(*T)) *T {
	copied := *object
	change(&copied)
	return &copied
}

// verdicts returns what is said of each node, without pods.
func verdicts(pod *corev1.Pod, w world, nodes ...*corev1.Node) (all []podvolumes.Verdict) {
	volumes := podvolumes.Of(pod, w.objects())
	on := volumes.On(nodes, func(int) []*corev1.Pod { return nil })
	for i := range nodes {
		all = append(all, on.Verdict(i))
	}
	return all
}

// text returns the reasons of a verdict or what is unknown: "" if the pod may be there.
func text(v podvolumes.Verdict) (s string) {
	for i, reason := range v.Reasons {
		if i > 0 {
			s += ", "
		}
		s += reason
	}
	if v.IsPreemptable {
		s += " (preemptable)"
	}
	for _, kind := range v.Unknown {
		s += "unknown " + string(kind)
	}
	return s
}

func texts(all []podvolumes.Verdict) (s []string) {
	for _, v := range all {
		s = append(s, text(v))
	}
	return s
}
