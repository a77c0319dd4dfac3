package whatif

import (
	"slices"

	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/kubemath/kubemath/internal/controllers"
)

// adopter is a StatefulSet or DaemonSet as it looks at pods without a controller.
type adopter struct {
	*item
	selector labels.Selector
}

// adopterOf returns an object as adopter. One that selects nothing, or everything, adopts no pods.
func adopterOf(it *item) (a adopter, ok bool) {
	var selector *metav1.LabelSelector
	switch object := it.object.(type) {
	case *appsv1.StatefulSet:
		selector = object.Spec.Selector
	case *appsv1.DaemonSet:
		selector = object.Spec.Selector
	}
	s, err := metav1.LabelSelectorAsSelector(selector)
	return adopter{it, s}, err == nil && selector != nil && !s.Empty()
}

// adopts reports whether it makes itself the controller of a pod: of its ordinals, if it is a StatefulSet.
//
// Source: ClaimPods of k8s.io/kubernetes/pkg/controller, and isMemberOf of pkg/controller/statefulset.
func (a adopter) adopts(p *pod) bool {
	if p.owner != (key{}) || p.ended || p.Object.DeletionTimestamp != nil ||
		!a.selector.Matches(labels.Set(p.Object.Labels)) {
		return false
	}
	set, isSet := a.object.(*appsv1.StatefulSet)
	return !isSet || controllers.OrdinalOf(set, &controllers.Pod{Object: p.Object}) >= 0
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

// adoptPods makes a StatefulSet or DaemonSet the controller of the pods that it adopts.
func (d *draft) adoptPods(s *space, it *item) {
	a, ok := adopterOf(it)
	if !ok {
		return
	}
	var pods []*pod
	for _, p := range s.pods.All {
		if a.adopts(p) {
			pods = append(pods, p)
		}
	}
	slices.SortFunc(pods, (*pod).compare)
	for _, p := range pods {
		own := *p
		own.owner, own.template = it.key, revisions{}.of(s, it, p.Object)
		d.touch(p.NamespacedName, p)
		d.setPod(&own)
	}
}
