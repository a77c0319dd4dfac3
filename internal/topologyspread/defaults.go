package topologyspread

import (
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Defaults are the constraints of pods that have none. The zero value is that of a default cluster: as evenly as
// possible on nodes and zones, nodes without a zone included.
//
// Source: PodTopologySpreadArgs of the scheduler's configuration.
type Defaults struct {
	IsList      bool                              // defaultingType List: Constraints, and not those of the system
	Constraints []corev1.TopologySpreadConstraint // without a labelSelector
}

func (d *Defaults) constraints() []corev1.TopologySpreadConstraint {
	if d.IsList {
		return d.Constraints
	}
	return []corev1.TopologySpreadConstraint{
		{TopologyKey: corev1.LabelHostname, WhenUnsatisfiable: corev1.ScheduleAnyway, MaxSkew: 3},
		{TopologyKey: corev1.LabelTopologyZone, WhenUnsatisfiable: corev1.ScheduleAnyway, MaxSkew: 5},
	}
}

// DefaultSelector returns which pods the default constraints of a pod count: those that all Services of its namespace
// select that select the pod, and its controller. The controller is the object that the pod's owner reference names;
// nil if there is none, or if it is not a ReplicationController, ReplicaSet or StatefulSet. A pod that none of them
// selects has the empty selector, and therefore no default constraints.
//
// Source: DefaultSelector of k8s.io/kubernetes/pkg/scheduler/framework/plugins/helper.
func DefaultSelector(pod *corev1.Pod, services []*corev1.Service, controller metav1.Object) labels.Selector {
	if pod == nil {
		return labels.Everything()
	}
	set := labels.Set{}
	for _, service := range services {
		if service != nil && service.Spec.Selector != nil &&
			labels.SelectorFromSet(service.Spec.Selector).Matches(labels.Set(pod.Labels)) {
			set = labels.Merge(set, service.Spec.Selector)
		}
	}
	owner := metav1.GetControllerOfNoCopy(pod)
	if owner == nil {
		return labels.SelectorFromSet(set)
	}
	var selector *metav1.LabelSelector
	kind := schema.FromAPIVersionAndKind(owner.APIVersion, owner.Kind)
	switch c := controller.(type) {
	case *corev1.ReplicationController:
		if c != nil && kind == corev1.SchemeGroupVersion.WithKind("ReplicationController") {
			set = labels.Merge(set, c.Spec.Selector)
		}
	case *appsv1.ReplicaSet:
		if c != nil && kind == appsv1.SchemeGroupVersion.WithKind("ReplicaSet") {
			selector = c.Spec.Selector
		}
	case *appsv1.StatefulSet:
		if c != nil && kind == appsv1.SchemeGroupVersion.WithKind("StatefulSet") {
			selector = c.Spec.Selector
		}
	}
	own, err := metav1.LabelSelectorAsSelector(selector)
	if err != nil {
		return labels.SelectorFromSet(set)
	}
	requirements, _ := own.Requirements()
	return labels.SelectorFromSet(set).Add(requirements...)
}
