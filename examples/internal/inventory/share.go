package inventory

import (
	"iter"
	"reflect"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kubemath/kubemath/examples/internal/objects"
	"github.com/kubemath/kubemath/quota/admit"
)

// forget removes what a cluster says of a pod and from which nothing is computed: images, mounts, addresses, and the conditions
// that nearly all pods have.
func forget(s *corev1.PodStatus) {
	for _, statuses := range [][]corev1.ContainerStatus{s.InitContainerStatuses, s.ContainerStatuses} {
		for i := range statuses {
			statuses[i].Image, statuses[i].ImageID, statuses[i].ContainerID, statuses[i].VolumeMounts = "", "", "", nil
		}
	}
	s.HostIP, s.HostIPs, s.PodIPs = "", nil, nil
	var conditions []corev1.PodCondition
	for _, c := range s.Conditions {
		if !slices.Contains(idle, c.Type) {
			conditions = append(conditions, c)
		}
	}
	s.Conditions = conditions
}

var idle = []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReadyToStartContainers}

// Packed moves the pods among objects into shared arrays, because a pod that is allocated alone takes a sixth more memory. It is
// meant for the objects of a cluster, nearly all of which are kept.
func Packed(all iter.Seq[objects.Object]) iter.Seq[objects.Object] {
	return func(yield func(objects.Object) bool) {
		var room []corev1.Pod
		for o := range all {
			if pod, is := o.Typed.(*corev1.Pod); is {
				if len(room) == 0 {
					room = make([]corev1.Pod, 28) // 32 KiB
				}
				room[0], o.Typed, room = *pod, &room[0], room[1:]
			}
			if !yield(o) {
				return
			}
		}
	}
}

// template is what the pods of a controller have in common: that of a workload, or a pod.
type template struct {
	meta *metav1.ObjectMeta
	spec *corev1.PodSpec
}

// share has a pod, or the template of a workload, use the memory of the one before it of the same controller for what both have, which
// is most of a pod. Requests and limits of a container are shared together, so that setting a default changes both in the same way.
// A node shares the amounts of the one before it, which is often of the same machine type.
func (l *List) share(object admit.APIObject) {
	if node, is := object.(*corev1.Node); is {
		if l.node != nil {
			shareFields(&node.Status, &l.node.Status)
		}
		l.node = node
		return
	}
	var own template
	if pod, is := object.(*corev1.Pod); is {
		forget(&pod.Status)
		own = template{&pod.ObjectMeta, &pod.Spec}
	} else if t := PodTemplate(object); t != nil {
		own = template{&t.ObjectMeta, &t.Spec}
		l.shareWith(object.GetUID(), own)
	}
	if owner := metav1.GetControllerOfNoCopy(object); owner != nil && own.spec != nil {
		l.shareWith(owner.UID, own)
	}
}

// shareWith has a template share memory with the one before it of a controller.
func (l *List) shareWith(controller types.UID, own template) {
	if controller == "" {
		return
	}
	if l.last == nil {
		l.last = map[types.UID]template{}
	}
	if before, known := l.last[controller]; known {
		shareFields(own.meta, before.meta)
		shareFields(own.spec, before.spec)
		shareContainers(own.spec.InitContainers, before.spec.InitContainers)
		shareContainers(own.spec.Containers, before.spec.Containers)
	}
	l.last[controller] = own
}

func shareContainers(containers, before []corev1.Container) {
	for i := range min(len(containers), len(before)) {
		if &containers[i] != &before[i] {
			shareFields(&containers[i], &before[i])
		}
	}
}

// shareFields sets each field of a struct that is equal in another one to that of the other one.
func shareFields[T any](of, other *T) {
	to, from := reflect.ValueOf(of).Elem(), reflect.ValueOf(other).Elem()
	for i := range to.NumField() {
		if field := to.Field(i); !field.IsZero() && reflect.DeepEqual(field.Interface(), from.Field(i).Interface()) {
			field.Set(from.Field(i))
		}
	}
}
