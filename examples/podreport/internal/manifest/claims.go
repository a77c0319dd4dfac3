package manifest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// template is what a claim is created from for each pod of a workload.
type template struct {
	Path string
	Name string
	Meta metav1.ObjectMeta
	Spec *corev1.PersistentVolumeClaimSpec
}

// claimTemplates are those of a StatefulSet.
func claimTemplates(claims []corev1.PersistentVolumeClaim) []template {
	var templates []template
	for i := range claims {
		path := fmt.Sprintf("spec.volumeClaimTemplates[%d]", i)
		templates = append(templates, template{path, claims[i].Name, claims[i].ObjectMeta, &claims[i].Spec})
	}
	return templates
}

// ephemeralClaims are those of volumes that live as long as the pod.
func ephemeralClaims(prefix string, volumes []corev1.Volume) []template {
	var templates []template
	for i := range volumes {
		if e := volumes[i].Ephemeral; e != nil && e.VolumeClaimTemplate != nil {
			path := fmt.Sprintf("%sspec.volumes[%d].ephemeral.volumeClaimTemplate", prefix, i)
			templates = append(templates, template{path, volumes[i].Name, e.VolumeClaimTemplate.ObjectMeta, &e.VolumeClaimTemplate.Spec})
		}
	}
	return templates
}
