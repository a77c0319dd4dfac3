package whatif

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/ordering"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota"
)

// currentReplicaSet returns the ReplicaSet with the template of a Deployment, nil if there is none. Of several, it is
// the one with the most pods, and then the first by name.
func (d *draft) currentReplicaSet(namespace string, it *item, object *appsv1.Deployment) (current *item) {
	for _, k := range slices.SortedFunc(slices.Values(it.owned), key.compare) {
		rs := d.itemOf(namespace, k)
		if rs == nil {
			continue
		}
		of, ok := rs.object.(*appsv1.ReplicaSet)
		if ok && sameTemplate(&of.Spec.Template, &object.Spec.Template) &&
			(current == nil || len(rs.pods) > len(current.pods)) {
			current = rs
		}
	}
	return current
}

// outdated returns the pods of a Deployment of former templates: those of the oldest ReplicaSet first, and of each in
// the order of deletion.
func (d *draft) outdated(namespace string, it *item, current key) (pods []*pod) {
	var sets []*item
	for _, k := range it.owned {
		if rs := d.itemOf(namespace, k); rs != nil && k != current {
			sets = append(sets, rs)
		}
	}
	slices.SortFunc(sets, func(a, b *item) int {
		return cmp.Or(ordering.Ages(a.object, b.object), a.compare(b.key))
	})
	for _, rs := range sets {
		pods = append(pods, d.byDeletion(namespace, rs)...)
	}
	return pods
}

// syncDeployment brings the pods of a Deployment to its replicas, and then to its template: the new ReplicaSet grows
// within its surge, the old ones shrink while enough pods remain available, and so on, until it is complete or gets
// stuck.
//
// Source: rolloutRolling and rolloutRecreate of k8s.io/kubernetes/pkg/controller/deployment.
func (d *draft) syncDeployment(namespace string, it *item, object *appsv1.Deployment) {
	want := workload.Replicas(object.Spec.Replicas)
	atOnce := d.opts.AtOnce || object.Spec.Strategy.Type == appsv1.RecreateDeploymentStrategyType
	if it.resized {
		d.scaleActive(namespace, it, want)
	}
	it.resized = false
	current := d.currentReplicaSet(namespace, it, object)
	if current == nil {
		if object.Spec.Paused {
			return
		}
		current = d.newReplicaSet(namespace, it, object)
		if current == nil {
			return
		}
	}
	current = d.item(namespace, current.key)
	current.missing, current.behind = nil, false
	defer func() {
		it.missing, it.behind, it.depends = current.missing, current.behind, it.depends || current.depends
	}()
	limits, err := quota.Rollout(nil, nil, int32(want), object.Spec.Strategy)
	if err != nil {
		current.missing = err
		return
	}
	for {
		olds := d.outdated(namespace, it, current.key)
		if len(olds) > 0 && object.Spec.Paused {
			return
		}
		target := min(want, max(len(current.pods), want+int(limits.Surge)-len(olds)))
		if atOnce {
			d.removePods(olds)
			target = want
		}
		before := len(current.pods)
		d.scale(namespace, current, templateOf(current.object), target)
		olds = d.outdated(namespace, it, current.key) // some may have become ready
		removed := d.shrink(olds, d.ready(namespace, current)-(want-int(limits.Unavailable)))
		if removed == 0 && len(current.pods) == before {
			return
		}
	}
}

// scaleActive scales the ReplicaSet with pods, if there is only one: before the update to another template begins, and
// also if the ReplicaSet of that is refused. Of several, the pods stay as they are.
//
// Source: isScalingEvent and scale of k8s.io/kubernetes/pkg/controller/deployment.
func (d *draft) scaleActive(namespace string, it *item, want int) {
	var active []*item
	for _, k := range it.owned {
		if rs := d.itemOf(namespace, k); rs != nil && len(rs.pods) > 0 {
			active = append(active, rs)
		}
	}
	if len(active) == 1 {
		d.scale(namespace, d.item(namespace, active[0].key), templateOf(active[0].object), want)
	}
}

// shrink deletes old pods, as many as there are available beyond those that have to be (spare): first those that
// are not scheduled, which cost nothing. It returns how many it deletes.
func (d *draft) shrink(olds []*pod, spare int) (removed int) {
	var waiting, ready []*pod
	for _, p := range olds {
		if d.isReady(p) {
			ready = append(ready, p)
		} else {
			waiting = append(waiting, p)
		}
	}
	waiting = waiting[:min(len(waiting), max(spare+len(olds), 0))]
	ready = ready[:min(len(ready), max(spare+len(ready), 0))]
	d.removePods(waiting)
	d.removePods(ready)
	return len(waiting) + len(ready)
}

func (d *draft) removePods(pods []*pod) {
	for _, p := range pods {
		d.removePod(p)
	}
}

// newReplicaSet creates a ReplicaSet for the template of a Deployment, nil if it is not admitted. Its number stands for
// the hash of the template, by which the controller tells its pods from those of other templates.
func (d *draft) newReplicaSet(namespace string, it *item, object *appsv1.Deployment) (rs *item) {
	draw(it, d.isItem(namespace, "ReplicaSet"), func(name string) bool {
		hash := strings.TrimPrefix(name, it.name+"-")
		template := object.Spec.Template
		template.Labels = withHash(template.Labels, hash)
		selector := object.Spec.Selector.DeepCopy()
		if selector != nil {
			selector.MatchLabels = withHash(selector.MatchLabels, hash)
		}
		rs = d.createItem(d.space(namespace), it, &appsv1.ReplicaSet{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, Labels: template.Labels,
				OwnerReferences: controllerRef(it)},
			Spec: appsv1.ReplicaSetSpec{Replicas: object.Spec.Replicas, Selector: selector, Template: template},
		})
		return rs != nil
	})
	return rs
}

// withHash returns labels with that of the hash.
func withHash(labels map[string]string, hash string) map[string]string {
	own := maps.Clone(labels)
	if own == nil {
		own = map[string]string{}
	}
	own[appsv1.DefaultDeploymentUniqueLabelKey] = hash
	return own
}
