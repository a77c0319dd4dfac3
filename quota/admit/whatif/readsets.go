package whatif

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// completeSets completes the ReplicaSets of a Deployment. Those without replicas, such as all that were not read, have
// as many as they have pods, and were scaled for the present replicas of the Deployment. Of those that were not read,
// one has the present template if its pods are like that; if none is, it is the one with the most pods, unless another
// one was read that has it. All others have the template of their pods.
func (o *objects) completeSets(s *space, it *item, object *appsv1.Deployment) {
	var unread []*item
	current := false
	for _, k := range it.owned {
		rs := s.items.Get(k)
		of, ok := rs.object.(*appsv1.ReplicaSet)
		if !ok {
			continue
		}
		isRead := len(of.Spec.Template.Spec.Containers) > 0
		current = current || isRead && sameTemplate(&of.Spec.Template, &object.Spec.Template)
		if of.Spec.Replicas == nil {
			rs.object = scaledFor(of, len(rs.pods), object)
		}
		if !isRead {
			unread = append(unread, rs)
		}
	}
	slices.SortStableFunc(unread, func(a, b *item) int { return cmp.Compare(len(b.pods), len(a.pods)) })
	for _, rs := range unread {
		own := *rs.object.(*appsv1.ReplicaSet)
		own.Spec.Template = object.Spec.Template
		if p := o.firstPod(s, rs); p != nil {
			stored := asApplied(&p.Object.Spec, &object.Spec.Template.Spec)
			if !covers(reflect.ValueOf(stored), reflect.ValueOf(&object.Spec.Template.Spec)) {
				own.Spec.Template = corev1.PodTemplateSpec{Spec: *stored}
				own.Spec.Template.Spec.NodeName = ""
				own.Spec.Template.Labels, own.Spec.Template.Annotations = p.Object.Labels, p.Object.Annotations
			} else {
				current = true
			}
		}
		rs.object = &own
	}
	if !current && len(unread) > 0 {
		own := *unread[0].object.(*appsv1.ReplicaSet)
		own.Spec.Template, unread[0].object = object.Spec.Template, &own
	}
}

// scaledFor returns a copy of a ReplicaSet that was scaled when its Deployment had the present replicas.
func scaledFor(rs *appsv1.ReplicaSet, replicas int, object *appsv1.Deployment) *appsv1.ReplicaSet {
	own, size, want := *rs, int32(replicas), workload.Replicas(object.Spec.Replicas)
	own.Annotations = maps.Clone(rs.Annotations)
	if own.Annotations == nil {
		own.Annotations = map[string]string{}
	}
	limits, _ := quota.Rollout(nil, nil, int32(want), object.Spec.Strategy) // what is not valid gets no pods
	own.Annotations[controllers.DesiredReplicas] = strconv.Itoa(want)
	own.Annotations[controllers.MaxReplicas] = strconv.Itoa(want + int(limits.Surge))
	own.Spec.Replicas = &size
	return &own
}

// asApplied returns the stored spec of a pod without what the server or a webhook has added to an applied one: the
// volume of its token, and containers.
func asApplied(stored, applied *corev1.PodSpec) *corev1.PodSpec {
	own, added := stored.DeepCopy(), beyond(stored, applied)
	kept := beyond(stored.DeepCopy(), &added)
	own.InitContainers, own.Containers = kept.InitContainers, kept.Containers
	removeToken(own)
	return own
}

// firstPod returns the first pod by name of an object, nil if it has none.
func (o *objects) firstPod(s *space, it *item) *pod {
	if len(it.pods) == 0 {
		return nil
	}
	return o.podOf(types.NamespacedName{Namespace: s.name, Name: it.pods[0]})
}
