package podvolumes

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Binding is what becomes of a claim when the pod is placed on a node.
type Binding struct {
	Claim  *corev1.PersistentVolumeClaim
	Volume *corev1.PersistentVolume // the volume that exists, nil if one is provisioned

	capacity *storagev1.CSIStorageCapacity // of the provisioner for the node, nil if it publishes none
}

// Bindings returns what becomes of the claims of the pod if it is placed on node i: those that are bound to a volume,
// then those for which one is provisioned. Claims that are bound already are left out. There are none if the pod may
// not be there.
func (n *Nodes) Bindings(i int) []Binding {
	if verdict := n.Verdict(i); verdict.refuses() {
		return nil
	}
	return slices.Clone(n.checks[i].bindings)
}

// After returns copies of the claim and the volume as they are once the pod is on a node: bound to each other; or, for
// a volume that is provisioned, with the node that is selected, on which the claim may be used until the volume exists.
//
// Source: AssumePodVolumes of volumebinding, bindVolumeToClaim and bindClaimToVolume of the controller of volumes.
func (b *Binding) After(node string) (*corev1.PersistentVolumeClaim, *corev1.PersistentVolume) {
	claim := b.Claim.DeepCopy()
	if b.Volume == nil {
		metav1.SetMetaDataAnnotation(&claim.ObjectMeta, selectedNode, node)
		return claim, nil
	}
	volume := b.Volume.DeepCopy()
	volume.Spec.ClaimRef = &corev1.ObjectReference{
		Kind: "PersistentVolumeClaim", APIVersion: "v1", Namespace: claim.Namespace, Name: claim.Name, UID: claim.UID,
	}
	volume.Status.Phase = corev1.VolumeBound
	metav1.SetMetaDataAnnotation(&claim.ObjectMeta, bindCompleted, "yes")
	claim.Spec.VolumeName, claim.Status.Phase = volume.Name, corev1.ClaimBound
	return claim, volume
}
