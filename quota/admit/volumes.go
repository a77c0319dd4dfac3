package admit

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/kubemath/kubemath/computeresources"
	"github.com/kubemath/kubemath/internal/quantity"
)

// volumeRefusals returns why the API server rejects the volumes of a pod for their amounts:
// emptyDir volumes with a size limit below zero.
//
// Source: validateVolumeSource of k8s.io/kubernetes/pkg/apis/core/validation.
func volumeRefusals(spec *corev1.PodSpec, in place) (refusals []*Refusal) {
	for i := range spec.Volumes {
		volume := &spec.Volumes[i]
		if volume.EmptyDir == nil || volume.EmptyDir.SizeLimit == nil || volume.EmptyDir.SizeLimit.Sign() >= 0 {
			continue
		}
		at := func(spec *field.Path) *field.Path {
			return spec.Child("volumes").Index(i).Child("emptyDir", "sizeLimit")
		}
		refusals = append(refusals, &Refusal{
			Ref: computeresources.Ref{Kind: computeresources.Pod}, Path: at(in.path()).String(),
			What: "pod: the size limit " + quantity.Text(volume.EmptyDir.SizeLimit) +
				" of volume " + strconv.Quote(volume.Name) + " is below zero",
			Remedy: "set a size limit of zero or more",
			Invalid: computeresources.FieldErrorOf(
				field.Forbidden(at(inPod.path()), "SizeLimit field must be a valid resource quantity")),
		})
	}
	return refusals
}
