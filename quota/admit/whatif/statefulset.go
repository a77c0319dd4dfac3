package whatif

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"

	"github.com/kubemath/kubemath/internal/podvolumes"
	"github.com/kubemath/kubemath/internal/release"
	"github.com/kubemath/kubemath/internal/workload"
)

// recreateStatefulSet deletes all pods of a former template before it creates others. k8s.io/api has it since v0.37.
const recreateStatefulSet appsv1.StatefulSetUpdateStrategyType = "Recreate"

// syncStatefulSet brings the pods of a StatefulSet to its replicas and template. Unless its pods are managed in
// parallel, each pod waits for the one before it. Claims stay when pods are deleted. Without the gate for it, the
// controller does nothing for a strategy Recreate.
//
// Source: k8s.io/kubernetes/pkg/controller/statefulset.
func (d *draft) syncStatefulSet(namespace string, it *item, object *appsv1.StatefulSet) {
	rules := release.Rules(d.opts.Admission.Kubernetes)
	strategy := object.Spec.UpdateStrategy.Type
	if strategy == recreateStatefulSet {
		if !rules.RecreatesStatefulSets() {
			return
		}
		for _, p := range d.byOrdinal(namespace, it) {
			if d.isOutdated(p, it) {
				d.removePod(p)
			}
		}
	}
	if !isOrdered(object) && rules.RemovesExcessReplicasFirst() {
		d.removeExcess(namespace, it, object)
	}
	isComplete := d.createReplicas(namespace, it, object)
	if isOrdered(object) && !isComplete || !d.removeExcess(namespace, it, object) {
		return
	}
	if !isComplete || strategy == recreateStatefulSet || strategy == appsv1.OnDeleteStatefulSetStrategyType {
		return
	}
	from := firstOrdinal(object) + partitionOf(object)
	if rules.UpdatesSeveralReplicas() {
		d.updateSeveralReplicas(d.space(namespace), it, object, from)
	} else {
		d.updateReplicas(d.space(namespace), it, object, from)
	}
}

func isOrdered(object *appsv1.StatefulSet) bool {
	return object.Spec.PodManagementPolicy != appsv1.ParallelPodManagement
}

// createReplicas creates the pods that are not there, and reports whether all are there now. In order, it stops at the
// first pod that is not ready, and then reports false.
func (d *draft) createReplicas(namespace string, it *item, object *appsv1.StatefulSet) (isComplete bool) {
	first, want := firstOrdinal(object), workload.Replicas(object.Spec.Replicas)
	s := d.space(namespace)
	isComplete = true
	for ordinal := first; ordinal < first+want; ordinal++ {
		p := s.pods.Get(fmt.Sprintf("%s-%d", it.name, ordinal))
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
		if isOrdered(object) && (p == nil || !d.isReady(p)) {
			return false
		}
	}
	return isComplete
}

// removeExcess removes the pods beyond the replicas, and reports whether all are gone. In order, it stops at a pod that
// is not ready, unless it is the first one by ordinal that is not.
//
// Source: processCondemned of k8s.io/kubernetes/pkg/controller/statefulset.
func (d *draft) removeExcess(namespace string, it *item, object *appsv1.StatefulSet) (isComplete bool) {
	first, want := firstOrdinal(object), workload.Replicas(object.Spec.Replicas)
	excess := slices.DeleteFunc(d.byOrdinal(namespace, it), func(p *pod) bool {
		ordinal := ordinalOf(it.name, p.Name)
		return ordinal >= first && ordinal < first+want
	})
	for i, p := range excess {
		isFirst := !slices.ContainsFunc(excess[i+1:], func(p *pod) bool { return !d.isReady(p) })
		if isOrdered(object) && !d.isReady(p) && !isFirst {
			return false
		}
		d.removePod(p)
	}
	return true
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

// updateReplicas replaces the pods of a former template from an ordinal on, the last first, until one waits. It does so
// without the gate MaxUnavailableStatefulSet.
func (d *draft) updateReplicas(s *space, it *item, object *appsv1.StatefulSet, from int) {
	for _, p := range d.byOrdinal(s.name, it) {
		ordinal := ordinalOf(it.name, p.Name)
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

// updateSeveralReplicas replaces the pods of a former template from an ordinal on, the last first. As many may wait at
// one time as may be unavailable. Of pods that are managed in parallel, those that wait already are replaced
// regardless of that, since 1.37.
//
// Source: updateStatefulSetAfterInvariantEstablished of k8s.io/kubernetes/pkg/controller/statefulset.
func (d *draft) updateSeveralReplicas(s *space, it *item, object *appsv1.StatefulSet, from int) {
	rules := release.Rules(d.opts.Admission.Kubernetes)
	replacesWaiting := !isOrdered(object) && rules.ReplacesWaitingReplicasFirst()
	var next, others []*pod // to replace now, and later
	unavailable := 0
	for _, p := range d.byOrdinal(s.name, it) {
		ordinal, waits := ordinalOf(it.name, p.Name), !d.runs(p)
		if waits && (ordinal >= from || !rules.CountsReplicasAbovePartition()) {
			unavailable++
		}
		switch {
		case ordinal < from || !d.isOutdated(p, it):
		case waits && replacesWaiting:
			next = append(next, p)
		default:
			others = append(others, p)
		}
	}
	most := mostUnavailable(object, rules)
	for isComplete := true; isComplete; next = nil {
		n := min(max(0, most-unavailable), len(others))
		next, others = append(next, others[:n]...), others[n:]
		if len(next) == 0 {
			return
		}
		for _, p := range next {
			if !d.runs(p) {
				unavailable--
			}
			d.removePod(p)
		}
		for _, p := range slices.Backward(next) {
			p = d.createReplica(s, it, object, ordinalOf(it.name, p.Name))
			isComplete = isComplete && p != nil
			waits := p == nil || !d.runs(p)
			if waits && isOrdered(object) {
				return
			}
			if waits {
				unavailable++
			}
		}
	}
}

// mostUnavailable returns how many pods an update may make unavailable: at least one.
func mostUnavailable(object *appsv1.StatefulSet, rules release.Rules) int {
	r, of := object.Spec.UpdateStrategy.RollingUpdate, workload.Replicas(object.Spec.Replicas)
	if r == nil || r.MaxUnavailable == nil {
		return 1
	}
	if rules.CountsReplicasAbovePartition() {
		of = max(0, of-partitionOf(object))
	}
	n, _ := intstr.GetScaledValueFromIntOrPercent(r.MaxUnavailable, of, false) // what is invalid is 0
	return max(1, n)
}

// byOrdinal returns the pods of a StatefulSet, that with the highest ordinal first.
func (d *draft) byOrdinal(namespace string, it *item) []*pod {
	pods := d.podsOf(namespace, it.pods)
	slices.SortStableFunc(pods, func(a, b *pod) int { return ordinalOf(it.name, b.Name) - ordinalOf(it.name, a.Name) })
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
// is not admitted; the others are created nevertheless.
func (d *draft) createReplica(s *space, it *item, object *appsv1.StatefulSet, ordinal int) *pod {
	replica, claims := replicaOf(s.name, it, object, ordinal)
	isRefused := false
	for _, claim := range claims {
		if s.items.Get(claimKey(claim.Name)) != nil {
			continue
		}
		if created := d.createItem(s, it, claim); created == nil {
			isRefused = true
		} else {
			created.isGuess = object.UID != "" && !slices.Contains(d.complete, podvolumes.PersistentVolumeClaim)
		}
	}
	if isRefused {
		return nil
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
