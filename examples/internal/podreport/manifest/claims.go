package manifest

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"

	"github.com/kubemath/kubemath/quota/admit"
)

// template is the template of a claim that is created for each pod of a workload.
type template struct {
	Path   string
	Name   string
	Object admit.APIObject
}

// claimTemplates returns those of a StatefulSet.
func claimTemplates(claims []corev1.PersistentVolumeClaim) []template {
	var templates []template
	for i := range claims {
		path := fmt.Sprintf("spec.volumeClaimTemplates[%d]", i)
		templates = append(templates, template{path, claims[i].Name, &corev1.PersistentVolumeClaim{ObjectMeta: claims[i].ObjectMeta, Spec: claims[i].Spec}})
	}
	return templates
}

// ephemeralClaims returns those of the ephemeral volumes of a pod.
func ephemeralClaims(prefix string, volumes []corev1.Volume) []template {
	var templates []template
	for i := range volumes {
		if e := volumes[i].Ephemeral; e != nil && e.VolumeClaimTemplate != nil {
			path := fmt.Sprintf("%sspec.volumes[%d].ephemeral.volumeClaimTemplate", prefix, i)
			t := e.VolumeClaimTemplate
			templates = append(templates, template{path, volumes[i].Name, &corev1.PersistentVolumeClaim{ObjectMeta: t.ObjectMeta, Spec: t.Spec}})
		}
	}
	return templates
}

// addDeviceClaims adds the ResourceClaims that are created for each pod and whose templates are in the
// input.
func (in *Input) addDeviceClaims(w *Workload) {
	for i, claim := range w.Pod.Spec.ResourceClaims {
		if claim.ResourceClaimTemplateName == nil {
			continue
		}
		if t := in.templates[w.Home+"/"+*claim.ResourceClaimTemplateName]; t != nil {
			path := fmt.Sprintf("%sspec.resourceClaims[%d]", w.Prefix, i)
			w.Claims = append(w.Claims, template{path, claim.Name, &resourcev1.ResourceClaim{ObjectMeta: *t.Spec.ObjectMeta.DeepCopy(), Spec: *t.Spec.Spec.DeepCopy()}})
		}
	}
}
