package whatif

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/podvolumes"
)

// createEphemeralClaims creates the claims of the generic ephemeral volumes of a pod. One that is not admitted keeps
// the pod waiting.
func (d *draft) createEphemeralClaims(s *space, pod *corev1.Pod) {
	for i := range pod.Spec.Volumes {
		claim := podvolumes.EphemeralClaim(pod, &pod.Spec.Volumes[i])
		if claim != nil && s.items.Get(claimKey(claim.Name)) == nil {
			d.createItem(s, &item{}, claim)
		}
	}
}

// createEphemeralClaimsIn does so for the pods of a namespace that wait.
func (d *draft) createEphemeralClaimsIn(namespace string) {
	for _, p := range d.waiting() {
		if p.Namespace == namespace {
			d.createEphemeralClaims(d.space(namespace), p.Object)
		}
	}
}

// deleteEphemeralClaims deletes the claims that belong to a pod.
func (d *draft) deleteEphemeralClaims(pod *pod) {
	for i := range pod.Object.Spec.Volumes {
		volume := &pod.Object.Spec.Volumes[i]
		if volume.Ephemeral == nil {
			continue
		}
		k := claimKey(podvolumes.ClaimName(pod.Object, volume))
		if it := d.itemOf(pod.Namespace, k); it != nil && metav1.IsControlledBy(it.object, pod.Object) {
			d.deleteItem(pod.Namespace, k)
		}
	}
}
