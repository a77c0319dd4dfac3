package main

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"github.com/kubemath/kubemath/quota/admit"
)

// createClaim draws a claim for storage and compares LimitRanges and quotas.
func (n *namespace) createClaim() {
	claim := &corev1.PersistentVolumeClaim{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "PersistentVolumeClaim"}, ObjectMeta: n.next("claim")}
	claim.Spec.AccessModes = []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}
	claim.Spec.StorageClassName = rapid.SampledFrom([]*string{pointer("gold"), pointer("gold"), nil, pointer("silver"), pointer(""), pointer(platinum)}).Draw(n.t, "class")
	claim.Spec.VolumeAttributesClassName = rapid.SampledFrom([]*string{nil, nil, pointer("gold"), pointer("low")}).Draw(n.t, "attributes")
	claim.Spec.Resources.Requests = n.storage()
	found, _ := n.judge(n.create("claims", n.path(coreGroup, "persistentvolumeclaims"), claim), func(in *admit.Namespace) admit.Decision {
		return in.Create(claim, admit.Attributes{})
	})
	if found != nil {
		n.claims = append(n.claims, found.(*corev1.PersistentVolumeClaim))
	}
}

func pointer[T any](v T) *T { return &v }

// storage draws a request, mostly above zero, as a claim has to have.
func (n *namespace) storage() corev1.ResourceList {
	for {
		if q := amount(n.t, corev1.ResourceStorage); q.Sign() > 0 || once(n.t, "none", 10) {
			return corev1.ResourceList{corev1.ResourceStorage: q}
		}
	}
}

// expand binds a claim, and then requests more storage, or other attributes.
func (n *namespace) expand() {
	i := rapid.IntRange(0, len(n.claims)-1).Draw(n.t, "claim")
	claim := n.claims[i].DeepCopy()
	claim.Status.Phase = corev1.ClaimBound
	claim.Status.Capacity = claim.Spec.Resources.Requests.DeepCopy()
	n.say("replace --subresource status", claim)
	old := &corev1.PersistentVolumeClaim{}
	n.must(n.client.Update(n.ctx, n.path(coreGroup, "persistentvolumeclaims", claim.Name, "status"), claim, old))
	n.claims[i] = old

	claim = old.DeepCopy()
	if class := claim.Spec.StorageClassName; class != nil && *class == "gold" {
		more := claim.Spec.Resources.Requests[corev1.ResourceStorage].DeepCopy()
		more.Add(amount(n.t, corev1.ResourceStorage))
		more.Add(resource.MustParse(rapid.SampledFrom([]string{"0", "20Gi", "40Gi", "-600M"}).Draw(n.t, "more")))
		// It cannot grow without the class, or without a limit.
		if more.Cmp(resource.MustParse("4P")) < 0 {
			claim.Spec.Resources.Requests[corev1.ResourceStorage] = written(more)
		}
	}
	if rapid.Bool().Draw(n.t, "attributes") {
		claim.Spec.VolumeAttributesClassName = pointer(rapid.SampledFrom([]string{"gold", "low", "high"}).Draw(n.t, "class"))
	}
	found, _ := n.judge(n.update("claims changed", n.path(coreGroup, "persistentvolumeclaims", claim.Name), claim), func(in *admit.Namespace) admit.Decision {
		return in.Update(old, claim, admit.Attributes{})
	})
	if found != nil {
		n.claims[i] = found.(*corev1.PersistentVolumeClaim)
	}
}

// createDevices draws a claim for devices.
func (n *namespace) createDevices() {
	claim := &resourcev1.ResourceClaim{TypeMeta: metav1.TypeMeta{APIVersion: "resource.k8s.io/v1", Kind: "ResourceClaim"}, ObjectMeta: n.next("devices")}
	for i := range rapid.IntRange(1, 3).Draw(n.t, "requests") {
		claim.Spec.Devices.Requests = append(claim.Spec.Devices.Requests, deviceRequest(n.t, fmt.Sprintf("r-%d", i)))
	}
	found, _ := n.judge(n.create("claims for devices", n.path(deviceGroup, "resourceclaims"), claim), func(in *admit.Namespace) admit.Decision {
		return in.Create(claim, admit.Attributes{})
	})
	if found != nil {
		n.devices = append(n.devices, found.(*resourcev1.ResourceClaim))
	}
}

func deviceRequest(t *rapid.T, name string) resourcev1.DeviceRequest {
	class := rapid.SampledFrom([]string{"gold", "silver", "bronze"})
	mode, count := resourcev1.DeviceAllocationModeExactCount, rapid.Int64Range(1, 5).Draw(t, "count")
	if once(t, "all", 6) {
		mode, count = resourcev1.DeviceAllocationModeAll, 0
	}
	r := resourcev1.DeviceRequest{Name: name}
	if !once(t, "alternatives", 3) {
		r.Exactly = &resourcev1.ExactDeviceRequest{DeviceClassName: class.Draw(t, "class"), AllocationMode: mode, Count: count}
		return r
	}
	for i := range rapid.IntRange(1, 3).Draw(t, "number") {
		r.FirstAvailable = append(r.FirstAvailable, resourcev1.DeviceSubRequest{
			Name: fmt.Sprintf("s-%d", i), DeviceClassName: class.Draw(t, "class"), AllocationMode: mode, Count: count,
		})
	}
	return r
}
