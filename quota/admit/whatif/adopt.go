package whatif

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
)

// selects returns what a ReplicaSet or ReplicationController selects: nothing if it is another object, or if the API
// server would not store the selector. By default, a ReplicationController selects the labels of its template.
func (it *item) selects() labels.Selector {
	of := workload.Of(it.object)
	switch it.object.(type) {
	case *appsv1.ReplicaSet:
	case *corev1.ReplicationController:
		if of.Selector == nil && of.Template != nil {
			of.Selector = &metav1.LabelSelector{MatchLabels: of.Template.Labels}
		}
	default:
		return labels.Nothing()
	}
	selector, err := metav1.LabelSelectorAsSelector(of.Selector)
	if err != nil || selector.Empty() {
		return labels.Nothing()
	}
	return selector
}

// adopt gives a controller the pods that it selects and that have no controller.
func (d *draft) adopt(s *space, it *item) {
	selector := it.selects()
	if selector == labels.Nothing() || it.owner.kind == "Deployment" {
		return // no pod has the hash of a ReplicaSet of a Deployment that is not its own
	}
	for _, name := range slices.Sorted(s.pods.Keys) {
		if p := s.pods.Get(name); p.owner == (key{}) && controllers.Claims(selector, p.Object, false) {
			d.setOwner(p, it)
		}
	}
}

// reclaim releases a pod that is new, or has other labels, from a controller that does not select it, and gives one
// without a controller to the first by kind and name that selects it.
func (d *draft) reclaim(s *space, p *pod) {
	if it := s.items.Get(p.owner); it != nil && !controllers.Claims(it.selects(), p.Object, true) &&
		(it.kind == "ReplicaSet" || it.kind == "ReplicationController") {
		d.setOwner(p, nil)
		p = s.pods.Get(p.Name)
	}
	var first *item
	for k, it := range s.items.All {
		if p.owner == (key{}) && controllers.Claims(it.selects(), p.Object, false) &&
			(first == nil || k.compare(first.key) < 0) {
			first = it
		}
	}
	if first != nil {
		d.setOwner(p, first)
	}
}

// setOwner gives a pod to a controller, or to none. The former one and the next have to look again.
func (d *draft) setOwner(p *pod, it *item) {
	object := *p.Object
	object.OwnerReferences = slices.DeleteFunc(slices.Clone(object.OwnerReferences),
		func(r metav1.OwnerReference) bool { return r.Controller != nil && *r.Controller })
	own := *p
	own.Object, own.owner, own.template = &object, key{}, nil
	if it != nil {
		object.OwnerReferences = append(object.OwnerReferences, controllerRef(it)...)
		own.owner, own.template = it.key, templateOf(it.object)
	}
	if own.Shape != nil {
		own.Shape = d.shapeOf(own.Object)
	}
	d.dropPod(p)
	d.putPod(p, &own)
	d.lookAgain(p.Namespace, p.owner)
	d.lookAgain(p.Namespace, own.owner)
}
