package affinity

import (
	"cmp"
	"fmt"
	"maps"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/placeholder"
)

// statefulSets returns the StatefulSets of the placeholders: one for each claim, one for the run,
// or none.
func (p *planner) statefulSets() (sets []appsv1.StatefulSet) {
	switch p.opts.Behavior {
	case Disabled:
		// No assistants.
	case PerWorkspace:
		claims := map[string]bool{}
		for _, b := range p.bindings {
			if b.Claim != "" && !claims[b.Claim] {
				sets = append(sets, p.statefulSet(b.Assistant, []string{b.Claim}, nil))
			}
			claims[b.Claim] = true
		}
	case PerRun, PerRunIsolated:
		sets = append(sets, p.statefulSet(assistantName("", p.run.Name), p.existingClaims(), p.claimTemplates()))
	}
	return sets
}

// existingClaims returns the claims that existed before the run, each once, in the order of the
// workspaces. A pod that mounts one claim as two volumes may hang.
func (p *planner) existingClaims() (claims []string) {
	seen := map[string]bool{}
	for _, w := range p.run.Workspaces {
		if w.ClaimName != "" && !seen[w.ClaimName] {
			claims = append(claims, w.ClaimName)
		}
		seen[w.ClaimName] = true
	}
	return claims
}

// StatefulSetFor returns the StatefulSet of a single placeholder. It mounts existing claims, and
// claims that the StatefulSet creates from templates, which have the names of their volumes
// (VolumeName). Run and opts are not validated; run may be nil. Nil templates are ignored.
//
// Source: affinityAssistantStatefulSet of Tekton.
func StatefulSetFor(
	run *Run, name string, claims []string, templates []*corev1.PersistentVolumeClaim, opts Options,
) *appsv1.StatefulSet {
	if run == nil {
		run = &Run{}
	}
	var owned []corev1.PersistentVolumeClaim
	for _, template := range templates {
		if template != nil {
			owned = append(owned, *template.DeepCopy())
		}
	}
	p := &planner{run: run, opts: opts}
	set := p.statefulSet(name, claims, owned)
	return &set
}

// statefulSet returns the StatefulSet of one placeholder, which mounts existing claims and claims
// that it creates.
func (p *planner) statefulSet(
	name string, claims []string, templates []corev1.PersistentVolumeClaim,
) appsv1.StatefulSet {
	one := int32(1)
	return appsv1.StatefulSet{
		TypeMeta: metav1.TypeMeta{APIVersion: "apps/v1", Kind: statefulSet},
		ObjectMeta: metav1.ObjectMeta{
			Name: name, Namespace: p.run.Namespace, Labels: p.labels(name),
			OwnerReferences: []metav1.OwnerReference{p.run.owner()},
		},
		Spec: appsv1.StatefulSetSpec{
			Replicas:             &one,
			Selector:             &metav1.LabelSelector{MatchLabels: p.labels(name)},
			VolumeClaimTemplates: templates,
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: p.labels(name)},
				Spec:       p.podSpec(claims, templates),
			},
		},
	}
}

// labels returns the labels of the run and those of a placeholder.
func (p *planner) labels(name string) map[string]string {
	labels := map[string]string{}
	maps.Copy(labels, p.run.Labels)
	labels[runLabel] = p.run.Name
	labels[placeholder.ComponentLabel] = placeholder.Component
	labels[placeholder.InstanceLabel] = name
	return labels
}

// podSpec returns the pod of a placeholder. The pod has to be scheduled where the tasks and the
// volumes can be.
func (p *planner) podSpec(claims []string, templates []corev1.PersistentVolumeClaim) corev1.PodSpec {
	t := p.template()
	spec := corev1.PodSpec{
		NodeSelector:       maps.Clone(t.NodeSelector),
		Affinity:           PlaceholderAffinity(t.Affinity, p.opts.Behavior),
		SecurityContext:    t.SecurityContext.DeepCopy(),
		PriorityClassName:  t.PriorityClassName,
		ServiceAccountName: t.ServiceAccountName,
		Containers:         []corev1.Container{p.container(templates)},
	}
	spec.ImagePullSecrets = append(spec.ImagePullSecrets, t.ImagePullSecrets...)
	for i := range t.Tolerations {
		spec.Tolerations = append(spec.Tolerations, *t.Tolerations[i].DeepCopy())
	}
	for i, claim := range claims {
		spec.Volumes = append(spec.Volumes, corev1.Volume{
			Name: fmt.Sprintf("workspace-%d", i),
			VolumeSource: corev1.VolumeSource{
				PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
			},
		})
	}
	return spec
}

// template returns the pod template of a placeholder: that of the run, and the defaults for what it does not set.
//
// Source: MergeAAPodTemplateWithDefault of Tekton's pkg/apis/pipeline/pod; affinityAssistantStatefulSet.
func (p *planner) template() PodTemplate {
	t, d := p.run.PodTemplate, p.opts.Placeholder.Defaults
	if t.NodeSelector == nil {
		t.NodeSelector = d.NodeSelector
	}
	if t.Tolerations == nil {
		t.Tolerations = d.Tolerations
	}
	if t.ImagePullSecrets == nil {
		t.ImagePullSecrets = d.ImagePullSecrets
	}
	t.SecurityContext = cmp.Or(t.SecurityContext, d.SecurityContext)
	t.PriorityClassName = cmp.Or(t.PriorityClassName, d.PriorityClassName)
	t.ServiceAccountName = cmp.Or(d.ServiceAccountName, t.ServiceAccountName)
	return t
}

// container returns the container of a placeholder.
func (p *planner) container(templates []corev1.PersistentVolumeClaim) corev1.Container {
	o := p.opts.Placeholder
	requests, limits := o.resources()
	security := o.SecurityContext.DeepCopy()
	if security == nil {
		security = &corev1.SecurityContext{}
	}
	c := corev1.Container{
		Name:            placeholder.Component,
		Image:           o.Image,
		Resources:       corev1.ResourceRequirements{Requests: requests.DeepCopy(), Limits: limits.DeepCopy()},
		SecurityContext: security,
	}
	c.Args = append(c.Args, o.Args...)
	for _, template := range templates {
		c.VolumeMounts = append(c.VolumeMounts, corev1.VolumeMount{Name: template.Name, MountPath: template.Name})
	}
	return c
}

// resources returns the requests and limits of a placeholder. They may be one list.
func (p *Placeholder) resources() (requests, limits corev1.ResourceList) {
	requests, limits = p.Requests, p.Limits
	if requests == nil {
		requests = placeholder.DefaultRequests()
	}
	if limits == nil {
		limits = requests
	}
	return requests, limits
}
