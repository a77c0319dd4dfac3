package admit

import (
	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
	"github.com/kubemath/kubemath/internal/volumeclaim"
)

// createClaim prepares a PersistentVolumeClaim as the API server does, and checks it.
func (d *decision) createClaim(ns *Namespace, claim *corev1.PersistentVolumeClaim) {
	stored := claim.DeepCopy()
	stored.Status = corev1.PersistentVolumeClaimStatus{Phase: corev1.ClaimPending}
	roundTripClaim(stored)
	d.setStorageClass(&ns.opts, stored)
	d.Object = stored
	bounds := podAmounts{violations: ns.policy.ValidateClaim(nil, &stored.Spec)}
	d.Refusals = append(storageRefusals(&stored.Spec), bounds.refusals(d.place)...)
}

// setStorageClass sets the default class of a new claim without one.
//
// Source: k8s.io/kubernetes/plugin/pkg/admission/storage/storageclass/setdefault.
func (d *decision) setStorageClass(o *Options, claim *corev1.PersistentVolumeClaim) {
	if _, isSet := volumeclaim.StorageClass(claim); isSet {
		return
	}
	class := find(o.StorageClasses, func(c *storagev1.StorageClass) bool { return len(c.Annotations) > 0 })
	if class == nil {
		return
	}
	name := class.Name
	claim.Spec.StorageClassName = &name
	d.Classes = []computeresources.Source{{Kind: storageClass, Name: name, Field: "metadata.annotations"}}
}

// storagePath is where a claim sets its storage.
const storagePath = "spec.resources.requests[storage]"

// storageRefusals returns why the API server rejects the storage request of a claim.
//
// Source: ValidatePersistentVolumeClaimSpec of k8s.io/kubernetes/pkg/apis/core/validation.
func storageRefusals(spec *corev1.PersistentVolumeClaimSpec) []*Refusal {
	path := field.NewPath("spec", "resources").Key(string(corev1.ResourceStorage))
	p := &Refusal{Resource: corev1.ResourceStorage, Path: storagePath}
	storage := quantity.Find(spec.Resources.Requests, corev1.ResourceStorage)
	switch {
	case storage == nil:
		p.Invalid = computeresources.FieldErrorOf(field.Required(path, ""))
		p.What, p.Remedy = "claim: no storage request", "set a storage request above zero"
	case storage.Sign() <= 0:
		p.Invalid = computeresources.FieldErrorOf(
			field.Invalid(path, quantity.Text(storage), "must be greater than zero"))
		p.What, p.Remedy = "claim: storage request "+quantity.Text(storage)+" is not above zero", "raise the request"
	default:
		return nil
	}
	return []*Refusal{p}
}
