package affinity

import (
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// claims returns the claims to create: one for each template, owned by the run.
func (p *planner) claims() (claims []corev1.PersistentVolumeClaim) {
	for i, w := range p.run.Workspaces {
		if w.ClaimTemplate == nil {
			continue
		}
		claim := p.fromTemplate(w)
		claim.TypeMeta = claimType()
		claim.Name, claim.Namespace = p.bindings[i].Claim, p.run.Namespace
		claim.OwnerReferences = []metav1.OwnerReference{p.run.owner()}
		claims = append(claims, claim)
	}
	return claims
}

// claimTemplates returns the claim templates of the StatefulSet of a run, in the order
// of the workspaces.
func (p *planner) claimTemplates() (templates []corev1.PersistentVolumeClaim) {
	for _, w := range p.run.Workspaces {
		if w.ClaimTemplate == nil {
			continue
		}
		template := p.fromTemplate(w)
		template.Name = VolumeName(w.GeneratedClaimName(p.run.UID, ""))
		if p.opts.LabelClaims {
			template.TypeMeta = claimType()
			template.OwnerReferences = []metav1.OwnerReference{p.run.owner()}
		}
		templates = append(templates, template)
	}
	return templates
}

// provisioned returns the claims that the StatefulSet controller creates for the first pod, "-0".
func (p *planner) provisioned(set *appsv1.StatefulSet) (claims []corev1.PersistentVolumeClaim) {
	for i := range set.Spec.VolumeClaimTemplates {
		claim := *set.Spec.VolumeClaimTemplates[i].DeepCopy()
		claim.TypeMeta = claimType()
		claim.Name += "-" + set.Name + "-0"
		claim.Namespace = set.Namespace
		if claim.Labels == nil {
			claim.Labels = map[string]string{}
		}
		maps.Copy(claim.Labels, set.Spec.Selector.MatchLabels)
		claims = append(claims, claim)
	}
	return claims
}

// fromTemplate returns a copy of the template of a workspace.
func (p *planner) fromTemplate(w Workspace) corev1.PersistentVolumeClaim {
	claim := *w.ClaimTemplate.DeepCopy()
	if p.opts.LabelClaims {
		if claim.Labels == nil {
			claim.Labels = map[string]string{}
		}
		claim.Labels[runLabel] = p.run.Name
		claim.Labels[workspaceLabel] = w.Name
	}
	return claim
}

func claimType() metav1.TypeMeta {
	return metav1.TypeMeta{APIVersion: "v1", Kind: persistentVolumeClaim}
}
