package whatif

import (
	"cmp"
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
	"github.com/kubemath/kubemath/internal/workload"
)

// adopter is a controller as it looks at the pods that it selects.
type adopter struct {
	*item
	selector labels.Selector
}

// adopterOf returns an object as adopter. It is not one if it is of another kind, if it is being deleted, or if the API
// server would not store its selector. By default, a ReplicationController selects the labels of its template.
func adopterOf(it *item) (a adopter, ok bool) {
	if it == nil || it.object.GetDeletionTimestamp() != nil {
		return a, false
	}
	of := workload.Of(it.object)
	switch it.object.(type) {
	case *appsv1.ReplicaSet, *appsv1.StatefulSet, *appsv1.DaemonSet:
	case *corev1.ReplicationController:
		if of.Selector == nil && of.Template != nil {
			of.Selector = &metav1.LabelSelector{MatchLabels: of.Template.Labels}
		}
	default:
		return a, false
	}
	selector, err := metav1.LabelSelectorAsSelector(of.Selector)
	return adopter{it, selector}, err == nil && of.Selector != nil && !selector.Empty()
}

// adopts reports whether it makes itself the controller of a pod: of one of its ordinals, if it is a StatefulSet.
// Source: ClaimPods of pkg/controller, and isMemberOf of pkg/controller/statefulset.
func (a adopter) adopts(p *pod) bool {
	if !controllers.Claims(a.selector, p.Object, false) {
		return false
	}
	set, isSet := a.object.(*appsv1.StatefulSet)
	return !isSet || controllers.OrdinalOf(set, p.Name) >= 0
}

// adoptersIn returns the adopters of a namespace, by kind and name.
func adoptersIn(s *space) (all []adopter) {
	for _, it := range s.items.All {
		if a, ok := adopterOf(it); ok {
			all = append(all, a)
		}
	}
	slices.SortFunc(all, func(a, b adopter) int { return a.compare(b.key) })
	return all
}

// adopt gives a controller the pods that it selects and that have no controller.
func (d *draft) adopt(s *space, it *item) {
	a, ok := adopterOf(it)
	if !ok || it.owner.kind == "Deployment" {
		return // no pod has the hash of a ReplicaSet of a Deployment that is not its own
	}
	for _, name := range slices.Sorted(s.pods.Keys) {
		if p := s.pods.Get(name); a.adopts(p) {
			d.setOwner(s, p, it)
		}
	}
}

// reclaim releases a pod that is new, or has other labels, from a controller that does not select it, and gives one
// without a controller to the first by kind and name that selects it.
func (d *draft) reclaim(s *space, p *pod) {
	if a, ok := adopterOf(s.items.Get(p.owner)); ok && !controllers.Claims(a.selector, p.Object, true) {
		d.setOwner(s, p, nil)
		p = s.pods.Get(p.Name)
	}
	if p.owner != (key{}) {
		return
	}
	all := adoptersIn(s)
	if i := slices.IndexFunc(all, func(a adopter) bool { return a.adopts(p) }); i >= 0 {
		d.setOwner(s, p, all[i].item)
	}
}

// setOwner gives a pod to a controller, or to none. The former one and the next have to look again.
func (d *draft) setOwner(s *space, p *pod, it *item) {
	own := *p
	own.owned(s, it)
	if own.Shape != nil {
		own.Shape = d.shapeOf(own.Object)
	}
	d.dropPod(p)
	d.putPod(p, &own)
	d.lookAgain(p.Namespace, cmp.Or(p.owner, own.owner))
}

// owned makes an object the controller of the pod, or none.
func (p *pod) owned(s *space, it *item) {
	object := *p.Object
	object.OwnerReferences = withoutController(object.OwnerReferences)
	p.owner, p.template = key{}, nil
	if it != nil {
		object.OwnerReferences = append(object.OwnerReferences, controllerRef(it)...)
		p.owner, p.template = it.key, revisions{}.of(s, it, p.Object)
	}
	p.Object = &object
}

// withoutController returns references to owners without that to the controller.
func withoutController(refs []metav1.OwnerReference) []metav1.OwnerReference {
	return slices.DeleteFunc(slices.Clone(refs),
		func(r metav1.OwnerReference) bool { return r.Controller != nil && *r.Controller })
}
