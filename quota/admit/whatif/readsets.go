package whatif

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// completeSets completes the ReplicaSets of a Deployment. Those without replicas, such as all that were not read, have
// as many as they have pods, and were scaled for the present replicas of the Deployment. Those that were not read have
// the template of their pods, of which unread has one of each. But one of them has that of the Deployment, unless one
// was read that has it: the one with the most pods whose pods are like it, or just with the most pods if none are.
func (o *objects) completeSets(s *space, it *item, object *appsv1.Deployment, unread map[key]*pod) {
	var sets []*item // that were not read
	var more []*item // that have more than the Deployment, such as what a webhook has added to it
	isRead := false
	for _, k := range it.owned {
		rs := s.items.Get(k)
		of, ok := rs.object.(*appsv1.ReplicaSet)
		if !ok {
			continue
		}
		if of.Spec.Replicas == nil {
			of = scaledFor(of, len(rs.pods), object)
		}
		if p := unread[k]; p != nil {
			of.Spec.Template.Name = k.name // in which it differs from that of the Deployment
			of.Spec.Template.Labels, of.Spec.Template.Annotations = p.Object.Labels, p.Object.Annotations
			of.Spec.Template.Spec = *asApplied(&p.Object.Spec, &object.Spec.Template.Spec)
			of.Spec.Template.Spec.NodeName = ""
			sets = append(sets, rs)
		}
		if unread[k] == nil && coversTemplate(&of.Spec.Template, &object.Spec.Template) {
			isRead, more = isRead || sameTemplate(&of.Spec.Template, &object.Spec.Template), append(more, rs)
		}
		rs.object = of
	}
	if !isRead {
		for _, rs := range more {
			own := *rs.object.(*appsv1.ReplicaSet)
			own.Spec.Template.Name, rs.object = own.Name, &own // so that nothing is left out: see sameTemplate
		}
		isRead = len(more) > 0
	}
	if isRead || len(sets) == 0 {
		return
	}
	isLike := func(rs *item) bool {
		own := &rs.object.(*appsv1.ReplicaSet).Spec.Template.Spec
		return covers(reflect.ValueOf(own), reflect.ValueOf(&object.Spec.Template.Spec))
	}
	slices.SortStableFunc(sets, func(a, b *item) int {
		return cmp.Or(ordering.TrueFirst(isLike(a), isLike(b)), cmp.Compare(len(b.pods), len(a.pods)))
	})
	sets[0].object.(*appsv1.ReplicaSet).Spec.Template = object.Spec.Template
}

// scaledFor returns a copy of a ReplicaSet that was scaled when its Deployment had the present replicas.
func scaledFor(rs *appsv1.ReplicaSet, replicas int, object *appsv1.Deployment) *appsv1.ReplicaSet {
	own, size, want := *rs, int32(replicas), workload.Replicas(object.Spec.Replicas)
	limits, _ := quota.Rollout(nil, nil, int32(want), object.Spec.Strategy) // what is not valid gets no pods
	own.Annotations = labels.Merge(rs.Annotations, labels.Set{controllers.DesiredReplicas: strconv.Itoa(want),
		controllers.MaxReplicas: strconv.Itoa(want + int(limits.Surge))})
	own.Spec.Replicas = &size
	return &own
}

// asApplied returns the stored spec of a pod without what the server or a webhook has added to an applied one: the
// volume of its token, and containers.
func asApplied(stored, applied *corev1.PodSpec) *corev1.PodSpec {
	own, added := stored.DeepCopy(), beyond(stored, applied)
	kept := beyond(stored.DeepCopy(), added)
	own.InitContainers, own.Containers = kept.InitContainers, kept.Containers
	removeToken(own)
	return own
}
