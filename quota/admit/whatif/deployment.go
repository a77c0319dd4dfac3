package whatif

import (
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// setsOf returns the ReplicaSets of a Deployment, the oldest first. Those that were created here are in that order. If
// none has the very template of the Deployment, such as that of a manifest without what the API server has set, the
// current one is the last revision of what would be stored as the same.
func (d *draft) setsOf(namespace string, it *item, object *appsv1.Deployment) (sets []controllers.Set) {
	for _, k := range it.owned {
		if rs := objectOf[*appsv1.ReplicaSet](d.Cluster, namespace, k); rs != nil {
			isCurrent := equalTemplate(&rs.Spec.Template, &object.Spec.Template)
			sets = append(sets, controllers.Set{ReplicaSet: rs, IsCurrent: isCurrent})
		}
	}
	slices.SortStableFunc(sets, func(a, b controllers.Set) int { return ordering.Ages(a.ReplicaSet, b.ReplicaSet) })
	if controllers.Current(sets) != nil {
		return sets
	}
	var last *controllers.Set
	for i := range sets {
		if s := &sets[i]; sameTemplate(&s.Spec.Template, &object.Spec.Template) &&
			(last == nil || controllers.RevisionOf(last.ReplicaSet) <= controllers.RevisionOf(s.ReplicaSet)) {
			last = s
		}
	}
	if last != nil {
		last.IsCurrent = true
	}
	return sets
}

// equalTemplate reports whether a ReplicaSet has a template, apart from the label with its hash. Source:
// EqualIgnoreHash of pkg/controller/deployment/util.
func equalTemplate(of, template *corev1.PodTemplateSpec) bool {
	labels := maps.Clone(of.Labels)
	delete(labels, appsv1.DefaultDeploymentUniqueLabelKey)
	return of.Name == template.Name && equality.Semantic.DeepEqual(labels, template.Labels) &&
		equality.Semantic.DeepEqual(of.Annotations, template.Annotations) &&
		equality.Semantic.DeepEqual(&of.Spec, &template.Spec)
}

// currentSet returns the ReplicaSet with the template of a Deployment, nil if there is none.
func (d *draft) currentSet(namespace string, it *item, object *appsv1.Deployment) *item {
	if current := controllers.Current(d.setsOf(namespace, it, object)); current != nil {
		return d.itemOf(namespace, key{"ReplicaSet", current.Name})
	}
	return nil
}

// syncDeployment lets the controller of a Deployment create, scale and delete ReplicaSets until it has to wait. Each
// ReplicaSet gets its pods, and these their nodes, before the Deployment is looked at again. It does not wait for pods
// that are being deleted, since they will be gone.
func (d *draft) syncDeployment(namespace string, it *item, object *appsv1.Deployment) {
	limits, err := quota.Rollout(nil, nil, int32(workload.Replicas(object.Spec.Replicas)), object.Spec.Strategy)
	if err != nil {
		it.missing = err
		return
	}
	if d.opts.AtOnce {
		own := *object
		own.Spec.Strategy.Type, limits.Surge, object = appsv1.RecreateDeploymentStrategyType, 0, &own
	}
	sets := d.setsOf(namespace, it, object)
	for isDone := false; !isDone; {
		for i := range sets {
			rs := d.itemOf(namespace, key{"ReplicaSet", sets[i].Name})
			sets[i].ReplicaSet, sets[i].Pods = rs.object.(*appsv1.ReplicaSet), len(rs.pods)
			sets[i].Available = d.ready(namespace, rs)
		}
		next := controllers.Deployment(object, int(limits.Surge), int(limits.Unavailable), sets)
		if next.Create != nil {
			created := d.createSet(namespace, it, next.Create)
			if created == nil {
				return
			}
			sets = append(sets, controllers.Set{ReplicaSet: next.Create, IsCurrent: true})
			d.sync(namespace, created.key)
		}
		for _, rs := range next.Update {
			d.item(namespace, key{"ReplicaSet", rs.Name}).object = rs
			d.sync(namespace, key{"ReplicaSet", rs.Name})
		}
		for _, rs := range next.Delete {
			d.deleteItem(namespace, key{"ReplicaSet", rs.Name})
			sets = slices.DeleteFunc(sets, func(s controllers.Set) bool { return s.Name == rs.Name })
		}
		isDone = next.Create == nil && len(next.Update)+len(next.Delete) == 0
	}
}

// createSet creates a ReplicaSet of a Deployment, nil if it is not admitted. Its number stands for the hash of the
// template, by which the controller tells its pods from those of other templates.
func (d *draft) createSet(namespace string, it *item, rs *appsv1.ReplicaSet) (created *item) {
	rs.Namespace, rs.OwnerReferences = namespace, controllerRef(it)
	template, selector := rs.Spec.Template.Labels, rs.Spec.Selector
	d.draw(namespace, it, rs, func() bool {
		const name = appsv1.DefaultDeploymentUniqueLabelKey
		hash := strings.TrimPrefix(rs.Name, it.name+"-")
		rs.Spec.Template.Labels = labels.Merge(template, labels.Set{name: hash})
		rs.Labels = rs.Spec.Template.Labels
		if selector != nil {
			rs.Spec.Selector = metav1.CloneSelectorAndAddLabel(selector, name, hash)
		}
		created = d.createItem(d.space(namespace), it, rs)
		return created != nil
	})
	return created
}
