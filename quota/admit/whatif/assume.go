package whatif

import (
	"fmt"
	"slices"
	"strconv"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
	"github.com/kubemath/kubemath/quota/admit"
)

// assume adds the pods that the status of their controllers counts, where none of their pods was read. The LimitRanges
// of the namespace are known.
func (d *draft) assume(s *space) {
	for _, k := range slices.SortedFunc(s.items.Keys, key.compare) {
		it := s.items.Get(k)
		d.assumePods(s, it, workload.Of(it.object).Counted)
		switch object := it.object.(type) {
		case *appsv1.Deployment:
			d.assumeSets(s, it, object)
		case *appsv1.DaemonSet:
			d.setTargets(s, it, object)
		}
	}
}

// assumeSets adds the ReplicaSets of a Deployment of which none was read: one of the present template, and one of a
// former one, which differs in nothing that is known.
func (d *draft) assumeSets(s *space, it *item, object *appsv1.Deployment) {
	if len(it.owned) > 0 {
		return
	}
	updated := min(object.Status.UpdatedReplicas, object.Status.Replicas)
	for i, n := range []int32{object.Status.Replicas - updated, updated} {
		if n <= 0 {
			continue
		}
		template := object.Spec.Template
		if i == 0 {
			template.ObjectMeta = metav1.ObjectMeta{Name: it.name} // in which the two differ
		}
		it.numbers++
		rs := &appsv1.ReplicaSet{ObjectMeta: metav1.ObjectMeta{Namespace: s.name,
			Name: fmt.Sprintf("%s-%d", it.name, it.numbers)}}
		rs.Spec.Template = template
		d.assumePods(s, d.addSet(s, it, scaledFor(rs, int(n), object)), n)
	}
}

// assumePods adds as many pods of a controller as its status counts.
func (d *draft) assumePods(s *space, it *item, count int32) {
	template := templateOf(it.object)
	if it.hasPods || template == nil {
		return
	}
	for i := range int(min(count, controllers.MostPods)) {
		d.assumed = true
		object := podFrom(template, it, s.name)
		create := func() bool {
			if decision := d.admission(s).Create(object, admit.Attributes{}); decision.Admitted() {
				object = decision.Object.(*corev1.Pod)
			}
			p := d.newPod(s.name, object)
			p.Node, p.owner, p.template, p.assumed = object.Spec.NodeName, it.key, template, true
			d.putPod(nil, p)
			return true
		}
		switch owner := it.object.(type) {
		case *appsv1.StatefulSet:
			object, _ = replicaOf(s.name, it, owner, template, controllers.StartOrdinal(owner)+i)
			create()
			continue
		case *appsv1.DaemonSet:
			object = daemonPod(owner, it, s.name, strconv.Itoa(i+1))
		}
		d.draw(s.name, it, object, create)
	}
}

// setTargets notes the nodes that a DaemonSet wants a pod on: those that its pods name, and as many as its status
// counts.
func (d *draft) setTargets(s *space, it *item, object *appsv1.DaemonSet) {
	for name := range d.nodesOf(s.name, it.key) {
		it.targets = append(it.targets, name)
	}
	if object.Status.ObservedGeneration > 0 && it.targets == nil {
		it.targets = []string{} // its controller has found none
	}
	for n := len(it.targets); n < int(min(object.Status.DesiredNumberScheduled, controllers.MostPods)); n++ {
		it.targets = append(it.targets, strconv.Itoa(n+1))
	}
	slices.Sort(it.targets)
}
