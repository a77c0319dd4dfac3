package whatif

import (
	"cmp"
	"fmt"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/quota/admit"
)

// syncStatefulSet does what the controller of a StatefulSet does until nothing is left to do.
func (d *draft) syncStatefulSet(namespace string, it *item, object *appsv1.StatefulSet) {
	if it.current == nil {
		it.current = &object.Spec.Template
	}
	s, set := d.space(namespace), controllers.NewStatefulSet(object, d.rules())
	d.watch(namespace, it, func(name string, p *pod) { set.See(name, d.seen(p, it)) }, func() bool {
		return carryOut(it, set.Sync(), func(step controllers.Step) bool {
			if step.Delete == nil {
				return d.createReplica(s, it, object, step)
			}
			d.removeNamed(namespace, step.Delete.Object.Name)
			d.dropClaims(s, it, object, step)
			return true
		})
	})
	if set.IsUpdated() {
		it.current, it.isCurrentGuess = &object.Spec.Template, false
	}
	d.ownClaims(s, it, object)
}

func (d *draft) rules() release.Rules { return release.Rules(d.opts.Admission.Kubernetes) }

// createReplica creates a pod of a StatefulSet, after the claims that it lacks. If one of them is refused, the others
// are created nevertheless. It reports whether none is refused, and something is created. Source:
// createPersistentVolumeClaims of pkg/controller/statefulset.
func (d *draft) createReplica(s *space, it *item, object *appsv1.StatefulSet, step controllers.Step) (changed bool) {
	template := &object.Spec.Template
	if step.IsFormer {
		template = it.current
	}
	replica, claims := replicaOf(s.name, it, object, template, step.Ordinal)
	isRefused := false
	for _, claim := range claims {
		if s.items.Get(claimKey(claim.Name)) != nil {
			continue
		}
		created := d.createItem(s, it, claim)
		if created == nil {
			isRefused = true
			continue
		}
		changed = true
		created.isGuess = object.UID != "" && !slices.Contains(d.complete, podvolumes.PersistentVolumeClaim)
	}
	if isRefused || step.ClaimsOnly {
		return changed && !isRefused
	}
	p := d.createFor(s.name, it, replica)
	if p != nil && step.IsFormer {
		own := *p
		own.template = template
		if it.isCurrentGuess {
			own.unknown = append(slices.Clip(own.unknown), "StatefulSet status.currentRevision")
		}
		d.setPod(&own)
	}
	return p != nil
}

// replicaOf returns a pod of a StatefulSet and its claims.
func replicaOf(namespace string, it *item, object *appsv1.StatefulSet, template *corev1.PodTemplateSpec, ordinal int,
) (*corev1.Pod, []*corev1.PersistentVolumeClaim) {
	replica := podFrom(template, it, namespace)
	replica.Name = fmt.Sprintf("%s-%d", it.name, ordinal)
	volumes := slices.Clone(replica.Spec.Volumes)
	var claims []*corev1.PersistentVolumeClaim
	for i := range object.Spec.VolumeClaimTemplates {
		template := &object.Spec.VolumeClaimTemplates[i]
		claim := &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: claimOf(template, replica.Name),
				Labels: labelsOfClaim(template, object), Annotations: template.Annotations},
			Spec: template.Spec,
		}
		claims = append(claims, claim)
		volumes = slices.DeleteFunc(volumes, func(v corev1.Volume) bool { return v.Name == template.Name })
		volumes = append(volumes, corev1.Volume{Name: template.Name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim.Name},
		}})
	}
	replica.Spec.Volumes = volumes
	return replica, claims
}

// labelsOfClaim returns the labels of a template with those that its StatefulSet selects. Source:
// getPersistentVolumeClaims of pkg/controller/statefulset.
func labelsOfClaim(template *corev1.PersistentVolumeClaim, object *appsv1.StatefulSet) map[string]string {
	if object.Spec.Selector == nil {
		return template.Labels
	}
	return labels.Merge(template.Labels, object.Spec.Selector.MatchLabels)
}

func claimOf(template *corev1.PersistentVolumeClaim, pod string) string {
	return template.Name + "-" + pod
}

// wakeUsers notes that the controllers of pods have to look again that wait, and whose claim is gone.
func (d *draft) wakeUsers(namespace, claim string) {
	for _, p := range d.waiting() {
		if p.Namespace == namespace && slices.ContainsFunc(p.Object.Spec.Volumes,
			func(v corev1.Volume) bool { return podvolumes.ClaimName(p.Object, &v) == claim }) {
			d.lookAgain(namespace, p.owner)
		}
	}
}

func retentionOf(object *appsv1.StatefulSet) *appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy {
	return cmp.Or(object.Spec.PersistentVolumeClaimRetentionPolicy,
		&appsv1.StatefulSetPersistentVolumeClaimRetentionPolicy{})
}

// dropClaims deletes the claims of a pod that is beyond the replicas, if the StatefulSet wants that. The garbage
// collector does it, since the pod owns them by then, unless they have another owner.
func (d *draft) dropClaims(s *space, it *item, object *appsv1.StatefulSet, step controllers.Step) {
	if retentionOf(object).WhenScaled != appsv1.DeletePersistentVolumeClaimRetentionPolicyType || !step.IsExcess {
		return
	}
	for i := range object.Spec.VolumeClaimTemplates {
		k := claimKey(claimOf(&object.Spec.VolumeClaimTemplates[i], step.Delete.Object.Name))
		if claim := s.items.Get(k); claim != nil && (claim.owner == key{} || claim.owner == it.key) &&
			!d.hasOwner(s, withoutController(claim.object.GetOwnerReferences())) {
			d.deleteItem(s.name, k)
		}
	}
}

// ownClaims makes a StatefulSet the controller of the claims of its pods, so that they are deleted with it, or no
// longer, as it says. Other owners remain. Source: updateClaimOwnerRefForSetAndPod of pkg/controller/statefulset.
func (d *draft) ownClaims(s *space, it *item, object *appsv1.StatefulSet) {
	owner, refs := key{}, []metav1.OwnerReference(nil)
	if retentionOf(object).WhenDeleted == appsv1.DeletePersistentVolumeClaimRetentionPolicyType {
		owner, refs = it.key, controllerRef(it)
	}
	for _, pod := range it.pods {
		for i := range object.Spec.VolumeClaimTemplates {
			claim := s.items.Get(claimKey(claimOf(&object.Spec.VolumeClaimTemplates[i], pod)))
			if claim == nil || claim.owner == owner || claim.owner != (key{}) && claim.owner != it.key {
				continue
			}
			own, notes := claim.object.DeepCopyObject().(admit.APIObject), claim.notes
			own.SetOwnerReferences(append(withoutController(own.GetOwnerReferences()), refs...))
			d.dropItem(s, claim)
			d.addItem(s, claim.key, own, owner).notes = notes
		}
	}
}
