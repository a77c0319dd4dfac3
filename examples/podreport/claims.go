package main

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/limitrange"
)

// claim is a PersistentVolumeClaim.
type claim struct {
	place
	namespace, name string
	home            string // the namespace that it is in
	live            bool   // it exists already
	object          *corev1.PersistentVolumeClaim
}

// template is what a claim is created from for each pod of a workload.
type template struct {
	path string
	name string
	meta metav1.ObjectMeta
	spec *corev1.PersistentVolumeClaimSpec
}

func (in *input) addClaim(at place, o *corev1.PersistentVolumeClaim) {
	c := claim{at, o.Namespace, nameOf(&o.ObjectMeta), in.home.of(o.Namespace), o.Status.Phase != "" || created(&o.ObjectMeta), o}
	if c.name == "" {
		in.failAll(at, invalid, []fault{{"metadata.name", "missing"}})
		return
	}
	in.claims = append(in.claims, c)
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

// Claim is a PersistentVolumeClaim of its own. Those that are created for the pods of a
// workload show only in the reasons to reject it.
type Claim struct {
	Source    Source  `json:"source"`
	Namespace string  `json:"namespace,omitempty"` // if any
	Name      string  `json:"name"`
	Requests  Amounts `json:"requests"`
	QuotaReport
	// Rejection is set if the API server would reject the claim.
	Rejection *Rejection `json:"rejection,omitempty"`
}

func describeClaim(c *claim, policy *limitrange.Policy) Claim {
	d := Claim{
		Source:    c.source(),
		Namespace: c.namespace,
		Name:      c.name,
		Requests:  amountsOf(c.object.Spec.Resources.Requests),
	}
	if c.live {
		return d // it has been admitted
	}
	if reasons := claimReasons(c.name, "spec", &c.object.Spec, policy); len(reasons) > 0 {
		d.Rejection = &Rejection{Reasons: reasons}
	}
	return d
}

func writeClaims(b *strings.Builder, claims []Claim) {
	for i := range claims {
		c := &claims[i]
		storage := "no storage requested"
		if q, stated := c.Requests[corev1.ResourceStorage]; stated {
			storage = q + " of storage"
		}
		writeHeading(b, "PersistentVolumeClaim "+qualified(c.Namespace, c.Name), storage, c.Source)
		writeRejection(b, c.Rejection)
		writeQuotas(b, "claim", &c.QuotaReport)
	}
}
