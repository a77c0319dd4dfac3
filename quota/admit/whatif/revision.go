package whatif

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/computeresources"
)

// revisions are the templates of the ControllerRevisions that were asked for, nil for those that have none.
type revisions map[*item]*corev1.PodTemplateSpec

// of returns the template that a pod was created from: that of its revision, if it is known, or otherwise that of
// its owner. If it is known that the pod is of another one, its own spec stands for it. Source: getPodRevision of
// pkg/controller/statefulset, and IsPodUpdated of pkg/controller/daemon/util.
func (r revisions) of(s *space, owner *item, p *corev1.Pod) *corev1.PodTemplateSpec {
	hash, isFormer := p.Labels[appsv1.ControllerRevisionHashLabelKey], false
	if hash == "" && metav1.GetControllerOfNoCopy(p) == nil {
		return &corev1.PodTemplateSpec{} // it is adopted, and of no revision
	}
	switch set := owner.object.(type) {
	case *appsv1.StatefulSet:
		isFormer = set.Status.UpdateRevision != "" && hash != set.Status.UpdateRevision
		if template := r.named(s, owner, hash); isFormer && template != nil {
			return template
		}
	case *appsv1.DaemonSet:
		present, own := set.Annotations[appsv1.DeprecatedTemplateGeneration], p.Labels[templateGeneration]
		isFormer = present != "" && own != present && (own != "" || hash == "")
		template := r.named(s, owner, owner.name+"-"+hash)
		if template != nil && present == "" && template != &set.Spec.Template {
			template.Name = owner.name // a manifest has less than what is stored: see sameTemplate
		}
		if template != nil && (present == "" || own != present) {
			return template
		}
	}
	if isFormer {
		return templateFrom(p)
	}
	return templateOf(owner.object)
}

// templateGeneration is the label of pods of a DaemonSet with the generation of their template.
const templateGeneration = "pod-template-generation"

// current returns the template from which an update of a StatefulSet goes to another one. Source:
// getStatefulSetRevisions of pkg/controller/statefulset.
func (r revisions) current(s *space, it *item, set *appsv1.StatefulSet) *corev1.PodTemplateSpec {
	name := set.Status.CurrentRevision
	if name == set.Status.UpdateRevision {
		return &set.Spec.Template
	}
	if template := r.named(s, it, name); template != nil {
		return template
	}
	for _, pod := range slices.Concat(it.pods, it.past) {
		if p := s.pods.Get(pod); p.Object.Labels[appsv1.ControllerRevisionHashLabelKey] == name {
			return p.template
		}
	}
	it.isCurrentGuess = true
	return &set.Spec.Template
}

// named returns the template of a ControllerRevision of a workload: that of the workload itself if they are the
// same, nil if it is not known. Source: getPatch of pkg/controller/statefulset, and of pkg/controller/daemon.
func (r revisions) named(s *space, owner *item, name string) *corev1.PodTemplateSpec {
	it := s.items.Get(key{"ControllerRevision", name})
	if it == nil || it.owner != owner.key {
		return nil
	}
	template, isKnown := r[it]
	if !isKnown {
		var stored struct {
			Spec struct{ Template *corev1.PodTemplateSpec }
		}
		if revision, ok := it.object.(*appsv1.ControllerRevision); ok &&
			json.Unmarshal(revision.Data.Raw, &stored) == nil {
			template = stored.Spec.Template
		}
		if now := templateOf(owner.object); template != nil && equality.Semantic.DeepEqual(template, now) {
			template = now
		}
		r[it] = template
	}
	return template
}

// templateFrom returns a template that pods like this one are created from. It has the name of the pod, which others
// may have added to.
func templateFrom(p *corev1.Pod) *corev1.PodTemplateSpec {
	template := corev1.PodTemplateSpec{Spec: *p.Spec.DeepCopy()}
	template.Name, template.Labels, template.Annotations = p.Name, maps.Clone(p.Labels), maps.Clone(p.Annotations)
	for _, name := range []string{appsv1.ControllerRevisionHashLabelKey, appsv1.StatefulSetPodNameLabel,
		appsv1.PodIndexLabel, templateGeneration} {
		delete(template.Labels, name)
	}
	spec := &template.Spec
	spec.NodeName, spec.Hostname, spec.Subdomain = "", "", ""
	removeToken(spec)
	return &template
}

// removeToken removes the volume that the API server adds for the token of a pod, and its mounts.
func removeToken(spec *corev1.PodSpec) {
	isAdded := func(name string) bool { return strings.HasPrefix(name, "kube-api-access-") }
	spec.Volumes = slices.DeleteFunc(spec.Volumes, func(v corev1.Volume) bool { return isAdded(v.Name) })
	for _, c := range computeresources.Containers(spec) {
		c.VolumeMounts = slices.DeleteFunc(c.VolumeMounts, func(m corev1.VolumeMount) bool { return isAdded(m.Name) })
	}
}
