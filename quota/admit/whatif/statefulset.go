package whatif

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/workload"
)

// syncStatefulSet brings the pods of a StatefulSet to its replicas and template. Unless its pods are managed in
// parallel, each pod waits for the one before it. Claims stay when pods are deleted.
//
// Source: k8s.io/kubernetes/pkg/controller/statefulset.
func (d *draft) syncStatefulSet(namespace string, it *item, object *appsv1.StatefulSet) {
	first, want := firstOrdinal(object), workload.Replicas(object.Spec.Replicas)
	isOrdered := object.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
	s := d.space(namespace)
	isComplete := true // every pod is there
	for ordinal := first; ordinal < first+want; ordinal++ {
		p := s.pods.get(fmt.Sprintf("%s-%d", it.name, ordinal))
		if p != nil && p.ended && p.owner == it.key {
			d.removePod(p)
			p = nil
		}
		if p != nil && p.owner != it.key {
			p = nil // another one of its name is in the way
		}
		if p == nil {
			p = d.createReplica(s, it, object, ordinal)
		}
		isComplete = isComplete && p != nil
		if isOrdered && (p == nil || !d.isReady(p)) {
			return
		}
	}
	for _, p := range d.byOrdinal(namespace, it) {
		if ordinal := ordinalOf(it.name, p.name); ordinal < first || ordinal >= first+want {
			d.removePod(p)
		}
	}
	if isComplete && object.Spec.UpdateStrategy.Type != appsv1.OnDeleteStatefulSetStrategyType {
		d.updateReplicas(s, it, object, first+partitionOf(object))
	}
}

func firstOrdinal(object *appsv1.StatefulSet) int {
	if object.Spec.Ordinals != nil {
		return int(object.Spec.Ordinals.Start)
	}
	return 0
}

func partitionOf(object *appsv1.StatefulSet) int {
	if r := object.Spec.UpdateStrategy.RollingUpdate; r != nil && r.Partition != nil {
		return int(*r.Partition)
	}
	return 0
}

// updateReplicas replaces the pods of a former template from an ordinal on, the last first, until one waits.
func (d *draft) updateReplicas(s *space, it *item, object *appsv1.StatefulSet, from int) {
	for _, p := range d.byOrdinal(s.name, it) {
		ordinal := ordinalOf(it.name, p.name)
		if ordinal < from {
			return
		}
		if d.isOutdated(p, it) {
			d.removePod(p)
			p = d.createReplica(s, it, object, ordinal)
			if p == nil {
				return
			}
		}
		if !d.runs(p) {
			return
		}
	}
}

// byOrdinal returns the pods of a StatefulSet, that with the highest ordinal first.
func (d *draft) byOrdinal(namespace string, it *item) []*pod {
	pods := d.podsOf(namespace, it.pods)
	slices.SortStableFunc(pods, func(a, b *pod) int { return ordinalOf(it.name, b.name) - ordinalOf(it.name, a.name) })
	return pods
}

// ordinalOf returns the ordinal of a pod of a StatefulSet, or -1.
func ordinalOf(set, pod string) int {
	if ordinal, err := strconv.Atoi(strings.TrimPrefix(pod, set+"-")); err == nil {
		return ordinal
	}
	return -1
}

// createReplica creates a pod of a StatefulSet, after the claims that are not there yet. It returns nil if one of them
// is not admitted.
func (d *draft) createReplica(s *space, it *item, object *appsv1.StatefulSet, ordinal int) *pod {
	replica, claims := replicaOf(s.name, it, object, ordinal)
	for _, claim := range claims {
		if s.items.get(key{"PersistentVolumeClaim", claim.Name}) == nil && d.createItem(s, it, claim) == nil {
			return nil
		}
	}
	return d.createFor(s.name, it, replica)
}

// replicaOf returns a pod of a StatefulSet and its claims. The claims have no controller.
func replicaOf(
	namespace string, it *item, object *appsv1.StatefulSet, ordinal int,
) (*corev1.Pod, []*corev1.PersistentVolumeClaim) {
	replica := podFrom(&object.Spec.Template, it, namespace, fmt.Sprintf("%s-%d", it.name, ordinal))
	volumes := slices.Clone(replica.Spec.Volumes)
	var claims []*corev1.PersistentVolumeClaim
	for i := range object.Spec.VolumeClaimTemplates {
		template := &object.Spec.VolumeClaimTemplates[i]
		claim := &corev1.PersistentVolumeClaim{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: template.Name + "-" + replica.Name,
				Labels: template.Labels, Annotations: template.Annotations},
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
